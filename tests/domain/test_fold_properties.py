"""Properties of the fold: the order of arrival never matters, and time only ever releases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from hub.domain.orders import lifecycle
from hub.domain.orders.commission import OrderLine, Refund, Rule, resolve, settle
from hub.domain.orders.facts import ORDER_STATUSES
from hub.domain.orders.lifecycle import Life, StatusFact, fold

ORDER = (OrderLine("p1", 2, 600), OrderLine("p2", 1, 400))
TERMS = resolve(1_000, "USD", "USD", ORDER, {"p1": Rule("FIXED", "1.00")}, {}, None, None, Rule("PERCENTAGE", "10"))

# Moments lie close together, so that many facts meet in the same one and holds end between them.
moments = st.integers(0, 30)
refunds = st.one_of(
    st.none(),
    st.builds(Refund, st.integers(0, 1_200), st.just(())),
    st.builds(Refund, st.none(), st.tuples(st.tuples(st.sampled_from(["p1", "p2"]), st.integers(1, 2), st.none()))),
)


@st.composite
def histories(draw: st.DrawFn) -> list[StatusFact]:
    """Draw the facts of one order, each under a key of its own."""
    statuses = draw(st.lists(st.sampled_from((*ORDER_STATUSES, "refunded", "refunded")), max_size=8))
    return [
        StatusFact(
            key=f"{'unknown_state' if status == 'pending' and draw(st.booleans()) else status}:{number}",
            status=status,
            happened_at=draw(moments),
            received_at=draw(moments),
            refund=draw(refunds) if status == "refunded" else None,
            late=draw(st.integers(0, 9)) == 0,
            sequence=f"evt_{draw(st.integers(0, 3))}",
        )
        for number, status in enumerate(statuses)
    ]


def live(facts: Iterable[StatusFact], now: int = 40, paid_at: int | None = None) -> Life:
    """Fold facts with a hold of 10 ms."""

    def is_full(taken: Sequence[Refund]) -> bool:
        return settle(TERMS, 1_000, ORDER, taken).fully_refunded

    return fold(facts, hold_ms=10, paid_at=paid_at, now=now, fully_refunded=is_full)


def rearrange(facts: list[StatusFact], random: Random) -> list[StatusFact]:
    """Repeat each fact one to three times and shuffle the lot."""
    copies = [fact for fact in facts for _ in range(random.randint(1, 3))]
    random.shuffle(copies)
    return copies


@given(histories(), st.randoms(use_true_random=False), moments, st.none() | moments)
def test_any_order_and_any_repetition_lives_the_same_life(
    facts: list[StatusFact], random: Random, now: int, paid_at: int | None
) -> None:
    assert live(rearrange(facts, random), now, paid_at) == live(facts, now, paid_at)


def unsorted(facts: Iterable[StatusFact]) -> list[StatusFact]:
    """Take facts as they come, each key once."""
    return list({fact.key: fact for fact in facts}.values())


def repeated(facts: Iterable[StatusFact]) -> list[StatusFact]:
    """Sort facts without dropping repetitions."""
    return sorted(facts, key=lambda fact: (min(fact.happened_at, fact.received_at), fact.key))


def half_sorted(facts: Iterable[StatusFact]) -> list[StatusFact]:
    """Sort facts by their moment alone, as they came within it."""
    return sorted(unsorted(facts), key=lambda fact: min(fact.happened_at, fact.received_at))


AS_FOUND = settings(max_examples=2_000, phases=[Phase.generate])
"""What `find` tries by itself, without looking for the smallest case, which takes ten times as long."""


@pytest.mark.parametrize("careless", [unsorted, repeated, half_sorted])
def test_control_a_careless_order_is_caught(
    careless: Callable[[Iterable[StatusFact]], list[StatusFact]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "in_order", careless)
    cases = st.tuples(histories(), st.randoms(use_true_random=False))
    facts, _ = find(cases, lambda case: live(rearrange(case[0], case[1])) != live(case[0]), settings=AS_FOUND)
    monkeypatch.undo()
    assert live(reversed(facts)) == live(facts)


@given(histories(), moments, moments)
def test_time_alone_only_releases_a_hold(facts: list[StatusFact], earlier: int, waited: int) -> None:
    after_all = max([0, *(fact.received_at for fact in facts)])
    before, after = live(facts, after_all + earlier), live(facts, after_all + earlier + waited)
    assert (after.hold_until, after.results, after.refunds) == (before.hold_until, before.results, before.refunds)
    assert after.state == before.state or (before.state, after.state) in {("HOLD", "PAYABLE"), ("APPROVED", "PAYABLE")}


@given(histories())
def test_a_hold_is_released_at_its_own_millisecond(facts: list[StatusFact]) -> None:
    life = live(facts, now=-1)
    if life.state in {"HOLD", "APPROVED"}:
        assert life.hold_until is not None
        assert live(facts, life.hold_until - 1).state == life.state
        assert live(facts, life.hold_until).state == "PAYABLE"


@given(histories(), moments)
def test_every_fact_gets_one_verdict_with_a_reason_where_it_was_skipped(facts: list[StatusFact], now: int) -> None:
    results = live(facts, now).results
    assert sorted(result.key for result in results) == sorted(fact.key for fact in facts)
    assert all(result.applied is (result.skip_reason is None) for result in results)


@given(histories(), moments)
def test_a_payout_is_final_and_late_facts_change_nothing(facts: list[StatusFact], paid_at: int) -> None:
    in_time = [fact for fact in facts if not fact.late]
    assert live(facts, 40, paid_at).state == "PAID"
    assert (live(facts).state, live(facts).refunds) == (live(in_time).state, live(in_time).refunds)


@given(histories())
def test_only_an_approval_leads_out_of_rejection(facts: list[StatusFact]) -> None:
    in_time = sorted((fact for fact in facts if not fact.late), key=_sorted_as_the_fold_does)
    for count, fact in enumerate(in_time):
        before, after = live(in_time[:count], now=-1).state, live(in_time[: count + 1], now=-1).state
        if before == "REJECTED" and after != "REJECTED":
            assert fact.status == "commission_approved"


def _sorted_as_the_fold_does(fact: StatusFact) -> Any:
    rank = ORDER_STATUSES.index(fact.status)
    return min(fact.happened_at, fact.received_at), rank, fact.received_at, fact.sequence, fact.key
