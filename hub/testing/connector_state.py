"""A translation keeps nothing between calls: fresh copies of the plugin read the samples in two orders.

A slip here would make one merchant's order depend on another's. Both copies are imported anew, so that nothing that an
earlier rule left behind can hide it; a cache made with `functools` changes no outcome and is allowed.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

from hub.domain.connectors.connector import Connector
from hub.plugin_host.packages import package_name
from hub.testing.connector_checks import outcome
from hub.testing.samples import Sample

KEEPERS = (list, dict, set, bytearray, int, float, str, tuple, type(None))


def check_state(connector: Connector, samples: Sequence[Sample]) -> list[str]:
    """Return a sentence for each sample whose outcome depends on what was read before, and for each changed global."""
    with _fresh(connector) as one:
        before = _globals(one)
        forwards = {sample.title: outcome(one, sample).text() for sample in samples}
        changed = [name for name, value in _globals(one).items() if before.get(name) != value]
    with _fresh(connector) as other:
        backwards = {sample.title: outcome(other, sample).text() for sample in reversed(samples)}
    faults = [f"{title}: it states something else after other samples" for title in forwards
              if forwards[title] != backwards[title]]  # fmt: skip
    return faults + [f"{name} is changed by translating; a plugin keeps nothing between calls" for name in changed]


@contextmanager
def _fresh(connector: Connector) -> Iterator[Connector]:
    """Give a newly imported copy of a connector; the connector itself if its package does not declare it."""
    package = package_name(connector)
    kept = _modules(package)
    try:
        if hasattr(sys.modules.get(package), "hub_connectors"):
            for name in kept:
                del sys.modules[name]
            declared = importlib.import_module(package).hub_connectors()
            yield next((each for each in declared if each.name == connector.name), connector)
        else:
            yield connector
    finally:
        for name in _modules(package):
            del sys.modules[name]
        sys.modules.update(kept)


def _modules(package: str) -> dict[str, ModuleType]:
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] == package}


def _globals(connector: Connector) -> dict[str, str]:
    """Return what the mutable globals of the connector's package hold, by their dotted names."""
    return {
        f"{name}.{each}": repr(value)
        for name, module in _modules(package_name(connector)).items()
        for each, value in vars(module).items()
        if isinstance(value, KEEPERS) and not each.startswith("__")
    }
