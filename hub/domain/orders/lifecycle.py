"""A commission's life: a pure function of its order's facts, so that no order of their arrival can change it.

The facts are sorted by when they happened and folded through one table (API specification, States: Commission). Times
are milliseconds UTC.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from hub.domain.orders.facts import ORDER_STATUSES
from hub.domain.orders.terms import Refund
from hub.domain.orders.undone import NOTHING_SAID, SUPERSEDED, TAKEN_BACK, LastWord, is_unknown_state, undone
from hub.domain.words import CommissionState

HoldRule = Literal["keep", "start", "restart"]
Moves = Mapping[CommissionState, tuple[CommissionState, HoldRule]]


class StatusFact(NamedTuple):
    """One status of an order; `late` facts came after the payout, `sequence` (the event's id) orders equal receipts.

    Times are milliseconds UTC. A "refunded" fact with a `refund` takes back only that money; without one, the whole
    order.
    """

    key: str
    status: str
    happened_at: int
    received_at: int
    refund: Refund | None
    late: bool
    sequence: str


class FactResult(NamedTuple):
    """The effect of one fact: applied, or skipped for a reason (`skip_reason` of the API's explanation)."""

    key: str
    applied: bool
    skip_reason: str | None


class Life(NamedTuple):
    """A commission's state, the end of its hold (ms UTC, None if no hold counts), and the result of each fact."""

    state: CommissionState
    hold_until: int | None
    results: tuple[FactResult, ...]
    refunds: tuple[Refund, ...]
    was_refunded: bool = False
    """Whether there ever was a refund of money, even one that the platform took back."""

    def skip_reason(self, key: str) -> str | None:
        """Return why the fact of this key was skipped, None if it was applied; raise KeyError if there is none."""
        for result in self.results:
            if result.key == key:
                return result.skip_reason
        raise KeyError(key)


_STAY: Final[Moves] = {
    "PENDING": ("PENDING", "keep"),
    "HOLD": ("HOLD", "keep"),
    "APPROVED": ("APPROVED", "keep"),
    "PAYABLE": ("PAYABLE", "keep"),
}
_OPEN_OR_REJECTED: Final[tuple[CommissionState, ...]] = (*_STAY, "REJECTED")
_STAY_OR_REJECTED: Final[Moves] = {**_STAY, "REJECTED": ("REJECTED", "keep")}
_SECURED: Final[Moves] = {**_STAY, "PENDING": ("HOLD", "start")}
_CLAWED_BACK: Final[Moves] = dict.fromkeys(_OPEN_OR_REJECTED, ("REJECTED", "keep"))

MOVES: Final[Mapping[str, Moves]] = {
    "pending": _STAY_OR_REJECTED,
    "confirmed": _SECURED,
    "paid": _SECURED,
    "delivered": dict.fromkeys(_STAY, ("HOLD", "restart")),
    "commission_approved": dict.fromkeys(_OPEN_OR_REJECTED, ("APPROVED", "start")),
    "commission_rejected": _CLAWED_BACK,
    "cancelled": _CLAWED_BACK,
    "returned": _CLAWED_BACK,
    "refunded": _CLAWED_BACK,
}
"""For each order status and state: the next state and the hold's rule; a state that is missing refuses the status.

A hold that is to "start" starts unless one did before; "restart" starts it anew. PAID is missing because no fact of the
order leads to it, only the payout itself, after which facts are late.
"""

_RANK: Final = {status: rank for rank, status in enumerate(ORDER_STATUSES)}
SKIP_REASONS: Final = (
    "already_known", "commission_paid", "stale", SUPERSEDED, TAKEN_BACK, "test_delivery", "unknown_order",
    "unknown_product",
    *(f"not_allowed_from_{state.lower()}" for state in _OPEN_OR_REJECTED),
)  # fmt: skip
"""Every word that says why something reported changed nothing (`skipReason` of the API)."""

_BACK: Final = frozenset({"cancelled", "refunded", "pending"})
"""The statuses that a platform may take back, "pending" as an unknown state; few orders have one."""
_NOT_ALLOWED: Final = {state: f"not_allowed_from_{state.lower()}" for state in _OPEN_OR_REJECTED}


def fold(
    facts: Iterable[StatusFact],
    *,
    hold_ms: int,
    paid_at: int | None,
    now: int,
    fully_refunded: Callable[[Sequence[Refund]], bool],
    last: LastWord = NOTHING_SAID,
) -> Life:
    """Return where an order's facts lead by `now`; `paid_at` is the payout's time, None if there was none (all in ms).

    `fully_refunded` returns whether refunds take back the whole order; once some do, these and any others must, too.
    What the platform took back since, by its `last` word, has no effect. In a state that nobody knows no hold ends.
    """
    ordered = in_order(facts)
    gone = {} if _BACK.isdisjoint([f.status for f in ordered]) else undone([f for f in ordered if not f.late], last)
    refunds = [fact for fact in ordered if fact.refund is not None and not fact.late and fact.key not in gone]
    partial = _partial_refunds(refunds, fully_refunded) if refunds else ()
    state: CommissionState = "PENDING"
    hold_until: int | None = None
    waits, results = False, list[FactResult]()
    for fact in ordered:
        at = min(fact.happened_at, fact.received_at)
        if fact.late or fact.key in gone:
            results.append(FactResult(fact.key, False, "commission_paid" if fact.late else gone[fact.key]))
            continue
        state = _elapse(state, None if waits else hold_until, at)
        moves = _STAY_OR_REJECTED if fact.key in partial else MOVES[fact.status]
        move = moves.get(state)
        results.append(FactResult(fact.key, move is not None, None if move else _NOT_ALLOWED[state]))
        if move is None:
            continue
        state, hold = move
        waits = (waits or fact.status == "pending") and _waits(waits, fact)
        if hold == "restart" or (hold == "start" and hold_until is None):
            hold_until = at + hold_ms
    state = _elapse(state, None if waits else hold_until, now) if paid_at is None else "PAID"
    is_held = state not in {"PENDING", "REJECTED"} and not (waits and state in {"HOLD", "APPROVED"})
    left = tuple(_money(refunds)) if refunds else ()
    return Life(state, hold_until if is_held else None, tuple(results), left, bool(refunds or gone))


def in_order(facts: Iterable[StatusFact]) -> list[StatusFact]:
    """Sort facts by when they happened, their receipt at the latest; of a repeated key the first receipt counts."""
    unsorted = list(facts)
    if len(unsorted) < 2:
        return unsorted
    firsts: dict[str, StatusFact] = {}
    for fact in unsorted:
        known = firsts.setdefault(fact.key, fact)
        if known is not fact and _receipt(fact) < _receipt(known):
            firsts[fact.key] = fact
    return sorted(firsts.values(), key=_moment)


def _receipt(fact: StatusFact) -> tuple[int, str]:
    return fact.received_at, fact.sequence


def _moment(fact: StatusFact) -> tuple[int, int, int, str, str]:
    happened_at = min(fact.happened_at, fact.received_at)
    return happened_at, _RANK[fact.status], fact.received_at, fact.sequence, fact.key


def _elapse(state: CommissionState, hold_until: int | None, at: int) -> CommissionState:
    if hold_until is not None and hold_until <= at and state in {"HOLD", "APPROVED"}:
        return "PAYABLE"
    return state


def _waits(waited: bool, fact: StatusFact) -> bool:
    """Return whether a hold still runs on after a fact: in a state that nobody knows, until a person approves."""
    return is_unknown_state(fact) or (waited and fact.status != "commission_approved")


def _money(facts: Sequence[StatusFact]) -> list[Refund]:
    return [fact.refund for fact in facts if fact.refund is not None]


def _partial_refunds(facts: Sequence[StatusFact], fully_refunded: Callable[[Sequence[Refund]], bool]) -> frozenset[str]:
    """Return the keys of the refunds, in this order, before the one that completes the whole order.

    More refunds never take back less: all of them are tried first, and the turning point is found by bisection.
    """
    refunds = _money(facts)
    before = len(facts)
    if fully_refunded(refunds):
        before = bisect_left(range(1, len(facts)), True, key=lambda count: fully_refunded(refunds[:count]))
    return frozenset([fact.key for fact in facts[:before]])
