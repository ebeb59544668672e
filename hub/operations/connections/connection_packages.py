"""The file that a connector makes for the owner of a store, with the connection's address and secret in it."""

from __future__ import annotations

import json

from hub.domain.connectors.connector import PackageContext
from hub.domain.connectors.deliveries import secret_identity
from hub.operations.connections.connections import ConnectionAdmin, connection_row
from hub.operations.connections.connectors import connector_named
from hub.operations.errors import OperatorFault


async def package_connection(admin: ConnectionAdmin, connection_id: str) -> tuple[str, bytes]:
    """Return the name and the bytes of the file that the connector makes for the store owner.

    Raise `OperatorFault` if the connection is unknown or has no live secret, or its platform needs no file.
    """
    async with admin.store.read() as tx:
        row = await connection_row(tx, connection_id)
    connector = await connector_named(admin.plugins, row["connector"])
    if not connector.has_package:
        raise OperatorFault(
            f"{connector.title} needs no package.",
            command=f"`hub connection show {connection_id}` says what to do there.",
        )
    now = admin.clock()
    live = [each for each in json.loads(row["secrets"]) if each["expiresAt"] is None or each["expiresAt"] > now]
    if not live:
        raise OperatorFault(
            f"{connection_id} has no live secret; add one.",
            command=f"To add one: hub connection secret add {connection_id}",
        )
    newest = live[-1]
    secret = admin.sealer.open(newest["sealed"], secret_identity(connection_id, newest["id"])).decode()
    context = PackageContext(admin.url(connection_id), secret, f"{admin.root}/capture.js")
    return await admin.plugins.package(connector.name, context)
