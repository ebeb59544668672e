"""Registration: merchants and affiliates who come by an invitation, or by themselves if the hub is open to them."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.domain.words import PARTY_KINDS, ShopPlatform
from hub.mail.outbox import Mail, Outbox
from hub.operations.affiliates.affiliates import add_affiliate
from hub.operations.affiliates.join_pages import join_by_page
from hub.operations.affiliates.test_partner import ensure_test_partner
from hub.operations.checks import checked_currency, checked_email, checked_name
from hub.operations.errors import OperatorFault
from hub.operations.merchants.merchants import NewMerchant, add_merchant
from hub.operations.trail import Actor, acting_as, note_act
from hub.operations.users.invitations import add_registration
from hub.operations.users.login_links import add_link, token_digest
from hub.operations.users.users import NewUser, add_role, add_user, checked_role, email_key
from hub.people.failures import count_request, may_be_mailed
from hub.people.partner_invitations import accept_invitation
from hub.people.sessions import Client
from hub.people.sign_in import Entered, SignIn, proof_by_link
from hub.storage import Store, Tx

DEFAULT_CURRENCY: Final = "USD"


@frozen
class Applicant:
    """Who wants to register, as they typed it: `kind` is merchant or affiliate, `platform` what a shop runs on.

    `partner_of` is the account whose own page they came by.
    """

    kind: str
    email: str
    name: str
    currency: str = DEFAULT_CURRENCY
    platform: ShopPlatform | None = None
    partner_of: str | None = None


@frozen
class Guest:
    """Somebody whose link still works; `name` is None if they were invited and are still to say it."""

    kind: str
    email: str
    name: str | None
    currency: str
    invited_by: str | None
    is_partner: bool = False
    """Whether a merchant invited them, or they came by its page."""


@frozen(eq=False)
class Registrations:
    """Lets merchants and affiliates register; `mode` is off, invited or open."""

    _store: Store
    _clock: Clock
    _sign_in: SignIn
    _outbox: Outbox
    _mode: str

    @property
    def is_open(self) -> bool:
        """Whether anybody may register: the hub is open and can confirm an address by mail."""
        return self._mode == "open" and self._outbox.is_on

    async def ask(self, applicant: Applicant, client: Client, root: str) -> None:
        """Mail a link that proves the address; one that has an account gets a sign-in link, and nobody sees which.

        No word of the applicant's is in the mail, and an address gets three a day at most, because anybody may name it.
        Raise `OperatorFault` for a bad value or if registration is not open, `Paused` for an address that asks too
        often.
        """
        if not self.is_open or applicant.kind not in PARTY_KINDS:
            raise OperatorFault("This hub does not accept registrations.")
        email, name = checked_email(applicant.email), checked_name(applicant.name)
        currency, now = checked_currency(applicant.currency), self._clock()
        async with self._store.write() as tx:
            await count_request(tx, now, client, email)
            if not await may_be_mailed(tx, now, email):
                return
            known = await tx.one("user_by_email", email_key=email_key(email))
            if known is None:
                made = await add_registration(
                    tx, now, root, email, applicant.kind, name=name, currency=currency, platform=applicant.platform,
                    account_id=applicant.partner_of,
                )  # fmt: skip
                mail = Mail(email, "confirm-address", {}, made.url, made.expires_at)
            elif known["status"] == "ACTIVE":
                made = await add_link(tx, now, root, known["user_id"], "recovery", None)
                mail = Mail(email, "address-known", {}, made.url, made.expires_at, known["user_id"])
            else:
                return
            await self._outbox.add(tx, now, mail)

    async def guest(self, token: str) -> Guest | None:
        """Return for whom a registration's link is, None if it was used or has expired; the link stays as it is."""
        async with self._store.read() as tx:
            row = await tx.one("live_registration", token_hash=token_digest(token), now=self._clock())
        if row is None:
            return None
        currency = row["currency"] or DEFAULT_CURRENCY
        return Guest(row["kind"], row["email"], row["name"], currency, row["invited_by"], row["account_id"] is not None)

    async def complete(self, token: str, name: str, currency: str, client: Client, browser: str) -> Entered | None:
        """Use a registration's link up, create what it is for and its user, and sign in; None if it is spent.

        A guest's own `name` and `currency` count only if the link has none. Raise `OperatorFault` for a bad value.
        """
        async with self._store.write() as tx:
            now = self._clock()
            row = await tx.one("use_registration", token_hash=token_digest(token), now=now)
            if row is None:
                return None
            chosen = Applicant(
                row["kind"], row["email"], row["name"] or name, row["currency"] or currency, row["platform"]
            )
            with acting_as(Actor("system", "registration", "page", client.address)):
                user_id = await self._create(tx, now, chosen, row["account_id"])
            proof = await proof_by_link(tx, now, user_id, row)
            return await self._sign_in.enter(tx, user_id, client, browser, "registration", proof, "invitation")

    async def _create(self, tx: Tx, now: int, applicant: Applicant, partner_of: str | None) -> str:
        """Create the merchant or affiliate and its user; one who has an account gets the role."""
        name = checked_name(applicant.name)
        merchant_id = affiliate_id = None
        if applicant.kind == "merchant":
            wanted = NewMerchant(name, applicant.email, [], currency=applicant.currency)
            merchant_id = (await add_merchant(tx, now, wanted)).id
            await tx.run("set_merchant_platform", merchant_id=merchant_id, platform=applicant.platform)
            await ensure_test_partner(tx, now, merchant_id)
        else:
            affiliate_id = (await add_affiliate(tx, now, name=name, email=applicant.email)).id
            if partner_of is not None and not await accept_invitation(
                tx, now, partner_of, applicant.email, affiliate_id
            ):
                await join_by_page(tx, self._clock, partner_of, affiliate_id)
        user = NewUser(applicant.email, applicant.kind, merchant_id, affiliate_id)
        known = await tx.one("user_by_email", email_key=email_key(applicant.email))
        if known is None:
            return (await add_user(tx, now, user))["id"]
        await add_role(tx, now, known["user_id"], await checked_role(tx, user))
        await note_act(tx, now, "user.role-granted", known["user_id"], after={"role": applicant.kind})
        return str(known["user_id"])
