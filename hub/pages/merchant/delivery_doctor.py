"""/merchant/logs/delivery: the signature doctor for what a store's platform signs in its own way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.domain.connectors.delivery_diagnosis import proof_words
from hub.operations.connections.connections import ConnectionAdmin, list_connections
from hub.operations.orders.delivery_doctor import (
    DeliveryOpinion,
    PastedDelivery,
    arrived_delivery,
    diagnose_pasted,
)
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.connections import admin_of, document_of
from hub.pages.route_table import RouteTable
from hub.plugin_host.catalog import Declaration
from hub.records.connections import ConnectionDocument

HERE: Final = "/merchant/logs/delivery"
FIELDS: Final = ("connection", "request", "headers", "body")
BLAMED: Final = {
    "header": "The problem is the header",
    "time": "The problem is the time",
    "encoding": "The problem is how the signature is written",
    "secret": "The problem is the secret",
    "body": "The problem is the body",
}
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(HERE)
async def show_form(shown: MerchantVisit) -> web.StreamResponse:
    """Show the form in which headers and body of a delivery are pasted."""
    return await _page(shown, 200, shown.query, None, {})


@PAGES.post(HERE, viewers=True)
async def ask(shown: MerchantVisit) -> web.StreamResponse:
    """Say what is wrong with a delivery that was pasted."""
    form, admin = shown.form, await admin_of(shown)
    connection = await document_of(shown, admin, form.get("connection", ""))
    connector = await _connector(admin, connection)
    if connector is None or connector.auth is None:
        return await _page(shown, 422, form, None, {"connection": "The connector of this connection is not loaded."})
    headers = read_headers(form.get("headers", ""))
    if not headers and connector.auth.header:
        fault = f"Paste the lines of the headers, such as {connector.auth.header}: …"
        return await _page(shown, 422, form, None, {"headers": fault})
    arrived = await arrived_delivery(shown.services.store, shown.account_id, form.get("request", ""))
    pasted = PastedDelivery(headers, form.get("body", ""))
    opinion = await diagnose_pasted(admin, shown.account_id, connection.id, connector.auth, pasted, arrived)
    return await _page(shown, 200, form, opinion, {})


def read_headers(text: str) -> dict[str, str]:
    """Read lines of "Name: value" by their names in lower case, the first of repeated ones; ignore other lines."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if colon and name.strip():
            found.setdefault(name.strip().lower(), value.strip())
    return found


async def _connector(admin: ConnectionAdmin, connection: ConnectionDocument) -> Declaration | None:
    return (await admin.plugins.catalog()).named(connection.connector)


async def _page(
    shown: MerchantVisit, status: int, given: Mapping[str, str], opinion: DeliveryOpinion | None,
    faults: Mapping[str, str],
) -> web.Response:  # fmt: skip
    admin = await admin_of(shown)
    listed = [each for each in await list_connections(admin, shown.merchant_id) if each.mode == shown.mode]
    known = {each.id: each for each in listed}
    if given.get("connection") and given["connection"] not in known:
        raise NotInAccount
    chosen = known.get(given.get("connection", ""), listed[0] if listed else None)
    connector = None if chosen is None else await _connector(admin, chosen)
    auth = None if connector is None else connector.auth
    request = given.get("request", "")
    return shown.page(
        "merchant/delivery.html",
        status,
        connections=listed,
        connection_names=[(each.id, f"{each.title or each.connector} ({each.id})") for each in listed],
        chosen=chosen,
        header=None if auth is None else auth.header,
        proof=None if auth is None else proof_words(auth),
        given={name: given.get(name, "") for name in FIELDS},
        arrived=await arrived_delivery(shown.services.store, shown.account_id, request) if request else None,
        opinion=opinion,
        blamed=BLAMED,
        faults=faults,
    )
