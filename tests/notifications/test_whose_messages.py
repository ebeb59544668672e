"""Of one change, an affiliate hears what is its business: its commission, not what a shop is asked about the order."""

from __future__ import annotations

from typing import Any

from hub.notifications.receiver import document_of
from hub.processing.ledger_rows import Commission, Conversion
from hub.processing.notifications import ANY_AFFILIATE, Change, messages_of
from hub.testing.clock import NOON

CONVERSION = Conversion(
    account_id="acc_1", conversion_id="cnv_1", event_id="evt_1", external_order_id="B-1", order_minor=6_000,
    paid_minor=6_000, currency="USD", lines_json="[]", click_id="clk_1", coupon_code=None, metadata=None,
    ordered_at=NOON, received_at=NOON, confidence="HIGH", reason="matched", affiliate_id="aff_1", campaign_id=None,
    candidate_id=None, review=None, created_at=NOON,
)  # fmt: skip
COMMISSION = Commission(
    account_id="acc_1", commission_id="com_1", conversion_id="cnv_1", affiliate_id="aff_1", state="PENDING",
    amount_minor=480, base_minor=6_000, currency="USD", source="DEFAULT", terms_json="{}", hold_ms=0, hold_until=None,
    paid_at=None, payout_reference=None, created_at=NOON, updated_at=NOON,
)  # fmt: skip


def test_a_question_about_an_attributed_order_goes_to_its_merchant_alone() -> None:
    """Both come of one change; that the commission's message names the affiliate is the control."""
    change = Change(CONVERSION, None, COMMISSION, questions=("refund_exceeds_order",))
    told = {each.event_type: each for each in messages_of([change], {"acc_1", ANY_AFFILIATE}, NOON)}
    assert {event_type: each.affiliate_id for event_type, each in told.items()} == {
        "conversion.review": "", "commission.created": "aff_1",
    }  # fmt: skip
    assert {each.subject for each in told.values()} == {"cnv_1"}, "one after the other, as they happened"


def test_an_affiliate_reads_the_orders_number_as_on_its_pages_and_no_other_candidate() -> None:
    """Of one stored message; the merchant's has both."""
    stored: Any = {
        "data": '{"externalOrderId": "B-1", "candidateId": "aff_2"}', "merchant_id": "mer_1", "mode": "live",
        "subs": None, "event_type": "commission.created", "payload_version": "1", "created_at": NOON,
    }  # fmt: skip
    of_affiliate, of_merchant = (document_of(stored, "1", of_merchant=each)[1]["data"] for each in (False, True))
    assert (of_affiliate["externalOrderId"], "candidateId" in of_affiliate) == ("B-1", False)
    assert of_merchant["candidateId"] == "aff_2"
