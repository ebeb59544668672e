"""The review queue and decisions on many commissions: in bulk, each by itself, and taken back until it is paid."""

from __future__ import annotations

from hub.app import Hub
from hub.operations.audits.audit import audit
from hub.operations.lists import Wanted
from hub.operations.money.ledger import verify_ledger
from hub.operations.trail_lists import list_acts
from hub.testing.clock import FakeClock
from tests.pages.test_orders import is_in
from tests.pages.visitor import browser
from tests.pages.world import settled, world_of


async def test_an_order_is_attributed_and_that_is_taken_back(either_hub: Hub, clock: FakeClock) -> None:
    """Commission, figures and ledger follow both ways, as the audit proves."""
    world = await world_of(either_hub, clock, "Aurora")
    low = f"/merchant/orders/{world.ids['review']}"
    fields = {f"tick.{world.ids['review']}": "1", "account": world.account_id}
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        queue = await owner.get("/merchant/reviews?mode=test")
        assert "Aurora order low" in queue.words
        nobody = await owner.send("/merchant/reviews", verdict="attribute", affiliate="aff_x", **fields)
        assert (nobody.status, "Choose an affiliate with a link of yours" in nobody.words) == (422, True)
        alone = await owner.send("/merchant/reviews", verdict="attribute", affiliate="", **fields)
        assert "0 attributed" in alone.words
        assert "nothing points to an affiliate" in alone.words
        done = await owner.send("/merchant/reviews", verdict="attribute", affiliate=world.affiliate_id, **fields)
        assert "1 attributed" in done.words
        assert "Nothing to review" in done.words
        assert "attributed by hand" in (await owner.get(f"{low}?mode=test")).words
        back = await owner.send(f"{low}?mode=test", f"{low}/reopen", account=world.account_id)
        assert back.location == f"{low}?mode=test&done=reopened"
        assert "No commission" in (await owner.get(f"{low}?mode=test")).words
        again = await owner.send("/merchant/reviews", verdict="dismiss", **fields)
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


async def test_commissions_are_decided_in_bulk(either_hub: Hub, clock: FakeClock) -> None:
    """What cannot be decided keeps nothing else back; a rejection needs its reason."""
    world = await world_of(either_hub, clock, "Aurora")
    fields = {f"tick.{world.ids['order']}": "1", f"tick.{world.ids['review']}": "1", "account": world.account_id}
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        held = await owner.get("/merchant/commissions?mode=test")
        assert "Aurora order" in held.words
        for verdict, fault in (("reject", "Say why they are rejected"), ("approve", "1 approved. 1 not done")):
            seen = await owner.send("/merchant/commissions", verdict=verdict, **fields)
            assert fault in seen.words
        assert "Tick the commissions" in (await owner.send("/merchant/commissions", verdict="approve")).words
        found = await settled(either_hub, "Aurora order", lambda order: is_in("APPROVED", order))
        assert found["commission"]["amount"] == "3.00"
        assert "Aurora order" in (await owner.get("/merchant/commissions?state=APPROVED")).words
