"""`hub event`: what became of a submission."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, printable, say, show_fields
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.events import EventDocument


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
    print_result(invocation, found, lambda: _show(found))


@event.command()
@click.argument("event_id", metavar="EVT")
@invoked
def replay(invocation: Invocation, event_id: str) -> None:
    """Queue a FAILED, UNMATCHED or PARKED event for the worker again."""
    from hub.operations.events import replay_event

    queued = invocation.with_store(lambda store: replay_event(store, system_clock, event_id))
    print_result(
        invocation, queued, lambda: say(f"{event_id} is {queued['status']} again; the worker takes it up now.")
    )


def _show(document: EventDocument) -> None:
    fields = {
        "status": document["status"],
        "type": document["type"],
        "kind": document["kind"],
        "externalOrderId": document["externalOrderId"],
        "externalEventId": document["externalEventId"],
        "conversionId": document["conversionId"],
        "receivedAt": document["receivedAt"],
        "processedAt": document["processedAt"],
        "attempts": document["attempts"],
        "merchantId": document["merchantId"],
        "mode": document["mode"],
    }
    show_fields(document["eventId"], fields)
    if document["explanation"] is not None:
        click.secho("  explanation", dim=True)
        for line in json.dumps(document["explanation"], indent=2, ensure_ascii=False).splitlines():
            click.echo("    " + printable(line))
