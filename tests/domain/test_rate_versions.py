"""The rate in force at a moment, from the rate of now and the changes since."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hub.domain.orders.rate_versions import RateChange, rate_at
from hub.domain.orders.terms import Rule

rules = st.one_of(st.none(), st.builds(Rule, st.just("PERCENTAGE"), st.sampled_from(["1", "2", "3"])))
histories = st.lists(st.tuples(st.integers(1, 50), rules), max_size=8).map(
    lambda found: sorted(found, key=lambda each: each[0])
)


@given(rules, histories, st.integers(0, 60), st.randoms())
def test_it_is_what_a_replay_of_all_changes_says(
    first: Rule | None, history: list[tuple[int, Rule | None]], at: int, luck: object
) -> None:
    """The control is an independent model: set each rate in its order and stop at the moment."""
    current, then, changes = first, first, []
    for number, (changed_at, after) in enumerate(history):
        changes.append(RateChange(changed_at, f"rat_{number:02}", current))
        current = after
        if changed_at <= at:
            then = after
    luck.shuffle(changes)  # type: ignore[attr-defined]  # a random.Random
    assert rate_at(current, changes, at) == then
    assert rate_at(current, [each for each in changes if each.changed_at > at], at) == then
