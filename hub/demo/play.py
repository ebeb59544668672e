"""Play the demo's history against the running hub, whose clock is set to each moment in turn.

Nothing is written past the hub: clicks go through its batcher, orders and news are signed requests over HTTP, reviews
and payouts are the operator's acts. Only the clock is moved, and all that the hub does by the clock it does by this
one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from typing import Final, TypeVar

from hub.app import Hub
from hub.clock import system_clock
from hub.demo.clock import DemoClock
from hub.demo.history import DAY_MS, HOUR_MS, Message, Plan, PlannedClick, plan_history
from hub.demo.merchant import MerchantClient
from hub.demo.mistakes import lose_news, make_mistakes, upload_orders
from hub.demo.network import TrackedLink
from hub.demo.payday import open_books, pay_out, prepare_next, refund_after, reserve_next
from hub.ids import new_id
from hub.operations.lists import ALL, Wanted
from hub.operations.orders.conversions import OPEN_REVIEW, each_conversion
from hub.operations.orders.reviews import attribute_conversion, dismiss_conversion
from hub.processing.figures import CLICKS_UNDER_WAY_MS, FigureCounter
from hub.processing.policy import policy_of
from hub.tracking.click_batcher import Click

STEP_MS: Final = 6 * HOUR_MS
AT_ONCE: Final = 24
"""Requests under way at the same time."""
SETTLED_SECONDS: Final = 20
"""How long the hub may take to decide what the history brought before the demo goes on without waiting."""
OLDEST_REVIEW_MS: Final = 8 * DAY_MS
"""Reviews of orders that are older are closed."""
FIRST_PAYDAY_MS: Final = 12 * DAY_MS
"""How long before today the operator paid."""
PAYDAY_MS: Final = 3 * DAY_MS
"""How long before today the operator reviewed orders and prepared the next payout."""
SUB_IDS: Final = (None, '{"sub1":"newsletter"}', None, '{"sub1":"homepage","sub2":"banner"}')
"""What the affiliates wrote into their links, in turn."""

T = TypeVar("T", PlannedClick, Message)


async def play_history(
    hub: Hub, clock: DemoClock, client: MerchantClient, links: list[TrackedLink], span: tuple[int, int]
) -> None:
    """Play a history from its start to its end (`span`, ms UTC); `client` is the shop that has all the mishaps."""
    start, end = span
    days = -(-(end - start) // DAY_MS)
    history = History(hub, clock, plan_history(links, start, days))
    await lose_news(client)
    people = await open_books(hub, clock, links)
    first, second = max(start, end - FIRST_PAYDAY_MS), max(start, end - PAYDAY_MS)
    await history.play(start, first)
    paid = await pay_out(hub, clock, people)
    await history.play(first, second)
    if paid is not None:
        await refund_after(paid, client, clock, links[0].affiliate_id, links[0].seller.merchant_id)
        await settled(hub)
    await operate(hub, clock)
    await prepare_next(hub, clock, people, links)
    clock.set_to(second + 1)
    await reserve_next(hub, clock, people)
    pages = hub.parts.pages
    await upload_orders(pages.files, links[0].seller.account_id, clock)
    pages.uploads.wake()
    await history.play(second, end)
    await make_mistakes(client)
    await settled(hub)
    await count_clicks(hub)


class History:
    """The plan, and the ids that the hub gave to its clicks so far."""

    def __init__(self, hub: Hub, clock: DemoClock, plan: Plan) -> None:
        self._hub = hub
        self._clock = clock
        self._plan = plan
        self._ids: dict[int, str] = {}
        self._at_once = asyncio.Semaphore(AT_ONCE)

    async def play(self, start: int, end: int) -> None:
        """Play what happened from `start` up to `end` (ms UTC), and return once the hub has decided it."""
        clicks, messages = _by_step(self._plan.clicks), _by_step(self._plan.messages)
        for step in range(start // STEP_MS, -(-end // STEP_MS)):
            self._clock.set_to(min((step + 1) * STEP_MS, end))
            await self._click([each for each in clicks.get(step, []) if start <= each.at < end])
            due = [each for each in messages.get(step, []) if start <= each.at < end]
            await asyncio.gather(*(self._send(message) for message in due))
            if step * STEP_MS % DAY_MS == 0:
                await self._hub.parts.jobs.give_up_parked()
        await settled(self._hub)
        await self._hub.parts.jobs.release_holds()

    async def _click(self, clicks: Sequence[PlannedClick]) -> None:
        recorded = []
        for click in clicks:
            self._ids[click.place] = click_id = new_id("clk")
            link = click.link
            subs = SUB_IDS[click.place % len(SUB_IDS)]
            row = Click(
                link.seller.account_id, click_id, link.code, link.affiliate_id, link.campaign_id, click.at, subs
            )
            recorded.append(self._hub.parts.clicks.submit(row))
        await asyncio.gather(*recorded)

    async def _send(self, message: Message) -> None:
        body = message.body if message.click is None else {**message.body, "clickId": self._ids[message.click]}
        client = message.link.seller.client
        async with self._at_once:
            if message.event_id is None:
                await client.post(message.path, body)
            else:
                await client.notify(message.path, body, message.event_id)


async def count_clicks(hub: Hub) -> None:
    """Count the clicks for the pages at once; the hub itself waits until none can be under way any more."""
    figures = FigureCounter(hub.parts.store, lambda: system_clock() + CLICKS_UNDER_WAY_MS, go_on)
    await figures.count()


async def go_on(_: float) -> None:
    """Count without a rest: nobody is served yet."""


async def settled(hub: Hub) -> None:
    """Return once the worker has decided everything that is due, or took longer than anybody waits for a demo."""
    with suppress(TimeoutError):
        async with asyncio.timeout(SETTLED_SECONDS):
            while True:
                oldest = await hub.parts.store.fetch_one("oldest_due_event")
                if oldest is None or oldest["due_at"] > hub.parts.clock():
                    return
                await asyncio.sleep(0.02)


async def operate(hub: Hub, clock: DemoClock) -> None:
    """Act as the operator does now and then: clear the oldest reviews."""
    store, policy = hub.parts.store, policy_of(hub.parts.settings)
    oldest = clock() - OLDEST_REVIEW_MS
    waiting = Wanted({"mode": "live", "review": OPEN_REVIEW}, ALL)
    reviews = [each async for each in each_conversion(store, clock, waiting)]
    for number, order in enumerate(each for each in reviews if each.ordered_at < oldest):
        if order.candidate_id is not None:
            await attribute_conversion(store, clock, policy, order.id, affiliate=order.candidate_id)
        elif number % 2:
            await dismiss_conversion(store, clock, order.id)


def _by_step(planned: Sequence[T]) -> dict[int, list[T]]:
    return {step: list(each) for step, each in groupby(planned, lambda each: each.at // STEP_MS)}
