"""/merchant/connections/{connection}: what the hub asks of a store's platform, and the way back from its own page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.connections.consents import RETURN_PATH, begin_consent, return_from_platform
from hub.operations.connections.last_looks import set_last_look
from hub.operations.connections.platform_access import (
    ask_for_read,
    delete_credentials,
    fetch_again,
    give_credentials,
    look_at_webhooks,
)
from hub.operations.errors import InvalidFields, OperatorFault
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.acts import Again, done_or_refused
from hub.pages.merchant.connections import HERE, admin_of, connection_page, document_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.spoken import spoken

CREDENTIAL: Final = "credential-"
CONSENT: Final = "consent-"
KINDS: Final = ("RECONCILIATION", "CATALOGUE")
ONE: Final = f"{HERE}/{{connection}}"
PAGES: Final = RouteTable(merchant_page)


@PAGES.post(f"{ONE}/credentials")
async def credentials(shown: MerchantVisit) -> web.StreamResponse:
    """Check and keep the credentials that were typed."""
    here = await _here(shown)
    typed = _typed(shown, CREDENTIAL)
    act = give_credentials(shown.services.platforms, shown.path["connection"], typed)
    return await done_or_refused(act, f"{here}?done=given#platform", _again(shown, CREDENTIAL))


@PAGES.post(f"{ONE}/credentials/delete")
async def forget(shown: MerchantVisit) -> web.StreamResponse:
    """Delete the credentials, and the webhooks on the platform."""
    here = await _here(shown)
    act = delete_credentials(shown.services.platforms, shown.path["connection"])
    return await done_or_refused(act, f"{here}?done=forgotten#platform", _again(shown))


@PAGES.post(f"{ONE}/consent")
async def consent(shown: MerchantVisit) -> web.StreamResponse:
    """Lead to the platform's page on which the owner agrees."""
    here = await _here(shown)
    typed = _typed(shown, CONSENT)
    try:
        url = await begin_consent(shown.services.platforms, shown.path["connection"], _user(shown), typed)
    except InvalidFields as invalid:
        return await _again(shown, CONSENT)(invalid.faults)
    except OperatorFault as fault:
        return await _again(shown)({"": fault.reason})
    return shown.page("merchant/consent.html", url=url, back=here)


@PAGES.get(RETURN_PATH, viewers=False)
async def returned(shown: MerchantVisit) -> web.StreamResponse:
    """Take what the platform's page hands over, and lead back to the connection."""
    query = list(shown.query.items())
    if "state" not in shown.query:
        text = "A store leads back to this page after its owner agreed. Begin on the page of a connection."
        return shown.visit.page("fault.html", title="No store has led here", text=text)
    try:
        connection_id = await return_from_platform(shown.services.platforms, query, _user(shown))
    except OperatorFault as fault:
        return shown.page("merchant/consent_refused.html", 422, text=spoken(fault.reason))
    return see_other(f"{HERE}/{connection_id}?done=given#platform")


@PAGES.post(f"{ONE}/read")
async def read(shown: MerchantVisit) -> web.StreamResponse:
    """Have the orders that changed read, or all products."""
    here = await _here(shown)
    kind = shown.form.get("kind", "")
    act = ask_for_read(
        shown.services.platforms, shown.path["connection"], kind=kind if kind in KINDS else "RECONCILIATION"
    )
    return await done_or_refused(act, f"{here}?done=asked#platform", _again(shown))


@PAGES.post(f"{ONE}/webhooks")
async def webhooks(shown: MerchantVisit) -> web.StreamResponse:
    """Look at the webhooks, and make anew what is missing."""
    here = await _here(shown)
    act = look_at_webhooks(shown.services.platforms, shown.path["connection"])
    return await done_or_refused(act, f"{here}?done=looked#platform", _again(shown))


@PAGES.post(f"{ONE}/fetch")
async def fetch(shown: MerchantVisit) -> web.StreamResponse:
    """Fetch again what could not be fetched."""
    here = await _here(shown)
    act = fetch_again(shown.services.platforms, shown.path["connection"])
    return await done_or_refused(act, f"{here}?done=fetching#platform", _again(shown))


@PAGES.post(f"{ONE}/last-look")
async def last_look(shown: MerchantVisit) -> web.StreamResponse:
    """Say whether the store is asked for each order once more before its hold ends."""
    here, services = await _here(shown), shown.services
    look = shown.form.get("look", "")
    act = set_last_look(services.store, services.clock, shown.path["connection"], look)
    return await done_or_refused(act, f"{here}?done=last-look#platform", _again(shown))


async def _here(shown: MerchantVisit) -> str:
    """Return the address of a connection of the account that is shown; raise `NotInAccount` for any other."""
    return f"{HERE}/{(await document_of(shown, await admin_of(shown), shown.path['connection'])).id}"


def _typed(shown: MerchantVisit, prefix: str) -> dict[str, str]:
    return {name.removeprefix(prefix): text for name, text in shown.form.items() if name.startswith(prefix)}


def _again(shown: MerchantVisit, prefix: str = "") -> Again:
    async def again(faults: Mapping[str, str]) -> web.Response:
        named = {f"{prefix}{name}" if name else "": spoken(f"{fault.rstrip('.')}.") for name, fault in faults.items()}
        return await connection_page(shown, 422, named)

    return again


def _user(shown: MerchantVisit) -> str:
    session = shown.visit.session
    return "" if session is None else session.person.user_id
