"""A hub with money to pay out, for the pages of money; on SQLite first.

Every page of every role is asked in test_isolation_of_accounts.py and test_operator_pages.py, over PostgreSQL in
`make prove`; what else these tests ask is of HTML.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import frozen

from hub.app import Hub
from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.payees import Payee
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.money.books.adjustments import approve_adjustment, create_adjustment
from hub.operations.money.payees.payees import set_payee
from hub.operations.trail import Actor, acting_as
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.pages.visitor import Visitor, browser, enter
from tests.served_hub import new_merchant
from tests.sqlite_first import database_url

__all__ = ["database_url"]

PAYEE = Payee("Ada Holm", "Main St 1", "10115", "Berlin", "DE", "iban", "DE89370400440532013000")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for every page to its end: on a busy machine a page could else show its progress, with another status."""
    monkeypatch.setattr("hub.pages.progress.PATIENCE_SECONDS", 60.0)


@frozen
class Network:
    """A hub with an affiliate that has 12,000.00 EUR coming, another with 4.00, and two administrators."""

    hub: Hub
    clock: FakeClock
    merchant_id: str
    ada: str
    bea: str


async def owed(hub: Hub, clock: FakeClock, account: str, affiliate_id: str, amount: str) -> None:
    """Give an affiliate a balance: a correction that two people made."""
    store = hub.parts.store
    made = await create_adjustment(store, clock, affiliate=affiliate_id, account=account, amount=amount,
                                   currency="EUR", reason="A bonus")  # fmt: skip
    with acting_as(Actor("user", "usr_second", "page")):
        await approve_adjustment(store, clock, PayoutSettings(), made["id"])
    clock.advance(1)


@pytest.fixture
async def network(hub: Hub, clock: FakeClock) -> Network:
    store = hub.parts.store
    merchant_id = await new_merchant(hub, clock, "Fern", approve=True)
    ada = (await create_affiliate(store, clock, name="Ada", email="ada@post.example")).id
    bea = (await create_affiliate(store, clock, name="Bea", email="bea@post.example")).id
    for affiliate_id in (ada, bea):
        await set_payee(store, hub.parts.sealer, clock, None, affiliate_id, PAYEE)
    for affiliate_id, amount in ((ada, "12000.00"), (bea, "4.00")):
        await owed(hub, clock, f"{merchant_id}:live", affiliate_id, amount)
        await owed(hub, clock, f"{merchant_id}:test", affiliate_id, amount)
    for name in ("olu", "una"):
        await create_user(store, clock, NewUser(f"{name}@hub.example", "operator-admin", name=name.title()))
    await create_user(store, clock, NewUser("pat@hub.example", "operator", name="Pat"))
    return Network(hub, clock, merchant_id, ada, bea)


@pytest.fixture
async def olu(network: Network) -> AsyncIterator[Visitor]:
    async with browser(network.hub) as visitor:
        await enter(visitor, network.hub, network.clock, "olu@hub.example")
        yield visitor
