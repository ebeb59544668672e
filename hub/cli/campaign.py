"""`hub campaign`: the admin's side of campaigns; merchants create and run them through the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.campaigns import CampaignApproval


@click.group()
def campaign() -> None:
    """List, approve or reject campaigns."""


@campaign.command()
@click.argument("campaign", metavar="CMP")
@invoked
def approve(invocation: Invocation, campaign: str) -> None:
    """Approve a campaign, so that its merchant may activate it.

    CMP is its id or its code.
    """
    from hub.operations.campaigns import approve_campaign

    changed = invocation.with_store(lambda store: approve_campaign(store, system_clock, campaign))
    print_result(invocation, changed, lambda: _say(changed))


@campaign.command()
@click.argument("campaign", metavar="CMP")
@invoked
def reject(invocation: Invocation, campaign: str) -> None:
    """Refuse a campaign, or withdraw its approval.

    An active campaign is paused. CMP is its id or its code.
    """
    from hub.operations.campaigns import reject_campaign

    changed = invocation.with_store(lambda store: reject_campaign(store, system_clock, campaign))
    print_result(invocation, changed, lambda: _say(changed))


@campaign.command(name="list")
@click.option("--merchant", "merchant_id", metavar="ID", help="Only this merchant's.")
@invoked
def list_(invocation: Invocation, merchant_id: str | None) -> None:
    """List campaigns, newest first."""
    from hub.operations.campaigns import list_campaigns

    found = invocation.with_store(lambda store: list_campaigns(store, system_clock, merchant_id))
    columns = ["code", "status", "approval", "title", "merchant", "mode", "ends", "id"]
    rows = (
        (
            c["campaignCode"],
            c["status"],
            c["approvalStatus"],
            c["title"],
            c["merchantId"],
            c["mode"],
            c["endDate"],
            c["id"],
        )
        for c in found
    )
    empty = "There are no campaigns yet. Merchants create them with POST /v1/campaigns."
    print_result(invocation, found, lambda: show_table(columns, rows, empty))


def _say(document: CampaignApproval) -> None:
    say(f"{document['title']} ({document['campaignCode']}) is {document['approvalStatus']} and {document['status']}.")
