"""The installed plugins as commands see them: first by a plugin host, so that none can end or hold up the command."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hub.cli.invocation import Fault, Invocation

if TYPE_CHECKING:
    from hub.domain.connectors.connector import Connector
    from hub.operations.system.plugin_reload import ServedPlugins
    from hub.plugin_host.catalog import Catalog
    from hub.plugin_host.registry import Registry
    from hub.plugin_host.sandbox import Protections


def installed_catalog(invocation: Invocation) -> Catalog:
    """Return what a plugin host finds; raise `HostUnavailable`."""
    return installed_plugins(invocation)[0]


def installed_plugins(invocation: Invocation) -> tuple[Catalog, Protections]:
    """Return what a plugin host finds, and what its process is closed in by; raise `HostUnavailable`."""
    from hub.operations.system.plugins import plugin_host_for

    async def ask() -> tuple[Catalog, Protections]:
        settings = invocation.settings()
        host = plugin_host_for(settings.plugins, settings.private_files, serves=False)
        try:
            return await host.catalog(), host.protections
        finally:
            await host.close()

    return asyncio.run(ask())


def plugins_of_servers(invocation: Invocation) -> list[ServedPlugins]:
    """Return what the serving processes have loaded; nothing if there is no database that says so."""
    from hub.clock import system_clock
    from hub.operations.system.plugin_reload import served_plugins
    from hub.storage import StoreError

    try:
        return invocation.with_store(lambda store: served_plugins(store, system_clock))
    except (Fault, StoreError):
        return []


def connector_in(registry: Registry, name: str) -> Connector:
    """Return a connector; raise `Fault` that says why it cannot be used, or which there are."""
    from hub.plugin_host.catalog import Catalog

    found = registry.named(name)
    if found is not None:
        return found
    aside = Catalog(set_aside=registry.set_aside).set_aside_for(name)
    if aside is not None:
        raise Fault(f"The connector {name!r} is set aside: {aside.sentence}.")
    known = ", ".join(connector.name for connector in registry.connectors)
    raise Fault(f"No connector {name!r} is installed. There are: {known}. `pip install -e FOLDER` installs your own.")
