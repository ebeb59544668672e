"""What a platform took back of an order: its end and unknown states before it stood again, lost refunds; pure.

A platform's newest word counts, whichever arrives first: of snapshots that state the complete set of refunds the one
with the highest version, of sums of all refunds so far the one with the highest version too. Both are maxima, so no
order of arrival can change where they end. Times and versions are as the platform states them, in ms UTC.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Protocol

from hub.domain.orders.facts import REFUND_PREFIX
from hub.domain.orders.terms import Refund

TAKEN_BACK: Final = "taken_back"
"""Why a cancellation or a refund is skipped that the platform has taken back since."""
UNKNOWN_STATE: Final = "unknown_state"
"""The name in the key of an order's unknown state."""
SUPERSEDED: Final = "superseded"
"""Why what is older than something else that is known is skipped."""


class Happened(Protocol):
    """A status fact, as far as it matters here; times in ms UTC."""

    @property
    def key(self) -> str:
        """Its key within the order."""

    @property
    def status(self) -> str:
        """The status that it states."""

    @property
    def happened_at(self) -> int:
        """When it happened."""

    @property
    def received_at(self) -> int:
        """When it was received."""

    @property
    def refund(self) -> Refund | None:
        """The money that went back, None if it states none."""


class RefundSet(NamedTuple):
    """The ids of all refunds that an order has as of a version of it."""

    version: int
    ids: frozenset[str]


class LastWord(NamedTuple):
    """When the platform last said that the order stands (None: never), and which refunds it has (None: never said)."""

    stands_at: int | None = None
    refunds: RefundSet | None = None


NOTHING_SAID: Final = LastWord()


def read_refund_set(text: str | None) -> RefundSet | None:
    """Return what `refund_set_text` wrote."""
    if text is None:
        return None
    version, ids = json.loads(text)
    return RefundSet(version, frozenset(ids))


def refund_set_text(refunds: RefundSet) -> str:
    """Return a set as it is stored: JSON [version, [ids, sorted]]."""
    return json.dumps([refunds.version, sorted(refunds.ids)])


def newest_set(known: RefundSet | None, stated: RefundSet | None) -> RefundSet | None:
    """Return the set with the higher version; of equal ones all ids of both, since no refund goes unseen by that."""
    if known is None or stated is None:
        return known if stated is None else stated
    if known.version == stated.version:
        return known._replace(ids=known.ids | stated.ids)
    return max(known, stated, key=lambda each: each.version)


def undone(facts: Iterable[Happened], last: LastWord) -> dict[str, str]:
    """Return the keys of the facts that have no effect by what the platform said since, each with its reason."""
    found: dict[str, str] = {}
    sums: list[Happened] = []
    for fact in facts:
        at = min(fact.happened_at, fact.received_at)
        if fact.status == "cancelled" or is_unknown_state(fact):
            gone = last.stands_at is not None and at < last.stands_at
        else:
            gone = fact.status == "refunded" and _is_gone(fact, at, last)
        if gone:
            found[fact.key] = TAKEN_BACK
        elif fact.refund is not None and fact.refund.as_of is not None:
            sums.append(fact)
    return found | dict.fromkeys(_older(sums), SUPERSEDED)


def is_unknown_state(fact: Happened) -> bool:
    """Return whether a fact says that the order is in a state of which nobody knows what it means."""
    return fact.status == "pending" and fact.key.partition(":")[0] == UNKNOWN_STATE


def standing_refunds(facts: Iterable[Happened], last: LastWord) -> list[Refund]:
    """Return the money of those refunds that the platform has not taken back."""
    facts = list(facts)
    gone = undone(facts, last)
    return [fact.refund for fact in facts if fact.refund is not None and fact.key not in gone]


def _is_gone(fact: Happened, at: int, last: LastWord) -> bool:
    """Return whether a refund that happened at a moment is not among those that the order has later."""
    if last.refunds is None:
        return False
    if fact.key.startswith(REFUND_PREFIX):
        return at < last.refunds.version and fact.key.removeprefix(REFUND_PREFIX) not in last.refunds.ids
    # Only the status said that all was refunded; since then it says something else.
    return fact.refund is None and last.stands_at is not None and at < last.stands_at


def _older(sums: Sequence[Happened]) -> list[str]:
    """Return the keys of all sums of refunds so far but the newest."""
    if len(sums) < 2:
        return []
    return [fact.key for fact in sorted(sums, key=_version)[:-1]]


def _version(fact: Happened) -> tuple[int, int, str]:
    refund = fact.refund
    if refund is None:
        return 0, 0, fact.key
    return refund.as_of or 0, refund.money_minor or 0, fact.key
