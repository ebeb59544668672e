"""The change feed's words, and how its numbers stand for moments (docs/architecture.md, "Changes have numbers")."""

from __future__ import annotations

from typing import Final, Literal, get_args

ChangeType = Literal[
    "affiliate", "balance", "campaign", "commission", "conversion", "event", "link", "membership", "product",
    "statement", "subscription",
]  # fmt: skip
CHANGE_TYPES: Final[tuple[str, ...]] = get_args(ChangeType)
_RESOURCES: Final = {
    "affiliate": "affiliates", "balance": "payouts", "campaign": "campaigns", "commission": "orders",
    "conversion": "orders", "event": "orders", "link": "links", "membership": "campaigns", "product": "products",
    "statement": "payouts", "subscription": "webhooks",
}  # fmt: skip
OWN_TYPES: Final = ("commission", "link", "membership")
"""What an affiliate's feed tells of."""
"""The type of a note that a name changed which stands in many records."""
PER_MS: Final = 1_024
"""Numbers of a millisecond; a busier one borrows from the next."""
LOOK_BACK_MS: Final = 5_000
"""So much earlier than asked a list of changes begins, for clocks of callers and nodes that differ."""


def next_number(last: int, now: int) -> int:
    """Return the number after `last` at `now` (ms UTC): it tells the moment, and never goes back with the clock."""
    return max(last + 1, now * PER_MS)


def moment_of(number: int) -> int:
    """Return the moment (ms UTC) at which a change got its number."""
    return number // PER_MS


def changed_from(moment: int) -> int:
    """Return the number from which on a list tells what changed since a moment (ms UTC)."""
    return max(0, moment - LOOK_BACK_MS) * PER_MS


def scope_of_type(name: str) -> str:
    """Return the scope that a token needs to be told of records of a type."""
    return f"{_RESOURCES[name]}:read"
