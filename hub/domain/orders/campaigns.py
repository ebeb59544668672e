"""A campaign's status: what it is at a moment, and which changes are refused (API specification, States: Campaign)."""

from __future__ import annotations

from base64 import b32encode

from attrs import frozen


@frozen
class CampaignLife:
    """A campaign's bounds in ms UTC and every status it ever had as (changed_at, status), the oldest first."""

    campaign_id: str
    start_at: int | None
    end_at: int | None
    cookie_duration_days: int | None
    changes: tuple[tuple[int, str], ...]


def live_at(campaign: CampaignLife, at: int) -> bool:
    """Return whether the campaign was ACTIVE and within its dates at that moment (ms UTC), whatever happened later."""
    if campaign.start_at is not None and at < campaign.start_at:
        return False
    if campaign.end_at is not None and at >= campaign.end_at:
        return False
    for changed_at, status in reversed(campaign.changes):
        if changed_at <= at:
            return status == "ACTIVE"
    return False


def effective_status(status: str, end_at: int | None, now: int) -> str:
    """Return the status to show: EXPIRED once the end has passed, unless the campaign is ARCHIVED."""
    if status == "ARCHIVED" or end_at is None or end_at > now:
        return status
    return "EXPIRED"


def refuse_activation(status: str, approval_status: str, end_at: int | None, now: int) -> str | None:
    """Return why the campaign cannot be activated, None if it can or already is ACTIVE."""
    effective = effective_status(status, end_at, now)
    if effective == "ACTIVE":
        return None
    if effective == "ARCHIVED":
        return "An archived campaign stays archived; create a new campaign instead."
    if effective == "EXPIRED":
        return "The campaign's endDate has passed; set a later endDate before activating it."
    if approval_status not in {"NOT_REQUIRED", "APPROVED"}:
        return f"The campaign needs an admin's approval before it can be activated; its approval is {approval_status}."
    return None


def refuse_pause(status: str, end_at: int | None, now: int) -> str | None:
    """Return why the campaign cannot be paused, None if it can or already is PAUSED."""
    effective = effective_status(status, end_at, now)
    if effective in {"ACTIVE", "PAUSED"}:
        return None
    return f"Only an ACTIVE campaign can be paused; this one is {effective}."


def refuse_status(status: str, wanted: str, approval_status: str, end_at: int | None, now: int) -> str | None:
    """Return why a PATCH cannot set the status `wanted`, None if it can or nothing would change."""
    if wanted == "ARCHIVED":
        return None
    if status == "ARCHIVED":
        return "An archived campaign stays archived; create a new campaign instead."
    if wanted == "ACTIVE":
        return refuse_activation(status, approval_status, end_at, now)
    if wanted == "PAUSED":
        return refuse_pause(status, end_at, now)
    if wanted == "EXPIRED":
        return "EXPIRED cannot be set; a campaign expires when its endDate passes."
    return None if status == wanted else f"A campaign that is {status} cannot become {wanted} again."


def campaign_code(entropy: bytes) -> str:
    """Write 5 random bytes as "CMP-" and 8 base32 characters; raise ValueError for any other number of bytes."""
    if len(entropy) != 5:
        raise ValueError(f"A campaign code is made of 5 random bytes, not of {len(entropy)}.")
    return "CMP-" + b32encode(entropy).decode("ascii")
