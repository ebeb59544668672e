"""An order's explanation: each piece of news with the state and the sum that it led from and to, and the rounding."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
import pytest

from hub.domain.orders.commission import Refund, Rule, resolve, terms_to_json
from hub.domain.orders.lifecycle import StatusFact
from hub.operations.orders.conversions import ConversionDetails
from hub.operations.orders.order_explanations import Correction
from hub.pages.spans import WIDTH, Span, span_of
from hub.pages.story import Story, story_of
from hub.pages.timeline import MOST_FOLDED, TimelineEntry
from hub.processing.ledger_rows import Commission, Conversion

HOLD = 1000
TERMS = resolve(
    1850, "USD", "USD", (), product_rules={}, product_campaign_rules={}, campaign_rule=Rule("PERCENTAGE", "15"),
    merchant_rule=None, platform_rule=Rule("PERCENTAGE", "5"),
)  # fmt: skip
ORDER = Conversion(
    "acc", "cnv", "evt", "F-1", 1850, 1850, "USD", "[]", None, None, None, 100, 110, "HIGH", "matched", "aff", "cmp",
    None, None, 120,
)  # fmt: skip


def fact(status: str, at: int, *, money: int | None = None, late: bool = False) -> StatusFact:
    refund = None if money is None else Refund(money, ())
    return StatusFact(f"{status}:{at}", status, at, at, refund, late, f"evt_{at}")


def explained(
    *facts: StatusFact, now: int = 10_000, paid_at: int | None = None, corrections: Sequence[Correction] = ()
) -> Story:
    """Return the story of an order of 18.50 USD that earns 15 %."""
    commission = Commission(
        "acc", "com", "cnv", "aff", "PENDING", 278, 1850, "USD", "CAMPAIGN",
        orjson.dumps(terms_to_json(TERMS)).decode(), HOLD, None, paid_at, "T-1" if paid_at else None, 120, 120,
    )  # fmt: skip
    details = ConversionDetails(ORDER, "mer", "Shop", "Ann", "live", commission, facts)
    return story_of(details, commission, {}, now, corrections)


def change_of(entry: TimelineEntry) -> tuple[str, str, int, int] | None:
    """Return an entry's change as (state before, state after, sum before, sum after), None if it has none."""
    if entry.before is None or entry.after is None:
        return None
    return entry.before.state, entry.after.state, entry.before.amount_minor, entry.after.amount_minor


def test_each_news_shows_what_it_changed() -> None:
    """A partial refund reduces the sum and leaves the state; a late one changes nothing and says why."""
    story = explained(
        fact("delivered", 200), fact("refunded", 300, money=850), fact("refunded", 9000, money=100, late=True),
        paid_at=5000,
    )  # fmt: skip
    assert [(entry.at, change_of(entry)) for entry in story.timeline] == [
        (9000, None),
        (5000, ("PAYABLE", "PAID", 278, 278)),
        (1200, ("HOLD", "PAYABLE", 278, 278)),
        (300, ("HOLD", "HOLD", 278, 150)),
        (200, ("PENDING", "HOLD", 278, 278)),
        (120, None),
    ]
    late, partial = story.timeline[0], story.timeline[3]
    assert (late.applied, late.why_not, late.correction_minor) == (False, "it came after the payment", None)
    assert (partial.refund_minor, partial.changes_sum, partial.changes_state) == (850, True, False)


def test_what_was_taken_back_after_the_payment_stands_beside_its_news() -> None:
    """With its amount, and as what is left; what a person corrected is an entry of its own."""
    late = fact("refunded", 9000, money=100, late=True)
    taken, by_hand = Correction(late.key, -15, None, 9000), Correction(None, 40, None, 9500)
    story = explained(fact("delivered", 200), late, paid_at=5000, corrections=[taken, by_hand])
    assert [(each.at, each.correction_minor) for each in story.timeline[:3]] == [(9500, 40), (9000, -15), (5000, None)]
    assert story.corrected_minor == 25


def test_the_end_of_a_hold_is_ahead_until_it_passed() -> None:
    ahead, *_ = explained(fact("delivered", 200), now=700).timeline
    passed, *_ = explained(fact("delivered", 200), now=1200).timeline
    assert [(each.at, each.is_ahead, each.changes_state) for each in (ahead, passed)] == [
        (1200, True, False),
        (1200, False, True),
    ]


def test_a_cancellation_is_named_as_what_rejected_it() -> None:
    story = explained(fact("delivered", 200), fact("cancelled", 1500))
    assert story.rejected_by is not None
    assert (story.rejected_by.words, change_of(story.rejected_by)) == (
        "The order was cancelled.",
        ("PAYABLE", "REJECTED", 278, 278),
    )


def test_an_order_with_very_many_facts_is_explained_without_folding_each() -> None:
    """Each would fold all before it: 51 are shown with their effect alone."""
    story = explained(*[fact("paid", 200 + number) for number in range(MOST_FOLDED + 1)])
    assert {change_of(entry) for entry in story.news} == {None}


def test_the_sum_shows_what_was_rounded_and_which_levels_were_not_asked() -> None:
    story = explained()
    line = story.lines[0]
    assert (line.rule, line.exact, line.amount_minor) == ("\u00d7 15 %", "2.775", 278)
    assert [(each.level, each.won, each.was_asked) for each in story.rules] == [
        ("the product", False, True),
        ("the campaign", True, True),
        ("the merchant", False, False),
        ("the hub", False, False),
    ]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (150, Span(0, WIDTH, 500, 500, is_outside=False)),
        (300, Span(0, 500, 0, WIDTH, is_outside=True)),
        (0, Span(500, 500, 0, 0, is_outside=True)),
    ],
    ids=["inside", "after it", "before it"],
)
def test_a_bar_has_its_mark_where_the_moment_is(at: int, expected: Span) -> None:
    assert span_of(100, 200, at) == expected
