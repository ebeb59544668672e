"""Sign-in: by password, by a link or by a passkey, with the same answer for every failure.

Somebody with an authenticator app is asked for its code after a password or a link; a passkey needs none, since it is a
device and a face, finger or number at once.
"""

from __future__ import annotations

import json
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.mail.outbox import Mail, Outbox
from hub.operations.trail import Actor, acting_as, note_act
from hub.operations.users.introductions import TERMINAL, Issuer, note_introduction
from hub.operations.users.login_links import add_link, token_digest
from hub.operations.users.notices import notify
from hub.operations.users.users import email_key, user_of
from hub.people.devices import device_name
from hub.people.failures import count_attempt, count_request, forgive_attempt
from hub.people.passwords import Passwords
from hub.people.sessions import Client, Proof, Session, Sessions
from hub.people.steps import Step, put_step
from hub.storage import Row, Store, Tx

AT_ACCOUNT: Final = ("recovery", "invitation")
"""Links after which a person sets up how they sign in."""


@frozen
class Entered:
    """A proof that was taken: the token of the new session, None if a second factor has to follow.

    `purpose` is that of the link, None without one.
    """

    token: str | None
    purpose: str | None = None


@frozen
class LinkSeen:
    """A link that still works: for whom, and why it was made."""

    email: str
    purpose: str


@frozen(eq=False)
class SignIn:
    """Lets people in; `browser` is always the cookie of the browser that asks."""

    _store: Store
    _clock: Clock
    _sessions: Sessions
    _passwords: Passwords
    _outbox: Outbox

    async def with_password(self, email: str, password: str, client: Client, browser: str) -> Entered | None:
        """Sign in; return None if e-mail address and password do not fit.

        Raise `Paused`, or `TooManyAtOnce` if too many sign in at once.
        """
        verified = await self._verified(email, password, client)
        if verified is None:
            return None
        async with self._store.write() as tx:
            return await self.enter(tx, verified.user_id, client, browser, "password", Proof(verified.since))

    async def enter(
        self, tx: Tx, user_id: str, client: Client, browser: str, by: str, proof: Proof, purpose: str | None = None
    ) -> Entered | None:
        """Open a session in this transaction for somebody who gave a first proof, or ask for a second one.

        Return None if the user may not sign in.
        """
        factors = await tx.one("user_factors", user_id=user_id)
        if factors is None or factors["status"] != "ACTIVE":
            return None
        if factors["totp_secret"] is not None:
            await put_step(tx, self._clock(), browser, "second-factor", begun_step(user_id, by, proof))
            return Entered(None, purpose)
        token = await self.open(tx, user_id, client, by, proof)
        return None if token is None else Entered(token, purpose)

    async def open(self, tx: Tx, user_id: str, client: Client, by: str, proof: Proof) -> str | None:
        """Open a session in this transaction and return its token; None if the user may not sign in.

        Somebody who is signed in elsewhere, and not with such a browser, gets a mail about it.
        """
        device, now = device_name(client.user_agent), self._clock()
        living = await tx.one("living_sessions_by_device", user_id=user_id, device=device, now=now)
        token = await self._sessions.open(tx, user_id, client, proof)
        if token is not None:
            with acting_as(Actor("user", user_id, "page", client.address)):
                await note_act(tx, now, "user.signed-in", user_id, after=_seen(by, proof))
                if living is not None and living["sessions"] and not living["known"]:
                    said = f"You signed in with {device}, unlike in your other sessions. If it was not you, end it."
                    await notify(tx, now, self._outbox, await user_of(tx, user_id), "A sign-in from a new device", said)
        return token

    async def confirm(self, session: Session, password: str, client: Client) -> bool:
        """Note that the person of a session has proved who they are; return whether it was their password.

        Raise as `with_password` does.
        """
        verified = await self._verified(session.person.email, password, client)
        if verified is None:
            return False
        async with self._store.write() as tx:
            await tx.run("confirm_session", session_id=session.session_id, now=self._clock(), since=verified.since)
        return True

    async def link(self, token: str) -> LinkSeen | None:
        """Return whom a sign-in link is for, None if it was used or has expired; the link stays as it is."""
        async with self._store.read() as tx:
            row = await tx.one("live_login_link", token_hash=token_digest(token), now=self._clock())
        return None if row is None else LinkSeen(row["email"], row["purpose"])

    async def with_link(self, token: str, client: Client, browser: str) -> Entered | None:
        """Use a sign-in link up and sign in; return None if it was used or has expired."""
        async with self._store.write() as tx:
            now = self._clock()
            row = await tx.one("use_login_link", token_hash=token_digest(token), now=now)
            if row is None:
                return None
            proof = await proof_by_link(tx, now, row["user_id"], row)
            return await self.enter(tx, row["user_id"], client, browser, "link", proof, row["purpose"])

    async def ask_for_link(self, email: str, client: Client, root: str) -> None:
        """Mail a person the way to a new password, or without mail note for the operator that they ask for a link.

        An unknown address leaves nothing but the same counts. Raise `Paused`: each client and each address may ask
        only now and then, so that nobody fills another's mailbox.
        """
        now, key = self._clock(), email_key(email)
        async with self._store.write() as tx:
            await count_request(tx, now, client, key)
            await tx.run("note_asked_link", email_key=key, now=now)
            row = await tx.one("user_by_email", email_key=key)
            if row is None or row["status"] != "ACTIVE" or not self._outbox.is_on:
                return
            made = await add_link(tx, now, root, row["user_id"], "recovery", None)
            values = {"email": row["email"]}
            mail = Mail(row["email"], "password-reset", values, made.url, made.expires_at, row["user_id"])
            await self._outbox.add(tx, now, mail)
            with acting_as(Actor("system", "sign-in page", "page", client.address)):
                await note_act(tx, now, "user.reset-mailed", row["user_id"])

    async def set_password(self, session: Session, password: str) -> None:
        """Set the password of a session's person; every other session and every open link of theirs ends.

        Raise `TooManyAtOnce`.
        """
        user_id, hashed = session.person.user_id, await self._passwords.hash(password)
        async with self._store.write() as tx:
            now = self._clock()
            await tx.run("set_password", user_id=user_id, password_hash=hashed, since=session.proof_since)
            await tx.run("delete_sessions_of_user", user_id=user_id, kept=session.session_id)
            await tx.run("delete_login_links_of_user", user_id=user_id)
            await note_act(tx, now, "user.password-set", user_id)
            done = "Your password was changed." if session.person.has_password else "You have a password now."
            living = (await tx.all("living_tokens", user_id=user_id, now=now))[0]["tokens"]
            if living:
                done += f" {living} of your tokens still count; /account/tokens revokes them."
            await notify(tx, now, self._outbox, await user_of(tx, user_id), "Your password was set", done)

    async def _verified(self, email: str, password: str, client: Client) -> _Verified | None:
        now, key = self._clock(), email_key(email)
        async with self._store.write() as tx:
            await count_attempt(tx, now, client, key)
            user = await tx.one("user_by_email", email_key=key)
        stored = None if user is None or user["status"] != "ACTIVE" else user["password_hash"]
        if not await self._passwords.verify(stored, password) or user is None:
            return None
        async with self._store.write() as tx:
            await forgive_attempt(tx, client, key)
        return _Verified(user["user_id"], user["password_since"] or 0)


@frozen
class _Verified:
    """Whose password it was, and from when it is."""

    user_id: str
    since: int


async def proof_by_link(tx: Tx, now: int, user_id: str, link: Row) -> Proof:
    """Return what a link proves that a user has just used, and note who let them in by it.

    One that somebody else made proves only that this one let them in; that of the terminal is older than all, and one
    that the person asked for by mail is of now.
    """
    by = link["issued_by"]
    if by is None or by in (TERMINAL, user_id):
        return Proof(0 if by == TERMINAL else now)
    await note_introduction(tx, now, user_id, "link", Issuer(by, link["token_id"]))
    return Proof(now, by, counts=False)


def begun_step(user_id: str, by: str, proof: Proof) -> Step:
    """Return what a sign-in that waits for its second factor keeps: how it began, from when that proof is, by whom."""
    return Step(user_id, json.dumps([by, proof.since, proof.let_in_by]))


def _seen(by: str, proof: Proof) -> dict[str, str]:
    return {"by": by, **({} if proof.let_in_by is None else {"letInBy": proof.let_in_by})}
