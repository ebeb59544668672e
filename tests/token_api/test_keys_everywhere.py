"""Every write takes an idempotency key: with one it is answered as without, and never by a fault of the hub."""

from __future__ import annotations

from pathlib import Path

import pytest

from hub.app import Hub
from hub.testing.clock import FakeClock
from hub.token_api.routes import APIS
from tests.pages.kept_worlds import Keeper, keeper
from tests.served_hub import served
from tests.token_api.callers import ADMIN, AFFILIATE, address, example_body, ids_of, program, token

__all__ = ["keeper"]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Ann").copied(tmp_path, clock)


@pytest.mark.parametrize("root", [ADMIN, AFFILIATE])
async def test_every_write_takes_a_key(sqlite_url: str, clock: FakeClock, root: str, keeper: Keeper) -> None:
    """Of things that are there and examples of bodies; a fuzzer found acts that read a list first and answered 500."""
    async with served(sqlite_url, clock, HUB_LIMITS_PER_MINUTE="0", HUB_LIMITS_PER_HOUR="0") as hub:
        world = await keeper.world_in(hub, clock, "Ann")
        ids = await ids_of(world)
        async with program(hub, await _token(hub, clock, root, world.affiliate_id)) as ask:
            done = 0
            for act in (act for act in APIS[root][1] if act.writes):
                once = {"Idempotency-Key": f"once-{act.operation}"}
                first = await ask(act.method, address(root, act, ids), example_body(act), once)
                assert first.status < 500, (act.operation, first.raw)
                if first.status == act.success:
                    again = await ask(act.method, address(root, act, ids), example_body(act), once)
                    assert again.status < 500, (act.operation, again.raw)
                    if "Idempotency-Replayed" in again.headers:  # what wrote nothing is not remembered
                        assert again.raw == first.raw, act.operation
                        done += 1
    assert done >= (30 if root == ADMIN else 8)


async def test_a_link_is_made_once_for_a_key(sqlite_url: str, clock: FakeClock, keeper: Keeper) -> None:
    async with served(sqlite_url, clock) as hub:
        world = await keeper.world_in(hub, clock, "Ann")
        async with program(hub, await _token(hub, clock, AFFILIATE, world.affiliate_id)) as ask:
            body, once = {"campaignId": world.ids["campaign"]}, {"Idempotency-Key": "once"}
            first = await ask("POST", f"{AFFILIATE}/links", body, once)
            again = await ask("POST", f"{AFFILIATE}/links", body, once)
            listed = (await ask("GET", f"{AFFILIATE}/links?mode=test")).json["data"]
    assert (first.status, again.raw) == (201, first.raw)
    assert [each["code"] for each in listed].count(first.json["code"]) == 1


async def _token(hub: Hub, clock: FakeClock, root: str, affiliate_id: str) -> str:
    if root == ADMIN:
        return await token(hub, clock, "admin:write", "people:write")
    return await token(hub, clock, "affiliate:write", affiliate=affiliate_id)
