"""`hub campaign`: campaigns, their approval and their affiliates, as merchants have them in the browser too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hub.cli.campaign_acts import activate, archive, campaign_fields, create, form_of, pause, show_details
from hub.cli.campaign_member import member
from hub.cli.campaign_policy import policy
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import named, print_result, say, show_fields, show_table
from hub.clock import system_clock
from hub.domain.durations import duration_text

if TYPE_CHECKING:
    from hub.operations.campaigns.campaigns import CampaignApproval, CampaignDocument


@click.group()
def campaign() -> None:
    """Approve campaigns, set hold and listing, decide on affiliates."""


for command in (create, activate, pause, archive, member, policy):
    campaign.add_command(command)


@campaign.command()
@click.argument("campaign", metavar="CMP")
@invoked
def approve(invocation: Invocation, campaign: str) -> None:
    """Approve a campaign, so that its merchant may activate it.

    CMP is its id or its code.
    """
    from hub.operations.campaigns.campaigns import approve_campaign

    changed = invocation.with_store(lambda store: approve_campaign(store, system_clock, campaign))
    print_result(invocation, changed, lambda: _say(changed))


@campaign.command()
@click.argument("campaign", metavar="CMP")
@invoked
def reject(invocation: Invocation, campaign: str) -> None:
    """Refuse a campaign, or withdraw its approval.

    An active campaign is paused. CMP is its id or its code.
    """
    from hub.operations.campaigns.campaigns import reject_campaign

    changed = invocation.with_store(lambda store: reject_campaign(store, system_clock, campaign))
    print_result(invocation, changed, lambda: _say(changed))


@campaign.command()
@click.argument("campaign", metavar="CMP")
@campaign_fields
@invoked
def update(invocation: Invocation, campaign: str, **given: Any) -> None:
    """Change a campaign.

    Commissions that exist keep their rate and their hold. The campaign's hold goes before the merchant's, and that
    before the hub's. Only active campaigns that are listed stand in the public listing. CMP is its id or its code.
    """
    from hub.operations.campaigns.campaign_changes import edit_campaign

    form = form_of(given)
    if not form.fields and form.hold is None and form.listed is None and form.joining is None:
        raise click.UsageError("Name what to change: --title, --commission, --hold or --listed, for example.")
    changed = invocation.with_store(lambda store: edit_campaign(store, system_clock, campaign, form))
    print_result(invocation, changed, lambda: show_details(changed))


@campaign.command()
@click.argument("campaign", metavar="CMP")
@invoked
def show(invocation: Invocation, campaign: str) -> None:
    """Show one campaign.

    CMP is its id or its code.
    """
    from hub.operations.campaigns.campaigns import show_campaign

    found = invocation.with_store(lambda store: show_campaign(store, system_clock, campaign))
    print_result(invocation, found, lambda: _show(found))


@campaign.command(name="list")
@click.option("--merchant", "merchant_id", metavar="ID", help="Only this merchant's.")
@invoked
def list_(invocation: Invocation, merchant_id: str | None) -> None:
    """List campaigns, newest first."""
    from hub.operations.campaigns.campaigns import list_campaigns

    found = invocation.with_store(lambda store: list_campaigns(store, system_clock, merchant_id))
    columns = ["code", "status", "approval", "title", "merchant", "mode", "ends", "hold", "id"]
    rows = (
        (
            c["campaignCode"],
            c["status"],
            c["approvalStatus"],
            c["title"],
            named(c["merchantId"], c["merchantName"]),
            c["mode"],
            c["endDate"],
            _hold(c),
            c["id"],
        )
        for c in found
    )
    empty = "There are no campaigns yet. Merchants create them with POST /v1/campaigns."
    print_result(invocation, found, lambda: show_table(columns, rows, empty))


def _hold(document: CampaignDocument) -> str | None:
    return None if document["holdMs"] is None else duration_text(document["holdMs"])


def _show(document: CampaignDocument) -> None:
    fields = {
        "id": document["id"],
        "code": document["campaignCode"],
        "status": document["status"],
        "approval": document["approvalStatus"],
        "merchant": f"{named(document['merchantId'], document['merchantName'])}, {document['mode']} mode",
        "ends": document["endDate"],
        "hold": _hold(document) or "the merchant's, else the hub's",
        "listed": document["listed"],
        "joining": document["joining"],
    }
    show_fields(document["title"], fields)


def _say(document: CampaignApproval) -> None:
    say(f"{document['title']} ({document['campaignCode']}) is {document['approvalStatus']} and {document['status']}.")
