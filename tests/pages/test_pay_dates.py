"""The next pay date as an affiliate reads it, and the clock's draft as operators do, in pages and by the API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC

import pytest

from hub.app import Hub
from hub.domain.books.book_time import day_of, first_moment
from hub.domain.payouts.pay_dates import next_pay_date
from hub.operations.money.payouts.pay_dates import ScheduledRuns
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.pages.conftest import Network
from tests.pages.visitor import Visitor, browser, enter
from tests.served_hub import served
from tests.token_api.callers import AFFILIATE, program, token


@pytest.fixture
async def hub(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    """A hub that drafts a run on the 15th."""
    async with served(sqlite_url, clock, HUB_PAYOUTS_PAY_DAY="15") as hub:
        yield hub


async def test_an_affiliate_reads_its_pay_date_in_a_page_and_by_the_api(network: Network) -> None:
    store, clock = network.hub.parts.store, network.clock
    due = next_pay_date(15, day_of(clock(), UTC)).isoformat()
    await create_user(store, clock, NewUser("bea@people.example", "affiliate", None, network.bea, name="Bea"))
    async with browser(network.hub) as bea:
        await enter(bea, network.hub, clock, "bea@people.example")
        seen = (await bea.get("/affiliate/payouts")).words.replace("\xa0", " ")
        assert f"Your next pay date {due} : 4.00 EUR" in seen.replace(f"{due}:", f"{due} :")
        assert "Your next pay date" not in (await bea.get("/affiliate/payouts?mode=test")).words
    async with program(network.hub, await token(network.hub, clock, "affiliate:read", affiliate=network.bea)) as ask:
        answer = (await ask("GET", f"{AFFILIATE}/payouts/next")).json["data"]
    assert [(each["payDate"], each["currency"], each["due"]) for each in answer] == [(due, "EUR", "4.00")]


async def test_a_person_takes_the_clocks_draft_over_and_another_releases_it(network: Network, olu: Visitor) -> None:
    """Control: before somebody took it over, nobody can release it above the limit."""
    store, clock, settings = network.hub.parts.store, network.clock, network.hub.parts.settings.payouts
    clock.now = first_moment(next_pay_date(15, day_of(clock(), UTC)), UTC)
    async with browser(network.hub) as una:
        for visitor, name in ((olu, "olu"), (una, "una")):
            await enter(visitor, network.hub, clock, f"{name}@hub.example")
        assert await ScheduledRuns(store, clock, settings).draft() == 1
        listed = await olu.get("/operator/payouts")
        assert "the clock" in listed.words
        one = "/operator/payouts/" + listed.text.partition('href="/operator/payouts/pay_')[2].partition('"')[0]
        one = one.replace("payouts/", "payouts/pay_")
        refused = await una.send(f"{one}/release")
        assert (refused.status, "in the place of the clock" in refused.words) == (422, True)
        assert "a schedule is not a person" in (await olu.get(one)).words
        taken = await olu.send(one, "/operator/payouts", mode="live", currency="")
        assert str(taken.location).partition("?")[0] == one
        assert "Take it over" not in (await olu.get(one)).words
        assert (await olu.send(f"{one}/release")).status == 422
        assert (await una.send(f"{one}/release")).location == f"{one}?done=released"
