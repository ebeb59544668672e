"""The money of the demo's history: a payout that was paid, one that waits for its release, and corrections.

Everything goes through the operator's acts, in the name of a person, at the moment that the clock is set to.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from hub.app import Hub
from hub.clock import Clock
from hub.demo.merchant import MerchantClient
from hub.demo.network import TrackedLink
from hub.domain.instants import format_instant
from hub.domain.payouts.payees import Payee
from hub.operations.errors import OperatorFault
from hub.operations.money.books.adjustments import approve_adjustment, create_adjustment
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payouts.payout_documents import ShownRun
from hub.operations.money.payouts.payout_files import export_run
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_runs import Wanted, show_run
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.operations.money.rates.fees import set_fee
from hub.operations.trail import Actor, acting_as
from hub.operations.users.users import NewUser, create_user

LIVE: Final = Wanted("live")
REFERENCE: Final = "SEPA-2210"
FEES: Final = ("15", "10")
PAYEES: Final = (
    Payee("The Evening Post GmbH", "Lindenstraße 12", "10969", "Berlin", "DE", "iban", "DE89370400440532013000",
          tax_id="DE136695976", is_business=True, self_billing=True),
    Payee("Slow Living Media AB", "Storgatan 4", "11455", "Stockholm", "SE", "iban", "SE4550000000058398257466"),
    Payee("Ragnhild Moe", "Fjordveien 8", "5003", "Bergen", "NO", "paypal", "ragnhild@kitchen.example"),
    Payee("Gravel & Grit Ltd", "Mill Lane 3", "BS1 4DJ", "Bristol", "GB", "wise", "team@gravel-grit.example"),
)  # fmt: skip
"""How the first affiliates are paid; the others have not said it yet."""


async def open_books(hub: Hub, clock: Clock, links: Sequence[TrackedLink]) -> tuple[Actor, Actor]:
    """Agree on fees and payment details, and return the two people who pay: one creates runs, one releases them."""
    store, people = hub.parts.store, []
    for email, name in (("ines@hub.example", "Ines Vale"), ("tomas@hub.example", "Tomas Reed")):
        user = await create_user(store, clock, NewUser(email, "operator-admin", name=name))
        people.append(Actor("user", user["id"], "page"))
    merchants = list(dict.fromkeys(link.seller.merchant_id for link in links))
    affiliates = list(dict.fromkeys(link.affiliate_id for link in links))
    with acting_as(people[0]):
        for merchant_id, fee in zip(merchants, FEES, strict=False):
            await set_fee(store, clock, merchant_id, fee)
        for affiliate_id, payee in zip(affiliates, PAYEES, strict=False):
            await set_payee(store, hub.parts.sealer, clock, None, affiliate_id, payee)
    return people[0], people[1]


async def pay_out(hub: Hub, clock: Clock, people: tuple[Actor, Actor]) -> ShownRun | None:
    """Pay what is payable, to its end; return the run, None if nothing was payable."""
    store, settings = hub.parts.store, hub.parts.settings.payouts
    try:
        with acting_as(people[0]):
            run_id = str((await create_run(store, clock, settings, LIVE))["id"])
    except OperatorFault:
        return None
    with acting_as(people[1]):
        await release_run(store, clock, settings, run_id)
        await export_run(store, hub.parts.sealer, clock, settings, run_id, "csv")
        await settle_run(store, clock, run_id, REFERENCE)
    return await show_run(store, run_id)


async def refund_after(paid: ShownRun, client: MerchantClient, clock: Clock, affiliate_id: str, shop: str) -> None:
    """Let a buyer of the shop send half of an order back that was paid to this affiliate already."""
    lines = [each for each in paid["lines"] if each["affiliateId"] == affiliate_id and each["merchantId"] == shop]
    if lines:
        line = max(lines, key=lambda each: Decimal(each["amount"]))  # the least is a fixed amount, which half keeps
        body = {
            "external_order_id": line["externalOrderId"],
            "refund_id": "R-LATE",
            "refund_amount": "8.00",
            "occurred_at": format_instant(clock()),
            "reason": "One of them was chipped",
        }
        await client.notify("/v1/webhooks/order-refunded", body, f"late-refund-of-{line['externalOrderId']}")


async def prepare_next(hub: Hub, clock: Clock, people: tuple[Actor, Actor], links: Sequence[TrackedLink]) -> None:
    """Leave a run that waits for its release, a bonus that it takes along, and one that waits for its approval."""
    store, first = hub.parts.store, links[0]
    account = f"{first.seller.merchant_id}:live"
    for affiliate_id, amount, reason, is_approved in (
        (first.affiliate_id, "25.00", "Bonus for the autumn letter", True),
        (links[3].affiliate_id, "10.00", "Order F-90 was reported to the wrong link", False),
    ):
        with acting_as(people[0]):
            made = await create_adjustment(store, clock, affiliate=affiliate_id, account=account, amount=amount,
                                           currency=first.seller.currency, reason=reason)  # fmt: skip
        if is_approved:
            with acting_as(people[1]):
                await approve_adjustment(store, clock, hub.parts.settings.payouts, made["id"])


async def reserve_next(hub: Hub, clock: Clock, people: tuple[Actor, Actor]) -> None:
    """Create the run that waits for its release."""
    try:
        with acting_as(people[0]):
            await create_run(hub.parts.store, clock, hub.parts.settings.payouts, LIVE)
    except OperatorFault:
        return
