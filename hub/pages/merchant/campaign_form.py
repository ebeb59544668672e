"""A campaign as a form of texts: its values, and what was typed as the body of the API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from hub.domain.durations import DAY
from hub.domain.instants import format_instant
from hub.domain.orders.volume_texts import volume_of, volume_typed
from hub.domain.words import JOININGS
from hub.operations.campaigns.campaign_changes import CampaignForm
from hub.operations.errors import InvalidFields
from hub.pages.rate_forms import rate_value
from hub.records.campaigns import CampaignDetails
from hub.validation.input_reader import InputField, texts_of
from hub.validation.inputs import CampaignInput

TEXTS: Final[Mapping[str, InputField]] = {each.wire: each for each in texts_of(CampaignInput)}
"""Every text of a campaign, by its name in the API's body."""
BY_HAND: Final = ("title", "description", "termsAndConditions")
"""The texts for which the form has words of its own."""
DATES: Final = ("startDate", "endDate")
RATES: Final = ("rate", "value", "newRate", "newValue", "volume", "tiers")
EMPTY: Final[Mapping[str, str]] = dict.fromkeys(
    (*TEXTS, *DATES, *RATES, "days", "sources", "approval", "hold", "listed"), ""
) | {"joining": "OPEN", "days": "30"}

_date = re.compile(r"\d{4}-\d{2}-\d{2}").fullmatch
_whole = re.compile(r"\d{1,9}").fullmatch


def values_of(campaign: CampaignDetails) -> dict[str, str]:
    """Return what the form of a campaign begins with; dates are days in UTC, a hold of whole days is in days."""
    days, hold = campaign.cookie_duration_days, campaign.hold_ms
    volume, tiers = volume_typed(campaign.volume_rates)
    return {
        **{wire: getattr(campaign, each.name) or "" for wire, each in TEXTS.items()},
        "startDate": _day(campaign.start_date),
        "endDate": _day(campaign.end_date),
        "rate": campaign.default_commission_type or "",
        "value": campaign.default_commission_value or "",
        "newRate": campaign.new_customer_commission_type or "",
        "newValue": campaign.new_customer_commission_value or "",
        "volume": volume,
        "tiers": tiers,
        "days": "" if days is None else str(days),
        "sources": "\n".join(campaign.allowed_traffic_sources),
        "approval": "1" if campaign.approval_required else "",
        "hold": "" if hold is None else f"{hold // DAY} days" if hold % DAY == 0 else f"{hold // 1000} seconds",
        "listed": "1" if campaign.listed else "",
        "joining": campaign.joining,
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
        fields |= {"defaultCommissionType": typed["rate"] or None,
                   "defaultCommissionValue": rate_value(typed["rate"], typed["value"]) or None}  # fmt: skip
    if "newRate" in changed or "newValue" in changed:
        fields |= {"newCustomerCommissionType": typed["newRate"] or None,
                   "newCustomerCommissionValue": rate_value(typed["newRate"], typed["newValue"]) or None}  # fmt: skip
    if "volume" in changed or "tiers" in changed:
        fields["volumeRates"] = volume_rates(typed["volume"], typed["tiers"])
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


def volume_rates(which: str, tiers: str) -> dict[str, Any] | None:
    """Return rates by volume as they were typed, None for none; raise `InvalidFields` for what cannot be read."""
    try:
        return volume_of(which, tiers.splitlines()) if which or tiers.strip() else None
    except ValueError as fault:
        raise InvalidFields({"volumeRates": str(fault)}) from None


def _day(moment: int | None) -> str:
    return "" if moment is None else format_instant(moment)[:10]


def _instant(name: str, day: str) -> str | None:
    if not day:
        return None
    if not _date(day):
        raise InvalidFields({name: "A date is written like 2026-12-01."})
    return f"{day}T00:00:00Z"
