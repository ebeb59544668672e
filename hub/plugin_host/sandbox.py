"""What a plugin's process is kept from, as that process found it once it had closed itself in.

Nothing here is taken for granted: the process tries what a plugin must not be able to do, before it loads any, and
says what was refused and by what. Kernels, containers and users differ; an operator sees what holds on this machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs
from attrs import frozen

MEANINGS: Final[Mapping[str, str]] = {
    "secrets": "read the hub's memory, environment or descriptors, or trace it",
    "files": "read any file but Python's and the plugins' own, or write one",
    "network": "reach the network, or a socket of this machine",
    "signals": "signal or see a process of others",
    "processes": "start any number of processes",
    "end": "leave a process behind that goes on",
    "memory": "take more memory than it may",
    "privileges": "gain a privilege, by a program of root's too",
}
"""Each protection, and what it keeps a plugin from: "A plugin cannot ..."."""


@frozen
class Protection:
    """One of `MEANINGS`: whether it holds, and what holds it or why it does not."""

    name: str
    holds: bool
    by: str


Protections = tuple[Protection, ...]


def weak(protections: Iterable[Protection]) -> list[Protection]:
    """Return those that do not hold."""
    return [each for each in protections if not each.holds]


def refusal(protections: Iterable[Protection]) -> str:
    """Return why a hub that wants a full sandbox runs no plugin, "" if everything holds."""
    missing = "; ".join(f"{each.name} ({each.by})" for each in weak(protections))
    return missing and f"[plugins] sandbox is full, and this machine does not hold {missing}"


def to_json(protections: Protections) -> list[dict[str, Any]]:
    """Return protections as JSON."""
    return [attrs.asdict(each) for each in protections]


def from_json(document: object) -> Protections:
    """Return the protections of a JSON value; raise KeyError, TypeError or ValueError if it is not one."""
    if not isinstance(document, list):
        raise TypeError("protections are a list")
    return tuple(Protection(str(each["name"]), each["holds"] is True, str(each["by"])) for each in document)
