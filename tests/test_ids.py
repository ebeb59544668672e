from __future__ import annotations

import re

from hub.ids import new_id, new_ids

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
