"""Links that may not earn lead buyers on, but record no click and hand out no click id."""

from __future__ import annotations

import pytest

from hub.operations.affiliates.affiliates import set_affiliate_status
from hub.operations.affiliates.links import enable_link
from hub.operations.merchants.merchants import close_merchant, set_merchant_status
from hub.testing.clock import FakeClock
from tests.tracking.test_redirect import SHOP, Visitor, visitor

__all__ = ["visitor"]

STALE_MS = 2_001


async def stop(visitor: Visitor, clock: FakeClock, by: str, code: str) -> None:
    store, merchant_id = visitor.hub.parts.store, visitor.api.key.merchant_id
    if by == "affiliate":
        await set_affiliate_status(store, clock, visitor.affiliate_id, "INACTIVE")
    elif by == "link":
        await enable_link(store, clock, "", code, enabled=False)
    elif by == "close":
        await close_merchant(store, clock, merchant_id)
    else:
        await set_merchant_status(store, clock, merchant_id, "SUSPENDED")
    clock.now += STALE_MS


@pytest.mark.parametrize("by", ["affiliate", "link", "close", "suspend"])
async def test_a_stopped_link_leads_on_without_parameters(visitor: Visitor, clock: FakeClock, by: str) -> None:
    """The control is the visit before, which has both parameters."""
    code = await visitor.link()
    assert "affiliate_click_id=" in (await visitor.visit(code))[1]
    await stop(visitor, clock, by, code)
    status, location, _ = await visitor.visit(code)
    assert (status, location) == (302, SHOP)


async def test_what_may_earn_again_hands_out_clicks_again(visitor: Visitor, clock: FakeClock) -> None:
    code = await visitor.link()
    await stop(visitor, clock, "affiliate", code)
    await stop(visitor, clock, "link", code)
    await stop(visitor, clock, "suspend", code)
    store = visitor.hub.parts.store
    await set_affiliate_status(store, clock, visitor.affiliate_id, "ACTIVE")
    await enable_link(store, clock, "", code, enabled=True)
    assert (await visitor.visit(code))[1] == SHOP
    await set_merchant_status(store, clock, visitor.api.key.merchant_id, "APPROVED")
    clock.now += STALE_MS
    assert "affiliate_click_id=" in (await visitor.visit(code))[1]
