"""Finds the plugins that are installed beside the hub, loads them, and sets those aside that cannot be used.

This runs plugins' code: in the plugin host's process and in a plugin author's tests, never in a server's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from types import MappingProxyType

import pluggy
from attrs import field, frozen

from hub.domain.connectors.connector import API_VERSION, Connector
from hub.plugin_host.catalog import SetAside
from hub.plugin_host.flaws import connector_flaws, undeclarable
from hub.plugin_host.hookspecs import PROJECT, HubHooks
from hub.plugin_host.places import raised_at, said

GROUP = "hub.plugins"
MOST_CONNECTORS = 100
"""One distribution declares at most this many connectors."""


class PluginFault(Exception):
    """Plugins that cannot be used; `faults` has a sentence for each that names its distribution and the mend."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@frozen
class Registry:
    """The connectors in the order in which they are asked (by rank, then name), and which distribution each is from."""

    connectors: tuple[Connector, ...]
    origins: Mapping[str, str] = field(factory=dict)
    set_aside: tuple[SetAside, ...] = ()

    def named(self, name: str) -> Connector | None:
        """Return the connector of that name, or None if none is installed."""
        return next((connector for connector in self.connectors if connector.name == name), None)


def load_registry() -> Registry:
    """Load every plugin of the entry-point group; raise `PluginFault` with all that is wrong with any of them."""
    registry = load_plugins()
    faults = list(dict.fromkeys(each.sentence for each in registry.set_aside))
    if faults:
        raise PluginFault(faults)
    return registry


Watch = Callable[[str], AbstractContextManager[object]]
"""What surrounds the loading of one distribution, given its name and version."""


def load_plugins(
    *, off: Sequence[str] = (), excluded: Mapping[str, str] = MappingProxyType({}), watch: Watch = nullcontext
) -> Registry:
    """Load every plugin that can be used, and set the others aside.

    `off` are names of distributions or entry points that are not loaded; `excluded` are distributions ("hub-acme 1.0")
    that are not loaded either, with why not.
    """
    declared: list[tuple[str, Connector]] = []
    set_aside: list[SetAside] = []
    for entry in sorted(plugin_entries(), key=lambda entry: (_origin(entry), entry.name)):
        origin = _origin(entry)
        if is_off(entry, off):
            set_aside.append(SetAside(origin, "is turned off by [plugins] off", (entry.name,), off=True))
        elif origin in excluded:
            set_aside.append(SetAside(origin, excluded[origin], (entry.name,)))
        else:
            try:
                with watch(origin):
                    declared += [(origin, connector) for connector in _declared(entry)]
            except PluginFault as fault:
                set_aside += [SetAside(origin, reason, (entry.name,)) for reason in fault.faults]
            except BaseException as error:  # noqa: BLE001 - a record may do anything when it is looked at
                set_aside.append(SetAside(origin, f"cannot be checked: {_told(error)}", (entry.name,)))
    return _without_clashes(declared, set_aside)


def plugin_entries() -> list[EntryPoint]:
    """Return the entry points of every plugin that is installed."""
    return list(entry_points(group=GROUP))


def is_off(entry: EntryPoint, off: Sequence[str]) -> bool:
    """Return whether a plugin is turned off, by its distribution's name in any spelling or its entry point's."""
    names = {_canonical(name) for name in off}
    distribution = "" if entry.dist is None else entry.dist.name
    return bool(names & {_canonical(entry.name), _canonical(distribution)})


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _without_clashes(declared: list[tuple[str, Connector]], set_aside: list[SetAside]) -> Registry:
    """Return the registry without the distributions that declare a name which another declares too."""
    clashing: set[str] = set()
    for name, owners in _clashes(declared):
        clashing |= set(owners)
        set_aside.append(
            SetAside(owners[0], f"and {owners[1]} both declare the connector {name!r}: uninstall or rename one of them",
                     (name,))
        )  # fmt: skip
    named = {name for each in set_aside for name in each.connectors}
    for origin in sorted(clashing):
        lost = tuple(c.name for owner, c in declared if owner == origin and c.name not in named)
        if lost:
            set_aside.append(SetAside(origin, "is set aside as a whole, since one of its names is taken twice", lost))
    kept = [(origin, connector) for origin, connector in declared if origin not in clashing]
    connectors = sorted((connector for _, connector in kept), key=lambda c: (c.rank, c.name))
    return Registry(tuple(connectors), {connector.name: origin for origin, connector in kept}, tuple(set_aside))


def _declared(entry: EntryPoint) -> list[Connector]:
    """Return one plugin's connectors; raise `PluginFault`, whose texts complete a sentence about its distribution."""
    given = _ask(_hook(entry))
    connectors = [each for each in given if isinstance(each, Connector)]
    faults = [
        f"gives a {type(each).__name__} from hub_connectors() where a Connector is due"
        for each in given
        if not isinstance(each, Connector)
    ]
    faults += [fault for connector in connectors for fault in connector_flaws(connector)]
    faults = faults or [fault for connector in connectors for fault in undeclarable(connector)]
    if faults:
        raise PluginFault(faults)
    return connectors


def _hook(entry: EntryPoint) -> Callable[[], object]:
    """Call the plugin's hub_connectors through a manager of its own, so that every fault has one owner."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(HubHooks)
    try:
        plugin = entry.load()
    except BaseException as error:
        newer = isinstance(error, ImportError) and error.name == "hub.api"
        mend = f"it is for a newer hub.api than {API_VERSION}: install a newer hub" if newer else "mend or uninstall it"
        raise PluginFault([f"cannot be imported: {_told(error)}; {mend}"]) from error
    try:
        manager.register(plugin)
        manager.check_pending()
    except (pluggy.PluginValidationError, ValueError) as error:
        fault = f"does not fit the hub's hooks, of which there is one, hub_connectors(): {_told(error)}"
        raise PluginFault([fault]) from error
    found = manager.hook.hub_connectors.get_hookimpls()
    if not found:
        raise PluginFault([f"has no hub_connectors function marked with hub.api.hookimpl in {entry.value}"])
    return found[0].function


def _ask(hook: Callable[[], object]) -> list[object]:
    try:
        given = hook()
        if isinstance(given, Iterable):
            return list(islice(given, MOST_CONNECTORS))
    except BaseException as error:
        raise PluginFault([f"fails in hub_connectors(): {_told(error)}"]) from error
    raise PluginFault([f"gives a {type(given).__name__} from hub_connectors() where a list is due"])


def _clashes(declared: list[tuple[str, Connector]]) -> Iterator[tuple[str, list[str]]]:
    """Yield each name that is declared more than once, with the distributions that declare it."""
    owners: dict[str, list[str]] = {}
    for origin, connector in declared:
        owners.setdefault(connector.name, []).append(origin)
    yield from ((name, found) for name, found in owners.items() if len(found) > 1)


def _origin(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value


def _told(error: BaseException) -> str:
    where = raised_at(error)
    return f"{said(error)} (at {where})" if where else said(error)
