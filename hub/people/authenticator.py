"""The authenticator app as a second factor, and the recovery codes for the day when the phone is lost."""

from __future__ import annotations

import base64
import json
import secrets
from hashlib import sha256
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.domain.totp import matching_step, provisioning_uri, secret_text
from hub.mail.outbox import Outbox
from hub.operations.trail import note_act
from hub.operations.users.notices import notify
from hub.operations.users.users import user_of
from hub.people.failures import count_attempt, forgive_attempt
from hub.people.sessions import Client, Proof, Session
from hub.people.sign_in import SignIn
from hub.people.steps import Step, put_step, see_step, take_step
from hub.sealing import Sealer
from hub.storage import Store, Tx

SECRET_BYTES: Final = 20
CODES: Final = 10
ISSUER: Final = "Affiliate hub"


@frozen
class NewApp:
    """The secret of an app that is being set up, as text and as the URI of its QR code."""

    secret: str
    uri: str


@frozen(eq=False)
class Authenticator:
    """Sets apps up, and checks their codes."""

    _store: Store
    _clock: Clock
    _sealer: Sealer
    _sign_in: SignIn
    _outbox: Outbox

    async def begin(self, session: Session, browser: str) -> NewApp:
        """Return the secret of a new app for this browser; the same one if it has begun and not finished."""
        user_id, now = session.person.user_id, self._clock()
        async with self._store.write() as tx:
            step = await see_step(tx, now, browser, "new-app")
            if step is not None and step.user_id == user_id:
                secret = self._sealer.open(step.value, user_id)
            else:
                secret = secrets.token_bytes(SECRET_BYTES)
                await put_step(tx, now, browser, "new-app", Step(user_id, self._sealer.seal(secret, user_id)))
        return NewApp(secret_text(secret), provisioning_uri(secret, session.person.email, ISSUER))

    async def finish(self, session: Session, browser: str, code: str) -> list[str] | None:
        """Take the new app into use if this is its code, and return fresh recovery codes; None if it is not."""
        user_id = session.person.user_id
        async with self._store.write() as tx:
            now = self._clock()
            step = await see_step(tx, now, browser, "new-app")
            if step is None or step.user_id != user_id:
                return None
            counter = matching_step(self._sealer.open(step.value, user_id), code, now, None)
            if counter is None:
                return None
            await take_step(tx, now, browser, "new-app")
            await tx.run("set_totp", user_id=user_id, secret=step.value, counter=counter, now=now,
                         since=session.proof_since)  # fmt: skip
            await tx.run("strengthen_session", session_id=session.session_id, now=now, since=session.proof_since)
            await tx.run("delete_sessions_of_user", user_id=user_id, kept=session.session_id)
            await self._note(tx, user_id, "user.app-added", "An authenticator app was added to your account.")
            return await self._fresh_codes(tx, user_id)

    async def remove(self, session: Session) -> None:
        """Take the app away, and its recovery codes."""
        user_id = session.person.user_id
        async with self._store.write() as tx:
            await tx.run("set_totp", user_id=user_id, secret=None, counter=None, now=None, since=None)
            await tx.run("delete_recovery_codes", user_id=user_id)
            await self._note(tx, user_id, "user.app-removed", "The authenticator app was removed from your account.")

    async def new_codes(self, session: Session) -> list[str]:
        """Replace the recovery codes and return the new ones, which are stored nowhere."""
        user_id = session.person.user_id
        async with self._store.write() as tx:
            await self._note(tx, user_id, "user.codes-renewed", "Your recovery codes were replaced.")
            return await self._fresh_codes(tx, user_id)

    async def complete(self, code: str, client: Client, browser: str) -> str | None:
        """Finish a sign-in that waits for its second factor; return the session's token, None for a wrong code.

        Raise `Paused`, and LookupError if no sign-in of this browser waits any more.
        """
        async with self._store.write() as tx:
            step = await see_step(tx, self._clock(), browser, "second-factor")
        if step is None or step.user_id is None:
            raise LookupError("no sign-in waits")
        since = await self._fits(step.user_id, code, client)
        if since is None:
            return None
        by, first_since, let_in_by = json.loads(step.value)
        # Behind another's link the code alone proves who it is; else the younger of two proofs counts.
        proof = Proof(since if let_in_by else max(since, first_since), let_in_by, strong=True)
        async with self._store.write() as tx:
            if await take_step(tx, self._clock(), browser, "second-factor") is None:
                raise LookupError("no sign-in waits")
            return await self._sign_in.open(tx, step.user_id, client, f"{by} and code", proof)

    async def confirm(self, session: Session, code: str, client: Client) -> bool:
        """Note that a person has proved who they are; return whether it was their code. Raise `Paused`."""
        since = await self._fits(session.person.user_id, code, client)
        if since is None:
            return False
        async with self._store.write() as tx:
            await tx.run("strengthen_session", session_id=session.session_id, now=self._clock(), since=since)
        return True

    async def _fits(self, user_id: str, code: str, client: Client) -> int | None:
        """Use a code of the app or a recovery code up; return from when that proof is, None if it is not one.

        Raise `Paused`.
        """
        account = f"factor:{user_id}"
        async with self._store.write() as tx:
            await count_attempt(tx, self._clock(), client, account)
        async with self._store.write() as tx:
            since = await self._use(tx, user_id, code)
            if since is not None:
                await forgive_attempt(tx, client, account)
        return since

    async def _use(self, tx: Tx, user_id: str, code: str) -> int | None:
        now, row = self._clock(), await tx.one("lock_user", user_id=user_id)
        if row is None or row["totp_secret"] is None:
            return None
        since: int = row["totp_proof_since"] or 0
        step = matching_step(self._sealer.open(row["totp_secret"], user_id), code, now, row["totp_counter"])
        if step is not None:
            return since if await tx.run("use_totp_counter", user_id=user_id, counter=step) else None
        if not await tx.run("use_recovery_code", user_id=user_id, code_hash=_code_digest(user_id, code), now=now):
            return None
        await self._note(tx, user_id, "user.code-used", "A recovery code was used to sign in to your account.")
        return since

    async def _fresh_codes(self, tx: Tx, user_id: str) -> list[str]:
        await tx.run("delete_recovery_codes", user_id=user_id)
        codes = [_new_code() for _ in range(CODES)]
        for code in codes:
            await tx.run("insert_recovery_code", user_id=user_id, code_hash=_code_digest(user_id, code))
        return codes

    async def _note(self, tx: Tx, user_id: str, act: str, sentence: str) -> None:
        now = self._clock()
        await note_act(tx, now, act, user_id)
        await notify(tx, now, self._outbox, await user_of(tx, user_id), "Your sign-in methods changed", sentence)


def _new_code() -> str:
    """Return a recovery code of 80 random bits, in groups of four."""
    text = base64.b32encode(secrets.token_bytes(10)).decode().lower()
    return "-".join(text[place : place + 4] for place in range(0, len(text), 4))


def _code_digest(user_id: str, code: str) -> str:
    plain = "".join(each for each in code.lower() if each.isalnum())
    return sha256(f"{user_id}:{plain}".encode()).hexdigest()
