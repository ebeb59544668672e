"""Which rate was in force at a moment: the rate of now, taken back through its changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hub.domain.orders.terms import Rule
from hub.domain.words import RateLevel

RateKey = tuple[str, RateLevel, str]
"""(account id, level, subject): the subject is empty, a campaign, campaign/affiliate, or an external product id."""


class RateChange(NamedTuple):
    """A rate that was `before` until `changed_at` (ms UTC), None if there was none."""

    changed_at: int
    change_id: str
    before: Rule | None


def rate_at(current: Rule | None, changes: Sequence[RateChange], at: int) -> Rule | None:
    """Return the rate in force at a moment (ms UTC): a change counts from its own moment on.

    `changes` may be in any order and must hold at least those after the moment.
    """
    later = [change for change in changes if change.changed_at > at]
    return min(later, key=lambda change: change[:2]).before if later else current
