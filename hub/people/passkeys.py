"""Passkeys: registered at the account, used at the sign-in and wherever somebody has to prove who they are.

A challenge is kept here, bound to the browser's cookie, and used once. The library judges what the browser sends back;
it is imported when the first passkey is used, since that takes 200 ms.
"""

from __future__ import annotations

import base64
import ipaddress
import json
from typing import Any, Final
from urllib.parse import urlsplit

from attrs import frozen

from hub.clock import Clock
from hub.mail.outbox import Outbox
from hub.operations.checks import checked_name
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.operations.users.notices import notify
from hub.operations.users.users import user_of
from hub.people.devices import device_name
from hub.people.failures import count_attempt, forgive_attempt
from hub.people.sessions import Client, Proof, Session
from hub.people.sign_in import SignIn
from hub.people.steps import Kind, Step, put_step, take_step
from hub.storage import Row, Store, Tx

LONGEST_ANSWER: Final = 16_384
MOST: Final = 20
"""Passkeys of one person."""


@frozen
class Site:
    """The hub as passkeys know it: its host, and the origin of its pages."""

    host: str
    origin: str


class BadPasskey(Exception):
    """What the browser sent is not a passkey's answer to its challenge; the text says why."""


def site_of(root: str) -> Site | None:
    """Return the site of a public root; None if passkeys cannot be had there: at an IP address, or without TLS."""
    parts = urlsplit(root)
    host = parts.hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        secure = parts.scheme == "https" or host == "localhost" or host.endswith(".localhost")
        return Site(host, f"{parts.scheme}://{parts.netloc}") if secure and host else None
    return None


class Passkeys:
    """Registers and verifies passkeys."""

    def __init__(self, store: Store, clock: Clock, sign_in: SignIn, outbox: Outbox) -> None:
        self._store = store
        self._clock = clock
        self._sign_in = sign_in
        self._outbox = outbox

    async def listed(self, user_id: str) -> list[Row]:
        """Return the passkeys of a user, oldest first: rows of `passkeys_of_user`."""
        async with self._store.read() as tx:
            return await tx.all("passkeys_of_user", user_id=user_id)

    async def creation_options(self, session: Session, browser: str, site: Site) -> str:
        """Return the JSON with which a browser makes a new passkey for the session's person."""
        import webauthn
        import webauthn.helpers.structs as kinds
        from webauthn.helpers.cose import COSEAlgorithmIdentifier as Algorithm

        person = session.person
        known = [kinds.PublicKeyCredentialDescriptor(webauthn.base64url_to_bytes(row["credential_id"]))
                 for row in await self.listed(person.user_id)]  # fmt: skip
        options = webauthn.generate_registration_options(
            rp_id=site.host,
            rp_name="Affiliate hub",
            user_id=person.user_id.encode(),
            user_name=person.email,
            user_display_name=person.name,
            exclude_credentials=known,
            supported_pub_key_algs=[Algorithm.ECDSA_SHA_256, Algorithm.RSASSA_PKCS1_v1_5_SHA_256],
            authenticator_selection=kinds.AuthenticatorSelectionCriteria(
                resident_key=kinds.ResidentKeyRequirement.REQUIRED,
                user_verification=kinds.UserVerificationRequirement.REQUIRED,
            ),
        )
        await self._remember(browser, "new-passkey", person.user_id, options.challenge)
        return webauthn.options_to_json(options)

    async def add(self, session: Session, browser: str, site: Site, answer: str, client: Client) -> None:
        """Store the passkey that a browser made; raise `BadPasskey` if it is not one, or somebody's already."""
        import webauthn
        from webauthn.helpers.exceptions import WebAuthnException

        user_id = session.person.user_id
        challenge = await self._challenge(browser, "new-passkey", user_id)
        try:
            made = webauthn.verify_registration_response(
                credential=answer[:LONGEST_ANSWER],
                expected_challenge=challenge,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except WebAuthnException as fault:
            raise BadPasskey(str(fault)) from fault
        async with self._store.write() as tx:
            now = self._clock()
            if len(await tx.all("passkeys_of_user", user_id=user_id)) >= MOST:
                raise BadPasskey("there are too many passkeys")
            stored = await tx.run(
                "insert_passkey",
                credential_id=_text(made.credential_id),
                user_id=user_id,
                public_key=_text(made.credential_public_key),
                sign_count=made.sign_count,
                name=device_name(client.user_agent),
                now=now,
                since=session.proof_since,
            )
            if not stored:
                raise BadPasskey("the passkey is registered already")
            await tx.run("strengthen_session", session_id=session.session_id, now=now, since=session.proof_since)
            await self._note(tx, user_id, "user.passkey-added", "A passkey was added to your account.")

    async def rename(self, session: Session, credential_id: str, name: str) -> bool:
        """Give a passkey of the session's person another name; return whether it is theirs. Raise `OperatorFault`."""
        checked = checked_name(name)
        async with self._store.write() as tx:
            done = await tx.run(
                "rename_passkey", credential_id=credential_id, user_id=session.person.user_id, name=checked
            )
        return bool(done)

    async def remove(self, session: Session, credential_id: str) -> bool:
        """Take a passkey away; return whether it was the person's. Raise `OperatorFault` for the last way in."""
        user_id = session.person.user_id
        async with self._store.write() as tx:
            user = await tx.one("lock_user", user_id=user_id)
            rest = [row for row in await tx.all("passkeys_of_user", user_id=user_id)
                    if row["credential_id"] != credential_id]  # fmt: skip
            if user is not None and user["password_hash"] is None and not rest:
                raise OperatorFault("This is your last way in. Set a password or add another passkey first.")
            if not await tx.run("delete_passkey", credential_id=credential_id, user_id=user_id):
                return False
            await self._note(tx, user_id, "user.passkey-removed", "A passkey was removed from your account.")
        return True

    async def request_options(self, browser: str, site: Site, user_id: str | None = None) -> str:
        """Return the JSON with which a browser asks for a passkey; any of this site, or one of a user."""
        import webauthn
        import webauthn.helpers.structs as kinds

        options = webauthn.generate_authentication_options(
            rp_id=site.host, user_verification=kinds.UserVerificationRequirement.REQUIRED
        )
        await self._remember(browser, "passkey", user_id, options.challenge)
        return webauthn.options_to_json(options)

    async def sign_in(self, answer: str, browser: str, site: Site, client: Client) -> str | None:
        """Return the token of a new session for whoever's passkey answered; None if they may not sign in.

        Raise `BadPasskey`, or `Paused` if the address has failed too often.
        """
        known = await self._verified(answer, browser, site, client, None)
        async with self._store.write() as tx:
            proof = Proof(known["proof_since"], strong=True)
            return await self._sign_in.open(tx, known["user_id"], client, "passkey", proof)

    async def confirm(self, session: Session, answer: str, browser: str, site: Site, client: Client) -> None:
        """Note that the person of a session has proved who they are; raise `BadPasskey` or `Paused`."""
        known = await self._verified(answer, browser, site, client, session.person.user_id)
        async with self._store.write() as tx:
            since = known["proof_since"]
            await tx.run("strengthen_session", session_id=session.session_id, now=self._clock(), since=since)

    async def _verified(self, answer: str, browser: str, site: Site, client: Client, expected: str | None) -> Row:
        """Return the passkey that answered the browser's challenge: a row of `passkey_by_id`."""
        import webauthn
        from webauthn.helpers.exceptions import WebAuthnException

        challenge = await self._challenge(browser, "passkey", expected)
        credential_id = _credential_id(answer)
        async with self._store.write() as tx:
            await count_attempt(tx, self._clock(), client, f"passkey:{credential_id}")
            known = await tx.one("passkey_by_id", credential_id=credential_id)
        if known is None or (expected is not None and known["user_id"] != expected):
            raise BadPasskey("the passkey is unknown")
        try:
            proved = webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                credential_public_key=webauthn.base64url_to_bytes(known["public_key"]),
                credential_current_sign_count=known["sign_count"],
                require_user_verification=True,
            )
        except WebAuthnException as fault:
            raise BadPasskey(str(fault)) from fault
        async with self._store.write() as tx:
            count, seen = proved.new_sign_count, known["sign_count"]
            now, key = self._clock(), known["credential_id"]
            if not await tx.run("use_passkey", credential_id=key, now=now, sign_count=count, seen=seen):
                raise BadPasskey("the passkey was used at the same moment")
            await forgive_attempt(tx, client, f"passkey:{credential_id}")
        return known

    async def _remember(self, browser: str, kind: Kind, user_id: str | None, challenge: bytes) -> None:
        async with self._store.write() as tx:
            await put_step(tx, self._clock(), browser, kind, Step(user_id, challenge.hex()))

    async def _challenge(self, browser: str, kind: Kind, user_id: str | None) -> bytes:
        async with self._store.write() as tx:
            step = await take_step(tx, self._clock(), browser, kind)
        if step is None or step.user_id != user_id:
            raise BadPasskey("the challenge is too old")
        return bytes.fromhex(step.value)

    async def _note(self, tx: Tx, user_id: str, act: str, sentence: str) -> None:
        now = self._clock()
        await note_act(tx, now, act, user_id)
        await notify(tx, now, self._outbox, await user_of(tx, user_id), "Your sign-in methods changed", sentence)


def _text(data: bytes) -> str:
    """Return bytes as browsers write them: base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _credential_id(answer: str) -> str:
    """Return the id of the passkey in a browser's answer; raise `BadPasskey` if there is none."""
    try:
        document: Any = json.loads(answer[:LONGEST_ANSWER])
    except ValueError:
        raise BadPasskey("the answer is not JSON") from None
    found = document.get("id") if isinstance(document, dict) else None
    if not isinstance(found, str) or not found.isascii():
        raise BadPasskey("the answer names no passkey")
    return found
