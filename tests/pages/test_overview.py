"""The overview: the figures of a period, compared with the one before, as a page and as CSV."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from html import unescape

import aiohttp
import pytest

from hub.app import Hub
from hub.clock import system_clock
from hub.operations.figures.figures import Period, chosen_period, day_date
from hub.pages.charts import lines, ticks_of, top_of
from hub.pages.figure_queries import asked_of
from hub.processing.figures import FigureCounter
from hub.testing.clock import FakeClock
from tests.pages.visitor import Visitor, browser
from tests.pages.world import settled, world_of
from tests.served_hub import Api, served


async def count_figures(hub: Hub) -> None:
    """Count all there is; clicks differ from those under way by their ids, which have the machine's time."""
    await FigureCounter(hub.parts.store, lambda: system_clock() + 60_000, asyncio.sleep).count()


async def overview(visitor: Visitor, query: str = "") -> str:
    seen = await visitor.get(f"/merchant?mode=test{query}")
    assert seen.status == 200
    return seen.words


async def test_the_figures_of_a_period_are_shown(either_hub: Hub, clock: FakeClock) -> None:
    """Orders are there once they are counted; clicks half a minute after they happened; later all of it is past."""
    world = await world_of(either_hub, clock, "Aurora")
    await count_figures(either_hub)
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        words = await overview(owner)
        assert "1 order waits for a review" in words
        assert "1 update waits for its order" in words
        assert "Revenue 69.00 USD Before" in words
        assert "Orders 2 Before" in words
        assert "Clicks 1 Before" in words
        assert "Aurora product 1 1 60.00 USD" in await overview(owner, "&by=product")
        assert "Aurora blog" in await overview(owner, "&by=affiliate&show=high")
        words = await overview(owner, "&show=epc&from=2026-11-21&to=2026-11-22")
        assert "Orders 0 Before: 2" in words
        assert "Nothing in this period" in words


async def test_figures_that_fell_behind_say_as_of_when(
    sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.processing.timed_jobs.FIGURES_SECONDS", 3_600.0)
    async with served(sqlite_url, clock) as hub, browser(hub) as owner:
        world = await world_of(hub, clock, "Aurora")
        clock.now = system_clock() + 60_000  # ids have the machine's time
        await world.person(owner, "merchant", "owner")
        assert "still being counted" in await overview(owner, "&by=campaign")
        await count_figures(hub)
        assert "still being counted" not in await overview(owner, "&by=campaign")


async def test_the_csv_has_what_is_seen(either_hub: Hub, clock: FakeClock) -> None:
    world = await world_of(either_hub, clock, "=Aurora")
    await count_figures(either_hub)
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        await overview(owner)
        text = (await owner.get("/merchant/figures.csv?by=product")).text
        header, *rows = csv.reader(io.StringIO(text))
        assert header == ["product", "name", "currency", "orders", "units", "revenue"]
        assert ["SKU-1", "'=Aurora product", "USD", "1", "1", "60.00"] in rows
        days = list(csv.DictReader(io.StringIO((await owner.get("/merchant/figures.csv?by=day")).text)))
        found = [(day["day"], day["clicks"], day["orders"], day["revenue"], day["currency"]) for day in days]
        assert found == [("2026-11-20", "1", "0", "", ""), ("2026-11-20", "0", "2", "69.00", "USD")]


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [("2026-11-01", "2026-11-10", 10), ("2026-11-10", "2026-11-01", 10), ("", "", 30), ("x", "2026-11-01", 30)],
)
def test_a_period_is_chosen_by_dates_or_ends_today(first: str, last: str, days: int) -> None:
    period = chosen_period(first, last, 30, 1_795_176_000_000)
    assert period.days == days
    assert period.before.last == period.first - 1
    assert period.before.days == days


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ({"from": "2026-11-01"}, "2026-11-01 to 2026-11-20"),
        ({"to": "2026-11-10"}, "2026-10-12 to 2026-11-10"),
        ({"from": "2026-11-10", "to": "2026-11-01"}, "2026-11-01 to 2026-11-10"),
        ({"from": "2027-01-01"}, "2027-01-01 to 2027-01-01"),
        ({"to": "0001-01-01"}, "2026-10-22 to 2026-11-20"),
        ({"from": "yesterday"}, "2026-10-22 to 2026-11-20"),
    ],
)
def test_one_end_of_a_period_is_enough(query: dict[str, str], shown: str) -> None:
    """It goes on until today, or has the usual days; what is no date is as if nothing were typed."""
    period = asked_of(query, 1_795_176_000_000, "/merchant", ("day",)).period
    assert f"{day_date(period.first)} to {day_date(period.last)}" == shown


def test_a_period_is_bounded() -> None:
    assert chosen_period("0001-01-01", "2026-11-01", 30, 0).days == 800
    assert str(day_date(Period(0, 0).first)) == "1970-01-01"


def test_a_day_that_is_not_over_is_drawn_apart() -> None:
    assert [path.kind for path in lines([1, 2, 1], [0, 0, 0], unfinished=True)] == ["area", "now", "unfinished"]
    assert [path.kind for path in lines([1, 2, 1], [1, 0, 0], unfinished=False)] == ["area", "before", "now"]
    assert lines([0, 0], [0, 0], unfinished=True) == []


async def test_of_several_currencies_one_is_drawn_and_a_link_shows_another(hub: Hub, clock: FakeClock) -> None:
    """For each role, without a script; the address keeps it. The control: one that no order has changes nothing."""
    world = await world_of(hub, clock, "Aurora")
    async with aiohttp.ClientSession(hub.url) as session:
        body = {"externalOrderId": "Aurora euro", "orderAmount": "500.00", "currency": "EUR"}
        reply = await Api(session, world.key, clock)("POST", "/v1/conversions", body | {"clickId": world.ids["click"]})
        assert reply.status == 202
    await settled(hub, "Aurora euro", lambda found: bool(found["commission"]))
    await count_figures(hub)
    pages = {
        "merchant": ("/merchant", "USD", "EUR"),
        "affiliate": ("/affiliate/reports", "EUR", "USD"),
        "operator-admin": ("/operator/reports", "USD", "EUR"),
    }  # as many of the affiliate's orders are in each, and then the letters decide
    for role, (path, usual, other) in pages.items():
        async with browser(hub) as visitor:
            await world.person(visitor, role, "owner" if role == "merchant" else None)
            seen = (await visitor.get(f"{path}?mode=test&show=revenue")).text
            assert f"Revenue of the shops, {usual} by day" in seen or f"Revenue, {usual} by day" in seen
            link = next(part for part in re.findall(r'href="([^"]*)"', seen) if f"currency={other}" in part)
            chosen = (await visitor.get(unescape(link).partition("#")[0])).text
            assert f", {other} by day" in chosen
            assert f"The bars compare amounts in {other}." in chosen
            assert f'aria-current="true">{other}</a>' in chosen
            assert f'<input type="hidden" name="currency" value="{other}">' in chosen
            assert chosen.count(f"currency={other}") > 5, "the links to other periods and metrics keep it"
            for strange in ("XXX", "%3Cb%3E", other.lower()):
                seen = (await visitor.get(f"{path}?mode=test&show=revenue&currency={strange}")).text
                assert f", {usual} by day" in seen


def test_a_scale_ends_at_a_round_value_and_its_labels_are_at_their_days() -> None:
    assert [top_of(most) for most in (0, 1, 3, 9, 11, 99, 55_700, 121_000)] == [2, 2, 4, 10, 12, 100, 60_000, 160_000]
    days = ticks_of([str(day) for day in range(1, 31)])
    assert [(tick.label, tick.place) for tick in days] == [
        ("1", 0),
        ("8", 24.14),
        ("15", 48.28),
        ("23", 75.86),
        ("30", 100),
    ]
    assert [tick.label for tick in ticks_of(["1"])] == ["1"]
