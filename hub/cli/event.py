"""`hub event`: what became of a submission."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import click

from hub.cli import lists
from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import Command
from hub.cli.output import Table, named, print_result, printable, say, show_fields
from hub.clock import system_clock
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.words import EVENT_STATUSES

if TYPE_CHECKING:
    from hub.operations.lists import FilterValues, Wanted
    from hub.operations.orders.event_replays import Replay
    from hub.records.events import EventDocument, ShownEvent
    from hub.storage import Store


REPLAYABLE = ("FAILED", "PARKED", "UNMATCHED")

FILTERS: Final[dict[str, dict[str, Any]]] = {
    **{name: lists.FILTERS[name] for name in ("--merchant", "--mode")},
    "--since": {"metavar": "DURATION", "help": "Received within this time, like 2d or 12h (default: at any time)."},
    "--reason-like": {"metavar": "TEXT", "help": "With this text in the explanation, in any case."},
}
"""What chooses among the events in a status."""


def _chosen(command: Command) -> Command:
    for name, how in reversed(FILTERS.items()):
        command = click.option(name, **how)(command)
    return command


@click.group()
def event() -> None:
    """List submissions, show what became of one, or replay them."""


def _listed(typed: Typed) -> lists.Listed:
    from hub.operations.orders.event_lists import EVENTS, first_events
    from hub.records.events import event_document

    async def read(store: Store, wanted: Wanted) -> list[EventDocument]:
        return [event_document(row) for row in await first_events(store, wanted)]

    return lists.Listed(EVENTS, "evt", read, _filters(**typed))


@event.command()
@click.argument("event_id", metavar="[EVT]", required=False)
@click.option("--status", type=click.Choice(REPLAYABLE, case_sensitive=False), help="All events in this status.")
@_chosen
@click.option("--yes", is_flag=True, help="Replay them; without it they are only counted.")
@invoked
def replay(
    invocation: Invocation,
    *,
    event_id: str | None,
    status: str | None,
    merchant: str | None,
    mode: str | None,
    since: str | None,
    reason_like: str | None,
    yes: bool,
) -> None:
    """Queue a FAILED, UNMATCHED or PARKED event for the worker again, or all that match.

    With --status and any filters, `hub event replay` counts what it would replay; the same with --yes replays it.
    """
    if (event_id is None) is (status is None):
        raise click.UsageError("Name one event, or with --status all of one kind.")
    if event_id is None:
        _replay_many(invocation, _filters(str(status), merchant, mode, since, reason_like), yes=yes)
        return
    if merchant or mode or since or reason_like:
        raise click.UsageError(
            "--merchant, --mode, --since and --reason-like choose among many; with an event leave them."
        )
    from hub.operations.orders.events import replay_event

    queued = invocation.with_store(lambda store: replay_event(store, system_clock, event_id))
    print_result(invocation, queued, lambda: say(f"{event_id} is {queued.status} again; the worker takes it up now."))


def _replay_many(invocation: Invocation, wanted: FilterValues, *, yes: bool) -> None:
    from hub.operations.orders.event_replays import replay_events

    def watch(replay: Replay) -> None:
        if not replay.is_done and not invocation.json:
            click.echo(f"{replay.replayed:,} are queued again, and it goes on ...", err=True)

    done = invocation.with_store(lambda store: replay_events(store, system_clock, wanted, dry_run=not yes, watch=watch))

    def human() -> None:
        lost = f" {done.without_payload} cannot be: their payloads are deleted." if done.without_payload else ""
        ready = done.matched - done.without_payload
        if yes:
            say(f"{done.replayed} of {done.matched} {wanted['status']} events are queued again.{lost}")
        else:
            say(f"{ready} of {done.matched} {wanted['status']} events would be replayed; with --yes they are.{lost}")

    print_result(invocation, done, human)


def _filters(
    status: str, merchant: str | None, mode: str | None, since: str | None, reason_like: str | None
) -> FilterValues:
    from hub.operations.checks import checked_duration

    start = None if since is None else max(0, system_clock() - checked_duration(since, "the time to look back"))
    return {"status": status, "merchant": merchant, "mode": mode, "created_from": start, "reason": reason_like}


EVENTS: Final = Table(
    ["id", "status", "type", "order", "mode", "merchant", "received", "attempts", "why"],
    lambda e: (e.event_id, e.status, e.kind or e.type, e.external_order_id, e.mode,
               named(e.merchant_id, e.merchant_name), format_instant(e.received_at), e.attempts,
               (e.explanation or {}).get("skipReason")),
    "There are no such events.",
)  # fmt: skip


def _show(document: ShownEvent) -> None:
    fields = {
        "status": document.status,
        "type": document.type,
        "kind": document.kind,
        "externalOrderId": document.external_order_id,
        "externalEventId": document.external_event_id,
        "conversionId": document.conversion_id,
        "receivedAt": format_instant(document.received_at),
        "processedAt": instant_or_none(document.processed_at),
        "attempts": document.attempts,
        "merchantId": named(document.merchant_id, document.merchant_name),
        "mode": document.mode,
    }
    fields["reason"] = document.reason
    fields["metadata"] = None if document.metadata is None else json.dumps(document.metadata, ensure_ascii=False)
    show_fields(document.event_id, fields)
    if document.explanation is not None:
        click.secho("  explanation", dim=True)
        for line in json.dumps(document.explanation, indent=2, ensure_ascii=False).splitlines():
            click.echo("    " + printable(line))


event.add_command(
    lists.ListCommand(
        "list",
        f"List the events in a status, newest first: what FAILED, unless another status is asked for.\n\n{lists.PARTS}",
        EVENTS, _listed,
        [click.Option(["--status"], default="FAILED", show_default=True,
                      type=click.Choice(EVENT_STATUSES, case_sensitive=False), help="The events in this status."),
         *(click.Option([name], **how) for name, how in FILTERS.items())],
        id_name="event_id",
    )
)  # fmt: skip
event.add_command(
    ActCommand("show", "events.getEvent", "Show an event with the explanation of what was decided.", _show,
               Takes(on={"event": Value("", metavar="EVT")}))
)  # fmt: skip
