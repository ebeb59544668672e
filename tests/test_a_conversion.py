"""docs/a-conversion.md is true: a conversion that goes through a real hub enters what the page names, in its order."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import pytest
from aiohttp.web_protocol import RequestHandler

from hub.app import Hub
from hub.operations.affiliates.affiliates import create_affiliate
from hub.testing.clock import FakeClock
from tests.served_hub import Api
from tests.tracking.test_redirect import Visitor, click_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "a-conversion.md"
MOST_STOPS = 25
ANSWER = 18
"""The number of the stop at which the request is answered."""
MOST_FILES = 66
MOST_FUNCTIONS = 240
"""How many files of hub/, and named functions in them, a conversion enters from its request to the payable commission.

These are the real numbers. One more on the way of every order needs a good reason, and one less lowers them; the goal
is 55 files and 200 functions.
"""
BESIDE = re.compile(
    r"/(csv_import|migrations|outbound|platform_sync|plugin_host|testing)/"
    r"|/(checkpoints|deliverer|file_identity|heartbeat|parts|worker_metrics)\.py"
)
"""The clock of the tests, and files of background work that may run while the conversion is on its way."""
SENT_BY = "sign"
"""What the test signs its request with, as a shop does."""

TRACED = 3
"""How many conversions are traced: work in the background meets one of them by chance, but hardly each."""

SIXTY_DAYS_MS = 60 * 86_400_000

Place = tuple[str, str]
"""A file ("hub/http/router.py") and the qualified name of a function in it."""


def stops(page: str) -> list[list[Place]]:
    """The places that each numbered row of the page's tables names."""
    rows = re.findall(r"^\| (\d+) \|(.*)$", page, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, len(rows) + 1))
    return [list(places(row)) for _, row in rows]


def places(row: str) -> Iterator[Place]:
    for file, names in re.findall(r"`(hub/[\w/]+\.py)`((?:,? `[\w.]+`)+)", row):
        for name in re.findall(r"`([\w.]+)`", names):
            yield file, name


OWN: ContextVar[bool] = ContextVar("own", default=False)
"""True in the task of the test, and in the tasks that it starts."""


class Calls(NamedTuple):
    """The calls of hub/'s functions in their order: those of every task, and those that belong to the conversion."""

    all: list[Place]
    own: list[Place]


def is_own(frame: FrameType) -> bool:
    """Whether a call belongs to the conversion: to a task of the test's own, or to the connection it came by."""
    if OWN.get():
        return True
    try:
        task = asyncio.current_task()
    except RuntimeError:  # in a thread
        return False
    if task is None:
        return isinstance(frame.f_locals.get("self"), RequestHandler)
    return getattr(task.get_coro(), "__qualname__", "").startswith(f"{RequestHandler.__name__}.")


@contextmanager
def traced() -> Iterator[Calls]:
    """Note the calls of hub/'s functions inside the block."""
    calls = Calls([], [])

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(f"{ROOT}/hub/"):
            place = frame.f_code.co_filename.removeprefix(f"{ROOT}/"), frame.f_code.co_qualname
            calls.all.append(place)
            if is_own(frame):
                calls.own.append(place)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def missed(stops: list[list[Place]], calls: list[Place]) -> tuple[int, Place] | None:
    """The first stop that the calls do not come to after the one before it, and its place, if there is one."""
    start = 0
    for number, named in enumerate(stops, start=1):
        reached = []
        for place in named:
            if place not in calls[start:]:
                return number, place
            reached.append(calls.index(place, start))
        start = min(reached)
    return None


async def report(api: Api, click_id: str, order_id: str) -> None:
    body = {"externalOrderId": order_id, "orderAmount": "49.90", "orderStatus": "confirmed", "clickId": click_id}
    reply = await api("POST", "/v1/conversions", body, headers={"Idempotency-Key": order_id})
    assert reply.status == 202


@pytest.fixture
async def ways(hub: Hub, api: Api, clock: FakeClock) -> list[Calls]:
    """What each of a few conversions with a click calls, from its request until its commission is payable."""
    assert dict(hub.parts.store.queries)  # compiles all statements: each costs its first caller what no other pays
    affiliate = await create_affiliate(hub.parts.store, clock, name="Anna", email="anna@blog.example", coupons=[])
    visitor = Visitor(hub, api, affiliate.id)
    campaign = (await api("POST", "/v1/campaigns", {"title": "Autumn"})).json["id"]
    await api("POST", f"/v1/campaigns/{campaign}/activate")
    code = await visitor.link(campaign_id=campaign)
    clicks = [click_of((await visitor.visit(code))[1]) for _ in range(1 + TRACED)]
    decided = asyncio.Event()
    assert hub.parts.worker is not None
    hub.parts.worker.on_results(lambda _: decided.set())
    OWN.set(True)
    for part in (hub.parts.worker, hub.parts.submissions):
        await part.stop()
        await part.start()  # in a task of its own, which is the test's now
    await report(api, clicks[0], "A-0")  # warms the caches
    await asyncio.wait_for(decided.wait(), 30)
    await hub.parts.scheduler.stop()  # on a busy machine its jobs would meet each of the traced conversions
    ways = []
    for number, click_id in enumerate(clicks[1:], start=1):
        decided.clear()
        with traced() as calls:
            await report(api, click_id, f"A-{number}")
            await asyncio.wait_for(decided.wait(), 30)
        ways.append(calls)
    clock.advance(SIXTY_DAYS_MS)
    with traced() as at_last:
        assert await hub.parts.jobs.release_holds() == len(clicks)
    return [Calls(calls.all + at_last.own, calls.own + at_last.own) for calls in ways]


@pytest.fixture
def calls(ways: list[Calls]) -> list[Place]:
    return ways[0].all


@pytest.fixture
def page() -> str:
    return PAGE.read_text("utf-8")


def test_the_page_has_at_most_25_stops(page: str) -> None:
    assert 0 < len(stops(page)) <= MOST_STOPS
    assert all(stops(page))


async def test_a_conversion_comes_to_every_stop_in_order(page: str, calls: list[Place]) -> None:
    """The answer and the decision both follow the commit, and either may be first."""
    right = stops(page)
    assert missed(right[:ANSWER], calls) is None
    assert missed(right[: ANSWER - 1] + right[ANSWER:], calls) is None


async def test_a_stop_that_is_not_on_the_way_is_noticed(page: str, calls: list[Place]) -> None:
    """The control: neither a function that is gone nor two stops that are exchanged would pass."""
    right = stops(page)
    gone = [*right[:4], [("hub/http/router.py", "Router.seek")], *right[4:]]
    assert missed(gone, calls) == (5, ("hub/http/router.py", "Router.seek"))
    assert missed([right[23], right[12]], calls) is not None


async def test_a_conversion_enters_no_more_files_and_functions_than_it_did(ways: list[Calls]) -> None:
    """Who commits first runs what waits for others too, so a call need not be the conversion's own each time."""
    own = {place for way in ways for place in way.own}
    met = own.intersection(*(way.all for way in ways))
    places = {(file, name) for file, name in met if not BESIDE.search(file) and ">" not in name and name != SENT_BY}
    files = {file for file, _ in places}
    assert len(files) <= MOST_FILES, sorted(files)
    assert len(places) <= MOST_FUNCTIONS, sorted(places)
