"""`hub rule`: rates before they are published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.money.rule_preview import ChangedBy, PreviewDocument


@click.group()
def rule() -> None:
    """Try a commission rate on real orders before it is published."""


@rule.command()
@click.option("--campaign", metavar="CMP", help="The campaign whose default is tried, by id or code.")
@click.option("--merchant", metavar="ID", help="The merchant whose default is tried; or the owner of --product.")
@click.option("--product", metavar="P", help="The product whose rule is tried, by the hub's id or the merchant's.")
@click.option("--commission", required=True, metavar="TYPE:VALUE", help="Like PERCENTAGE:12 or FIXED:5.00.")
@click.option("--days", type=int, default=90, show_default=True, help="How far back the orders go.")
@click.option("--mode", type=click.Choice(["test", "live"]), default="live", show_default=True)
@invoked
def preview(
    invocation: Invocation, *, campaign: str | None, merchant: str | None, product: str | None, commission: str,
    days: int, mode: str,
) -> None:  # fmt: skip
    """Price the last orders with a rate, and show the difference by affiliate, product and order.

    Nothing is published. To publish: `hub merchant update --commission`, or the campaign's or product's own rate
    through the API.
    """
    from hub.operations.money.rule_preview import preview_rule
    from hub.processing.policy import policy_of

    settings = invocation.settings()
    found = invocation.with_store(
        lambda store: preview_rule(
            store, system_clock, policy_of(settings), commission=commission, days=days, mode=mode, campaign=campaign,
            merchant=merchant, product=product,
        ),
        settings,
    )  # fmt: skip
    print_result(invocation, found, lambda: _show(found))


def _show(found: PreviewDocument) -> None:
    say(f"{found['commission']} for {found['target']}: of {found['priced']} orders of the last {found['days']} days, "
        f"{found['changed']} would earn another commission.")  # fmt: skip
    totals: list[ChangedBy] = [{"id": "all", **each} for each in found["totals"]]
    for what, rows in (("in all", totals), ("affiliate", found["affiliates"]), ("product", found["products"]),
                       ("order", found["orders"])):  # fmt: skip
        _table(what, rows)


def _table(what: str, rows: Sequence[ChangedBy]) -> None:
    if rows:
        cells = [(each["id"] or "(the rest)", each["currency"], each["before"], each["after"], each["difference"])
                 for each in rows]  # fmt: skip
        show_table([what, "currency", "before", "after", "difference"], cells, "")
