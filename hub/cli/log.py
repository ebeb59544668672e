"""`hub log`: how a merchant's requests were answered, and why they were refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import older_options, print_newest
from hub.cli.output import show_table
from hub.domain.instants import format_instant

if TYPE_CHECKING:
    from hub.records.requests import RequestDocument
    from hub.storage import Store

BRIEF = 160
"""Characters of a detail in a table."""


@click.command()
@click.option("--merchant", "merchant_id", metavar="ID", help="Whose requests (both modes).")
@click.option("--strangers", is_flag=True, help="Requests of an unknown sender, with an unknown key for example.")
@click.option("--errors", "errors_only", is_flag=True, help="Only refused requests.")
@older_options
@invoked
def log(
    invocation: Invocation,
    merchant_id: str | None,
    strangers: bool,
    errors_only: bool,
    limit: int,
    before: str | None,
) -> None:
    """Read the request log, newest first."""
    from hub.operations.lists import Wanted
    from hub.operations.orders.request_log import before_request, read_log, read_strangers_log

    if (merchant_id is None) is not strangers:
        raise click.UsageError("Say whose log: --merchant ID, or --strangers for requests of unknown senders.")

    async def read(store: Store) -> list[RequestDocument]:
        wanted = Wanted(limit=limit + 1)
        wanted = wanted if before is None else before_request(wanted, before)
        if merchant_id is None:
            return (await read_strangers_log(store, wanted)).entries
        return (await read_log(store, merchant_id, wanted, refused=errors_only)).entries

    found = invocation.with_store(read)
    columns = ["at", "mode", "method", "path", "status code", "error code", "request", "from", "ms", "detail"]
    rows = (
        (format_instant(e.at), e.mode, e.method, e.path, e.status, e.error_code, e.request_id, e.client,
         e.duration_ms, _brief(e.detail))
        for e in found[:limit]
    )  # fmt: skip
    print_newest(invocation, found, limit, lambda: show_table(columns, rows, "There are no such requests."))


def _brief(detail: dict[str, Any] | None) -> str | None:
    """Return the detail on one line, cut to fit a table; --json prints all of it."""
    if not detail:
        return None
    text = json.dumps(detail, ensure_ascii=False)
    return text if len(text) <= BRIEF else text[: BRIEF - 1] + "…"
