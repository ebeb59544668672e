"""`hub event`: what became of a submission."""

from __future__ import annotations

import json
from typing import Any

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import printable, say, show_fields, tell
from hub.clock import system_clock


@click.group()
def event() -> None:
    """Show what became of a submission, or replay it."""


@event.command()
@click.argument("event_id", metavar="EVT")
@invoked
def show(invocation: Invocation, event_id: str) -> None:
    """Show an event with the explanation of what was decided."""
    from hub.operations.events import show_event

    found = invocation.with_store(lambda store: show_event(store, event_id))
    tell(invocation, found, lambda: _show(found))


@event.command()
@click.argument("event_id", metavar="EVT")
@invoked
def replay(invocation: Invocation, event_id: str) -> None:
    """Hand a FAILED, UNMATCHED or PARKED event to the worker again."""
    from hub.operations.events import replay_event

    queued = invocation.with_store(lambda store: replay_event(store, system_clock, event_id))
    tell(invocation, queued, lambda: say(f"{event_id} is {queued['status']} again; the worker takes it up now."))


def _show(document: dict[str, Any]) -> None:
    names = ("status", "type", "kind", "externalOrderId", "externalEventId", "conversionId", "receivedAt",
             "processedAt", "attempts", "merchantId", "mode")  # fmt: skip
    show_fields(document["eventId"], {name: document[name] for name in names})
    if document["explanation"] is not None:
        click.secho("  explanation", dim=True)
        for line in json.dumps(document["explanation"], indent=2, ensure_ascii=False).splitlines():
            click.echo("    " + printable(line))
