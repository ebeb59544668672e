"""`hub campaign`: the admin's side of campaigns; merchants create and run them through the API."""

from __future__ import annotations

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import say, show_table, tell
from hub.clock import system_clock


@click.group()
def campaign() -> None:
    """Approve or reject campaigns."""


@campaign.command()
@click.argument("campaign", metavar="CMP")
@invoked
def approve(invocation: Invocation, campaign: str) -> None:
    """Approve a campaign that waits for it (CMP is its id or code); the merchant may activate it then."""
    from hub.operations.campaigns import approve_campaign

    judged = invocation.with_store(lambda store: approve_campaign(store, system_clock, campaign))
    tell(invocation, judged, lambda: _say(judged))


@campaign.command()
@click.argument("campaign", metavar="CMP")
@invoked
def reject(invocation: Invocation, campaign: str) -> None:
    """Refuse a campaign, or withdraw its approval: an active one is paused."""
    from hub.operations.campaigns import reject_campaign

    judged = invocation.with_store(lambda store: reject_campaign(store, system_clock, campaign))
    tell(invocation, judged, lambda: _say(judged))


@campaign.command(name="list")
@click.option("--merchant", "merchant_id", metavar="ID", help="Only this merchant's.")
@invoked
def list_(invocation: Invocation, merchant_id: str | None) -> None:
    """List campaigns, newest first."""
    from hub.operations.campaigns import list_campaigns

    found = invocation.with_store(lambda store: list_campaigns(store, system_clock, merchant_id))
    columns = ["code", "status", "approval", "title", "merchant", "mode", "ends", "id"]
    names = ("campaignCode", "status", "approvalStatus", "title", "merchantId", "mode", "endDate", "id")
    rows = ([c[name] for name in names] for c in found)
    empty = "There are no campaigns yet. Merchants create them with POST /v1/campaigns."
    tell(invocation, found, lambda: show_table(columns, rows, empty))


def _say(document: dict[str, str]) -> None:
    say(f"{document['title']} ({document['campaignCode']}) is {document['approvalStatus']} and {document['status']}.")
