"""Connections of stores, and their secrets."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from hub.acts.act import Act, ListOfEntries, get, post, put
from hub.acts.authority import ADMINS, OPERATORS, OWNERS, PROVED_OWNERS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import MODE, PAGED, needed, text, texts
from hub.operations.connections.connection_documents import (
    AddedSecret,
    CreatedConnection,
    ExpiredSecret,
)
from hub.operations.connections.connections import (
    NewConnection,
    add_secret,
    change_site,
    close_connection,
    connections_part,
    create_connection,
    expire_secret,
    keep_connection,
    show_connection,
)
from hub.operations.connections.platform_access import leave_platform
from hub.operations.system.erasures import KeptConnection
from hub.records.connections import ConnectionDocument, ConnectionWithSteps

MERCHANT: Final = text("The merchant's id.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84")


async def _connections(c: Call) -> Any:
    return answer(await connections_part(await c.connections(), wanted_of(c, "merchant")))


async def _create_connection(c: Call) -> Any:
    return await create_connection(await c.connections(), NewConnection(**c.body))


async def _show_connection(c: Call) -> Any:
    return await show_connection(await c.connections(), c.path["connection"])


async def _close(c: Call) -> Any:
    await leave_platform(evolve(c.services.platforms, store=c.store), c.path["connection"])
    return await close_connection(await c.connections(), c.path["connection"])


async def _keep(c: Call) -> Any:
    return await keep_connection(await c.connections(), c.path["connection"])


async def _site(c: Call) -> Any:
    return await change_site(await c.connections(), c.path["connection"], c.body.get("site"))


async def _add_secret(c: Call) -> Any:
    return await add_secret(await c.connections(), c.path["connection"], c.body.get("secret"))


async def _expire(c: Call) -> Any:
    admin, path = await c.connections(), c.path
    return await expire_secret(admin, path["connection"], path["secret"], c.body.get("after"))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/connections", "listConnections"), "List connections of stores", _connections,
        ListOfEntries(ConnectionDocument), query={"merchant": MERCHANT, **PAGED}),
    Act(post("/connections", "createConnection", 201), "Connect a store", _create_connection, CreatedConnection,
        body={"merchantId": needed(MERCHANT), "mode": needed(MODE),
              "connector": needed(text("The platform's connector.", "woocommerce")),
              "secrets": texts("The platform's secrets; without one the hub makes it.", "s3cret"),
              "options": texts("Options of the connector, name=value.", "shop=a.example"),
              "title": text("A name to recognise it by.", "Our shop")},
        trail=("connection.created",),
        by=(ADMINS, PROVED_OWNERS), commands=("connection create",), pages=("/merchant/connections",)),
    Act(get("/connections/{connection}", "getConnection"), "Show a connection", _show_connection,
        ConnectionWithSteps),
    Act(post("/connections/{connection}/close", "closeConnection"), "Close a connection", _close, ConnectionDocument,
        trail=("connection.closed",),
        by=(OPERATORS, OWNERS), commands=("connection close",),
        pages=("/operator/connections/{connection}/close", "/merchant/connections/{connection}/close")),
    Act(post("/connections/{connection}/keep", "keepConnection"), "Keep a store's data that was to be erased",
        _keep, KeptConnection, trail=("connection.erasure_revoked",),
        commands=("connection keep",), pages=("/operator/connections/{connection}/keep",)),
    Act(put("/connections/{connection}/site", "setConnectionSite"), "Bind a connection to a site, or to none", _site,
        ConnectionDocument, body={"site": text("The site; left out, the next message names it.", "shop.example")},
        trail=("connection.site_changed",),
        commands=("connection site",), pages=("/operator/connections/{connection}/site",)),
    Act(post("/connections/{connection}/secrets", "addConnectionSecret", 201),
        "Add a secret to a connection", _add_secret,
        AddedSecret, body={"secret": text("The platform's secret; without one the hub makes it.", "s3cret")},
        trail=("connection.secret-added",),
        by=(ADMINS, PROVED_OWNERS), commands=("connection secret add",),
        pages=("/merchant/connections/{connection}/secrets",)),
    Act(post("/connections/{connection}/secrets/{secret}/expire", "expireConnectionSecret"),
        "Expire a secret of a connection", _expire, ExpiredSecret,
        body={"after": text("How long it still works, like 24h.", "24h")}, trail=("connection.secret-expired",),
        by=(ADMINS, OWNERS), commands=("connection secret expire",),
        pages=("/merchant/connections/{connection}/secrets/end",)),
)  # fmt: skip
