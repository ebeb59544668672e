"""What is counted: nine acts of a hub with a history, each done often enough for a mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from attrs import frozen

from bench.budget.in_process import BATCH, InProcessHub, body_of, in_process
from hub.app import set_collector

TIMES = 4 * BATCH
"""How often each act is done while it is counted."""
HISTORY = 2_048
"""Orders that the hub has decided before, so that its indexes are not a page each."""
PRODUCTS = 500
PAGE = "/api/v1/products?page={}&pageSize=50"
ORDERS = f"/api/v1/conversions?limit={BATCH}"
CHANGES = f"/api/v1/changes?limit={BATCH}"
CURSORS = {"nextCursor": "cursor", "cursor": "after"}
"""The parameter of a list that takes what each of these members of its answer holds."""

Meter = Callable[[str], AbstractContextManager[None]]
"""Counts what happens inside of the block, under the name of an act."""


@frozen
class Act:
    """One act by its name: what it is, how often it is done, and how its requests, if it has any, are answered."""

    name: str
    about: str


ACTS = (
    Act("accept", f"take in a signed conversion ({BATCH} arrive together)"),
    Act("decide", f"attribute it, price it, post it ({BATCH} in a batch)"),
    Act("figures", "count it in the figures of its day"),
    Act("changes", "number what changed of it for the change feed"),
    Act("look-up", "`GET /v1/events/{id}` with its explanation"),
    Act("click", "follow a tracking link, durably"),
    Act("page", "`GET /v1/products`, 50 a page"),
    Act("order", f"one of {BATCH} of a page of `GET /v1/conversions`, with its commission and facts"),
    Act("entry", f"one of {BATCH} entries of `GET /v1/changes`"),
)


async def run_acts(folder: Path, meter: Meter, history: int = HISTORY) -> None:
    """Do each act `TIMES` times under the meter, in a hub in this folder that decided `history` orders before."""
    async with in_process(folder) as hub:
        await _prepare(hub, history)
        set_collector()
        requests = hub.orders(TIMES)
        with meter("accept"):
            events = await _sent(hub, requests, 202)
            await hub.settle()
        with meter("decide"):
            await hub.decide()
        with meter("figures"):
            await hub.figures.count()
        with meter("changes"):
            await hub.changes.give()
        targets = [f"/api/v1/events/{body_of(each)['eventId']}" for each in events]
        await _read(hub, meter, "look-up", targets)
        with meter("click"):
            for _ in range(TIMES // BATCH):
                await hub.click(BATCH)
        await _read(hub, meter, "page", [PAGE.format(number) for number in range(1, PRODUCTS // 50 + 1)])
        await _read_list(hub, meter, "order", ORDERS, "nextCursor")
        await _read_list(hub, meter, "entry", CHANGES, "cursor")


async def _read(
    hub: InProcessHub, meter: Meter, name: str, targets: list[str], times: int = TIMES, asked: int = 0
) -> None:
    """Read targets so many times; `asked` is how many of these reads were sent already, and are no use again."""
    before = min(BATCH, 4 * times)  # what is read the first time may be remembered, by each of the connections
    requests = hub.reads(targets, asked + before + times)[asked:]
    await _sent(hub, requests[:before], 200)
    with meter(name):
        await _sent(hub, requests[before:], 200)
        await hub.settle()


async def _read_list(hub: InProcessHub, meter: Meter, name: str, target: str, following: str) -> None:
    """Read `TIMES` entries of a list, in parts of `BATCH`; `following` is the member that leads to the next part."""
    targets = [target]
    while len(targets) <= TIMES // BATCH:
        (part,) = await _sent(hub, hub.reads(targets[-1:], 1), 200)
        targets.append(f"{target}&{CURSORS[following]}={body_of(part)[following]}")
    await _read(hub, meter, name, targets[1:], TIMES // BATCH, len(targets))


async def _prepare(hub: InProcessHub, history: int) -> None:
    items = [
        {"externalProductId": f"SKU-{number}", "name": f"Lantern number {number}", "price": "10.00", "currency": "USD",
         "productUrl": f"https://shop.example/p/{number}", "category": "lights", "brand": "Fjord & Fern",
         "stockStatus": "in_stock"}
        for number in range(PRODUCTS)
    ]  # fmt: skip
    catalogue = json.dumps({"products": items}).encode()
    await hub.ask([hub.credentials.request("POST", "/api/v1/products/upsert", catalogue)], 202)
    await hub.click(BATCH)
    await _sent(hub, hub.orders(history), 202)
    await hub.settle()
    await hub.decide()
    await hub.figures.count()
    await hub.changes.give()


async def _sent(hub: InProcessHub, requests: list[bytes], status: int) -> list[bytes]:
    """Send the requests in batches; return the responses."""
    responses: list[bytes] = []
    for first in range(0, len(requests), BATCH):
        responses += await hub.ask(requests[first : first + BATCH], status)
    return responses
