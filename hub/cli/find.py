"""`hub find`: what an id, an order number, a click, a coupon, an e-mail address or a name belongs to."""

from __future__ import annotations

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, show_table


@click.command()
@click.argument("text", metavar="TEXT")
@invoked
def find(invocation: Invocation, text: str) -> None:
    """Find anything by its id, order number, e-mail address or name.

    Clicks and coupons are found, too; a part of a name is enough if nothing has TEXT itself.
    """
    if not text.strip():
        raise click.UsageError("TEXT is empty; name what to find, such as an order's number.")
    from hub.operations.system.search import find_anything

    found = invocation.with_store(lambda store: find_anything(store, text))
    document = [{"kind": each.kind, "id": each.id, "name": each.name} for each in found]
    rows = ((each.kind, each.id, each.name) for each in found)
    print_result(invocation, document, lambda: show_table(["kind", "id", "name"], rows, f"Nothing is called {text}."))
