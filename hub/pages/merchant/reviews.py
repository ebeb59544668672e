"""/merchant/reviews: orders whose click is not certain; each is attributed or dismissed, and that can be taken back."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.domain.words import BulkAct
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.orders.bulk_acts import MOST_AT_ONCE, PORTION, act_on_many, undo_portion
from hub.operations.orders.conversions import CONVERSIONS, OPEN_REVIEW
from hub.operations.orders.order_lists import list_orders
from hub.operations.orders.review_choices import is_of_account, possible_earners
from hub.operations.orders.review_undo import reopen_review
from hub.operations.orders.reviews import attribute_conversion, dismiss_conversion
from hub.pages.filter_chips import Filters
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.bulk import WORDS, outcome_of, shown_outcome, ticked
from hub.pages.order_words import REASONS
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/reviews"
FILTERS: Final = ("reason", "candidate")
NOBODY: Final = "-"
"""Stands for an order that nothing points to an affiliate of."""
CONVERSION_ID: Final = re.compile("cnv_[0-9a-f]{32}")
BULK_ID: Final = re.compile("blk_[0-9a-f]{32}")
DONE: Final = {"undone": "It is undone."}
PAGES: Final = RouteTable(merchant_page)


@PAGES.get("/merchant/reviews")
async def show_reviews(visit: MerchantVisit) -> web.StreamResponse:
    """Show the orders under review."""
    return await _reviews(visit)


@PAGES.post("/merchant/reviews")
async def decide_reviews(visit: MerchantVisit) -> web.StreamResponse:
    """Attribute or dismiss the orders that were ticked, each in a transaction of its own."""
    chosen = ticked(visit.form)
    if not chosen:
        return await _reviews(visit, 422, {"": "Select the orders first."})
    verdict = await _verdict(visit)
    if verdict is None:
        return await _reviews(visit, 422, {"affiliate": "Choose an affiliate who has a link to your shop."})
    services = visit.services
    act, do = verdict
    bulk_id = await act_on_many(services.store, services.clock, visit.account_id, act, chosen, do)
    return outcome_of(visit, HERE, bulk_id, Filters.of(HERE, visit.form, FILTERS).given)


@PAGES.post(f"{HERE}/all")
async def decide_all(visit: MerchantVisit) -> web.StreamResponse:
    """Attribute or dismiss all that match the filter, portion by portion, up to the newest that the list showed."""
    verdict, services, form = await _verdict(visit), visit.services, visit.form
    asked, upto = Filters.of(HERE, form, FILTERS), form.get("upto", "")
    if verdict is None:
        return await _reviews(visit, 422, {"affiliate": "Choose an affiliate who has a link to your shop."})
    if not _conversion(upto) or (form.get("at") and not _conversion(form["at"])):
        return await _reviews(visit, 422, {"": "Start again from the list."})
    if not await is_of_account(services.store, visit.account_id, upto):
        raise NotInAccount
    filters = {**_filters(asked), "since": f"{form.get('at', '')}~" if form.get("at") else None, "before": f"{upto}~"}
    wanted = Wanted(filters, limit=PORTION, oldest_first=True)
    page = await list_orders(services.store, visit.account_id, wanted, visit.mode)
    (act, do), seen = verdict, _number(form.get("seen", "")) + len(page.entries)
    ids = [each.conversion_id for each in page.entries]
    bulk_id = await act_on_many(
        services.store, services.clock, visit.account_id, act, ids, do, _bulk(form.get("bulk", ""))
    )
    if len(ids) < PORTION or seen >= MOST_AT_ONCE:
        return outcome_of(visit, HERE, bulk_id, asked.given)
    fields = {**asked.given, "verdict": form.get("verdict", ""), "affiliate": form.get("affiliate", ""), "upto": upto,
              "at": ids[-1], "seen": str(seen), "bulk": bulk_id}  # fmt: skip
    return visit.page(
        "merchant/bulk.html", address=f"{HERE}/all", back=HERE, fields=fields, seen=seen, words=WORDS[act]
    )


@PAGES.post(f"{HERE}/undo")
async def undo_decisions(visit: MerchantVisit) -> web.StreamResponse:
    """Take an act on many back, portion by portion."""
    bulk_id, services = visit.form.get("bulk", ""), visit.services
    try:
        more = await undo_portion(services.store, services.clock, visit.account_id, bulk_id)
    except OperatorFault as fault:
        return visit.page("fault.html", 422, title="It was not undone", text=fault.reason)
    if more:
        return visit.page(
            "merchant/bulk.html", address=f"{HERE}/undo", back=HERE, fields={"bulk": bulk_id}, seen=None, words="undone"
        )
    return see_other(f"{HERE}?{urlencode({'mode': visit.mode, 'bulk': bulk_id, 'done': 'undone'})}")


async def _verdict(visit: MerchantVisit) -> tuple[BulkAct, Callable[[str], Awaitable[None]]] | None:
    """Return what the form decides, None if it names an affiliate that has no link here."""
    if visit.form.get("verdict") == "dismiss":
        return "dismissed", partial(_dismiss, visit)
    affiliate = visit.form.get("affiliate", "")
    earners = {each.affiliate_id for each in await possible_earners(visit.services.store, visit.account_id)}
    if affiliate and affiliate not in earners:
        return None
    return "attributed", partial(_attribute, visit, affiliate or None)


def _filters(asked: Filters) -> dict[str, str | None]:
    return {"review": OPEN_REVIEW, "reason": asked.get("reason"), "candidate": asked.get("candidate")}


def _bulk(text: str) -> str | None:
    return text if BULK_ID.fullmatch(text) else None


def _conversion(text: str) -> bool:
    return CONVERSION_ID.fullmatch(text) is not None


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else 0


@PAGES.post("/merchant/orders/{order}/reopen")
async def reopen(visit: MerchantVisit) -> web.StreamResponse:
    """Take a decision back."""
    conversion_id = visit.path["order"]
    if not await is_of_account(visit.services.store, visit.account_id, conversion_id):
        raise NotInAccount
    try:
        await reopen_review(visit.services.store, visit.services.clock, conversion_id)
    except OperatorFault as fault:
        return visit.page("fault.html", 422, title="Nothing was undone", text=fault.reason)
    return see_other(f"/merchant/orders/{conversion_id}?mode={visit.mode}&done=reopened")


async def _dismiss(visit: MerchantVisit, conversion_id: str) -> None:
    await _require(visit, conversion_id)
    await dismiss_conversion(visit.services.store, visit.services.clock, conversion_id)


async def _attribute(visit: MerchantVisit, affiliate: str | None, conversion_id: str) -> None:
    """Attribute an order to an affiliate, to its candidate without one."""
    await _require(visit, conversion_id)
    services = visit.services
    chosen = affiliate or await _candidate(visit, conversion_id)
    shown = visit.form.get(f"candidate.{conversion_id}")
    if chosen is None:
        raise OperatorFault("nothing points to an affiliate; choose one.")
    if affiliate is None and shown is not None and shown != chosen:
        raise OperatorFault("its candidate has changed; check again.")
    await attribute_conversion(services.store, services.clock, services.policy, conversion_id, affiliate=chosen)


async def _candidate(visit: MerchantVisit, conversion_id: str) -> str | None:
    async with visit.services.store.read() as tx:
        row = await tx.one(
            "conversion_of_account", account_id=visit.account_id, conversion_id=conversion_id, external_order_id=None
        )
    return None if row is None else row["candidate_id"]


async def _require(visit: MerchantVisit, conversion_id: str) -> None:
    if not await is_of_account(visit.services.store, visit.account_id, conversion_id):
        raise OperatorFault("there is no such order.")


async def _reviews(visit: MerchantVisit, status: int = 200, faults: dict[str, str] | None = None) -> web.Response:
    asked = Filters.of(
        HERE, {**visit.query, **{name: visit.form[name] for name in FILTERS if name in visit.form}}, FILTERS
    )
    wanted = wanted_of(visit.visit, CONVERSIONS, _filters(asked))
    page = await list_orders(visit.services.store, visit.account_id, wanted, visit.mode)
    older, newer = beside(HERE, page, asked.given)
    earners = await possible_earners(visit.services.store, visit.account_id)
    reasons = {code: reason.words for code, reason in REASONS.items()}
    names = {NOBODY: "nobody", **{each.affiliate_id: each.name for each in earners}}
    return visit.page(
        "merchant/reviews.html",
        status,
        page=page,
        asked=asked,
        chips=asked.chips({"reason": "Why", "candidate": "Candidate"}, {**reasons, **names}),
        reasons=reasons,
        candidates=[("", "Any"), *names.items()],
        earners=[("", "Each order's own candidate"), *earners],
        faults=faults or {},
        said=DONE.get(visit.query.get("done", "")),
        most=MOST_AT_ONCE,
        newer=newer,
        older=older,
        **await shown_outcome(visit),
    )
