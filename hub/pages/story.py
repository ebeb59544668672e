"""Why a commission is what it is, in sentences: its state, its rules, its sum, its hold, and what would change it.

It says nothing of the buyer and of no other affiliate, so that the affiliate may read it. The sums are those of
`hub/domain`, from the terms that were frozen when the commission was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from attrs import frozen

from hub.domain.money import minor_digits
from hub.domain.orders.commission import Level, TermLine, settle
from hub.domain.orders.rule_kinds import kind_of
from hub.operations.orders.conversions import ConversionDetails
from hub.operations.orders.order_explanations import Correction, ExplainedOrder
from hub.pages.timeline import TimelineEntry, by_hand, news_of, rejection_in, timeline_of
from hub.processing.ledger_rows import Commission

STEPS: Final = ("PENDING", "HOLD", "PAYABLE", "PAID")
LEVELS: Final = {
    "PRODUCT": "the product",
    "NEW_CUSTOMER": "the campaign, for new customers",
    "CAMPAIGN": "the campaign",
    "MERCHANT": "the merchant",
    "PLATFORM": "the hub",
}
LOST: Final = {
    "no_product": "the order has no product from the catalogue",
    "no_rule": "has no rule of its own",
    "currency_differs": "its fixed amount is in a different currency from the order",
}
TIMES: Final = "\N{MULTIPLICATION SIGN}"
NOT_ASKED: Final = "not needed: a rule above applies"


@frozen
class Step:
    """A state on the way to the payment: whether it is behind, whether the commission is there now, and since when.

    `at` is in ms UTC; that of a state that is ahead is when it is expected, None if nobody knows.
    """

    state: str
    is_past: bool
    is_now: bool
    at: int | None


@frozen
class RuleTried:
    """A level of the rules: whether it was asked and won, and what it said."""

    level: str
    product: str | None
    won: bool
    was_asked: bool
    words: str


@frozen
class SumLine:
    """A part of the order: what it was worth, what is left of that and what it pays now; minor units.

    `rule` is what the worth is multiplied by or replaced with; `exact` is decimal text of what was rounded, None if
    nothing was; `before_minor` is what the line paid before refunds.
    """

    product: str | None
    worth_minor: int
    base_minor: int
    quantity: int
    rule: str
    amount_minor: int
    before_minor: int
    exact: str | None

    @property
    def refunded_minor(self) -> int:
        """What refunds took off the worth."""
        return self.worth_minor - self.base_minor


@frozen
class Hold:
    """The time in which a commission waits for returns: from `began` to `ends` (ms UTC), and whether it is over."""

    began: int
    ends: int
    is_over: bool


@frozen
class Story:
    """The explanation of one commission."""

    steps: list[Step]
    rules: list[RuleTried]
    lines: list[SumLine]
    hold: Hold | None
    timeline: list[TimelineEntry]
    news: list[TimelineEntry]
    rejected_by: TimelineEntry | None
    changes: list[str]
    corrected_minor: int
    """What corrections after the payment changed, in minor units."""

    @property
    def was_refunded(self) -> bool:
        """Whether refunds took anything off a line."""
        return any(line.refunded_minor or line.before_minor != line.amount_minor for line in self.lines)


def story_of(
    details: ConversionDetails,
    commission: Commission,
    reasons: Mapping[str, str],
    now: int,
    corrections: Sequence[Correction] = (),
) -> Story:
    """Return the story of a commission at `now` (ms UTC); `reasons` are what the merchant gave, by event id."""
    life = details.life(now)
    news = news_of(details, life, reasons, {each.fact_key: each.amount_minor for each in corrections if each.fact_key})
    left = settle(commission.terms, details.conversion.paid_minor, details.conversion.lines, life.refunds)
    parts = zip(commission.terms.lines, left.lines, strict=True)
    hold = None if life.hold_until is None else _hold(life.hold_until, commission.hold_ms, now)
    return Story(
        steps=_steps(life.state, commission, hold),
        rules=_rules(commission.terms.levels),
        lines=[_line(before, after, commission.currency) for before, after in parts],
        hold=hold,
        timeline=timeline_of(commission, life, [*news, *by_hand(corrections)]),
        news=list(reversed(news)),
        rejected_by=rejection_in(details, life, news),
        changes=_changes(life.state),
        corrected_minor=sum(each.amount_minor for each in corrections),
    )


def entries_of(order: ExplainedOrder, story: Story | None, now: int) -> list[TimelineEntry]:
    """Return the timeline of an order, newest first: its story's, or the news alone if nobody earns by it."""
    if story is not None:
        return story.timeline
    return list(reversed(news_of(order.details, order.details.life(now), order.reasons)))


def _hold(ends: int, length: int, now: int) -> Hold:
    return Hold(ends - length, ends, ends <= now)


def _steps(state: str, commission: Commission, hold: Hold | None) -> list[Step]:
    if state == "REJECTED":
        return []
    at = STEPS.index("HOLD" if state == "APPROVED" else state)
    made = commission.created_at
    reached = (
        made if hold is None or made <= hold.began else None,
        None if hold is None else hold.began,
        None if hold is None else hold.ends,
        commission.paid_at,
    )
    return [Step(state if n == at else each, n < at, n == at, reached[n]) for n, each in enumerate(STEPS)]


def _rules(levels: Sequence[Level]) -> list[RuleTried]:
    """Return each level that was asked, in the order of asking, and below them those that were not.

    The rate for new customers is only told where it was asked: most campaigns have none.
    """
    asked = {level.level for level in levels} | {"NEW_CUSTOMER"}
    missing = [RuleTried(words, None, False, False, NOT_ASKED) for name, words in LEVELS.items() if name not in asked]
    return [*map(_tried, levels), *missing]


def _tried(level: Level) -> RuleTried:
    kind = None if level.type is None else kind_of(level.type)
    rule = f"{level.value} fixed" if kind is None or not kind.is_percentage else kind.amount(level.value or "")
    won = level.outcome == "won"
    words = f"{rule}: this rule counts" if won else LOST[level.outcome]
    return RuleTried(LEVELS[level.level], level.external_product_id, won, True, words)


def _line(before: TermLine, left: TermLine, currency: str) -> SumLine:
    kind = kind_of(before.type)
    if kind.is_percentage:
        rule = f"{TIMES} {kind.amount(before.value)}"
    elif before.source == "PRODUCT":
        pieces = "piece" if before.quantity == 1 else f"of {before.quantity}"
        rule = f"{before.value} {currency} for each {pieces}"
    else:
        rule = f"{before.value} {currency}, fixed"
    return SumLine(
        product=before.external_product_id,
        worth_minor=before.base_minor,
        base_minor=left.base_minor,
        quantity=before.quantity,
        rule=rule,
        amount_minor=left.amount_minor,
        before_minor=before.amount_minor,
        exact=_rounded_from(left, currency) if kind.is_percentage else None,
    )


def _rounded_from(line: TermLine, currency: str) -> str | None:
    """Return the percentage of a line's worth before rounding, None if it needs none or was not rounded from that."""
    exact = Decimal(line.base_minor) * Decimal(line.value) / 100
    if exact == line.amount_minor or int(exact.quantize(Decimal(1), ROUND_HALF_UP)) != line.amount_minor:
        return None
    return f"{exact.scaleb(-minor_digits(currency)).normalize():f}"


def _changes(state: str) -> list[str]:
    """Return what would still change a commission in this state."""
    if state == "PAID":
        return ["It is paid and stays as it is. Later refunds are taken from a later payout."]
    if state == "REJECTED":
        return ["Only the merchant could still approve it. A delivery or another status of the order does not."]
    found = ["A cancellation, a return or a full refund takes all of it back; a partial refund takes its share."]
    if state == "PENDING":
        found.append("Its hold begins once the shop confirms the order, or reports it as paid or delivered.")
    elif state in ("HOLD", "APPROVED"):
        found.append("It becomes payable when the hold ends. A delivery update restarts the hold.")
    found.append("A later click, and rates that the campaign changes to later, do not change it.")
    return found
