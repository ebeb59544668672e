"""The change feed of operators tells what every account's own feed tells; that of affiliates what is theirs alone."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from attrs import frozen

from hub.app import Hub
from hub.operations.affiliates.links import NewLink, create_link, enable_link
from hub.operations.changes.feed import BEHIND, cursor_of
from hub.processing.change_numbers import number_account
from hub.testing.clock import FakeClock
from tests.merchant_api.mirrors import Mirror
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.world import World
from tests.polling import until
from tests.served_hub import Api, new_key, served
from tests.token_api.callers import ADMIN, AFFILIATE, Program, program, token

__all__ = ["keeper"]

ROOT = "http://hub.example"


@frozen
class Stage:
    """A hub with two worlds, and a program."""

    hub: Hub
    clock: FakeClock
    worlds: Sequence[World]
    ask: Program

    async def link(self, of: int) -> str:
        """Make a link of a world's affiliate and campaign; return its code."""
        world = self.worlds[of]
        wanted = NewLink(world.merchant_id, "test", world.affiliate_id, world.ids["campaign"], None, None, {})
        return (await create_link(self.hub.parts.store, self.clock, ROOT, wanted)).code


@pytest.fixture
async def stage(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> AsyncIterator[Stage]:
    kept = keeper.of("Ann", "Bob")
    url = kept.copied(tmp_path, clock)
    async with served(url, clock, HUB_LIMITS_PER_MINUTE="0", HUB_LIMITS_PER_HOUR="0") as hub:
        worlds = kept.served_by(hub, clock)
        async with program(hub) as ask:
            yield Stage(hub, clock, worlds, ask)


async def told(ask: Program, root: str, query: str = "", after: str | None = None) -> tuple[list[Any], str]:
    """Read a feed to its end in small parts; return its entries and its last cursor."""
    data: list[Any] = []
    more = True
    while more:
        behind = "" if after is None else f"&after={after}"
        reply = await ask("GET", f"{root}/changes?limit=7{behind}{query}")
        assert reply.status == 200, reply.raw
        data, after, more = [*data, *reply.json["data"]], reply.json["cursor"], reply.json["more"]
    assert after is not None
    return data, after


async def test_operators_are_told_what_every_account_is_told(stage: Stage) -> None:
    """Byte for byte, and whose it is; what changes later is told from the cursor.

    The hub goes on meanwhile, by its timers and by what it sends; so both feeds are followed until they say the same.
    """
    ask = stage.ask.using(await token(stage.hub, stage.clock, "admin:read"))
    of_all: dict[tuple[str, str], Mirror] = defaultdict(Mirror)
    own = {world.merchant_id: Mirror() for world in stage.worlds}
    cursor = None
    async with aiohttp.ClientSession(stage.hub.url) as session:
        keys = {name: Api(session, await new_key(stage.hub, stage.clock, name), stage.clock) for name in own}

        async def alike() -> bool:
            nonlocal cursor
            stage.clock.advance(1_000)  # the same question in the same second would be a replay
            data, cursor = await told(ask, ADMIN, after=cursor)
            for each in data:
                of_all[each["merchantId"], each["mode"]].take({"data": [each], "cursor": cursor})
            for name, mirror in own.items():
                await mirror.follow(keys[name])
            return all(of_all[name, "test"].copy == mirror.copy for name, mirror in own.items())

        await until(alike)
    assert all(mirror.copy for mirror in own.values())
    code = await stage.link(1)
    later, _ = await told(ask, ADMIN, after=cursor)
    assert [each["merchantId"] for each in later if each["id"] == code] == [stage.worlds[1].merchant_id]


@pytest.mark.parametrize("limit", [1, 2, 3])
async def test_what_has_one_number_and_one_id_in_several_accounts_is_told_of_each(stage: Stage, limit: int) -> None:
    """A balance is called USD in every account; a page may end between two of them. A repeat is told once more."""
    ask = stage.ask.using(await token(stage.hub, stage.clock, "admin:read"))
    await number_account(stage.hub.parts.store, stage.clock, None)
    async with stage.hub.parts.store.write() as tx:
        accounts = [each.account_id for each in stage.worlds]
        head = await tx.one("change_head")
        assert head is not None
        told_at = head["number"] + 1
        await tx.run("store_changes", changes=[(each, told_at, "balance", "USD") for each in accounts])
        await tx.run("move_change_head", number=told_at)
    data: list[Any] = []
    after = cursor_of((told_at - 1, BEHIND, "", ""))
    more = True
    while more:
        reply = await ask("GET", f"{ADMIN}/changes?limit={limit}&types=balance&after={after}")
        data, after, more = [*data, *reply.json["data"]], reply.json["cursor"], reply.json["more"]
    assert {each["merchantId"] for each in data} == {each.merchant_id for each in stage.worlds}
    of_yore = cursor_of((told_at, "balance", "USD", ""))
    again = (await ask("GET", f"{ADMIN}/changes?types=balance&after={of_yore}")).json["data"]
    assert {each["merchantId"] for each in again} == {each.merchant_id for each in stage.worlds}


async def test_affiliates_are_told_what_is_theirs(stage: Stage) -> None:
    """Of every merchant, nobody else's, and never a conversion or another's word."""
    ann, bob = stage.worlds
    ask = stage.ask.using(await token(stage.hub, stage.clock, "affiliate:read", affiliate=ann.affiliate_id))
    data, cursor = await told(ask, AFFILIATE)
    assert {each["type"] for each in data} >= {"commission", "link"}
    assert ann.ids["commission"] in {each["id"] for each in data}, "the control: her own is told"
    assert not [mark for mark in bob.marks if mark in json.dumps(data)]
    theirs, mine = await stage.link(1), await stage.link(0)
    await enable_link(stage.hub.parts.store, stage.clock, ROOT, mine, enabled=False)
    later, _ = await told(ask, AFFILIATE, after=cursor)
    assert (mine in {each["id"] for each in later}, theirs in {each["id"] for each in later}) == (True, False)


async def test_a_feed_waits_until_something_changes(stage: Stage) -> None:
    ask = stage.ask.using(await token(stage.hub, stage.clock, "links:read", affiliate=stage.worlds[0].affiliate_id))
    _, cursor = await told(ask, AFFILIATE)
    held = asyncio.create_task(ask("GET", f"{AFFILIATE}/changes?after={cursor}&wait=20"))
    await until(lambda: stage.hub.parts.services.waiters.held)
    code = await stage.link(0)
    assert [each["id"] for each in (await held).json["data"]] == [code]


@pytest.mark.parametrize(("root", "scope"), [(ADMIN, "admin:read"), (AFFILIATE, "affiliate:read")])
async def test_a_feed_streams_as_lines_and_is_taken_up_again(stage: Stage, root: str, scope: str) -> None:
    """The same entries as page by page, and a cursor from which it goes on."""
    owner = {"affiliate": stage.worlds[0].affiliate_id} if root == AFFILIATE else {}
    ask = stage.ask.using(await token(stage.hub, stage.clock, scope, **owner))

    async def streamed(after: str = "") -> list[Any]:
        reply = await ask("GET", f"{root}/changes{after}", headers={"Accept": "application/x-ndjson"})
        assert (reply.status, reply.headers["Content-Type"]) == (200, "application/x-ndjson")
        assert "Content-Disposition" not in reply.headers
        return [json.loads(line) for line in reply.raw.splitlines()]

    async def equal() -> list[Any] | None:
        paged, _ = await told(ask, root)
        lines = await streamed()
        return lines if [each for each in lines if "type" in each] == paged else None

    lines = await until(equal)
    assert lines[-1].keys() == {"cursor"}
    assert "cursor" in (await streamed(f"?types=link&after={lines[-1]['cursor']}"))[-1]


async def test_scopes_and_types_narrow_a_feed(stage: Stage) -> None:
    """No type is told that the token may not read; a strange type or cursor is a 400."""
    ask = stage.ask.using(await token(stage.hub, stage.clock, "products:read", "links:read"))
    data, _ = await told(ask, ADMIN)
    assert {each["type"] for each in data} == {"product", "link"}
    assert {each["type"] for each in (await told(ask, ADMIN, "&types=link"))[0]} == {"link"}
    assert (await ask("GET", f"{ADMIN}/changes?types=commission")).status == 403
    assert (await ask("GET", f"{ADMIN}/changes?types=nothing")).status == 400
    assert (await ask("GET", f"{ADMIN}/changes?after=nothing")).status == 400
    own = stage.ask.using(await token(stage.hub, stage.clock, "affiliate:read", affiliate=stage.worlds[0].affiliate_id))
    assert (await own("GET", f"{AFFILIATE}/changes?types=conversion")).status == 400
