"""What affiliates chose of how they are paid: a minimum, currencies, to wait; runs carry the rest on and say why."""

from __future__ import annotations

from typing import Any

import pytest

from hub.config.payout_section import PayoutSettings
from hub.operations.errors import OperatorFault
from hub.operations.money.payees.payout_terms import set_terms, show_terms
from hub.operations.money.payouts.pay_dates import next_payouts
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_previews import preview_run
from hub.operations.money.payouts.payout_runs import Wanted
from tests.ledger.test_payouts import payable
from tests.processing.harness import Harness

PLAIN = PayoutSettings(pay_day="15")


async def reason(harness: Harness) -> str | None:
    (item,) = (await preview_run(harness.store, harness.clock, PLAIN, Wanted("live")))["items"]
    return item["carriedReason"]


async def test_previews_name_it_and_runs_heed_it(harness: Harness) -> None:
    """In the preview, at the affiliate's next pay date, and until it is taken off."""
    await payable(harness, "100.00")
    store, clock, own = harness.store, harness.clock, harness.affiliate_id
    assert await reason(harness) is None
    choices: list[tuple[dict[str, Any], str]] = [
        ({"minimum": "5.01"}, "below_own_minimum"), ({"waits": True}, "own_wait"),
        ({"currencies": "eur, jpy"}, "own_currency"),
    ]  # fmt: skip
    for chosen, why in choices:
        terms = await set_terms(store, clock, own, **chosen)
        assert await show_terms(store, own) == terms == await set_terms(store, clock, own, **chosen)
        assert await reason(harness) == why
        (awaited,) = await next_payouts(store, clock, PLAIN, own)
        assert why in awaited["missing"]
    assert (await show_terms(store, own))["currencies"] == ["EUR", "JPY"]
    await set_terms(store, clock, own, minimum="5", currencies="USD")
    assert (await create_run(store, clock, PLAIN, Wanted("live")))["totals"][0]["payments"] == 1


async def test_what_cannot_be_is_refused(harness: Harness) -> None:
    store, clock, own = harness.store, harness.clock, harness.affiliate_id
    with pytest.raises(OperatorFault, match="write it like 25"):
        await set_terms(store, clock, own, minimum="much")
    with pytest.raises(OperatorFault, match="not an ISO 4217"):
        await set_terms(store, clock, own, currencies="EUR,QQQ")
    with pytest.raises(OperatorFault):
        await set_terms(harness.store, harness.clock, "aff_none", waits=True)
