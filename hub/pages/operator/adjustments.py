"""/operator/adjustments: corrections of affiliates' balances, proposed by one person and approved by another."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Final

from aiohttp import web
from attrs import evolve

from hub.domain.words import ADJUSTMENT_STATUSES
from hub.ids import new_id
from hub.operations.errors import OperatorFault
from hub.operations.money.books.adjustments import (
    ADJUSTMENTS,
    AdjustmentDocument,
    ListedAdjustment,
    adjustments_part,
    approve_adjustment,
    create_adjustment,
    reject_adjustment,
    show_adjustment,
)
from hub.operations.users.actor_names import names_of_actors
from hub.pages.form_faults import NO_FAULTS
from hub.pages.markup import status_word
from hub.pages.money_words import ADJUSTMENT_KINDS, words_of
from hub.pages.operator import parts
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/adjustments"
STATES: Final = tuple((each, status_word(each)) for each in ADJUSTMENT_STATUSES)
CREATE: Final = parts.Form(
    HERE,
    "Propose it",
    (
        parts.Field("affiliate", "Affiliate", hint="Choose one, or type an id, name or e-mail address."),
        parts.Field("merchant", "Merchant", hint="The account that is charged: choose it like the affiliate."),
        parts.Field("mode", "Account", "choice", options=parts.MODES),
        parts.Field("amount", "Amount", hint="Such as 3.00, or -3.00 to take money back."),
        parts.Field("currency", "Currency", hint="Like EUR."),
        parts.Field("reason", "Reason", hint="The affiliate sees it on the statement."),
    ),
    tone="",
    title="Propose a correction or a bonus",
    hint="Another administrator must approve it. It is then part of the next payout.",
)
ONE: Final = f"{HERE}/{{adjustment}}"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.post(HERE)
async def propose(visit: Visit) -> web.StreamResponse:
    """Propose a correction as the form says; the same form sent twice makes one."""
    form, services = visit.form, visit.services
    try:
        made = await create_adjustment(
            services.store,
            services.clock,
            affiliate=form.get("affiliate", ""),
            account=f"{form.get('merchant', '')}:{form.get('mode', '')}",
            amount=form.get("amount", "").strip(),
            currency=form.get("currency", ""),
            reason=form.get("reason", ""),
            adjustment_id=form.get("id", ""),
        )
    except OperatorFault as fault:
        return await show_adjustments(visit, {"": fault.reason})
    return see_other(f"{HERE}/{made['id']}?done=proposed")


@PAGES.post(f"{ONE}/approve")
async def approve(visit: Visit) -> web.StreamResponse:
    """Approve a correction that another person proposed."""
    services = visit.services
    approving = partial(approve_adjustment, services.store, services.clock, services.settings.payouts)
    return await _decide(visit, approving, "approved")


@PAGES.post(f"{ONE}/reject")
async def reject(visit: Visit) -> web.StreamResponse:
    """Reject a correction that was proposed."""
    rejecting = partial(reject_adjustment, visit.services.store, visit.services.clock)
    return await _decide(visit, rejecting, "rejected")


async def _decide(visit: Visit, decide: Callable[..., Awaitable[AdjustmentDocument]], word: str) -> web.StreamResponse:
    one, services = f"{HERE}/{visit.path['adjustment']}", visit.services
    note = visit.form.get("note", "").strip()
    found = await show_adjustment(services.store, visit.path["adjustment"])
    if not note and (word == "rejected" or found["kind"] == "refund"):
        return await show_one(visit, 422, {"": "Say why. The reason is kept in the trail."})
    try:
        await decide(found["id"], note or None)
    except OperatorFault as fault:
        return await show_one(visit, 422, {"": fault.reason})
    return see_other(f"{one}?done={word}")


@PAGES.get(HERE)
async def show_adjustments(visit: Visit, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the corrections that match the filters of the address, newest first, and the form for one more."""
    asked = parts.asked_for(visit, "status", "merchant", "affiliate", "mode")
    found, unknown = await parts.read_list(adjustments_part(visit.services.store, wanted_of(visit, ADJUSTMENTS, asked)))
    rows = [
        (
            parts.link(words_of(ADJUSTMENT_KINDS, each["kind"]), f"{HERE}/{each['id']}", each["id"]),
            parts.state(each["status"]),
            parts.link(each["affiliateName"] or each["affiliateId"], f"/operator/affiliates/{each['affiliateId']}"),
            parts.text(each["reason"]),
            parts.at(each["createdAt"]),
            parts.money(each["amount"], each["currency"]),
        )
        for each in found.entries
    ]
    columns = ("Correction", "State", "Affiliate", "Reason", "When", "Amount")
    parties = await parts.party_filters(visit, asked, "affiliate", "merchant")
    filters = (
        parts.Field("status", "State", "choice", asked["status"], options=STATES),
        *parties,
        parts.mode_filter(asked),
    )
    none = "There are no corrections yet: a refund after a payout makes one, and so do administrators."
    empty = nothing_of("correction", found) if any(asked.values()) else none
    listing = parts.Listing("Corrections", columns, rows, empty, *beside(HERE, found, asked))
    by_hand = visit.services.settings.payouts.adjustments == "by_hand"
    how = "an administrator approves each" if by_hand else "each is part of the next payout automatically"
    lead = f"A refund after the payout takes money back from the next one: {how}, as the settings say."
    page = parts.ListPage(
        "Corrections",
        HERE,
        listing,
        lead,
        filters,
        _create(visit, parties),
        more=(("Affiliates' debts", "/operator/debts"),),
    )
    return parts.show_list(visit, page, {**unknown, **faults})


def _create(visit: Visit, parties: Iterable[parts.Field]) -> parts.Form | None:
    if not visit.may(HERE):
        return None
    form, given = parts.filled(CREATE, visit.form), visit.form.get("id") or new_id("adj")
    offered = {each.name: each.options for each in parties}
    fields = [evolve(each, options=offered.get(each.name, each.options)) for each in form.fields]
    return evolve(form, fields=(*fields, _hidden("id", given)))


def _hidden(name: str, value: str) -> parts.Field:
    return parts.Field(name, "", "hidden", value)


@PAGES.get(ONE)
async def show_one(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show a correction with where it comes from, and to an administrator what to decide."""
    services = visit.services
    found = await show_adjustment(services.store, visit.path["adjustment"])
    names = await names_of_actors(services.store, [found["createdBy"], found["decidedBy"]])
    decided_by, whose, run = names.get(found["decidedBy"] or "", ""), found["affiliateId"], found["payoutId"]
    facts = (
        ("Id", parts.code(found["id"])),
        ("Amount", parts.money(found["amount"], found["currency"])),
        ("Reason", parts.text(found["reason"])),
        ("Kind", parts.text(words_of(ADJUSTMENT_KINDS, found["kind"]))),
        ("Affiliate", parts.link(found["affiliateName"] or whose, f"/operator/affiliates/{whose}")),
        ("Account", parts.code(found["accountId"])),
        ("Order", parts.text(found["externalOrderId"])),
        ("Commission", parts.code(found["commissionId"])),
        ("Paid under", parts.code(found["paidReference"])),
        ("Proposed", parts.at(found["createdAt"])),
        ("By", parts.text(names.get(found["createdBy"]))),
        ("Decided", parts.at(found["decidedAt"])),
        ("Decided by", parts.text(decided_by)),
        ("Part of", parts.link(run, f"/operator/payouts/{run}") if run else parts.text("")),
    )
    links = [("Activity", f"/operator/trail?subject={found['id']}")]
    if found["commissionId"]:
        links.append(("Its entries", f"/operator/ledger?commission={found['commissionId']}"))
    title = f"{'TEST correction' if found['mode'] == 'test' else 'Correction'} of {found['amount']} {found['currency']}"
    lead = "Test data: nobody is paid." if found["mode"] == "test" else ""
    section = parts.Section("Where it comes from", facts, links=links)
    shown = parts.Shown(title, (HERE, "Corrections"), found["status"], lead, (section,), _forms(visit, found))
    return parts.show_object(visit, shown, status, faults)


def _forms(visit: Visit, found: ListedAdjustment) -> list[parts.Form]:
    if found["status"] != "PROPOSED" or not visit.may(HERE):
        return []
    one, needed = f"{HERE}/{found['id']}", found["kind"] == "refund"
    why = parts.Field(
        "note", "Why", hint="It is kept in the trail.", optional=not needed, value=visit.form.get("note", "")
    )
    proposed_it = found["createdBy"] == visit.person.user_id
    hint = "You proposed it, so another administrator approves it." if proposed_it else ""
    return [
        parts.Form(f"{one}/approve", "Approve", (why,), "", title="Approve it", hint=hint),
        parts.Form(f"{one}/reject", "Reject", (evolve(why, optional=False),), "danger", title="Reject it"),
    ]
