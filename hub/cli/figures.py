"""`hub figures`: the daily figures behind the pages, counted anew."""

from __future__ import annotations

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say


@click.group()
def figures() -> None:
    """Recount the figures shown on the pages."""


@figures.command()
@click.option("--merchant", help="Of this merchant only: its id, name or e-mail address.")
@invoked
def recount(invocation: Invocation, merchant: str | None) -> None:
    """Discard the daily figures and count every order and click again.

    A serving process does the counting in the background; until it is done the pages show what is counted so far.
    Clicks deleted after their retention time are not counted again. `hub audit` says whether that is
    necessary.
    """
    from hub.operations.audits.figures_audit import recount_figures

    done = invocation.with_store(lambda store: recount_figures(store, merchant))
    print_result(invocation, done, lambda: say(f"{done['accounts']} accounts are being recounted."))
