"""`hub log`: what a merchant's requests came to, and why they were refused."""

from __future__ import annotations

import json
from typing import Any

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import show_table, tell

BRIEF = 160


@click.command()
@click.option("--merchant", "merchant_id", metavar="ID", help="Whose requests (both modes).")
@click.option("--strangers", is_flag=True, help="Requests whose sender could not be told, an unknown key say.")
@click.option("--errors", "errors_only", is_flag=True, help="Only refused requests.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="At most so many.")
@invoked
def log(invocation: Invocation, merchant_id: str | None, strangers: bool, errors_only: bool, limit: int) -> None:
    """Read the request log, newest first."""
    from hub.operations.request_log import read_log, read_strangers_log

    if (merchant_id is None) is not strangers:
        raise click.UsageError("Say whose log: --merchant ID, or --strangers for requests of nobody known.")
    if merchant_id is None:
        found = invocation.with_store(lambda store: read_strangers_log(store, limit=limit))
    else:
        found = invocation.with_store(lambda store: read_log(store, merchant_id, errors_only=errors_only, limit=limit))
    columns = ["at", "mode", "method", "path", "status code", "error code", "request", "from", "ms", "detail"]
    names = ("at", "mode", "method", "path", "status", "errorCode", "requestId", "client", "durationMs")
    rows = ([*(entry[name] for name in names), _brief(entry["detail"])] for entry in found)
    tell(invocation, found, lambda: show_table(columns, rows, "Nothing was logged yet."))


def _brief(detail: dict[str, Any] | None) -> str | None:
    """What helps to find the fault, on one line; --json has all of it."""
    if not detail:
        return None
    text = json.dumps(detail, ensure_ascii=False)
    return text if len(text) <= BRIEF else text[: BRIEF - 1] + "…"
