"""Tax details on the pages: asked for where the operator switched DAC7 on, and nowhere else."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hub.app import Hub
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.pages.conftest import Network
from tests.pages.visitor import Visitor, browser, enter
from tests.served_hub import served
from tests.token_api.callers import ADMIN, program, token

TAXES = "/affiliate/tax-details"
FIELDS = {"birth_date": "1985-03-28", "registration_number": "", "tin": "12345678911", "tin_country": "de",
          "account_holder": ""}  # fmt: skip


@pytest.fixture(params=["true", "false"])
async def hub(request: pytest.FixtureRequest, sqlite_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    """A hub that collects what DAC7 asks for, and one that does not."""
    async with served(sqlite_url, clock, HUB_PAYOUTS_DAC7=request.param) as hub:
        yield hub


@pytest.fixture
async def ada(network: Network) -> AsyncIterator[Visitor]:
    store, clock = network.hub.parts.store, network.clock
    await create_user(store, clock, NewUser("ada@people.example", "affiliate", None, network.ada, name="Ada"))
    async with browser(network.hub) as visitor:
        await enter(visitor, network.hub, clock, "ada@people.example")
        yield visitor


async def test_an_affiliate_and_an_operator_say_and_read_them(network: Network, ada: Visitor, olu: Visitor) -> None:
    theirs = f"/operator/affiliates/{network.ada}/tax-details"
    await enter(olu, network.hub, network.clock, "olu@hub.example")
    scopes = "payouts:read", "payouts:write"
    async with program(network.hub, await token(network.hub, network.clock, *scopes)) as ask:
        answer = await ask("GET", f"{ADMIN}/affiliates/{network.ada}/tax-details")
    on = network.hub.parts.settings.payouts.dac7
    assert (answer.status, answer.json["collected"]) == (200, on)
    if not on:
        assert [(await ada.get(TAXES)).status, (await olu.get(theirs)).status] == [404, 404]
        assert (await ada.send(TAXES, TAXES, **FIELDS)).status == 404
        assert "Tax details" not in (await ada.get("/affiliate/payee")).words
        return
    assert "Tax details" in (await ada.get("/affiliate/payee")).words
    assert "Missing for the report: " in (await ada.get(TAXES)).words
    refused = await ada.send(TAXES, TAXES, **{**FIELDS, "tin_country": "Germany"})
    assert (refused.status, "is not a country" in refused.words) == (422, True)
    saved = await ada.send(TAXES, TAXES, **FIELDS)
    assert (saved.status, saved.location) == (303, f"{TAXES}?done=saved")
    assert "Your tax details are saved" in (await ada.get(f"{TAXES}?done=saved")).words
    shown = await olu.get(theirs)
    assert 'value="1985-03-28"' in shown.text
    await olu.send(theirs, theirs, **{**FIELDS, "account_holder": "Bea Holm"})
    assert 'value="Bea Holm"' in (await ada.get(TAXES)).text
