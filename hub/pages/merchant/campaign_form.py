"""A campaign as a form of texts: its values, and what was typed as the body of the API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from hub.domain.durations import DAY
from hub.domain.words import JOININGS
from hub.operations.campaigns.campaign_changes import CampaignDetails, CampaignForm
from hub.operations.errors import InvalidFields

TEXTS: Final = ("title", "description", "termsAndConditions")
DATES: Final = ("startDate", "endDate")
EMPTY: Final[Mapping[str, str]] = dict.fromkeys(
    (*TEXTS, *DATES, "rate", "value", "days", "sources", "approval", "hold", "listed"), ""
) | {"joining": "OPEN", "days": "30"}

_date = re.compile(r"\d{4}-\d{2}-\d{2}").fullmatch
_whole = re.compile(r"\d{1,9}").fullmatch


def values_of(campaign: CampaignDetails) -> dict[str, str]:
    """Return what the form of a campaign begins with; dates are days in UTC, a hold of whole days is in days."""
    days, hold = campaign["cookieDurationDays"], campaign["holdMs"]
    return {
        "title": campaign["title"],
        "description": campaign["description"] or "",
        "termsAndConditions": campaign["termsAndConditions"] or "",
        "startDate": (campaign["startDate"] or "")[:10],
        "endDate": (campaign["endDate"] or "")[:10],
        "rate": campaign["defaultCommissionType"] or "",
        "value": campaign["defaultCommissionValue"] or "",
        "days": "" if days is None else str(days),
        "sources": "\n".join(campaign["allowedTrafficSources"]),
        "approval": "1" if campaign["approvalRequired"] else "",
        "hold": "" if hold is None else f"{hold // DAY}d" if hold % DAY == 0 else f"{hold // 1000}s",
        "listed": "1" if campaign["listed"] else "",
        "joining": campaign["joining"],
    }


def form_of(typed: Mapping[str, str], stored: CampaignDetails | None) -> CampaignForm:
    """Return what was typed, only what differs from the stored campaign; raise `InvalidFields` for a bad date."""
    before = EMPTY if stored is None else values_of(stored)
    changed = {name: text.strip() for name, text in typed.items() if name in before and text.strip() != before[name]}
    if stored is None:
        changed = {name: text for name, text in {**changed, "days": typed["days"].strip()}.items() if text}
    fields: dict[str, Any] = {name: changed[name] or None for name in TEXTS if name in changed}
    if stored is None or "title" in changed:
        fields["title"] = typed["title"].strip()
    fields |= {name: _instant(name, changed[name]) for name in DATES if name in changed}
    if "rate" in changed or "value" in changed:
        fields |= {"defaultCommissionType": typed["rate"] or None, "defaultCommissionValue": typed["value"] or None}
    if "days" in changed:
        fields["cookieDurationDays"] = int(changed["days"]) if _whole(changed["days"]) else changed["days"] or None
    if "sources" in changed:
        fields["allowedTrafficSources"] = [
            line.strip() for line in changed["sources"].split("\n") if line.strip()
        ] or None
    if bool(typed["approval"]) != bool(before["approval"]):
        fields["approvalRequired"] = bool(typed["approval"])
    return CampaignForm(
        fields,
        hold=(changed["hold"] or "default") if "hold" in changed else None,
        listed=bool(typed["listed"]) if bool(typed["listed"]) != bool(before["listed"]) else None,
        joining=typed["joining"] if typed["joining"] in JOININGS else None,
    )


def _instant(name: str, day: str) -> str | None:
    if not day:
        return None
    if not _date(day):
        raise InvalidFields({name: "A date is written like 2026-12-01."})
    return f"{day}T00:00:00Z"
