"""/merchant/domains: added, proved and removed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.merchants.domains import DomainDocument, add_domain, list_domains, prove_domain, remove_domain
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.navigation import SET_UP
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/domains"
PAUSE_MS: Final = 10_000
"""The least time between two looks at a domain: nobody has the hub knock at another's door all day."""
DONE: Final = {
    "proved": "The domain is proved: links and products may lead there.",
    "removed": "The domain is removed.",
}
PAGES: Final = RouteTable(merchant_page)


@PAGES.post(HERE)
async def add(shown: MerchantVisit) -> web.StreamResponse:
    """Add a domain, and lead on to what it has to show."""
    services, text = shown.services, shown.form.get("domain", "")
    try:
        added = await add_domain(services.store, services.clock, shown.merchant_id, text)
    except OperatorFault as fault:
        return await show(shown, 422, {"domain": fault.reason})
    return see_other(f"{HERE}/{quote(added['domain'])}")


@PAGES.get(f"{HERE}/{{domain}}")
async def show_one(shown: MerchantVisit) -> web.StreamResponse:
    """Show how a domain is proved, or that it is."""
    return shown.page("merchant/domain.html", domain=await _found(shown), faults={}, done=_done(shown))


@PAGES.post(f"{HERE}/{{domain}}/prove")
async def prove(shown: MerchantVisit) -> web.StreamResponse:
    """Ask the domain for its token."""
    domain, services = await _found(shown), shown.services

    async def again(faults: Mapping[str, str]) -> web.Response:
        return shown.page("merchant/domain.html", 422, domain=await _found(shown), faults=faults, done=None)

    act = prove_domain(
        services.store, services.clock, services.proofs, shown.merchant_id, domain["domain"], pause_ms=PAUSE_MS
    )
    answer = await done_or_refused(act, f"{HERE}/{quote(domain['domain'])}?done=proved", again)
    after = await _found(shown)
    if after["approved"] and shown.sets_up:
        return see_other(f"{SET_UP}?done=proved")
    if after["approved"] or answer.status == 422:
        return answer
    return await again({"": after["fault"] or "The domain does not show the token yet."})


@PAGES.post(f"{HERE}/{{domain}}/remove")
async def remove(shown: MerchantVisit) -> web.StreamResponse:
    """Remove a domain; links that lead there end."""
    domain, services = await _found(shown), shown.services

    async def again(faults: Mapping[str, str]) -> web.Response:
        return shown.page("merchant/domain.html", 422, domain=domain, faults=faults, done=None)

    act = remove_domain(services.store, services.clock, shown.merchant_id, domain["domain"])
    return await done_or_refused(act, f"{HERE}?done=removed", again)


async def _found(shown: MerchantVisit) -> DomainDocument:
    for domain in await list_domains(shown.services.store, shown.merchant_id):
        if domain["domain"] == shown.path["domain"]:
            return domain
    raise NotInAccount


def _done(shown: MerchantVisit) -> str | None:
    return DONE.get(shown.query.get("done", ""))


@PAGES.get(HERE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show all domains and the form for one more."""
    domains = await list_domains(shown.services.store, shown.merchant_id)
    return shown.page("merchant/domains.html", status, domains=domains, faults=faults, done=_done(shown))
