"""`hub conversion`: reported orders, their commissions, and the review queue."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.lists import PARTS, ListCommand, Listed, filters
from hub.cli.output import Table, named, show_fields, show_table
from hub.clock import system_clock
from hub.domain.instants import format_instant, instant_or_none

if TYPE_CHECKING:
    from hub.operations.lists import Wanted
    from hub.records.order_messages import MessageDocument
    from hub.records.orders import FactRecord, ReviewedConversion
    from hub.storage import Store


@click.group()
def conversion() -> None:
    """Show, review and attribute reported orders."""


def _listed(typed: Typed) -> Listed:
    from hub.operations.orders.conversions import CONVERSIONS, OPEN_REVIEW, conversions_of_order, each_conversion

    parties = {name: typed[name] for name in ("merchant", "affiliate", "mode")}
    order, review = typed["external_order_id"], OPEN_REVIEW if typed["review"] else None

    async def read(store: Store, wanted: Wanted) -> Sequence[ReviewedConversion]:
        if order is not None:
            found = await conversions_of_order(store, system_clock, order, filters=parties)
            return [c for c in found if review in (None, c.review)][: wanted.limit]
        return [document async for document in each_conversion(store, system_clock, wanted)]

    return Listed(CONVERSIONS, "cnv", read, {**parties, "review": review})


def _differs(details: dict[str, Any]) -> tuple[str, str]:
    amount = details.get("orderAmount", {})
    return amount.get("before", ""), amount.get("after", "")


def _show_thread(found: Sequence[MessageDocument]) -> None:
    rows = ((format_instant(m.written_at), m.author, m.text, instant_or_none(m.read_at)) for m in found)
    show_table(["written", "by", "message", "seen"], rows, "Nobody has written about this order.")


def _show_list(found: Sequence[ReviewedConversion]) -> None:
    columns = [
        "id", "order", "amount", "mode", "merchant", "confidence", "reason", "review", "affiliate", "state",
        "commission",
    ]  # fmt: skip
    rows = []
    for c in found:
        commission = c.commission
        earned = (None, None) if commission is None else (commission.state, commission.amount)
        amount = f"{c.order_amount} {c.currency}"
        merchant, affiliate = named(c.merchant_id, c.merchant_name), named(c.affiliate_id, c.affiliate_name)
        row = (c.id, c.external_order_id, amount, c.mode, merchant, c.confidence, c.reason, c.review)
        rows.append((*row, affiliate, *earned))
    show_table(columns, rows, "There are no such conversions.")


def _reason(fact: FactRecord) -> str | None:
    from hub.records.orders import ReasonedFact

    return fact.reason if isinstance(fact, ReasonedFact) else None


def _show(document: ReviewedConversion) -> None:
    from hub.records.orders import ConversionRecord

    commission = document.commission
    whole = document if isinstance(document, ConversionRecord) else None
    metadata, sub_ids = (None, {}) if whole is None else (whole.metadata, whole.sub_ids)
    fields = {
        "order": f"{document.external_order_id}, {document.order_amount} {document.currency}, "
        f"{format_instant(document.ordered_at)}",
        "merchant": f"{named(document.merchant_id, document.merchant_name)}, {document.mode} mode",
        "confidence": document.confidence,
        "reason": document.reason,
        "affiliate": named(document.affiliate_id, document.affiliate_name),
        "campaign": document.campaign_id,
        "click": document.click_id,
        "sub-ids": [f"{name}={value}" for name, value in sub_ids.items()],
        "coupon": document.coupon_code,
        "candidate": document.candidate_id,
        "review": document.review,
        "metadata": None if metadata is None else json.dumps(metadata, ensure_ascii=False),
    }
    show_fields(document.id, fields)
    if commission is not None:
        rule = f"{commission.source} {commission.type or ''} {commission.value or ''}".rstrip()
        money = {
            "state": commission.state,
            "amount": f"{commission.amount} {commission.currency}",
            "rule": f"{rule} of {commission.base}",
            "hold until": instant_or_none(commission.hold_until),
            "paid": instant_or_none(commission.paid_at),
            "reference": commission.payout_reference,
        }
        show_fields(f"Commission {commission.id}", money)
    rows = (
        (f.status, format_instant(f.at), format_instant(f.received_at), f.applied, f.skip_reason, _reason(f))
        for f in document.facts
    )
    show_table(
        ["fact", "happened", "received", "applied", "why not", "reason"], rows, "No fact of the order has arrived yet."
    )


QUESTIONS: Final = Table(
    ["conversion", "order", "mode", "question", "counted", "now"],
    lambda each: (each.conversion_id, each.external_order_id, each.mode, each.reason, *_differs(each.details)),
    "There are no such questions.",
)
CONVERSION: Final = {"conversion": Value("", metavar="CNV")}

for each in (
    ListCommand("list",
                f"List conversions of both modes, newest first.\n\n{PARTS}",
                _show_list, _listed,
                [*filters("--affiliate", "--merchant", "--mode"),
                 click.Option(["--order", "external_order_id"], metavar="EXTERNAL_ID", help="Only this order's."),
                 click.Option(["--review"], is_flag=True, help="Only those that wait for a review.")]),
    ActCommand("show", "orders.getConversion", "Show a conversion, its commission and its order's facts.", _show,
               Takes(on=CONVERSION)),
    ActCommand("questions", "orders.listQuestions",
               "List questions about orders that a person must decide, such as an edit after the commission was "
               "payable.",
               QUESTIONS,
               Takes(values={"merchant": Value("--merchant", "Only this merchant's.", "M"),
                             "closed": Value("--closed", "Those that were closed.")})),
    ActCommand("close-questions", "orders.closeQuestions",
               "Close the questions about an order; what it earned is corrected by an adjustment or not at all.",
               "Closed: {closed}.", Takes(on=CONVERSION, values={"note": Value("--note", "What was done.", "TEXT")})),
    ActCommand("separate", "orders.separateOrders",
               "Count the other orders that came under a conversion's number as orders of their own.\n\n"
               "A shop that was restored from a backup gives numbers again; `conversion questions` names them as "
               "other_order. What arrived of them is decided now, each by its own click.",
               "{conversionId}: {orders}", Takes(on=CONVERSION)),
    ActCommand("attribute", "orders.attributeConversion",
               "Attribute a conversion under review to an affiliate.\n\nIts commission follows the rules in force now.",
               _show,
               Takes(on=CONVERSION,
                     values={"affiliateId": Value("--affiliate", "The affiliate that earned it: id, name or e-mail.",
                                                  "AFF"),
                             "campaignId": Value("--campaign", "The campaign (default: that of the order's click, if "
                                                               "the click is theirs).", "CMP")})),
    ActCommand("dismiss", "orders.dismissConversion", "Close a review without a commission.",
               "{id} is dismissed; nobody earns from it.", Takes(on=CONVERSION)),
    ActCommand("thread", "orders.listMessages",
               "Show what the affiliate and the merchant wrote to each other about an order.", _show_thread,
               Takes(on=CONVERSION)),
    ActCommand("answer", "orders.writeMessage", "Write to the affiliate of an order, as the network's operator.",
               _show_thread, Takes(on=CONVERSION, values={"text": Value("", metavar="TEXT")})),
):  # fmt: skip
    conversion.add_command(each)
