"""Sessions: a random token in the browser, its digest here, and the person whose it is."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.config.people_sections import SessionSettings
from hub.domain.visitors import visitor_hash
from hub.ids import new_id
from hub.operations.trail import note_act
from hub.operations.users.login_links import token_digest
from hub.operations.users.users import RoleDocument, role_document
from hub.people.devices import device_name
from hub.people.settings import DEFAULT_SETTINGS, PersonalSettings
from hub.storage import Row, Store, Tx

TOKEN_BYTES: Final = 32
SEEN_EVERY_MS: Final = 60_000
"""How exact the time of the last use is: a page that is loaded more often does not write."""
"""How long a proof of who one is counts for secrets and money."""


@frozen
class Person:
    """Somebody who has signed in, with the ways in that they have: a password, an authenticator app, passkeys."""

    user_id: str
    email: str
    name: str
    roles: tuple[RoleDocument, ...]
    has_password: bool
    has_app: bool = False
    passkeys: int = 0
    settings: PersonalSettings = DEFAULT_SETTINGS

    def has_role(self, *roles: str) -> bool:
        """Return whether the person has one of these roles."""
        return any(role["role"] in roles for role in self.roles)


@frozen
class Session:
    """A session that has not ended; `confirmed_at` is when its person last proved who they are (ms UTC).

    `is_strong` says that they proved it by a passkey or with a second factor at least once.
    """

    session_id: str
    person: Person
    confirmed_at: int
    is_strong: bool = False


@frozen
class Client:
    """Where a request comes from, as a session shows it later."""

    address: str
    user_agent: str


class Sessions:
    """Finds, opens and ends sessions."""

    def __init__(self, store: Store, clock: Clock, settings: SessionSettings, visitor_key: bytes = b"") -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._visitor_key = visitor_key

    async def find(self, token: str) -> Session | None:
        """Return the session of a token, None if there is none or it has ended; note that it is used."""
        now, digest = self._clock(), token_digest(token)
        async with self._store.read() as tx:
            found = await tx.one(
                "session_by_token", token_hash=digest, now=now, idle_since=now - self._settings.idle_timeout
            )
            if found is None:
                return None
            roles = await tx.all("roles_by_token", token_hash=digest)
        if now - found["seen_at"] >= SEEN_EVERY_MS:
            async with self._store.write() as tx:
                await tx.run("touch_session", token_hash=digest, now=now)
        return _session(found, roles)

    async def open(self, tx: Tx, user_id: str, client: Client, *, strong: bool = False) -> str | None:
        """Open a session in this transaction and return its token; None if the user may not sign in."""
        token, now = secrets.token_urlsafe(TOKEN_BYTES), self._clock()
        made = await tx.one(
            "insert_session",
            token_hash=token_digest(token),
            session_id=new_id("ses"),
            user_id=user_id,
            now=now,
            expires_at=now + self._settings.lifetime,
            user_agent=device_name(client.user_agent),
            address=client.address,
            visitor=visitor_hash(self._visitor_key, client.address, client.user_agent),
            strong=int(strong),
        )
        return None if made is None else token

    async def listed(self, user_id: str) -> list[Row]:
        """Return the sessions of a user that have not ended, newest first: rows of `sessions_of_user`."""
        now = self._clock()
        async with self._store.read() as tx:
            return await tx.all(
                "sessions_of_user", user_id=user_id, now=now, idle_since=now - self._settings.idle_timeout
            )

    async def end(self, user_id: str, session_id: str) -> bool:
        """End a session of a user; return whether it was theirs."""
        async with self._store.write() as tx:
            ended = await tx.run("delete_session", user_id=user_id, session_id=session_id)
            if ended:
                await note_act(tx, self._clock(), "user.signed-out", user_id)
        return bool(ended)

    def is_confirmed(self, session: Session, within_ms: int) -> bool:
        """Return whether the person proved who they are lately enough for an act."""
        return self._clock() - session.confirmed_at < within_ms


def _session(found: Row, roles: Sequence[Row]) -> Session:
    person = Person(
        user_id=found["user_id"],
        email=found["email"],
        name=found["name"],
        roles=tuple(role_document(role) for role in roles),
        has_password=bool(found["has_password"]),
        has_app=bool(found["has_app"]),
        passkeys=found["passkeys"],
        settings=PersonalSettings(
            found["time_zone"], bool(found["zone_guessed"]), found["theme"], bool(found["dense"])
        ),
    )
    return Session(found["session_id"], person, found["confirmed_at"], bool(found["strong"]))
