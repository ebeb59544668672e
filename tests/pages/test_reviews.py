"""The review queue and decisions on many commissions: in bulk, each by itself, and taken back until it is paid."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import aiohttp
import pytest

from hub.app import Hub
from hub.operations.audits.audit import audit
from hub.operations.lists import Wanted
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.orders.bulk_acts import UNDO_MS
from hub.operations.trail_lists import list_acts
from hub.testing.clock import FakeClock
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.test_orders import is_in
from tests.pages.visitor import Seen, Visitor, browser
from tests.pages.world import settled
from tests.polling import until
from tests.served_hub import Api

__all__ = ["keeper"]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Aurora").copied(tmp_path, clock)


async def acted(owner: Visitor, address: str, **fields: str) -> Seen:
    """Send the form of a list, and follow it to where it says what came of it: a refusal is the page itself."""
    sent = await owner.send(address, **fields)
    assert sent.status == (303 if sent.location else 422), sent.words
    return await owner.get(sent.location) if sent.location else sent


async def test_an_order_is_attributed_and_that_is_taken_back(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """Commission, figures and ledger follow both ways, as the audit proves."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    low = f"/merchant/orders/{world.ids['review']}"
    fields = {f"tick.{world.ids['review']}": "1", "account": world.account_id}
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        queue = await owner.get("/merchant/reviews?mode=test")
        assert "Aurora order low" in queue.words
        nobody = await owner.send("/merchant/reviews", verdict="attribute", affiliate="aff_x", **fields)
        assert (nobody.status, "Choose an affiliate who has a link to your shop" in nobody.words) == (422, True)
        alone = await acted(owner, "/merchant/reviews", verdict="attribute", affiliate="", **fields)
        assert "0 attributed. 1 not done: Aurora order low : nothing points to an affiliate" in alone.words
        assert f'<a href="{low}?mode=test">Aurora order low</a>' in alone.text
        done = await acted(owner, "/merchant/reviews", verdict="attribute", affiliate=world.affiliate_id, **fields)
        assert "1 attributed" in done.words
        assert "Nothing to review" in done.words
        assert "attributed by hand" in (await owner.get(f"{low}?mode=test")).words
        back = await owner.send(f"{low}?mode=test", f"{low}/reopen", account=world.account_id)
        assert back.location == f"{low}?mode=test&done=reopened"
        assert "No commission" in (await owner.get(f"{low}?mode=test")).words
        again = await acted(owner, "/merchant/reviews", verdict="dismiss", **fields)
        assert "1 dismissed" in again.words
        await owner.send(f"{low}?mode=test", f"{low}/reopen", account=world.account_id)
        twice = await owner.send(f"{low}?mode=test", f"{low}/reopen", account=world.account_id)
        assert (twice.status, "nothing to take back" in twice.words) == (422, True)
    acts = (await list_acts(either_hub.parts.store, Wanted({"subject": world.ids["review"]}, limit=9))).entries
    names = ["reopened", "dismissed", "reopened", "attributed"]
    assert [act["act"] for act in acts] == [f"conversion.{name}" for name in names]
    await either_hub.parts.jobs.figures.count()
    assert (await audit(either_hub.parts.store, clock))["violations"] == []
    assert (await verify_ledger(either_hub.parts.store))["faults"] == []


async def test_commissions_are_decided_in_bulk(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """What cannot be decided keeps nothing else back; a rejection needs its reason."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    fields = {f"tick.{world.ids['order']}": "1", f"tick.{world.ids['review']}": "1", "account": world.account_id}
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        held = await owner.get("/merchant/commissions?mode=test")
        assert "Aurora order" in held.words
        for verdict, fault in (("reject", "Give a reason"), ("approve", "1 approved. 1 not done")):
            seen = await acted(owner, "/merchant/commissions", verdict=verdict, **fields)
            assert fault in seen.words
        assert "Select the commissions" in (await owner.send("/merchant/commissions", verdict="approve")).words
        found = await settled(either_hub, "Aurora order", lambda order: is_in("APPROVED", order))
        assert found["commission"]["amount"] == "3.00"
        assert "Aurora order" in (await owner.get("/merchant/commissions?state=APPROVED")).words


async def test_all_that_match_are_decided_in_portions_and_undone(
    either_hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, keeper: Keeper
) -> None:
    """What came after the list was shown, and what another reason holds back, stays; ten minutes later so does all."""
    monkeypatch.setattr("hub.pages.merchant.reviews.PORTION", 2)
    monkeypatch.setattr("hub.operations.orders.bulk_acts.PORTION", 2)
    world, here = await keeper.world_in(either_hub, clock, "Aurora"), "/merchant/reviews"
    async with aiohttp.ClientSession(either_hub.url) as session, browser(either_hub) as owner:
        api = Api(session, world.key, clock)

        async def report(number: int, **more: str) -> None:
            body = {"externalOrderId": f"Bulk {number}", "externalProductId": "x", "orderAmount": "5.00", **more}
            assert (await api("POST", "/v1/conversions", body)).status == 202

        async def waits(number: int) -> bool:
            return f"Bulk {number} " in (await owner.get(f"{here}?mode=test")).words

        await world.person(owner, "merchant", "owner")
        for number in range(4):
            await report(number)
        await report(4, clickId="no click")
        await until(partial(waits, 4))
        shown = await owner.get(f"{here}?mode=test&reason=click_missing")
        assert ("Bulk 3" in shown.words, "Bulk 4" in shown.words) == (True, False)
        upto = re.search(r'name="upto" value="([^"]+)"', shown.text)
        assert upto is not None
        await report(5)
        await until(partial(waits, 5))
        fields = {"verdict": "dismiss", "upto": upto[1], "reason": "click_missing", "account": world.account_id}
        sent, turns = await owner.send(f"{here}?mode=test", f"{here}/all", **fields), 0
        while sent.location is None:
            turns += 1
            assert (sent.status, "so far; each is dismissed" in sent.words) == (200, True)
            kept = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', sent.text))
            sent = await owner.send(f"{here}?mode=test", f"{here}/all", **{**kept, "account": world.account_id})
        assert turns == 2
        done = await owner.get(sent.location)
        assert "5 dismissed." in done.words, "the four and the world's own"
        assert [await waits(number) for number in (3, 4, 5)] == [False, True, True]
        bulk = re.search(r'name="bulk" value="([^"]+)"', done.text)
        assert bulk is not None
        undo = {"bulk": bulk[1], "account": world.account_id}
        undone = await owner.send(f"{here}?mode=test", f"{here}/undo", **undo)
        while undone.location is None:
            assert (undone.status, "there are more" in undone.words) == (200, True)
            undone = await owner.send(f"{here}?mode=test", f"{here}/undo", **undo)
        assert "It is undone." in (await owner.get(undone.location)).words
        assert [await waits(number) for number in (0, 3)] == [True, True]
        again = await acted(owner, here, verdict="dismiss", account=world.account_id, **{f"tick.{upto[1]}": "1"})
        late = re.search(r'name="bulk" value="([^"]+)"', again.text)
        assert late is not None
        clock.advance(UNDO_MS + 1)
        refused = await owner.send(f"{here}?mode=test", f"{here}/undo", bulk=late[1], account=world.account_id)
        assert (refused.status, "too late" in refused.words) == (422, True)
