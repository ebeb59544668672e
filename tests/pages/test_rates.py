"""A rate is tried on real orders, kept, and published or dropped, by a merchant for its own and by the operator."""

from __future__ import annotations

import re

from hub.app import Hub
from hub.operations.money.rates.rates import list_drafts
from hub.testing.clock import FakeClock
from tests.pages.visitor import browser, enter, user_of
from tests.pages.world import world_of


async def test_a_merchant_tries_and_publishes_a_rate_of_its_campaign(hub: Hub, clock: FakeClock) -> None:
    """The preview changes nothing; a second press of publish neither; another's campaign is not there."""
    world, other = await world_of(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    async with browser(hub) as owner:
        await world.person(owner, "merchant", "owner")
        asked = f"/merchant/rates?mode=test&campaign={world.ids['campaign']}&kind=PERCENTAGE&value=20"
        assert "Of 1 order of the last 90 days" in (await owner.get(asked)).words
        tried = {"campaign": world.ids["campaign"], "kind": "PERCENTAGE", "value": "20", "account": world.account_id}
        before = len(await list_drafts(hub.parts.store))
        for _ in range(2):
            assert (await owner.send(asked, "/merchant/rates", **tried)).status == 303
        newest, *rest = await list_drafts(hub.parts.store)
        assert (newest.commission, len(rest)) == ("PERCENTAGE:20", before)
        for _ in range(2):
            sent = await owner.send(asked, f"/merchant/rates/{newest.id}/publish", account=world.account_id)
            assert str(sent.location).endswith("done=published")
        assert "In force" in (await owner.get("/merchant/rates?mode=test")).words
        dropped = await owner.send(asked, f"/merchant/rates/{newest.id}/drop", account=world.account_id)
        assert (dropped.status, "PUBLISHED already" in dropped.words) == (422, True)
        volume = (
            f"/merchant/rates?mode=test&campaign={world.ids['campaign']}&volume=EVER:ORDERS&tiers=2:12%25%0D%0A3:13%25"
        )
        tried_volume = await owner.get(volume)
        assert ("edit the campaign" in tried_volume.words, "Keep it as a draft" in tried_volume.words) == (True, False)
        assert "A tier is written like" in (await owner.get(volume.replace("2:12%25", "2"))).words
        foreign = f"/merchant/rates?mode=test&campaign={other.ids['campaign']}&value=20"
        assert (await owner.get(foreign)).status == 404
        assert (await owner.get("/merchant/rates?mode=test&value=20")).status == 404
        assert (await owner.get(asked.replace("value=20", "value=200"))).status == 422


async def test_an_operator_tries_a_merchants_default(hub: Hub, clock: FakeClock) -> None:
    """By affiliate and order, in names; kept as a draft and dropped."""
    world = await world_of(hub, clock, "Aurora")
    await user_of(hub, clock)
    async with browser(hub) as olu:
        await enter(olu, hub, clock)
        asked = f"/operator/rates?merchant={world.merchant_id}&mode=test&kind=PERCENTAGE&value=20"
        page = await olu.get(asked)
        assert ("Aurora blog" in page.words, "Aurora order" in page.words) == (True, True)
        fields = {"merchant": world.merchant_id, "mode": "test", "kind": "PERCENTAGE", "value": "20"}
        assert (await olu.send(asked, "/operator/rates", **fields)).location == "/operator/rates?done=drafted"
        draft = re.search(r"/operator/rates/(rat_\w+)/drop", (await olu.get("/operator/rates")).text)
        assert draft is not None
        for _ in range(2):
            assert (await olu.send("/operator/rates", draft[0])).location == "/operator/rates?done=dropped"
        assert (await olu.send("/operator/rates", "/operator/rates/rat_none/publish")).status == 422
        for wrong in ("value=20", "merchant=nobody&value=20", "campaign=a&product=b&value=2"):
            assert (await olu.get(f"/operator/rates?{wrong}")).status == 422
