"""VAT numbers on the operators' pages and in their API: shown with what VIES said, looked up by a button."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import attrs
import pytest

from hub.app import Hub
from hub.operations.money.payees.payees import set_payee
from hub.testing.clock import FakeClock
from tests.ledger.test_payouts import PAYEE
from tests.pages.conftest import Network
from tests.pages.visitor import Visitor, enter
from tests.served_hub import served
from tests.standins.vies import CONSULTATION, StandInVies, refused
from tests.token_api.callers import ADMIN, program, token

SELLER = {"HUB_PAYOUTS_ISSUER_COUNTRY": "DE", "HUB_PAYOUTS_ISSUER_VAT_NUMBER": "DE136695976",
          "HUB_PAYOUTS_VAT_RATE": "19", "HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8"}  # fmt: skip


@pytest.fixture
async def register() -> AsyncIterator[StandInVies]:
    vies = StandInVies()
    server = await vies.start()
    yield vies
    await server.close()


@pytest.fixture
async def hub(sqlite_url: str, clock: FakeClock, register: StandInVies) -> AsyncIterator[Hub]:
    """A hub that has VAT numbers looked up."""
    async with served(sqlite_url, clock, HUB_PAYOUTS_VIES=register.root, **SELLER) as hub:
        yield hub


async def test_a_merchants_number_is_looked_up_by_a_button_and_by_the_api(
    network: Network, olu: Visitor, register: StandInVies
) -> None:
    store, clock, merchant = network.hub.parts.store, network.clock, network.merchant_id
    async with store.write() as tx:
        profile = json.dumps({"legalName": "Shop GmbH", "country": "AT", "taxId": "ATU12345675"})
        await tx.run("set_merchant_profile", merchant_id=merchant, profile=profile, status="APPROVED", now=clock())
    here = f"/operator/owed/{merchant}"
    await enter(olu, network.hub, clock, "olu@hub.example")
    assert "of which only the form was checked" in (await olu.get(here)).words
    register.answers(200, refused("MS_UNAVAILABLE"))
    asked = await olu.send(here, f"{here}/vat")
    assert (asked.status, asked.location) == (303, f"{here}?done=looked-up")
    shown = (await olu.get(here)).words
    assert "that VIES has not confirmed" in shown
    assert "MS_UNAVAILABLE" in shown
    register.says = None
    async with program(network.hub, await token(network.hub, clock, "payouts:read", "payouts:write")) as ask:
        answer = await ask("POST", f"{ADMIN}/merchants/{merchant}/vat")
        again = await ask("GET", f"{ADMIN}/merchants/{merchant}/vat")
    assert (answer.status, answer.json) == (200, again.json)
    assert (answer.json["outcome"], answer.json["warning"]) == ("valid", None)
    shown = (await olu.get(here)).words
    assert f"consultation number {CONSULTATION}" in shown
    assert "No VAT is charged" not in shown


async def test_a_payees_number_is_looked_up_beside_the_payment_details(
    network: Network, olu: Visitor, register: StandInVies
) -> None:
    parts, here = network.hub.parts, f"/operator/affiliates/{network.ada}/payee"
    payee = attrs.evolve(PAYEE, country="AT", tax_id="ATU12345675", is_business=True, self_billing=True)
    await set_payee(parts.store, parts.sealer, network.clock, None, network.ada, payee)
    await enter(olu, network.hub, network.clock, "olu@hub.example")
    assert "not looked up in VIES" in (await olu.get(here)).words
    asked = await olu.send(here, f"{here}/vat")
    assert (asked.status, asked.location) == (303, f"{here}?done=looked-up")
    assert f"consultation number {CONSULTATION}" in (await olu.get(here)).words
    assert register.asked[-1]["requesterNumber"] == "136695976"
