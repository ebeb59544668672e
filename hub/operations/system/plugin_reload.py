"""The plugins of the processes that serve, as commands see them: what each has loaded, and the request to load anew.

A command and a server share nothing but the database, so both are columns of `nodes`, which every serving process
writes and reads once a second.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any, TypedDict, cast

import orjson

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.operations.errors import OperatorFault
from hub.operations.system.nodes import LIVE_MS
from hub.storage import Row, Store

POLL_SECONDS = 0.2
GONE_SECONDS = 5.0
"""A process that has given no sign of life for this long since a request does not serve any more."""
NOBODY = "No hub serves this database; it loads the plugins when it starts."


class ProtectionDocument(TypedDict):
    """A protection from plugins, as `hub.plugin_host.sandbox` names it: whether it holds, and by what or why not."""

    name: str
    holds: bool
    by: str


class ServedPlugins(TypedDict):
    """What a serving process has loaded: connectors and what was set aside, each with its distribution or reason.

    `loadedAt` is None if it has loaded nothing yet, and `fault` says why the last reload that was asked for failed.
    `sandbox` is what its plugins' processes are closed in by, empty if they are not.
    """

    nodeId: str
    loadedAt: str | None
    connectors: dict[str, str]
    setAside: dict[str, str]
    fault: str | None
    sandbox: list[ProtectionDocument]


async def served_plugins(store: Store, clock: Clock) -> list[ServedPlugins]:
    """Return what each process that serves has loaded."""
    return [_document(row) for row in await _serving(store, clock() - LIVE_MS)]


async def reload_plugins(store: Store, clock: Clock, *, patience: float) -> list[ServedPlugins]:
    """Have every serving process load its plugins anew, and return what each has loaded then.

    Raise `OperatorFault` if nobody serves, or if one has not done it within `patience` seconds.
    """
    asked_at, began = clock(), monotonic()
    async with store.write() as tx:
        if not await tx.run("ask_for_reload", now=asked_at, since=asked_at - LIVE_MS):
            raise OperatorFault(NOBODY)
    while True:
        waited = monotonic() - began
        rows = await _serving(store, asked_at - LIVE_MS if waited < GONE_SECONDS else asked_at)
        if all(_obeyed_at(row) >= asked_at for row in rows):
            break
        if waited > patience:
            raise OperatorFault(f"A process has not reloaded its plugins within {patience:g} s; its log says why.")
        await asyncio.sleep(POLL_SECONDS)
    if not rows:
        raise OperatorFault(NOBODY)
    return [_document(row) for row in rows]


async def _serving(store: Store, since: int) -> list[Row]:
    async with store.read() as tx:
        return [row for row in await tx.all("nodes_listed") if row["seen_at"] >= since]


def _state(row: Row) -> dict[str, Any]:
    return {} if row["plugins"] is None else cast("dict[str, Any]", orjson.loads(row["plugins"]))


def _obeyed_at(row: Row) -> int:
    return int(_state(row).get("obeyedAt", 0))


def _document(row: Row) -> ServedPlugins:
    state = _state(row)
    loaded_at = state.get("loadedAt")
    return {
        "nodeId": row["node_id"],
        "loadedAt": None if loaded_at is None else format_instant(loaded_at),
        "connectors": state.get("connectors", {}),
        "setAside": state.get("setAside", {}),
        "fault": state.get("fault"),
        "sandbox": state.get("sandbox", []),
    }
