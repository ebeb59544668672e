"""The connectors that an operator may name, and the options that they take."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from hub.domain.connectors.options import OptionsFault, split_options
from hub.domain.orders.catalog import url_fault
from hub.operations.errors import OperatorFault, unknown
from hub.plugin_host.catalog import Catalog, Declaration
from hub.plugin_host.translation import Plugins


async def connector_named(plugins: Plugins, name: str) -> Declaration:
    """Return an installed connector; raise `OperatorFault` that names the installed ones if there is none."""
    return named_in(await plugins.catalog(), name)


def named_in(catalog: Catalog, name: str) -> Declaration:
    """Return a connector of the catalog; raise `OperatorFault` that says why there is none."""
    connector = catalog.named(name)
    if connector is None:
        if (aside := catalog.set_aside_for(name)) is not None:
            raise OperatorFault(f"The connector {name!r} is set aside: {aside.sentence}.")
        names = ", ".join(sorted(each.name for each in catalog.connectors if each.connects)) or "none"
        raise unknown("connector", name, f"Installed with deliveries of their own: {names}.")
    return connector


async def checked_options(plugins: Plugins, connector: Declaration, pairs: Sequence[str]) -> Mapping[str, str]:
    """Return the options by name, checked against the connector's own class; raise `OperatorFault` for a bad one."""
    try:
        given = split_options(tuple(pairs))
    except OptionsFault as fault:
        raise OperatorFault(str(fault)) from None
    faults = await plugins.option_faults(connector.name, given) if given else []
    if faults:
        raise OperatorFault(" ".join(faults))
    return given


def refuse_foreign_addresses(options: Mapping[str, str], domains: str) -> None:
    """Raise `OperatorFault` for an option that is a web address on none of the merchant's approved `domains` (JSON).

    Every product with such an address would be refused, one by one.
    """
    for name, value in options.items():
        fault = url_fault(value, json.loads(domains)) if value.startswith(("https://", "http://")) else None
        if fault is not None:
            raise OperatorFault(f"The option {name} {fault}.")
