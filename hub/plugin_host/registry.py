"""Finds the plugins that are installed beside the hub and holds the connectors they declare."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points

import pluggy
from attrs import field, frozen

from hub.domain.connector import (
    Body,
    Connector,
    FieldPlace,
    FixedPlace,
    HeaderPlace,
    HmacHeader,
    SecretHeader,
    Topic,
    Unmappable,
)
from hub.domain.options import options_flaws
from hub.plugin_host.hookspecs import PROJECT, HubHooks

GROUP = "hub.plugins"
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


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

    def for_webhook(self, body: Body) -> Connector:
        """The first connector that recognises a free-form body; raises `Unmappable` where none does."""
        for connector in self.connectors:
            if _recognised(connector, body):
                return connector
        raise Unmappable("no installed connector recognises the body; install hub-generic, which takes any")

    def named(self, name: str) -> Connector | None:
        """The connector of that name, or None where none is installed."""
        return next((connector for connector in self.connectors if connector.name == name), None)


def load_registry() -> Registry:
    """Loads every plugin of the entry-point group; raises `PluginFault` with all that is wrong with any of them."""
    faults: list[str] = []
    declared: list[tuple[str, Connector]] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (_origin(entry), entry.name)):
        try:
            declared += [(_origin(entry), connector) for connector in _declared(entry)]
        except PluginFault as fault:
            faults += fault.faults
    faults += _clashes(declared)
    if faults:
        raise PluginFault(faults)
    connectors = sorted((connector for _, connector in declared), key=lambda c: (c.rank, c.name))
    return Registry(tuple(connectors), {connector.name: origin for origin, connector in declared})


def _declared(entry: EntryPoint) -> list[Connector]:
    """The connectors of one plugin; raises `PluginFault`."""
    origin = _origin(entry)
    given = _ask(_hook(entry, origin), origin)
    connectors = [each for each in given if isinstance(each, Connector)]
    faults = [
        f"{origin} gives a {type(each).__name__} from hub_connectors() where a Connector is due"
        for each in given
        if not isinstance(each, Connector)
    ]
    faults += [f"{origin} {fault}" for connector in connectors for fault in _flaws(connector)]
    if faults:
        raise PluginFault(faults)
    return connectors


def _hook(entry: EntryPoint, origin: str) -> Callable[[], object]:
    """The plugin's hub_connectors, found through a manager of its own so that every fault has one owner."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(HubHooks)
    try:
        plugin = entry.load()
    except (Exception, SystemExit) as error:
        raise PluginFault([f"{origin} cannot be imported: {_said(error)}; mend or uninstall it"]) from error
    try:
        manager.register(plugin)
        manager.check_pending()
    except (pluggy.PluginValidationError, ValueError) as error:
        fault = f"{origin} does not fit the hub's hooks, of which there is one, hub_connectors(): {_said(error)}"
        raise PluginFault([fault]) from error
    found = manager.hook.hub_connectors.get_hookimpls()
    if not found:
        raise PluginFault([f"{origin} has no hub_connectors function marked with hub.api.hookimpl in {entry.value}"])
    return found[0].function


def _ask(hook: Callable[[], object], origin: str) -> list[object]:
    try:
        given = hook()
        if isinstance(given, Iterable):
            return list(given)
    except Exception as error:
        raise PluginFault([f"{origin} fails in hub_connectors(): {_said(error)}"]) from error
    raise PluginFault([f"{origin} gives a {type(given).__name__} from hub_connectors() where a list is due"])


def _flaws(connector: Connector) -> Iterator[str]:
    # A plugin need not be type-checked, so its record may hold anything.
    name: object = connector.name
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        yield (
            f"names a connector {name!r}: a name is up to 40 lower-case letters, digits, underscores and dashes, "
            "and begins with a letter"
        )
    if type(connector.rank) is not int:
        yield f"gives its connector {name!r} a rank that is no whole number"
    for part in ("recognises", "translate_webhook", "handshake", "is_test", "erasure"):
        if not callable(getattr(connector, part)):
            yield f"gives its connector {name!r} a {part} that is no function"
    for flaw in _door_flaws(connector):
        yield f"gives its connector {name!r} {flaw}"


def _door_flaws(connector: Connector) -> Iterator[str]:
    """What is wrong with the parts that serve the platform's own deliveries."""
    places = (HeaderPlace, FieldPlace, FixedPlace)
    auth, package, issues, options = _untyped(connector, "auth", "package", "issues_secret", "options")
    if auth is not None and not isinstance(auth, HmacHeader | SecretHeader):
        yield "an auth that is neither HmacHeader nor SecretHeader"
    for part in ("topic", "delivery_id"):
        if getattr(connector, part) is not None and not isinstance(getattr(connector, part), places):
            yield f"a {part} that is neither HeaderPlace, FieldPlace nor FixedPlace"
    if auth is not None and (connector.topic is None or not connector.topics):
        yield "an auth but no topic or no topics: its deliveries could not be told apart"
    if package is not None and not callable(package):
        yield "a package that is no function"
    if not isinstance(issues, bool):
        yield "an issues_secret that is neither True nor False"
    if not _is_tuple_of(connector.steps, str):
        yield "steps that are no tuple of texts"
    yield from options_flaws(options)
    yield from _topic_flaws(connector)


def _topic_flaws(connector: Connector) -> Iterator[str]:
    if not _is_tuple_of(connector.topics, Topic):
        yield "topics that are no tuple of Topic"
        return
    names = [topic.name for topic in connector.topics]
    for topic in connector.topics:
        translate, payload = _untyped(topic, "translate", "payload")
        if not callable(translate) or not isinstance(payload, type):
            yield f"a topic {topic.name!r} without a payload class or a translate function"
        if names.count(topic.name) > 1:
            yield f"the topic {topic.name!r} twice"
            return


def _untyped(record: object, *parts: str) -> list[object]:
    return [getattr(record, part) for part in parts]


def _is_tuple_of(value: object, kind: type) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, kind) for each in value)


def _clashes(declared: list[tuple[str, Connector]]) -> Iterator[str]:
    owners: dict[str, str] = {}
    for origin, connector in declared:
        if connector.name in owners:
            yield (
                f"{owners[connector.name]} and {origin} both declare the connector {connector.name!r}: "
                "uninstall or rename one of them"
            )
        owners.setdefault(connector.name, origin)


def _recognised(connector: Connector, body: Body) -> bool:
    # A connector that stumbles over a stranger's body does not know it, and must not keep the others from it.
    try:
        return bool(connector.recognises(body))
    except Exception:  # noqa: BLE001 - a plugin may raise anything
        return False


def _origin(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
