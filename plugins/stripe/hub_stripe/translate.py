"""From Stripe's events to facts: an order is a payment of a session or an invoice, and each renewal one of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from hub.api import (
    CREATED_KEY,
    Body,
    Context,
    Fact,
    Line,
    OrderCancelled,
    OrderCreated,
    OrderPaid,
    OrderRefunded,
    Uninteresting,
    Unmappable,
    as_quantity,
    as_record,
    as_records,
    as_text,
    read_payload,
    refund_key,
    refund_so_far_key,
    status_key,
)
from hub_stripe.bodies import EventBody, currency_of, moment, money, own_id, reference
from hub_stripe.options import options_of

CLICK: Final = "affiliate_click_id"
PAID: Final = frozenset({"paid", "no_payment_required"})
BEGINS: Final = "subscription_create"
"""Why an invoice was made that begins its subscription."""
LAST_WITH_INVOICES: Final = "2025-03"
"""Versions from then on write charges without their invoice, and invoices with subscription and taxes elsewhere."""
MILLION: Final = 1_000_000


def of_session(event: EventBody, context: Context) -> Iterator[Fact]:
    """Give the order of a session that the buyer has completed, and that it is paid if its money has come."""
    session = event.data.object
    if session.get("mode") == "setup":
        raise Uninteresting("a session that only keeps a card for later")
    number, currency = _session_number(session), currency_of(session)
    details, shipping = as_record(session.get("total_details")), as_record(session.get("shipping_cost"))
    tax, total = (money(details.get("amount_tax"), currency, "amount_tax"),
                  money(session.get("amount_total"), currency, "amount_total"))  # fmt: skip
    subscription = reference(session.get("subscription"))
    yield OrderCreated(
        key=CREATED_KEY,
        order_id=number,
        amount=_goods(total, tax, shipping, currency, context),
        currency=currency,
        click_id=_click(session.get("client_reference_id"), session.get("metadata")),
        coupon_code=None,
        lines=(),
        ordered_at=moment(session.get("created"), "created"),
        paid_total=max(total, Decimal(0)),
        metadata=None if subscription is None else {"subscription": subscription},
        born=number,
        customer=as_text(as_record(session.get("customer_details")).get("email"), 320),
    )
    if as_text(session.get("payment_status")) in PAID:
        yield OrderPaid(status_key("paid", None), number, moment(event.created, "created"), None, None)


def of_failed_session(event: EventBody, _: Context) -> Iterator[Fact]:
    """Give the end of an order whose money did not come after all, as of a bank debit that was returned."""
    at = moment(event.created, "created")
    yield OrderCancelled(
        status_key("cancelled", None), _session_number(event.data.object), at, "the payment failed", None
    )


def of_invoice(event: EventBody, context: Context) -> Iterator[Fact]:
    """Give the order of a paid invoice: the first of a subscription, which a session began, or a renewal of one."""
    invoice = event.data.object
    if "subscription" not in invoice:
        _refuse_newer(event, "the invoice does not say its subscription and tax as before")
    number, currency = own_id(invoice, "the invoice"), currency_of(invoice)
    shipping = as_record(invoice.get("shipping_cost"))
    total = money(invoice.get("total"), currency, "total")
    if total < 0:
        raise Uninteresting("an invoice that only credits the customer")
    tax = money(invoice.get("tax"), currency, "tax")
    amount = _goods(total, tax, shipping, currency, context)
    subscription = reference(invoice.get("subscription"))
    told: dict[str, Any] = {} if subscription is None else {"subscription": subscription}
    if subscription is not None and invoice.get("billing_reason") != BEGINS:
        told["renewal"] = True
    of_subscription = as_record(as_record(invoice.get("subscription_details")).get("metadata"))
    yield OrderCreated(
        key=CREATED_KEY,
        order_id=number,
        amount=amount,
        currency=currency,
        click_id=_click(None, invoice.get("metadata")) or _click(None, of_subscription),
        coupon_code=None,
        lines=_lines(invoice, amount, currency, context),
        ordered_at=moment(invoice.get("created"), "created"),
        paid_total=total,
        metadata=told or None,
        born=number,
        customer=as_text(invoice.get("customer_email"), 320),
    )
    paid_at = moment(as_record(invoice.get("status_transitions")).get("paid_at"), "paid_at")
    yield OrderPaid(status_key("paid", None), number, paid_at or moment(event.created, "created"), None, None)


def of_refunds(event: EventBody, _: Context) -> Iterator[Fact]:
    """Give how much of a charge went back so far; Stripe says it in all, not by single refunds."""
    charge = event.data.object
    if "invoice" not in charge:
        _refuse_newer(event, "the charge does not name its invoice")
    number = reference(charge.get("invoice")) or reference(charge.get("payment_intent"))
    if number is None:
        raise Unmappable("the charge names neither `invoice` nor `payment_intent`")
    currency = currency_of(charge)
    back = money(charge.get("amount_refunded"), currency, "amount_refunded")
    whole = money(charge.get("amount"), currency, "amount")
    if not 0 < back <= whole:
        raise Unmappable("`amount_refunded` is nothing, or more than `amount`")
    # Stripe counts in seconds: of two refunds in one second the later has given back more.
    at = moment(event.created, "created") or 0
    version = at // 1000 * MILLION + int(back / whole * (MILLION - 1))
    yield OrderRefunded(
        refund_so_far_key(version), number, at, as_text(charge.get("description"), 200), None, None, back, (),
        as_of=version,
    )  # fmt: skip


def of_dispute(event: EventBody, _: Context) -> Iterator[Fact]:
    """Give the money back of a dispute that the shop has lost; one that is won or withdrawn changes nothing."""
    dispute = event.data.object
    if dispute.get("status") != "lost":
        raise Uninteresting("a dispute that took no money")
    number, name = reference(dispute.get("payment_intent")), own_id(dispute, "the dispute")
    if number is None:
        raise Unmappable("the dispute names no `payment_intent`")
    amount = money(dispute.get("amount"), currency_of(dispute), "amount")
    reason = as_text(dispute.get("reason"), 200)
    at = moment(event.created, "created")
    yield OrderRefunded(refund_key(name, ""), number, at, reason, None, name, amount, ())


TRANSLATIONS: Final[Mapping[str, Callable[[EventBody, Context], Iterator[Fact]]]] = {
    "checkout.session.completed": of_session,
    "checkout.session.async_payment_succeeded": of_session,
    "checkout.session.async_payment_failed": of_failed_session,
    "invoice.paid": of_invoice,
    "charge.refunded": of_refunds,
    "charge.dispute.closed": of_dispute,
}


def of_webhook(_: str, body: Body, context: Context) -> Iterator[Fact]:
    """Give the facts of an event that came as a free-form v1 webhook; the hub keeps those of its kind."""
    event = read_payload(EventBody, body)
    if event.type not in TRANSLATIONS:
        raise Uninteresting(f"an event of {event.type}")
    return TRANSLATIONS[event.type](event, context)


def _refuse_newer(event: EventBody, reason: str) -> None:
    """Raise `Unmappable` for an event in a version that no longer writes what the hub reads."""
    if (event.api_version or "") >= LAST_WITH_INVOICES:
        raise Unmappable(
            f"{reason} in this API version; make the webhook endpoint with --api-version=2025-02-24.acacia"
        )


def _session_number(session: Body) -> str:
    """Return an order's number: the invoice that a subscription began with, else the payment, else the free session."""
    named = reference(session.get("invoice")) if session.get("mode") == "subscription" else None
    return named or reference(session.get("payment_intent")) or own_id(session, "the session")


def _goods(total: Decimal, tax: Decimal, shipping: Body, currency: str, context: Context) -> Decimal:
    """Return what was paid for goods: all of it less shipping, and less tax unless the options take it with it."""
    carriage = money(shipping.get("amount_total"), currency, "shipping_cost.amount_total")
    if options_of(context).tax == "included":
        return max(total - carriage, Decimal(0))
    of_carriage = money(shipping.get("amount_tax"), currency, "shipping_cost.amount_tax")
    return max(total - tax - (carriage - of_carriage), Decimal(0))


def _lines(invoice: Body, amount: Decimal, currency: str, context: Context) -> tuple[Line, ...]:
    """Return an invoice's lines net of discounts, if they are all there and add up; credits among them do not."""
    listed = as_record(invoice.get("lines"))
    found = [_line(each, currency, context) for each in as_records(listed.get("data"))]
    whole = listed.get("has_more") is not True and all(line.amount is not None and line.amount >= 0 for line in found)
    return tuple(found) if whole and sum((line.amount or Decimal(0) for line in found), Decimal(0)) == amount else ()


def _line(line: Body, currency: str, context: Context) -> Line:
    worth = money(line.get("amount"), currency, "lines.amount")
    worth -= sum((money(each.get("amount"), currency, "discount_amounts.amount")
                  for each in as_records(line.get("discount_amounts"))), Decimal(0))  # fmt: skip
    included = options_of(context).tax == "included"
    for each in as_records(line.get("tax_amounts")):
        tax = money(each.get("amount"), currency, "tax_amounts.amount")
        if each.get("inclusive") is True and not included:
            worth -= tax
        elif each.get("inclusive") is not True and included:
            worth += tax
    product = reference(as_record(line.get("price")).get("product"))
    return Line(product, max(as_quantity(line.get("quantity"), 1), 1), worth)


def _click(named: Any, metadata: Any) -> str | None:
    """Return the click: what was set for it, else a `client_reference_id`, which may hold a shop's own number too."""
    reserved = as_text(as_record(metadata).get(CLICK))
    shared = as_text(named)
    return reserved or (shared if shared is not None and shared.startswith("clk_") else None)
