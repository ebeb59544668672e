"""Sessions: a random token in the browser, its digest here, and the person whose it is."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.config.people_sections import SessionSettings
from hub.domain.orders.visitors import visitor_hash
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
OPERATORS: Final = ("operator", "operator-admin")


@frozen
class Proof:
    """How somebody proved who they are, from when (ms UTC) that proof is, and who let them in, if somebody did.

    A password, an app or a passkey is as old as the proof by which it was set up, so that nothing that is set up behind
    another's link is older than that link; a link is as old as its use, and one of the terminal older than all.
    """

    since: int
    let_in_by: str | None = None
    strong: bool = False
    counts: bool = True
    """Whether it proves anything beyond one's own ways in: a link that somebody else made does not."""


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
    introduced_at: int | None = None
    """When somebody else last let this person in, ms UTC."""
    settings: PersonalSettings = DEFAULT_SETTINGS

    def has_role(self, *roles: str) -> bool:
        """Return whether the person has one of these roles."""
        return any(role["role"] in roles for role in self.roles)


@frozen
class Session:
    """A session that has not ended; `confirmed_at` is when its person last proved who they are (ms UTC).

    `proof_since` is from when that proof is, `let_in_by` who made the link that the session began with. `is_strong`
    says that they proved it by a passkey or with a second factor at least once.
    """

    session_id: str
    person: Person
    created_at: int
    confirmed_at: int
    proof_since: int
    let_in_by: str | None = None
    is_strong: bool = False


@frozen
class Client:
    """Where a request comes from, as a session shows it later."""

    address: str
    user_agent: str


class Sessions:
    """Finds, opens and ends sessions."""

    def __init__(
        self, store: Store, clock: Clock, settings: SessionSettings, second_person_after: int, visitor_key: bytes = b""
    ) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._second_person_after = second_person_after
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

    async def open(self, tx: Tx, user_id: str, client: Client, proof: Proof) -> str | None:
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
            strong=int(proof.strong),
            confirmed_at=now if proof.counts else 0,
            proof_since=proof.since,
            let_in_by=proof.let_in_by,
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

    def is_confirmed(self, session: Session, within_ms: int, *, of_oneself: bool = False) -> bool:
        """Return whether the person proved who they are lately enough for an act, one about `of_oneself` or others."""
        if of_oneself:  # whoever was let in has to set up their own ways in first
            return self._clock() - max(session.confirmed_at, session.created_at) < within_ms
        return self._clock() - session.confirmed_at < within_ms and self.mistrusted_until(session) is None

    def mistrusted_until(self, session: Session) -> int | None:
        """Return until when (ms UTC) an operator's proof does not count, None if it does.

        Whoever lets another in could be them. So for a time only a proof from before counts for money and the rights of
        others (issue 27, "Provenance").
        """
        introduced_at = session.person.introduced_at
        if introduced_at is None or session.proof_since < introduced_at or not session.person.has_role(*OPERATORS):
            return None
        until = introduced_at + self._second_person_after
        return until if self._clock() < until else None


def _session(found: Row, roles: Sequence[Row]) -> Session:
    person = Person(
        user_id=found["user_id"],
        email=found["email"],
        name=found["name"],
        roles=tuple(role_document(role) for role in roles),
        has_password=bool(found["has_password"]),
        has_app=bool(found["has_app"]),
        passkeys=found["passkeys"],
        introduced_at=found["introduced_at"],
        settings=PersonalSettings(
            found["time_zone"],
            bool(found["zone_guessed"]),
            found["theme"],
            bool(found["dense"]),
            bool(found["slash_finds"]),
        ),
    )
    return Session(
        found["session_id"], person, found["created_at"], found["confirmed_at"], found["proof_since"],
        found["let_in_by"], bool(found["strong"]),
    )  # fmt: skip
