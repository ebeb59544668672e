"""The program of an author's commands: what they run of a connector, in a process that may end of it.

It reads its request from standard input and writes one JSON document: `result`, or the sentence of a `fault`. It lives
under the memory limit of the plugin host. Each call into the connector has its time (`hub.testing.calls`); code that
swallows the interruption, or hangs beside such a call, is ended by a watchdog that needs no turn of the interpreter.
"""

from __future__ import annotations

import base64
import faulthandler
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from hub.api import parse_body
from hub.cli.installed import connector_in
from hub.cli.invocation import Fault
from hub.domain.connectors.connector import Connector, Context, Unmappable
from hub.domain.connectors.options import OptionsFault, read_options, split_options
from hub.domain.connectors.scenarios import SimulationFault, played, posts, sent_headers
from hub.domain.connectors.scenes import Play
from hub.plugin_host.limits import Limits
from hub.plugin_host.packages import package_folder, scenes_of
from hub.plugin_host.places import raised_at, said
from hub.plugin_host.registry import Registry, load_plugins
from hub.plugin_runtime.enclosure import limit
from hub.plugin_runtime.guard import Guard
from hub.plugin_runtime.keeper import end_with_the_parent
from hub.testing.calls import CallFault, before_each_call
from hub.testing.connector_report import Result, accept, check_connector
from hub.testing.outcomes import outcome_of
from hub.testing.samples import is_kind

SILENT_SECONDS = 10.0
"""A connector that lets this pass without a call that begins ends the process."""
CALLS_A_SIGN = 4
"""Each sign of life starts a thread, so there is one for this many calls; together they may not take that long."""

Request = Mapping[str, Any]


def check(registry: Registry, request: Request) -> dict[str, Any]:
    """Run the suite over one connector or all, having written the golden files anew if `accept`."""
    name = request["name"]
    chosen = list(registry.connectors) if name is None else [connector_in(registry, name)]
    written = _accepted(chosen[0]) if request["accept"] else []
    results = {connector.name: check_connector(connector) for connector in chosen}
    return {"accepted": written, "connectors": {name: _report(found) for name, found in results.items()}}


def map_payload(registry: Registry, request: Request) -> dict[str, Any]:
    """Return what a body states: `document`, and its `text` as a golden file holds it."""
    name, topic = request["name"], request["topic"]
    connector = connector_in(registry, name)
    topics = [each.name for each in connector.topics]
    if topic not in topics and not is_kind(connector, topic):
        raise Fault(f"{name} has no topic {topic!r}. It has: {', '.join(topics) or 'none; use a webhook kind'}.")
    try:
        chosen = read_options(connector.options, split_options(tuple(request["options"])))
        headers = sent_headers(connector, topic, request["headers"], "map-1")
        context = Context("map-1", request["now"], "USD", chosen, headers)
        outcome = outcome_of(connector, topic, parse_body(base64.b64decode(request["body"])), context)
    except (OptionsFault, Unmappable) as fault:
        raise Fault(str(fault)) from None
    return {"document": outcome.document(), "text": outcome.text()}


def play(registry: Registry, request: Request) -> dict[str, Any]:
    """Return the connector's title and the POSTs of a scenario, their bodies as base64."""
    connector = registry.named(request["name"])
    if connector is None:
        raise Fault("The plugin of this connection is not installed. `hub plugin list` shows those that are.")
    try:
        order = Play(**request["play"])
        deliveries = played(scenes_of(connector), order)
        script = posts(connector, deliveries, request["scenario"], order, request["secret"], request["now"])
    except SimulationFault as fault:
        raise Fault(str(fault)) from None
    sent = [{"step": each.step, "topic": each.topic, "headers": dict(each.headers),
             "body": base64.b64encode(each.body).decode()} for each in script]  # fmt: skip
    return {"title": connector.title, "posts": sent}


def folder(registry: Registry, request: Request) -> dict[str, Any]:
    """Return the folder of a connector's package."""
    return {"folder": str(package_folder(connector_in(registry, request["name"])))}


ACTS: Mapping[str, Callable[[Registry, Request], dict[str, Any]]] = {
    "check": check, "map": map_payload, "play": play, "folder": folder,
}  # fmt: skip


def _accepted(connector: Connector) -> list[str]:
    try:
        return [str(file) for file in accept(connector)]
    except CallFault as fault:
        raise Fault(f"The golden files are not all written: the connector {fault}.") from None


def _report(results: list[Result]) -> list[dict[str, Any]]:
    return [{"rule": r.rule, "samples": r.samples, "holds": not r.faults, "faults": list(r.faults)} for r in results]


def answered(request: Request) -> dict[str, Any]:
    """Return the document that answers a request."""
    try:
        registry = load_plugins(off=request["off"], excluded=request["excluded"])
        return {"result": ACTS[request["act"]](registry, request)}
    except Fault as fault:
        return {"fault": fault.message}
    except CallFault as fault:
        return {"fault": f"The connector {fault}."}
    except BaseException as fault:  # noqa: BLE001 - a plugin may raise anything, and end the process too
        place = raised_at(fault)
        return {"fault": f"The connector raises {said(fault)}{f' at {place}' if place else ''}."}


def _watch(notes: int) -> None:
    """End this process, with a trace in the notes, once it has given no sign of life for `SILENT_SECONDS`."""
    calls = count()

    def note_life() -> None:
        if not next(calls) % CALLS_A_SIGN:
            faulthandler.dump_traceback_later(SILENT_SECONDS, exit=True, file=notes)

    note_life()
    before_each_call(note_life)


def main() -> None:
    """Run with the descriptors of the answer and of the notes."""
    answer, notes = (int(text) for text in sys.argv[1:3])
    request = json.load(sys.stdin)
    end_with_the_parent(signal.SIGKILL)
    limit(Limits(memory_bytes=request["memory"], sandbox="off"))
    Guard.over(notes).note(request["name"] or "", "", request["act"])
    _watch(notes)
    document = answered(request)
    faulthandler.cancel_dump_traceback_later()
    with os.fdopen(answer, "w") as out:
        json.dump(document, out)


if __name__ == "__main__":
    main()
