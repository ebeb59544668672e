"""The types of messages to receivers outside, which change makes which, and when a failed one is tried again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import quote

EVENT_TYPES: Final = (
    "commission.created",
    "commission.held",
    "commission.payable",
    "commission.rejected",
    "commission.adjusted",
    "commission.paid",
    "conversion.review",
    "connection.silent",
    "connection.refused",
    "connection.recovered",
    "payout.released",
    "deposit.short",
)
OF_STATES: Final[Mapping[str, str]] = {
    "HOLD": "commission.held",
    "PAYABLE": "commission.payable",
    "REJECTED": "commission.rejected",
    "PAID": "commission.paid",
}
SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
PAUSES: Final = (
    5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR,
)  # fmt: skip
"""How long (ms) a message waits after each failure, as Standard Webhooks recommends; then it is given up."""
RECEIVER_PAUSES: Final = (5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR)
"""How long a receiver is left alone after failures in a row; the last pause is repeated."""
PAUSED_AFTER: Final = 5 * 24 * HOUR
"""A subscription whose receiver has failed for this long is paused."""
FAILURES_TOLD: Final = 5
"""After so many failures in a row, some 13 minutes, the people of a subscription's merchant are told, once."""
PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
PLACEHOLDERS: Final = frozenset({
    "event", "messageId", "commissionId", "commission", "amount", "currency", "state", "conversionId", "campaignId",
    "affiliateId", "clickId", "mode", "timestamp", "sub1", "sub2", "sub3", "sub4", "sub5",
})  # fmt: skip


def matching_types(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the types that patterns match (`*`, `commission.*`, a type); raise ValueError if one matches none."""
    found: set[str] = set()
    for pattern in patterns:
        head = pattern.removesuffix("*")
        matched = {each for each in EVENT_TYPES if (each.startswith(head) if head != pattern else each == pattern)}
        if not matched or (head != pattern and head and not head.endswith(".")):
            raise ValueError(pattern)
        found |= matched
    return tuple(each for each in EVENT_TYPES if each in found)


def types_of_change(before: tuple[str, int, int | None] | None, after: tuple[str, int, int | None]) -> tuple[str, ...]:
    """Return the messages about a commission that changed, in their order.

    Each side is its state, its amount in minor units, and when its hold ends (ms UTC); None before it was created.
    """
    types = [] if before is not None else ["commission.created"]
    had = before or ("", after[1], None)
    if had[1] != after[1]:
        types.append("commission.adjusted")
    held_anew = after[0] == "HOLD" and had[2] != after[2]
    if (had[0] != after[0] or held_anew) and after[0] in OF_STATES:
        types.append(OF_STATES[after[0]])
    return tuple(types)


def next_attempt(attempts: int, now: int) -> int | None:
    """Return when a message is tried again after its `attempts`th failure (ms UTC), None if it is given up."""
    return None if attempts > len(PAUSES) else now + PAUSES[attempts - 1]


def receiver_pause(failures: int) -> int:
    """Return how long (ms) a receiver is left alone after this many failures in a row, from 1."""
    return RECEIVER_PAUSES[min(failures, len(RECEIVER_PAUSES)) - 1]


def unknown_placeholders(template: str) -> list[str]:
    """Return the placeholders of a postback's template that stand for nothing."""
    return [name for name in PLACEHOLDER.findall(template) if name not in PLACEHOLDERS]


def filled(template: str, values: Mapping[str, str]) -> str:
    """Return a postback's address; what is not known is empty, and every value is percent-encoded."""
    return PLACEHOLDER.sub(lambda name: quote(values.get(name[1], ""), safe=""), template)
