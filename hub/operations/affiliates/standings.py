"""What became of an affiliate's application to a campaign, as every surface tells it."""

from __future__ import annotations

from typing import TypedDict

from hub.domain.instants import format_instant, instant_or_none
from hub.storage import Row


class Standing(TypedDict):
    """What became of an affiliate's application; without a rate of its own the campaign's counts."""

    status: str
    commissionType: str | None
    commissionValue: str | None
    message: str | None
    reason: str | None
    appliedAt: str
    decidedAt: str | None


def standing_of(row: Row) -> Standing:
    """Return what became of an application by a row of `memberships`."""
    return {
        "status": row["status"],
        "commissionType": row["commission_type"],
        "commissionValue": row["commission_value"],
        "message": row["message"],
        "reason": row["reason"],
        "appliedAt": format_instant(row["applied_at"]),
        "decidedAt": instant_or_none(row["decided_at"]),
    }
