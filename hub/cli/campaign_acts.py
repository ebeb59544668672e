"""What a campaign is typed with, and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from hub.cli.act_values import Typed
from hub.cli.output import named, show_fields
from hub.domain.durations import duration_text
from hub.domain.instants import instant_or_none
from hub.domain.orders.volume_texts import VOLUMES, volume_of, volume_typed
from hub.domain.words import JOININGS

if TYPE_CHECKING:
    from hub.records.campaigns import CampaignDetails

TEXTS: dict[str, tuple[str, str]] = {
    "title": ("title", "What it is called."),
    "description": ("description", "What it is about."),
    "startDate": ("start-date", "RFC 3339, like 2026-12-01T00:00:00Z."),
    "endDate": ("end-date", "In the same form; the campaign is EXPIRED from then on."),
    "termsAndConditions": ("terms", "The terms that affiliates accept."),
}
"""Options with words of their own, by the names of the API's body; every other text of a campaign has its note."""


def _text_options() -> dict[str, tuple[str, str]]:
    """Return the option and its help of each field that is typed as text, by its name in the API's body."""
    from hub.validation.input_reader import texts_of
    from hub.validation.inputs import CampaignInput

    noted = {
        each.wire: (each.name.replace("_", "-"), each.constraint.schema()["description"])
        for each in texts_of(CampaignInput)
    }
    return {**noted, **TEXTS}


def campaign_options() -> list[click.Parameter]:
    """Return the options that the fields of a campaign are typed with."""
    return [
        *(click.Option([f"--{name}", wire], help=words) for wire, (name, words) in _text_options().items()),
        click.Option(["--commission"], metavar="RULE", help="PERCENTAGE:8 or FIXED:5.00."),
        click.Option(["--new-customer-commission"], metavar="RULE", help="The same for new customers' orders."),
        click.Option(["--volume"], type=click.Choice([*VOLUMES, "NONE"]),
                     help="What makes the rate rise; NONE ends it."),
        click.Option(["--tier", "tiers"], multiple=True, metavar="TIER",
                     help="With --volume, like '11: 12 %' or '5000.00: 6.00'; may be repeated."),
        click.Option(["--days"], type=int, help="Attribution window in days, 0 to 365; 0: the same visit."),
        click.Option(["--source", "sources"], multiple=True, help="A permitted kind of traffic; may be repeated."),
        click.Option(["--ask-approval/--no-approval"], default=None, help="Whether the operator has to approve it."),
        click.Option(["--hold"], metavar="DURATION", help="Like 7d, or default for the merchant's."),
        click.Option(["--listed/--unlisted"], default=None, help="Whether it is shown in the public listing."),
        click.Option(["--joining"], type=click.Choice(JOININGS), help="Which affiliates may promote it."),
    ]  # fmt: skip


def form_of(typed: Typed) -> dict[str, Any]:
    """Return what was typed as the act's values; `fields` has the names of the API's body."""
    fields: dict[str, Any] = {wire: typed[wire] for wire in _text_options() if wire in typed}
    for option, stem in (("commission", "defaultCommission"), ("new_customer_commission", "newCustomerCommission")):
        if option in typed:
            kind, _, value = typed[option].partition(":")
            fields |= {f"{stem}Type": kind.upper(), f"{stem}Value": value}
    if "volume" in typed or "tiers" in typed:
        fields["volumeRates"] = _volume(typed.get("volume"), typed.get("tiers", ()))
    if "days" in typed:
        fields["cookieDurationDays"] = typed["days"]
    if "sources" in typed:
        fields["allowedTrafficSources"] = list(typed["sources"])
    if "ask_approval" in typed:
        fields["approvalRequired"] = typed["ask_approval"]
    others = {name: typed[name] for name in ("merchant_id", "mode", "hold", "listed", "joining") if name in typed}
    return others | ({"fields": fields} if fields else {})


def new_form_of(typed: Typed) -> dict[str, Any]:
    """Return the same for a new campaign, which needs a title."""
    if "title" not in typed:
        raise click.UsageError("A campaign needs a --title.")
    return form_of(typed)


def _volume(which: str | None, tiers: Sequence[str]) -> dict[str, Any] | None:
    if which == "NONE":
        return None
    try:
        return volume_of(which or "", tiers)
    except ValueError as fault:
        raise click.UsageError(str(fault)) from None


def show_details(campaign: CampaignDetails) -> None:
    """Print a campaign for a person."""
    from hub.records.words import texts_said

    rule, new = campaign.default_commission_type, campaign.new_customer_commission_type
    fields = {
        "id": campaign.id,
        "code": campaign.campaign_code,
        "status": campaign.status,
        "approval": campaign.approval_status,
        "merchant": f"{named(campaign.merchant_id, campaign.merchant_name)}, {campaign.mode} mode",
        "commission": None if rule is None else f"{rule}:{campaign.default_commission_value}",
        "new customers": None if new is None else f"{new}:{campaign.new_customer_commission_value}",
        "by volume": volume_typed(campaign.volume_rates)[1].replace("\n", ", ") or None,
        "days": campaign.cookie_duration_days,
        "from": instant_or_none(campaign.start_date),
        "to": instant_or_none(campaign.end_date),
        "hold": hold_words(campaign) or "the merchant's, else the hub's",
        "listed": campaign.listed,
        "joining": campaign.joining,
    }
    show_fields(campaign.title, {**fields, **dict(texts_said(campaign, "title"))})


def hold_words(campaign: CampaignDetails) -> str | None:
    """Return a campaign's own hold, None if the merchant's counts."""
    return None if campaign.hold_ms is None else duration_text(campaign.hold_ms)
