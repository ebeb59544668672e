"""A merchant's deposit: which commissions it covers, in the order in which their holds ended (minor units)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Due(NamedTuple):
    """A commission whose hold ended at `hold_until` (ms UTC); they are covered in the order of these two fields."""

    hold_until: int
    commission_id: str
    amount_minor: int


def cover_in_order(
    due: Iterable[Due], balance_minor: int, first_waiting: tuple[int, str] | None
) -> tuple[list[Due], list[Due]]:
    """Return the commissions that a balance covers, and those that wait.

    Nobody overtakes: after one that is not covered all wait, and so do all after `first_waiting`, the place of the
    first one that waited before.
    """
    covered: list[Due] = []
    waiting: list[Due] = []
    for each in sorted(due):
        overtakes = first_waiting is not None and each[:2] > first_waiting
        if waiting or overtakes or each.amount_minor > balance_minor:
            waiting.append(each)
        else:
            balance_minor -= each.amount_minor
            covered.append(each)
    return covered, waiting


def until_covered(before: str | None, state: str) -> str:
    """Return a commission's state where a deposit is required: only the end of its hold may make it payable.

    `before` is the state that it had, None if it is new.
    """
    if state != "PAYABLE" or before == "PAYABLE":
        return state
    return "APPROVED" if before == "APPROVED" else "HOLD"
