"""/merchant/affiliates: the partners, their figures, applications and invitations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.operations.affiliates.join_pages import join_page_of
from hub.operations.affiliates.memberships import Member, every_membership, set_membership
from hub.operations.campaigns.campaigns import list_campaigns
from hub.operations.errors import OperatorFault
from hub.operations.figures.partners import (
    PARTNERS,
    SORTS,
    STATES,
    USUAL_SORT,
    asked_partners,
    counted_partners,
    list_partners,
    partners_csv,
)
from hub.operations.lists import Wanted
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.bulk import for_each, ticked
from hub.pages.merchant.partner import HERE, PERIODS, days_of, whose
from hub.pages.paging import part_of
from hub.pages.rendering import HEADERS, see_other
from hub.pages.route_table import RouteTable
from hub.pages.sorting import sort_heads
from hub.people.partner_invitations import addresses_in, invite_partners, take_back_invitation

SORT_WORDS: Final = {
    "sales": "Most sales first",
    "sales-up": "Least sales first",
    "earned": "Most earned first",
    "earned-up": "Least earned first",
    "orders": "Most orders first",
    "orders-up": "Fewest orders first",
    "clicks": "Most clicks first",
    "clicks-up": "Fewest clicks first",
    "since": "Newest first",
    "since-up": "Oldest first",
    "name": "Name, A to Z",
    "name-down": "Name, Z to A",
}
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(f"{HERE}.csv")
async def download(shown: MerchantVisit) -> web.StreamResponse:
    """Download the partners of the view as CSV, all pages of them."""
    root = f"{(await shown.services.root()).rstrip('/')}{HERE}"
    lines = partners_csv(shown.services.store, whose(shown), _wanted(shown), root)
    kind = {"Content-Type": "text/csv; charset=utf-8", "Content-Disposition": 'attachment; filename="partners.csv"'}
    return web.Response(body=lines, headers={**HEADERS, **kind})


@PAGES.post(f"{HERE}/decide")
async def decide(shown: MerchantVisit) -> web.StreamResponse:
    """Approve or reject the applications that were ticked, each by itself."""
    verdict, chosen = shown.form.get("verdict", ""), ticked(shown.form)
    if verdict not in ("APPROVED", "REJECTED") or not chosen:
        return await show(shown, 422, {"": "Select the partners first."})
    reason = shown.form.get("reason", "").strip() or None
    outcome = await for_each(chosen, partial(_decide, shown, verdict, reason))
    counts = {"done": verdict, "n": outcome.done, "refused": len(outcome.refused)}
    return see_other(f"{HERE}?{urlencode({'mode': shown.mode, **counts})}")


@PAGES.post(f"{HERE}/invite")
async def invite(shown: MerchantVisit) -> web.StreamResponse:
    """Invite the addresses, and say what became of them."""
    services, form = shown.services, shown.form
    if shown.mode != "live":
        return await show_invite(shown, 422, {"": "Partners are invited to the live account."})
    try:
        emails = addresses_in(form.get("emails", ""))
        account = {"account_id": shown.account_id, "name": shown.name}
        done = await invite_partners(
            services.store, services.clock, services.outbox, await services.root(), account, emails,
            form.get("campaign") or None,
        )  # fmt: skip
    except OperatorFault as fault:
        return await show_invite(shown, 422, {"emails": fault.reason})
    return see_other(f"{HERE}?{urlencode({'mode': 'live', 'done': 'invited', **done})}")


@PAGES.post(f"{HERE}/invite/back")
async def take_back(shown: MerchantVisit) -> web.StreamResponse:
    """Void an invitation."""
    services = shown.services
    try:
        await take_back_invitation(services.store, services.clock, shown.account_id, shown.form.get("email", ""))
    except OperatorFault as fault:
        return await show(shown, 422, {"": fault.reason})
    return see_other(f"{HERE}?mode={shown.mode}&done=back")


async def _decide(shown: MerchantVisit, verdict: str, reason: str | None, affiliate_id: str) -> None:
    store = shown.services.store
    asked = {"account_id": shown.account_id, "affiliate_id": affiliate_id, "status": "APPLIED"}
    waiting = await every_membership(store, asked)
    if not waiting:
        raise OperatorFault("This partner is no longer waiting for a decision.")
    for each in waiting:
        member = Member(each.campaign_id, affiliate_id, shown.account_id)
        await set_membership(store, shown.services.clock, member, verdict, reason)


def _wanted(shown: MerchantVisit) -> Wanted:
    """Return what the address asks for of the partners."""
    query = shown.query
    state = query.get("state") if query.get("state") in STATES else None
    return asked_partners(whose(shown), query.get("sort", ""), state, query.get("q", ""))


def _address(query: Mapping[str, str]) -> Callable[..., str]:
    """Return what makes the address of this view with other values; an empty value is left out."""

    def address(path: str = HERE, **changes: object) -> str:
        kept = {name: query[name] for name in ("state", "q", "sort", "days") if query.get(name)}
        values = {name: value for name, value in {**kept, **changes}.items() if value}
        return f"{path}?{urlencode(values)}" if values else path

    return address


def _said(query: Mapping[str, str]) -> str | None:
    """Return what was done before this page, by the numbers in its address."""
    numbers = {name: int(text) for name in ("n", "refused", "mailed", "joined", "skipped")
               if (text := query.get(name, "")).isdecimal() and len(text) < 6}  # fmt: skip
    match query.get("done"):
        case "back":
            return "The invitation is withdrawn. Its link no longer works."
        case "APPROVED" | "REJECTED" as verdict:
            text = f"{numbers.get('n', 0)} {verdict.lower()}."
            return f"{text} {numbers['refused']} had been decided already." if numbers.get("refused") else text
        case "invited":
            parts = {"mailed": "invited by mail", "joined": "had an account here and are partners now",
                     "skipped": "skipped: three e-mails were sent to them today already"}  # fmt: skip
            return "; ".join(f"{numbers[name]} {words}" for name, words in parts.items() if numbers.get(name)) + "."
    return None


@PAGES.get(HERE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the partners."""
    store, of = shown.services.store, whose(shown)
    wanted = part_of(shown.visit, PARTNERS, _wanted(shown))
    page, counts = await list_partners(store, of, wanted), await counted_partners(store, of)
    address, state = _address(shown.query), shown.query.get("state")
    state = state if state in STATES else None
    sort = shown.query.get("sort", "")
    sort = sort if sort in SORTS else USUAL_SORT
    searched = bool(shown.query.get("q", "").strip())
    behind, ahead = (page.newer, page.older) if wanted.oldest_first else (page.older, page.newer)
    return shown.page(
        "merchant/affiliates.html",
        status,
        partners=page.entries,
        total=None if searched else counts[state] if state else sum(counts.values()),
        counts=counts,
        asked=shown.query,
        state=state,
        sort=sort,
        sorts=[(each, SORT_WORDS[each]) for each in SORTS],
        heads=sort_heads(SORTS, sort, lambda each: address(sort=each)),
        days=days_of(shown),
        periods=PERIODS,
        address=address,
        newer=address(cursor=ahead) if ahead else None,
        older=address(cursor=behind) if behind else None,
        currency=shown.merchant.currency,
        join=await join_page_of(store, shown.accounts["live"]),
        root=(await shown.services.root()).rstrip("/"),
        faults=faults,
        done=_said(shown.query),
    )


@PAGES.get(f"{HERE}/invite", viewers=False)
async def show_invite(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the form for a list of addresses."""
    services = shown.services
    every = await list_campaigns(services.store, services.clock, shown.merchant_id)
    campaigns = [each for each in every if each.mode == "live" and each.status == "ACTIVE"]
    return shown.page(
        "merchant/partner_invite.html", status, campaigns=campaigns, form=shown.form, faults=faults,
        mails=services.outbox.is_on,
    )  # fmt: skip
