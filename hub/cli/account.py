"""`hub account`: a merchant's test account."""

from __future__ import annotations

from typing import Any

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.invocation import Fault
from hub.domain.words import MODES


@click.group()
def account() -> None:
    """Empty a merchant's test account."""


def _of_test(typed: Typed) -> dict[str, Any]:
    if typed["mode"] != "test":
        raise Fault("Only a test account is emptied; what happened in a live one is kept.")
    return {name: value for name, value in typed.items() if name != "mode"}


account.add_command(
    ActCommand(
        "empty", "merchants.emptyTestAccount",
        "Delete the clicks, orders, events and commissions of a test account.\n\n"
        "Keys, connections, uploads and the request log stay. If it is interrupted, run it again.",
        "{rows:,} rows of the test account {accountId} are deleted.",
        Takes(on={"merchant": Value("--merchant", "The merchant's id, name or e-mail address.", "ID")},
              values={"everything": Value("--everything", "Also its products, campaigns, links and members.")},
              own=[click.Option(["--mode"], required=True, type=click.Choice(MODES),
                                help="Must be test: live accounts are never emptied.")],
              reads=_of_test),
    )
)  # fmt: skip
