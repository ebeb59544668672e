"""/operator/orders and /operator/reviews: orders over all merchants, why each earned what, and those to decide."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from aiohttp import web
from attrs import evolve

from hub.acts.orders import ACTS
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.payouts import pay_commission
from hub.operations.orders.conversions import CONVERSIONS, OPEN_REVIEW, conversions_part, show_conversion
from hub.operations.orders.order_explanations import order_anywhere
from hub.operations.orders.order_messages import read_thread
from hub.operations.references import like_pattern
from hub.operations.users.actor_names import names_of_affiliates
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.order_words import reason_of
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.route_table import RouteTable
from hub.pages.story import entries_of, story_of
from hub.pages.visit import Visit
from hub.records.orders import CommissionOfOrder, ConversionRecord

HERE: Final = "/operator/orders"
REVIEWS: Final = "/operator/reviews"
NAMES: Final = {"order": "conversion", "affiliate": "affiliateId", "campaign": "campaignId"}
"""The acts' names of what the address and the forms name."""
PLACES: Final = {"Ordered": "first", "Merchant": "second", "Order total": "right", "Confidence": "last"}
SIDES: Final = {"affiliate": "Affiliate", "merchant": "Merchant", "operator": "Operator"}
ONE: Final = f"{HERE}/{{order}}"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show_orders(visit: Visit) -> web.StreamResponse:
    """Show the orders of all merchants, newest first."""
    return await _list(visit, "Orders", HERE, None)


@PAGES.get(REVIEWS)
async def show_reviews(visit: Visit) -> web.StreamResponse:
    """Show the orders of all merchants that wait for a decision."""
    return await _list(visit, "Reviews", REVIEWS, OPEN_REVIEW)


@PAGES.post(f"{ONE}/pay")
async def pay(visit: Visit) -> web.StreamResponse:
    """Mark the order's commission as paid, after its operator proved who they are."""
    services, reference = visit.services, visit.form.get("reference", "")

    async def paying(found: ConversionRecord) -> None:
        if found.commission is None:
            raise OperatorFault("Nobody earns from this order.")
        await pay_commission(services.store, services.clock, services.settings.payouts, found.commission.id, reference)

    return await _act(visit, paying, "paid")


async def _act(visit: Visit, doing: Callable[[ConversionRecord], Awaitable[object]], word: str) -> web.StreamResponse:
    return await parts.act_on(visit, _found, doing, f"{HERE}/{visit.path['order']}?done={word}", show_one)


async def _found(visit: Visit) -> ConversionRecord:
    return await show_conversion(visit.services.store, visit.services.clock, visit.path["order"])


async def _list(visit: Visit, title: str, address: str, review: str | None) -> web.StreamResponse:
    asked, services = parts.asked_for(visit, "q", "merchant", "affiliate", "mode"), visit.services
    filters = {name: value for name, value in asked.items() if name != "q"}
    text = like_pattern(asked["q"]) if asked["q"] else None
    wanted = wanted_of(visit, CONVERSIONS, {**filters, "text": text, "review": review})
    found, faults = await parts.read_list(conversions_part(services.store, services.clock, wanted))
    fields = (
        parts.Field("q", "Part of the number or coupon", value=asked["q"]),
        *await parts.party_filters(visit, asked, "merchant", "affiliate"),
        parts.mode_filter(asked),
    )
    columns = ("Order", "Ordered", "Merchant", "Order total", "Confidence", "Affiliate", "Commission")
    empty = "No order waits for a decision." if review else nothing_of("order", found)
    names = await names_of_affiliates(visit.services.store, {each.candidate_id or "" for each in found.entries})
    rows = [_row(each, names) for each in found.entries]
    listing = parts.Listing(title, columns, rows, empty, *beside(address, found, asked), places=PLACES)
    return parts.show_list(visit, parts.ListPage(title, address, listing, filters=fields), faults)


def _row(each: ConversionRecord, names: Mapping[str, str]) -> tuple[parts.Cell, ...]:
    commission, candidate = each.commission, each.candidate_id
    earner = each.affiliate_id or candidate
    return (
        parts.link(each.external_order_id, f"{HERE}/{each.id}", each.mode),
        parts.at(each.ordered_at),
        parts.link(each.merchant_name, f"/operator/merchants/{each.merchant_id}"),
        parts.money(each.order_amount, each.currency),
        parts.state(each.confidence, each.reason.replace("_", " ")),
        parts.text("")
        if earner is None
        else parts.link(
            each.affiliate_name or names.get(earner, earner),
            f"/operator/affiliates/{earner}",
            "" if each.affiliate_id else "candidate",
        ),
        parts.text("") if commission is None else parts.money(commission.amount, commission.currency),
    )


@PAGES.get(ONE)
async def show_one(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show one order: its commission and why, its facts, its thread."""
    services = visit.services
    found = await _found(visit)
    explained = await order_anywhere(services.store, found.id)
    details, moment = explained.details, services.clock()
    story = None
    if details.commission is not None:
        story = story_of(details, details.commission, explained.reasons, moment, explained.corrections)
    sections = [parts.Section("Order", _facts(found, explained.candidate_name))]
    if found.commission is not None:
        thread = await read_thread(services.store, services.clock, found.id, "operator")
        said = [f"{SIDES[each.author]}: {each.text}" for each in thread]
        sections.append(parts.Section("Messages", paragraphs=said or ["Nobody has written about this order."]))
    commission = found.commission
    now = commission.state if commission else found.review or found.confidence
    shown = parts.Shown(
        f"Order {found.external_order_id}", (HERE, "Orders"), now, sections=sections, forms=_forms(found)
    )
    if details.conversion.namesakes:
        shown = evolve(shown, forms=[*shown.forms, _separate(found)])
    return parts.show_object(
        visit,
        shown,
        status,
        faults,
        "operator/order.html",
        explained=explained,
        conversion=details.conversion,
        commission=details.commission,
        story=story,
        entries=entries_of(explained, story, moment),
        ends_at=explained.window_ends_at,
        reason=reason_of(explained),
    )


def _facts(found: ConversionRecord, candidate: str | None) -> list[tuple[str, parts.Cell]]:
    facts = [
        ("Id", parts.code(found.id)),
        ("Merchant", parts.link(found.merchant_name, f"/operator/merchants/{found.merchant_id}", found.mode)),
        ("Order total", parts.money(found.order_amount, found.currency)),
        ("Ordered", parts.at(found.ordered_at)),
        ("Reported", parts.at(found.received_at)),
        ("Confidence", parts.state(found.confidence, found.reason.replace("_", " "))),
        ("Click", parts.code(found.click_id)),
        ("Coupon", parts.text(found.coupon_code)),
        *_paid(found.commission),
        ("Message", parts.link(found.event_id, f"/operator/messages/{found.event_id}")),
        ("Activity", parts.link("Show", f"/operator/trail?subject={found.id}")),
    ]
    known = found.affiliate_name
    for name, party, words in (
        ("Affiliate", found.affiliate_id, known),
        ("Candidate", found.candidate_id, candidate),
    ):
        if party is not None:
            facts.insert(2, (name, parts.link(words or party, f"/operator/affiliates/{party}")))
    if found.sub_ids:
        facts.append(("Sub-ids", parts.text(", ".join(f"{name}={value}" for name, value in found.sub_ids.items()))))
    return facts


def _paid(commission: CommissionOfOrder | None) -> list[tuple[str, parts.Cell]]:
    if commission is None:
        return []
    return [("Commission", parts.code(commission.id)), ("Reference", parts.text(commission.payout_reference))]


def _separate(found: ConversionRecord) -> parts.Form:
    return parts.Form(
        f"{HERE}/{found.id}/separate", "Count it separately",
        hint="Another order came under this number, as after a restore. Each order then earns from its own click.",
        title="Other orders of this number",
    )  # fmt: skip


def _forms(found: ConversionRecord) -> list[parts.Form]:
    one, commission = f"{HERE}/{found.id}", found.commission
    if found.review == "OPEN":
        affiliate = parts.Field(
            "affiliate", "Affiliate", value=found.candidate_id or "", hint="Id, name or e-mail address."
        )
        campaign = parts.Field("campaign", "Campaign", hint="Id or code; without it that of the click.", optional=True)
        return [
            parts.Form(f"{one}/dismiss", "Dismiss", hint="Nobody earns from it."),
            parts.Form(
                f"{one}/attribute", "Attribute", (affiliate, campaign), "", title="Attribute it to an affiliate"
            ),
        ]
    if commission is None:
        return []
    forms = [
        parts.Form(f"{one}/messages", "Send", (parts.Field("text", "Message", "area"),), title="Write to the affiliate")
    ]
    if commission.state == "PAYABLE" and found.mode == "live":
        reference = parts.Field("reference", "Reference", hint="The transfer's reference.")
        forms.append(parts.Form(f"{one}/pay", "Mark as paid", (reference,), title="It was paid"))
    return forms


PAGES.extend(act_pages(ACTS, show_one, {
    f"{ONE}/attribute": ("attributeConversion", "attributed"),
    f"{ONE}/dismiss": ("dismissConversion", "dismissed"),
    f"{ONE}/messages": ("writeMessage", "sent"),
    f"{ONE}/separate": ("separateOrders", "separated"),
}, names=NAMES))  # fmt: skip
