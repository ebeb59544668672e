"""/merchant/connections: stores connected, with their steps, secrets, health and last deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from aiohttp import web

from hub.operations.connections.connection_check import check_connection
from hub.operations.connections.connection_documents import connector_steps
from hub.operations.connections.connection_packages import package_connection
from hub.operations.connections.connections import (
    ConnectionAdmin,
    NewConnection,
    add_secret,
    close_connection,
    create_connection,
    expire_secret,
    list_connections,
)
from hub.operations.connections.platform_access import leave_platform
from hub.operations.connections.platform_view import show_platform
from hub.operations.errors import OperatorFault
from hub.operations.orders.deliveries import newest_deliveries
from hub.operations.orders.events import replay_event
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.rendering import HEADERS, see_other
from hub.pages.route_table import RouteTable
from hub.pages.spoken import spoken
from hub.plugin_host.catalog import Declaration
from hub.records.connections import ConnectionDocument

HERE: Final = "/merchant/connections"
DONE: Final = {
    "created": "The connection is created. Now follow the steps in your store.",
    "secret": "The secret is added. The old ones keep working until you expire them.",
    "ended": "The secret will expire.",
    "closed": "The connection is closed: its deliveries are refused.",
    "replayed": "The delivery is being processed again.",
    "given": "The platform accepted the credentials. The hub is now reading what the store already has.",
    "forgotten": "The credentials are deleted. The hub now only receives what the store sends.",
    "asked": "The store is being read.",
    "looked": "All webhooks are in place.",
    "fetching": "What was waiting is being fetched now.",
    "last-look": "Saved. It applies from now on.",
}
OPTION: Final = "option-"
COUNTED: Final = 2_000
"""How many of the newest deliveries the page counts: a store may have sent millions."""
MOST_CHECKED: Final = 20
"""How many connections of a list have their health beside them; few merchants have more than one store."""
ONE: Final = f"{HERE}/{{connection}}"
PAGES: Final = RouteTable(merchant_page)


@PAGES.post(HERE)
async def create(shown: MerchantVisit) -> web.StreamResponse:
    """Connect a store, and lead on to what there is to do on its platform."""
    form = shown.form
    options = [f"{name.removeprefix(OPTION)}={text}" for name, text in form.items() if name.startswith(OPTION) and text]
    secret = shown.form.get("secret", "").strip()
    wanted = NewConnection(
        merchant_id=shown.merchant_id,
        mode=shown.mode,
        connector=form.get("connector", ""),
        secrets=(secret,) if secret else (),
        options=options,
        title=form.get("title") or None,
    )
    admin = await admin_of(shown)
    try:
        made = await create_connection(admin, wanted)
    except OperatorFault as fault:
        return await show(shown, 422, {"": fault.reason})
    if made["secret"] is not None:
        document = await document_of(shown, admin, made["id"])
        await _show_secret(shown, document.secrets[-1].id)
    return see_other(f"{HERE}/{made['id']}?done=created")


@PAGES.get(ONE)
async def show_one(shown: MerchantVisit) -> web.StreamResponse:
    """Show one connection."""
    return await connection_page(shown, 200, {})


@PAGES.post(f"{ONE}/secrets")
async def new_secret(shown: MerchantVisit) -> web.StreamResponse:
    """Add a secret beside those that are live."""
    admin = await admin_of(shown)
    here = f"{HERE}/{(await document_of(shown, admin, shown.path['connection'])).id}"
    try:
        added = await add_secret(admin, shown.path["connection"], shown.form.get("secret", "").strip() or None)
    except OperatorFault as fault:
        return await connection_page(shown, 422, {"secret": fault.reason})
    if added["secret"] is not None:
        await _show_secret(shown, added["secretId"])
    return see_other(f"{here}?done=secret")


@PAGES.post(f"{ONE}/secrets/end")
async def end_secret(shown: MerchantVisit) -> web.StreamResponse:
    """End a secret after a while."""
    admin = await admin_of(shown)
    document = await document_of(shown, admin, shown.path["connection"])
    act = expire_secret(admin, document.id, shown.form.get("secretId", ""), shown.form.get("after") or None)
    return await done_or_refused(act, f"{HERE}/{document.id}?done=ended", partial(connection_page, shown, 422))


@PAGES.post(f"{ONE}/package")
async def package(shown: MerchantVisit) -> web.StreamResponse:
    """Send the file that is installed in the store; it has the secret in it."""
    admin = await admin_of(shown)
    document = await document_of(shown, admin, shown.path["connection"])
    try:
        name, content = await package_connection(admin, document.id)
    except OperatorFault as fault:
        return await connection_page(shown, 422, {"": fault.reason})
    headers = {**HEADERS, "Content-Type": "application/zip", "Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(body=content, headers=headers)


@PAGES.post(f"{ONE}/replay")
async def replay(shown: MerchantVisit) -> web.StreamResponse:
    """Have one of the newest deliveries decided again."""
    services, admin = shown.services, await admin_of(shown)
    document = await document_of(shown, admin, shown.path["connection"])
    event_id = shown.form.get("event", "")
    deliveries = await newest_deliveries(services.store, shown.account_id, document.id)
    if event_id not in [each.event_id for each in deliveries]:
        raise NotInAccount
    act = replay_event(services.store, services.clock, event_id)
    then = f"{HERE}/{document.id}?done=replayed#deliveries"
    return await done_or_refused(act, then, partial(connection_page, shown, 422))


@PAGES.get(f"{ONE}/close", viewers=False)
async def ask_to_close(shown: MerchantVisit) -> web.StreamResponse:
    """Say what closing does, before it is done."""
    document = await document_of(shown, await admin_of(shown), shown.path["connection"])
    return shown.page("merchant/connection_close.html", connection=document)


@PAGES.post(f"{ONE}/close")
async def close(shown: MerchantVisit) -> web.StreamResponse:
    """Close a connection."""
    admin = await admin_of(shown)
    document = await document_of(shown, admin, shown.path["connection"])
    await leave_platform(shown.services.platforms, document.id)
    await close_connection(admin, document.id)
    return see_other(f"{HERE}?done=closed")


async def admin_of(shown: MerchantVisit) -> ConnectionAdmin:
    """Return what acts on connections."""
    services = shown.services
    root = (await services.root()).rstrip("/")
    return ConnectionAdmin(services.store, services.sealer, services.plugins, services.clock, root)


async def document_of(shown: MerchantVisit, admin: ConnectionAdmin, connection_id: str) -> ConnectionDocument:
    """Return a connection of the account that is shown; raise `NotInAccount` for any other."""
    for each in await list_connections(admin, shown.merchant_id):
        if each.id == connection_id and each.mode == shown.mode:
            return each
    raise NotInAccount


async def _show_secret(shown: MerchantVisit, secret_id: str) -> None:
    if shown.visit.session is not None:
        await shown.services.fresh_secrets.show(shown.visit.session.session_id, secret_id)


def _steps(connector: Declaration, document: ConnectionDocument, secret: str | None) -> list[str]:
    return [spoken(each) for each in connector_steps(connector, document.id, document.url, secret)]


async def _connectors(admin: ConnectionAdmin) -> list[Declaration]:
    """Return what a store can be connected by, in the order of their titles."""
    found = [each for each in (await admin.plugins.catalog()).connectors if each.connects]
    return sorted(found, key=lambda each: each.title.casefold())


@PAGES.get(HERE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the connections, the platforms to choose from, and the form of the chosen one."""
    admin = await admin_of(shown)
    given = dict(shown.form or shown.query)
    connectors = await _connectors(admin)
    listed = [each for each in await list_connections(admin, shown.merchant_id) if each.mode == shown.mode]
    titles = {each.name: each.title for each in connectors}
    healths = {each.id: await _health(admin, each) for each in listed[:MOST_CHECKED] if each.status == "ACTIVE"}
    return shown.page(
        "merchant/connections.html",
        status,
        connections=listed,
        healths=healths,
        connectors=connectors,
        titles=titles,
        chosen=next((each for each in connectors if each.name == given.get("connector")), None),
        given=given,
        faults=faults,
        done=DONE.get(shown.query.get("done", "")),
    )


async def _health(admin: ConnectionAdmin, each: ConnectionDocument) -> str:
    """Return what is wrong first with a connection, or that nothing is."""
    problems = (await check_connection(admin, each.id, newest=COUNTED)).problems
    return spoken(problems[0]) if problems else "Everything works."


async def connection_page(shown: MerchantVisit, status: int, faults: Mapping[str, str]) -> web.Response:
    """Return the page of a connection; `faults` are of the form that was sent."""
    admin, services, session = await admin_of(shown), shown.services, shown.visit.session
    document = await document_of(shown, admin, shown.path["connection"])
    connector = (await admin.plugins.catalog()).named(document.connector)
    secret = (
        await services.fresh_secrets.of_connection(session.session_id, admin, document.id)
        if session is not None and shown.is_owner
        else None
    )
    checked = await check_connection(admin, document.id, newest=COUNTED)
    return shown.page(
        "merchant/connection.html",
        status,
        connection=checked,
        problems=[spoken(each) for each in checked.problems],
        connector=connector,
        secret=secret,
        counted=COUNTED,
        steps=[] if connector is None else _steps(connector, document, secret),
        platform=await show_platform(services.platforms, document.id),
        deliveries=await newest_deliveries(services.store, shown.account_id, document.id),
        faults=faults,
        done=DONE.get(shown.query.get("done", "")),
    )
