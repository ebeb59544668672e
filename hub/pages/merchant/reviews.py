"""/merchant/reviews: orders whose click is not certain; each is attributed or dismissed, and that can be taken back."""

from __future__ import annotations

from functools import partial

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.orders.conversions import CONVERSIONS, OPEN_REVIEW
from hub.operations.orders.order_lists import list_orders
from hub.operations.orders.review_choices import is_of_account, possible_earners
from hub.operations.orders.review_undo import reopen_review
from hub.operations.orders.reviews import attribute_conversion, dismiss_conversion
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.bulk import for_each, ticked
from hub.pages.order_words import REASONS
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.visit import Page


def review_pages() -> list[Page]:
    """Return the pages."""
    return [
        merchant_page("GET", "/merchant/reviews", show_reviews),
        merchant_page("POST", "/merchant/reviews", decide_reviews),
        merchant_page("POST", "/merchant/orders/{order}/reopen", reopen),
    ]


async def show_reviews(visit: MerchantVisit) -> web.StreamResponse:
    """Show the orders under review."""
    return await _reviews(visit)


async def decide_reviews(visit: MerchantVisit) -> web.StreamResponse:
    """Attribute or dismiss the orders that were ticked, each in a transaction of its own."""
    chosen, form = ticked(visit.form), visit.form
    if not chosen:
        return await _reviews(visit, 422, {"": "Tick the orders that it is about."})
    earners = {each.affiliate_id for each in await possible_earners(visit.services.store, visit.account_id)}
    affiliate = form.get("affiliate", "")
    if form.get("verdict") == "dismiss":
        outcome = await for_each(chosen, partial(_dismiss, visit))
        said = outcome.words("dismissed; open an order to take that back")
    elif affiliate in earners or affiliate == "":
        outcome = await for_each(chosen, partial(_attribute, visit, affiliate or None))
        said = outcome.words("attributed; open an order to take that back, until it is paid")
    else:
        return await _reviews(visit, 422, {"affiliate": "Choose an affiliate with a link of yours."})
    return await _reviews(visit, said=said)


async def reopen(visit: MerchantVisit) -> web.StreamResponse:
    """Take a decision back."""
    conversion_id = visit.path["order"]
    if not await is_of_account(visit.services.store, visit.account_id, conversion_id):
        raise NotInAccount
    try:
        await reopen_review(visit.services.store, visit.services.clock, conversion_id)
    except OperatorFault as fault:
        return visit.page("fault.html", 422, title="Nothing was taken back", text=str(fault))
    return see_other(f"/merchant/orders/{conversion_id}?mode={visit.mode}&done=reopened")


async def _dismiss(visit: MerchantVisit, conversion_id: str) -> None:
    await _require(visit, conversion_id)
    await dismiss_conversion(visit.services.store, visit.services.clock, conversion_id)


async def _attribute(visit: MerchantVisit, affiliate: str | None, conversion_id: str) -> None:
    """Attribute an order to an affiliate, to its candidate without one."""
    await _require(visit, conversion_id)
    services = visit.services
    chosen = affiliate or visit.form.get(f"candidate.{conversion_id}", "")
    if not chosen:
        raise OperatorFault("nothing points to an affiliate; choose one.")
    if affiliate is None and not await _is_candidate(visit, conversion_id, chosen):
        raise OperatorFault("its candidate has changed; check again.")
    await attribute_conversion(services.store, services.clock, services.policy, conversion_id, affiliate=chosen)


async def _is_candidate(visit: MerchantVisit, conversion_id: str, affiliate_id: str) -> bool:
    async with visit.services.store.read() as tx:
        row = await tx.one(
            "conversion_of_account", account_id=visit.account_id, conversion_id=conversion_id, external_order_id=None
        )
    return row is not None and row["candidate_id"] == affiliate_id


async def _require(visit: MerchantVisit, conversion_id: str) -> None:
    if not await is_of_account(visit.services.store, visit.account_id, conversion_id):
        raise OperatorFault("there is no such order.")


async def _reviews(
    visit: MerchantVisit, status: int = 200, faults: dict[str, str] | None = None, said: str | None = None
) -> web.Response:
    wanted = wanted_of(visit.visit, CONVERSIONS, {"review": OPEN_REVIEW})
    page = await list_orders(visit.services.store, visit.account_id, wanted, visit.mode)
    older, newer = beside("/merchant/reviews", page, {})
    earners = await possible_earners(visit.services.store, visit.account_id)
    return visit.page(
        "merchant/reviews.html",
        status,
        page=page,
        reasons={code: reason.words for code, reason in REASONS.items()},
        earners=[("", "Each order's own candidate"), *earners],
        faults=faults or {},
        said=said,
        newer=newer,
        older=older,
    )
