"""`hub conversion`: reported orders, their commissions, and the review queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.conversions import ConversionDocument
    from hub.storage import Store

TABLE_ROWS = 50


@click.group()
def conversion() -> None:
    """Show, review and attribute reported orders."""


@conversion.command()
@click.argument("conversion_id", metavar="CNV")
@invoked
def show(invocation: Invocation, conversion_id: str) -> None:
    """Show a conversion, its commission and its order's facts."""
    from hub.operations.conversions import show_conversion

    found = invocation.with_store(lambda store: show_conversion(store, system_clock, conversion_id))
    print_result(invocation, found, lambda: _show(found))


@conversion.command(name="list")
@click.option("--merchant", "merchant_id", metavar="ID", help="Only this merchant's.")
@click.option("--order", "external_order_id", metavar="EXTERNAL_ID", help="Only this order's.")
@click.option("--review", is_flag=True, help="Only those that wait for a review.")
@click.option("--limit", type=click.IntRange(1), help=f"The most to list (default: {TABLE_ROWS}; with --json all).")
@invoked
def list_(
    invocation: Invocation, merchant_id: str | None, external_order_id: str | None, review: bool, limit: int | None
) -> None:
    """List conversions, newest first."""
    from hub.operations.conversions import OPEN_REVIEW, conversions_of_order, newest_conversions

    async def read(store: Store) -> list[ConversionDocument]:
        if external_order_id is not None:
            found = await conversions_of_order(store, system_clock, external_order_id, merchant_id)
            return [c for c in found if not review or c["review"] == OPEN_REVIEW][:limit]
        most = limit if limit is not None or invocation.json else TABLE_ROWS
        wanted = OPEN_REVIEW if review else None
        newest = newest_conversions(store, system_clock, merchant_id=merchant_id, review=wanted, limit=most)
        return [document async for document in newest]

    found = invocation.with_store(read)
    print_result(invocation, found, lambda: _show_list(found))


@conversion.command()
@click.argument("conversion_id", metavar="CNV")
@click.option("--affiliate", "affiliate_id", required=True, metavar="AFF", help="The affiliate that earned it.")
@click.option(
    "--campaign", metavar="CMP", help="The campaign (default: that of the order's click, if the click is theirs)."
)
@invoked
def attribute(invocation: Invocation, conversion_id: str, affiliate_id: str, campaign: str | None) -> None:
    """Attribute a conversion under review to an affiliate.

    Its commission follows the rules in force now.
    """
    from hub.operations.reviews import attribute_conversion
    from hub.processing.policy import policy_of

    settings = invocation.settings()
    made = invocation.with_store(
        lambda store: attribute_conversion(
            store, system_clock, policy_of(settings), conversion_id, affiliate_id=affiliate_id, campaign=campaign
        ),
        settings,
    )
    print_result(invocation, made, lambda: _show(made))


@conversion.command()
@click.argument("conversion_id", metavar="CNV")
@invoked
def dismiss(invocation: Invocation, conversion_id: str) -> None:
    """Close a review without a commission."""
    from hub.operations.reviews import dismiss_conversion

    closed = invocation.with_store(lambda store: dismiss_conversion(store, system_clock, conversion_id))
    print_result(invocation, closed, lambda: say(f"{conversion_id} is dismissed; nobody earns by it."))


def _show_list(found: list[ConversionDocument]) -> None:
    columns = ["id", "order", "amount", "confidence", "reason", "review", "affiliate", "state", "commission"]
    rows = []
    for c in found:
        commission = c["commission"]
        earned = (None, None) if commission is None else (commission["state"], commission["amount"])
        amount = f"{c['orderAmount']} {c['currency']}"
        row = (c["id"], c["externalOrderId"], amount, c["confidence"], c["reason"], c["review"], c["affiliateId"])
        rows.append((*row, *earned))
    show_table(columns, rows, "There are no such conversions.")


def _show(document: ConversionDocument) -> None:
    commission = document["commission"]
    fields = {
        "order": f"{document['externalOrderId']}, {document['orderAmount']} {document['currency']}, "
        f"{document['orderedAt']}",
        "confidence": document["confidence"],
        "reason": document["reason"],
        "affiliate": document["affiliateId"],
        "campaign": document["campaignId"],
        "click": document["clickId"],
        "coupon": document["couponCode"],
        "candidate": document["candidateId"],
        "review": document["review"],
    }
    show_fields(document["id"], fields)
    if commission is not None:
        rule = f"{commission['source']} {commission['type'] or ''} {commission['value'] or ''}".rstrip()
        money = {
            "state": commission["state"],
            "amount": f"{commission['amount']} {commission['currency']}",
            "rule": f"{rule} of {commission['base']}",
            "hold until": commission["holdUntil"],
            "paid": commission["paidAt"],
            "reference": commission["payoutReference"],
        }
        show_fields(f"Commission {commission['id']}", money)
    rows = ((f["status"], f["at"], f["receivedAt"], f["applied"], f["skipReason"]) for f in document["facts"])
    show_table(["fact", "happened", "received", "applied", "why not"], rows, "No fact of the order has arrived yet.")
