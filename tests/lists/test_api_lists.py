"""Every list of the three APIs, read from the first page to the last, is what is stored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import aiohttp
from yarl import URL

from hub.acts.act import ListOfEntries
from hub.app import Hub
from hub.merchant_api.v1 import ENDPOINTS
from hub.records.record import attributes_of
from hub.token_api.routes import APIS
from tests.lists.filled import Filled
from tests.lists.walks import ADMIN, ADMIN_ROOT, AFFILIATE, AFFILIATE_ROOT, IDS, MERCHANT, NO_WALKS, Walk
from tests.lists.whole import difference, unexpected
from tests.sampled import Part, in_parts
from tests.served_hub import Api, Reply
from tests.token_api.callers import program, token

Get = Callable[[str], Awaitable[Reply]]


@in_parts(5)
async def test_the_operators_lists_are_whole(filled: Filled, filled_hub: Hub, part: Part) -> None:
    bearer = await token(filled_hub, filled.clock, "admin:read")
    async with program(filled_hub, bearer) as operator:
        assert await faults_of(filled, part.of(ADMIN), lambda path: operator("GET", ADMIN_ROOT + path)) == ""


async def test_an_affiliates_lists_are_whole(filled: Filled, filled_hub: Hub) -> None:
    bearer = await token(filled_hub, filled.clock, "affiliate:read", affiliate=filled.ids["affiliate"])
    async with program(filled_hub, bearer) as affiliate:
        assert await faults_of(filled, AFFILIATE, lambda path: affiliate("GET", AFFILIATE_ROOT + path)) == ""


@in_parts(5)
async def test_a_merchants_lists_are_whole(filled: Filled, filled_hub: Hub, part: Part) -> None:
    async with aiohttp.ClientSession(filled_hub.url) as session:
        api = Api(session, filled.key, filled.clock)
        assert await faults_of(filled, part.of(MERCHANT), lambda path: api("GET", path)) == ""


def test_every_list_of_the_apis_is_walked() -> None:
    """A new list stands in the table of walks, or with its reason among those that no page has to part."""
    walked = {f"{root}{walk.address.partition('?')[0]}" for root, walk in every_walk()} | set(NO_WALKS)
    by_token = {
        root + act.path
        for root, (_, acts) in APIS.items()
        for act in acts
        if act.method == "GET" and isinstance(act.answer, ListOfEntries)
    }
    by_key = {
        each.path for each in ENDPOINTS if each.method == "GET" and "data" in attributes_of(each.response)
    }  # fmt: skip
    assert walked == by_token | by_key


def test_control_a_list_that_ends_early_repeats_or_strays_is_found() -> None:
    assert difference(["a", "b"], ["a", "b"]) == ""
    assert difference(["a"], ["a", "b"]) == "lacks 1 of 2: b"
    assert difference(["a", "b", "a"], ["a", "b"]) == "repeats 1: a"
    assert difference(["a", "b", "c"], ["a", "b"]) == "has 1 that are not stored: c"


def every_walk() -> list[tuple[str, Walk]]:
    """Every walk with the root of its API."""
    by_token = [(ADMIN_ROOT, walk) for walk in ADMIN] + [(AFFILIATE_ROOT, walk) for walk in AFFILIATE]
    return [*by_token, *(("", walk) for walk in MERCHANT)]


async def faults_of(filled: Filled, walks: Sequence[Walk], get: Get) -> str:
    """What each list lacks, repeats or has beside what is stored, a line for each list."""
    faults = {}
    for walk in walks:
        stored = filled.stored(IDS[walk.entries])
        address = URL(walk.address.format(**filled.ids))
        entries = await entries_of(get, address if walk.limit is None else address.update_query({walk.limit: 200}))
        faults[walk.address] = difference(
            ["".join(str(each[name]) for name in walk.members) for each in entries], stored
        )
    return unexpected(faults)


async def entries_of(get: Get, address: URL) -> list[Mapping[str, Any]]:
    """All entries of a list, read page by page."""
    entries: list[Mapping[str, Any]] = []
    following: URL | None = address
    while following is not None:
        reply = await get(str(following))
        assert reply.status == 200, (str(following), reply.raw)
        page = reply.json
        entries += page["data"]
        following = after(address, page, len(entries))
    return entries


def after(first: URL, page: Mapping[str, Any], entries: int) -> URL | None:
    """The address of the next page: by the cursor, or by its number where a total is counted."""
    if "total" in page:
        return None if entries >= page["total"] or not page["data"] else first.update_query(page=page["page"] + 1)
    cursor = page.get("nextCursor")
    return None if cursor is None else first.update_query(cursor=cursor)
