"""What the demo's pages say about an explanation."""

from __future__ import annotations

from typing import Any

import pytest

from hub.demo.story import LOW_REASONS, commission_line, event_lines, rule_line, stages
from hub.domain.instants import format_instant

NOW = 1_795_176_000_000
COMMISSION = {"state": "PENDING", "amount": "7.68", "currency": "USD", "source": "CAMPAIGN", "type": "PERCENTAGE",
              "value": "12", "base": "64.00", "levels": [{"level": "PRODUCT", "outcome": "no_rule"},
                                                         {"level": "CAMPAIGN", "outcome": "won"}]}  # fmt: skip


def in_state(state: str) -> dict[str, Any]:
    return {"commission": {**COMMISSION, "state": state}}


class TestStages:
    @pytest.mark.parametrize(
        ("conversion", "now", "count"),
        [
            (None, "Reported", 5),
            ({"commission": None}, "In review", 2),
            (in_state("PENDING"), "Pending", 5),
            (in_state("HOLD"), "On hold", 5),
            (in_state("APPROVED"), "On hold", 5),
            (in_state("PAYABLE"), "Payable", 5),
            (in_state("PAID"), "Payable", 5),
            (in_state("REJECTED"), "Rejected", 3),
        ],
    )
    def test_one_step_is_the_present(self, conversion: dict[str, Any] | None, now: str, count: int) -> None:
        way = stages(conversion)
        assert [stage.name for stage in way if stage.look in ("now", "wait", "stop")] == [now]
        assert len(way) == count


class TestCommission:
    def test_a_hold_counts_down(self) -> None:
        held = {**COMMISSION, "state": "HOLD", "holdUntil": format_instant(NOW + 4_001)}
        assert commission_line(held, NOW).endswith("Payable in 5 s.")
        assert commission_line(held, NOW + 60_000).endswith("Payable in 0 s.")

    @pytest.mark.parametrize("state", ["PENDING", "APPROVED", "PAYABLE", "PAID", "REJECTED"])
    def test_every_state_has_its_sentence(self, state: str) -> None:
        assert commission_line({**COMMISSION, "state": state}, NOW).endswith(".")

    def test_a_commission_names_its_rule(self) -> None:
        assert rule_line(COMMISSION) == "12 % of 64.00 USD, by the campaign's rule"
        assert rule_line({**COMMISSION, "type": "FIXED", "value": "3.00"}) == "3.00 USD fixed, by the campaign's rule"
        assert rule_line({**COMMISSION, "type": None}) == "by several rules"


class TestEvents:
    def test_an_attributed_order_is_explained_in_sentences(self) -> None:
        attribution = {"confidence": "HIGH", "reason": "matched", "affiliateId": "aff_1", "clickAgeSeconds": 7,
                       "windowSeconds": 2_592_000}  # fmt: skip
        explanation = {"attribution": attribution, "commission": COMMISSION, "skipReason": None}
        assert event_lines({"explanation": explanation}, "The Evening Post") == [
            "The click is on record, 7 s before the order and inside 30 days. It belongs to The Evening Post.",
            "Rules tried, most specific first: product has no rule, campaign pays.",
            "Commission then: 7.68 USD, PENDING.",
        ]

    @pytest.mark.parametrize("reason", LOW_REASONS)
    def test_every_reason_of_low_has_its_sentence(self, reason: str) -> None:
        explanation = {"attribution": {"confidence": "LOW", "reason": reason}, "commission": None, "skipReason": None}
        (line,) = event_lines({"explanation": explanation})
        assert line.startswith(LOW_REASONS[reason])

    def test_an_event_that_changed_nothing_says_so(self) -> None:
        skipped = {"attribution": None, "commission": None, "skipReason": "not_allowed_from_rejected"}
        assert event_lines({"explanation": skipped}) == ["It changed nothing: not_allowed_from_rejected."]
        noted = {**skipped, "skipReason": None}
        assert event_lines({"explanation": noted}) == ["Noted. There is no commission that it could change."]
        assert "decided in a moment" in event_lines({"explanation": None})[0]

    @pytest.mark.parametrize("status", ["RECEIVED", "QUEUED"])
    def test_an_event_that_waits_is_not_called_noted(self, status: str) -> None:
        """The API's explanation of it is all nulls; the control is the same once it is processed."""
        nothing = {"attribution": None, "commission": None, "skipReason": None}
        assert "decided in a moment" in event_lines({"status": status, "explanation": nothing})[0]
        assert event_lines({"status": "PROCESSED", "explanation": nothing})[0].startswith("Noted.")

    def test_news_that_came_before_its_order_is_said_to_wait(self) -> None:
        nothing = {"attribution": None, "commission": None, "skipReason": None}
        assert "before its order" in event_lines({"status": "PARKED", "explanation": nothing})[0]
