"""A clock that jumps is not trusted until it returns, runs steadily for long, or is confirmed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.orders.clock_trust import BEHIND_MS, JUMP_MS, STEADY_MS, ClockTrust, observe, trust_at_start

DAY = 86_400_000
NOON = 1_795_176_000_000


def trusted(wall: int = NOON, steady: int = 0) -> ClockTrust:
    return trust_at_start(wall, steady, None)


def test_a_clock_that_runs_is_trusted() -> None:
    trust = trusted()
    for steady in range(0, DAY, 3_600_000):
        trust = observe(trust, NOON + steady, steady)
        assert trust.jump == 0


def test_a_clock_that_is_slewed_is_trusted_however_far_it_comes() -> None:
    trust = trusted()
    for step in range(100):
        trust = observe(trust, NOON + step * (1_000 + JUMP_MS), step * 1_000)
        assert trust.jump == 0


@pytest.mark.parametrize("jump", [20 * DAY, -20 * DAY, JUMP_MS + 1, -JUMP_MS - 1])
def test_a_jump_is_seen_in_both_directions_and_forgiven_once_it_is_undone(jump: int) -> None:
    trust = observe(trusted(), NOON + jump + 500, 500)
    assert trust.jump == jump
    trust = observe(trust, NOON + jump + 8_000, 8_000)
    assert trust.jump == jump
    assert observe(trust, NOON + 8_500, 8_500).jump == 0


def test_a_clock_is_believed_once_it_has_run_steadily_for_long() -> None:
    trust = observe(trusted(), NOON + DAY, 0)
    assert observe(trust, NOON + DAY + STEADY_MS - 1, STEADY_MS - 1).jump == DAY
    assert observe(trust, NOON + DAY + STEADY_MS, STEADY_MS).jump == 0


def test_a_second_jump_begins_the_wait_anew() -> None:
    trust = observe(trusted(), NOON + DAY, 0)
    trust = observe(trust, NOON + 3 * DAY, STEADY_MS - 1)
    assert trust.jump == 3 * DAY - STEADY_MS + 1
    assert observe(trust, NOON + 3 * DAY + 1, STEADY_MS).jump != 0


@pytest.mark.parametrize(
    ("newest", "jump"),
    [(None, 0), (NOON - DAY, 0), (NOON, 0), (NOON + BEHIND_MS, 0), (NOON + BEHIND_MS + 1, -BEHIND_MS - 1)],
)
def test_at_the_start_a_clock_may_not_be_behind_what_it_has_already_shown(newest: int | None, jump: int) -> None:
    assert trust_at_start(NOON, 5, newest).jump == jump


def test_a_clock_that_was_behind_at_the_start_is_trusted_once_it_has_caught_up() -> None:
    trust = trust_at_start(NOON - DAY, 0, NOON)
    assert observe(trust, NOON - DAY + 60_000, 60_000).jump == -DAY
    assert observe(trust, NOON + 61_000, 61_000).jump == 0


@pytest.mark.parametrize("off", [3_600_000, -3_600_000, JUMP_MS + 1, -JUMP_MS - 1])
def test_at_the_start_a_clock_may_not_differ_from_the_databases_own(off: int) -> None:
    """However steadily it runs: it is trusted once it is right. The last moment that is stored proves nothing then."""
    trust = trust_at_start(NOON + off, 0, NOON + off, NOON)
    assert trust.jump == off
    late = 2 * STEADY_MS
    assert observe(trust, NOON + off + late, late).jump == off
    moved = observe(trust, NOON + 2 * off + late, late)
    assert observe(moved, NOON + 2 * off + 2 * late, 2 * late).jump == 2 * off
    assert observe(moved, NOON + late + 1, late + 1) == ClockTrust(NOON)


def test_at_the_start_the_databases_own_clock_outweighs_what_another_process_stored() -> None:
    """One whose clock was days ahead: who comes after it with the right time is trusted."""
    assert trust_at_start(NOON, 5, NOON + 3 * DAY, NOON + JUMP_MS) == ClockTrust(NOON - 5)
    assert trust_at_start(NOON, 5, NOON + 3 * DAY).jump == -3 * DAY, "the control"


@given(st.lists(st.tuples(st.integers(0, DAY), st.integers(-30 * DAY, 30 * DAY)), max_size=20))
def test_what_is_trusted_has_no_jump_and_each_untrusted_look_names_one(steps: list[tuple[int, int]]) -> None:
    trust, steady = trusted(), 0
    for passed, jump in steps:
        steady += passed
        trust = observe(trust, NOON + steady + jump, steady)
        assert trust.jump == 0 or abs(trust.jump) > JUMP_MS
