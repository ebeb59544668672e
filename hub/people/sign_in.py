"""Sign-in: by password or by a link, with the same answer for every failure.

A failure is counted before the password is verified and taken back after a success, so that guesses that come at the
same moment cannot pass a pause that none of them has caused yet. The rows of an address and of an account are locked in
that order by everybody, so no two sign-ins can wait for each other.
"""

from __future__ import annotations

from hashlib import sha256

from hub.clock import Clock
from hub.operations.trail import Actor, acting_as, note_act
from hub.operations.users import email_key, token_digest
from hub.people.passwords import Passwords
from hub.people.pauses import ACCOUNT_MOST_MS, ADDRESS_MOST_MS, failures_after, waits_ms
from hub.people.sessions import Client, Session, Sessions
from hub.storage import Store, Tx


class Paused(Exception):
    """The address or the account has failed too often; `seconds` is how long to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"wait {seconds} s")
        self.seconds = seconds


class SignIn:
    """Lets people in."""

    def __init__(self, store: Store, clock: Clock, sessions: Sessions, passwords: Passwords) -> None:
        self._store = store
        self._clock = clock
        self._sessions = sessions
        self._passwords = passwords

    async def with_password(self, email: str, password: str, client: Client) -> str | None:
        """Return the token of a new session; None if e-mail address and password do not fit.

        Raise `Paused`, or `TooManyAtOnce` if too many sign in at once.
        """
        user_id = await self._verified(email, password, client)
        if user_id is None:
            return None
        async with self._store.write() as tx:
            token = await self._sessions.open(tx, user_id, client)
            if token is not None:
                with acting_as(Actor("user", user_id, "page", client.address)):
                    await note_act(tx, self._clock(), "user.signed-in", user_id, after={"by": "password"})
        return token

    async def confirm(self, session: Session, password: str, client: Client) -> bool:
        """Note that the person of a session has proved who they are; return whether it was their password.

        Raise as `with_password` does.
        """
        if await self._verified(session.person.email, password, client) is None:
            return False
        async with self._store.write() as tx:
            await tx.run("confirm_session", session_id=session.session_id, now=self._clock())
        return True

    async def email_of_link(self, token: str) -> str | None:
        """Return whom a sign-in link is for, None if it was used or has expired; the link stays as it is."""
        async with self._store.read() as tx:
            row = await tx.one("live_login_link", token_hash=token_digest(token), now=self._clock())
        return None if row is None else str(row["email"])

    async def with_link(self, token: str, client: Client) -> str | None:
        """Use a sign-in link up and return the token of a new session; None if it was used or has expired."""
        now = self._clock()
        async with self._store.write() as tx:
            row = await tx.one("use_login_link", token_hash=token_digest(token), now=now)
            if row is None:
                return None
            opened = await self._sessions.open(tx, row["user_id"], client)
            if opened is not None:
                with acting_as(Actor("user", row["user_id"], "page", client.address)):
                    await note_act(tx, now, "user.signed-in", row["user_id"], after={"by": "link"})
        return opened

    async def ask_for_link(self, email: str, client: Client) -> None:
        """Note for the operator that a person asks for a link; an unknown one leaves nothing. Raise `Paused`."""
        now = self._clock()
        async with self._store.write() as tx:
            await _count(tx, f"asks:{client.address}", now, ADDRESS_MOST_MS)
            await tx.run("note_asked_link", email_key=email_key(email), now=now)

    async def set_password(self, session: Session, password: str) -> None:
        """Set the password of a session's person; every other session and every open link of theirs ends.

        Raise `TooManyAtOnce`.
        """
        user_id, hashed = session.person.user_id, await self._passwords.hash(password)
        async with self._store.write() as tx:
            await tx.run("set_password", user_id=user_id, password_hash=hashed)
            await tx.run("delete_sessions_of_user", user_id=user_id, kept=session.session_id)
            await tx.run("delete_login_links_of_user", user_id=user_id)
            await note_act(tx, self._clock(), "user.password-set", user_id)

    async def _verified(self, email: str, password: str, client: Client) -> str | None:
        now, key = self._clock(), email_key(email)
        address, account = f"address:{client.address}", f"account:{sha256(key.encode()).hexdigest()}"
        async with self._store.write() as tx:
            await _count(tx, address, now, ADDRESS_MOST_MS)
            await _count(tx, account, now, ACCOUNT_MOST_MS)
            user = await tx.one("user_by_email", email_key=key)
        stored = None if user is None or user["status"] != "ACTIVE" else user["password_hash"]
        if not await self._passwords.verify(stored, password) or user is None:
            return None
        async with self._store.write() as tx:
            await tx.run("forgive_sign_in_failures", address_origin=address, account_origin=account)
        return str(user["user_id"])


async def _count(tx: Tx, origin: str, now: int, most_ms: int) -> None:
    """Count a failure of an origin; raise `Paused`, which undoes the transaction, if it has to wait."""
    row = await tx.one("hold_sign_in_failures", origin=origin, now=now)
    failures, failed_at = (0, now) if row is None else (row["failures"], row["failed_at"])
    wait = waits_ms(failures, failed_at, now, most_ms)
    if wait:
        raise Paused(-(-wait // 1000))
    await tx.run("set_sign_in_failures", origin=origin, failures=failures_after(failures, failed_at, now), now=now)
