"""`hub campaign create|activate|pause|archive`: what merchants do with POST and PATCH /v1/campaigns, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from hub.cli.invocation import Command, Invocation, invoked
from hub.cli.output import named, print_result, show_fields
from hub.clock import system_clock
from hub.domain.durations import duration_text
from hub.domain.instants import instant_or_none
from hub.domain.volume_texts import VOLUMES, volume_of, volume_typed
from hub.domain.words import JOININGS, MODES

if TYPE_CHECKING:
    from hub.operations.campaigns.campaign_changes import CampaignForm
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


def campaign_fields(command: Command) -> Command:
    """Add the options that the fields of a campaign are typed with."""
    options = [
        *(click.option(f"--{name}", wire, help=words) for wire, (name, words) in _text_options().items()),
        click.option("--commission", metavar="RULE", help="PERCENTAGE:8 or FIXED:5.00."),
        click.option("--new-customer-commission", metavar="RULE", help="The same for orders of new customers."),
        click.option("--volume", type=click.Choice([*VOLUMES, "NONE"]), help="What makes the rate rise; NONE ends it."),
        click.option(
            "--tier",
            "tiers",
            multiple=True,
            metavar="TIER",
            help="With --volume, like '11: 12 %' or '5000.00: 6.00'; may be repeated.",
        ),
        click.option("--days", type=int, help="How many days a click counts, 0 to 365; 0 is the visit."),
        click.option("--source", "sources", multiple=True, help="A permitted kind of traffic; may be repeated."),
        click.option("--ask-approval/--no-approval", default=None, help="Whether the operator has to approve it."),
        click.option("--hold", metavar="DURATION", help="Like 7d, or default for the merchant's."),
        click.option("--listed/--unlisted", default=None, help="Whether it is shown in the public listing."),
        click.option("--joining", type=click.Choice(JOININGS), help="Which affiliates may promote it."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def form_of(given: dict[str, Any]) -> CampaignForm:
    """Return what was typed, by the names of the API's body; options that were not given are left out."""
    from hub.operations.campaigns.campaign_changes import CampaignForm

    fields: dict[str, Any] = {wire: given[wire] for wire in _text_options() if given[wire] is not None}
    for option, stem in (("commission", "defaultCommission"), ("new_customer_commission", "newCustomerCommission")):
        if given[option] is not None:
            kind, _, value = given[option].partition(":")
            fields |= {f"{stem}Type": kind.upper(), f"{stem}Value": value}
    if given["volume"] is not None or given["tiers"]:
        fields["volumeRates"] = _volume(given["volume"], given["tiers"])
    if given["days"] is not None:
        fields["cookieDurationDays"] = given["days"]
    if given["sources"]:
        fields["allowedTrafficSources"] = list(given["sources"])
    if given["ask_approval"] is not None:
        fields["approvalRequired"] = given["ask_approval"]
    return CampaignForm(fields, given["hold"], given["listed"], given["joining"])


def _volume(which: str | None, tiers: Sequence[str]) -> dict[str, Any] | None:
    if which == "NONE":
        return None
    try:
        return volume_of(which or "", tiers)
    except ValueError as fault:
        raise click.UsageError(str(fault)) from None


@click.command()
@click.option("--merchant", required=True, metavar="ID", help="Whose campaign.")
@click.option("--mode", required=True, type=click.Choice(MODES), help="In which of its accounts.")
@campaign_fields
@invoked
def create(invocation: Invocation, merchant: str, mode: str, **given: Any) -> None:
    """Create a campaign, a DRAFT until it is activated."""
    from hub.operations.campaigns.campaign_changes import create_campaign

    if given["title"] is None:
        raise click.UsageError("A campaign needs a --title.")
    form = form_of(given)
    made = invocation.with_store(lambda store: create_campaign(store, system_clock, merchant, mode, form))
    print_result(invocation, made, lambda: show_details(made))


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
