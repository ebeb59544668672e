"""The limits that plugins live under, as the hub gives them to the process that runs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from attrs import field, frozen

NOTE_BYTES = 4_096
"""The part of the notes file that says what is being called; faulthandler's traces come after it."""
NOTE_SEPARATOR = "\x1f"


@frozen
class Limits:
    """How long one body may take and one distribution may load, in seconds, and the process's memory, in bytes.

    `off` names distributions or entry points that are not loaded, `excluded` distributions that are not loaded again,
    each with the reason. `sandbox` is "full", "best" or "off", as [plugins] says; `private` are files and folders of
    the hub's, as absolute paths, none of which the process may be able to open.
    """

    body_seconds: float = 2.0
    load_seconds: float = 10.0
    memory_bytes: int = 512 * 1024 * 1024
    off: tuple[str, ...] = ()
    excluded: Mapping[str, str] = field(factory=dict)
    sandbox: str = "best"
    private: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the limits as a JSON object."""
        return attrs.asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Limits:
        """Return the limits of a JSON object."""
        return cls(**{**document, "off": tuple(document["off"]), "private": tuple(document["private"])})
