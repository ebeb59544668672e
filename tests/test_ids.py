from __future__ import annotations

import re

from hub.ids import made_at, moment_of, new_id, new_ids
from hub.testing.clock import NOON, FakeClock

ID = re.compile(r"[a-z]{3}_[0-9a-f]{32}").fullmatch


def test_ids_come_in_the_order_in_which_they_are_made() -> None:
    made = [new_id("evt") for _ in range(1_000)]
    assert made == sorted(set(made))
    assert all(map(ID, made))


def test_two_things_that_come_to_be_together_have_the_same_digits() -> None:
    event, conversion = new_ids("evt", "cnv")
    assert ID(event)
    assert conversion == f"cnv_{event.removeprefix('evt_')}"
    assert new_ids("evt", "cnv") > (event, conversion)


def test_ids_of_a_past_that_is_played_are_of_its_moments_and_ascend() -> None:
    """However many are made while its clock stands still; those made afterwards are of the real time again."""
    clock = FakeClock()
    with made_at(clock):
        made = [new_id("cnv") for _ in range(100)]
        clock.advance(60_000)
        made += [new_ids("evt", "cnv")[1]]
    assert made == sorted(set(made))
    assert all(map(ID, made))
    assert [moment_of(made[0]), moment_of(made[-1])] == [NOON, NOON + 60_000]
    assert moment_of(new_id("cnv")) != NOON + 60_001
