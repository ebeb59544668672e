"""`hub rule`: rates before they are published, and their history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.acting import by_option, over_store_as
from hub.cli.counting import counting
from hub.cli.invocation import Command, Invocation, invoked
from hub.cli.output import Table, named, print_result, say, show_table
from hub.clock import system_clock
from hub.domain.instants import format_instant
from hub.domain.orders.volume_texts import VOLUMES, volume_of
from hub.domain.words import MODES

if TYPE_CHECKING:
    from hub.operations.money.rates.rule_preview import ChangedBy, PreviewDocument


NAMES: Final = {
    "campaign": ("--campaign", "The campaign whose default it is, by id or code.", "CMP"),
    "new_customers": ("--new-customers", "What the --campaign pays for new customers' orders.", None),
    "merchant": ("--merchant", "The merchant whose default it is; or the owner of --product.", "ID"),
    "product": ("--product", "The product whose rule it is, by the hub's id or the merchant's.", "P"),
    "affiliate": ("--affiliate", "What the campaign pays this affiliate alone, by its id.", "AFF"),
}
"""What names a rate that has a history, by the option of each; one that is tried is no affiliate's."""


@click.group()
def rule() -> None:
    """Try a commission rate on real orders, and publish or drop it."""


def names_a_rate(command: Command) -> Command:
    """Add the options that name a rate."""
    for name, (flag, about, metavar) in NAMES.items():
        if name != "affiliate":
            command = click.option(flag, metavar=metavar, is_flag=metavar is None, help=about)(command)
    return click.option("--mode", type=click.Choice(MODES), default="live", show_default=True)(command)


@rule.command()
@names_a_rate
@click.option("--commission", metavar="TYPE:VALUE", help="Like PERCENTAGE:12 or FIXED:5.00.")
@click.option("--volume", type=click.Choice(list(VOLUMES)), help="What the --campaign's rate rises by, instead.")
@click.option("--tier", "tiers", multiple=True, metavar="TIER", help="With --volume, like '11: 12 %'; may be repeated.")
@click.option("--days", type=int, default=90, show_default=True, help="How far back the orders go.")
@click.option("--draft", is_flag=True, help="Keep the rate as a draft, to be published or dropped.")
@by_option
@invoked
def preview(
    invocation: Invocation, *, campaign: str | None, merchant: str | None, product: str | None,
    commission: str | None, volume: str | None, tiers: Sequence[str], days: int, mode: str, draft: bool,
    by: str | None, new_customers: bool,
) -> None:  # fmt: skip
    """Price the last orders with a rate, and show the difference by affiliate, product and order.

    Nothing is published. With --draft the rate is kept for `hub rule publish` or `hub rule drop`.
    """
    from hub.operations.money.rates.rates import draft_rate
    from hub.operations.money.rates.rule_preview import preview_rule
    from hub.processing.policy import policy_of

    settings = invocation.settings()
    if volume is not None:
        found = _preview_volume(invocation, campaign, volume, tiers, days)
        print_result(invocation, {**found, "draft": None}, lambda: _show(found, None))
        return
    if commission is None:
        raise click.UsageError("Name the rate that is tried: --commission, or --volume with --tier.")
    found = invocation.with_store(
        lambda store: preview_rule(
            store, system_clock, policy_of(settings), commission=commission, days=days, mode=mode, campaign=campaign,
            merchant=merchant, product=product, new_customers=new_customers, note=counting("Orders priced"),
        ),
        settings,
    )  # fmt: skip
    kept = None
    if draft:
        kept = over_store_as(
            invocation, by,
            lambda store: draft_rate(store, system_clock, commission=commission, mode=mode, campaign=campaign,
                                     merchant=merchant, product=product, new_customers=new_customers),
        ).id  # fmt: skip
    print_result(invocation, {**found, "draft": kept}, lambda: _show(found, kept))


def _preview_volume(
    invocation: Invocation, campaign: str | None, volume: str, tiers: Sequence[str], days: int
) -> PreviewDocument:
    from hub.operations.money.rates.volume_preview import preview_volume

    if campaign is None:
        raise click.UsageError("Rates by volume are a campaign's: name it with --campaign.")
    try:
        rates = volume_of(volume, tiers)
    except ValueError as fault:
        raise click.UsageError(str(fault)) from None
    return invocation.with_store(
        lambda store: preview_volume(
            store, system_clock, campaign=campaign, volume=rates, days=days, note=counting("Orders priced")
        )
    )


def _show(found: PreviewDocument, draft: str | None) -> None:
    say(f"{found['commission']} for {found['target']}: of {found['priced']} orders of the last {found['days']} days, "
        f"{found['changed']} would earn a different commission.")  # fmt: skip
    totals: list[ChangedBy] = [{"id": "all", **each} for each in found["totals"]]
    for what, rows in (("in all", totals), ("affiliate", found["affiliates"]), ("product", found["products"]),
                       ("order", found["orders"])):  # fmt: skip
        _table(what, rows)
    if draft is not None:
        say(f"The rate is kept as {draft}: publish it with `hub rule publish {draft}`, or drop it.")


def _table(what: str, rows: Sequence[ChangedBy]) -> None:
    if rows:
        cells = [(each["id"] or "(the rest)", each["currency"], each["before"], each["after"], each["difference"])
                 for each in rows]  # fmt: skip
        show_table([what, "currency", "before", "after", "difference"], cells, "")


DRAFTS: Final = Table(
    ["id", "status", "merchant", "mode", "of", "rate", "by", "at"],
    lambda d: (d.id, d.status, named(d.merchant_id, d.merchant_name), d.mode, d.subject or "merchant", d.commission,
               d.created_by, format_instant(d.created_at)),
    "No rate was drafted yet.",
)  # fmt: skip
VERSIONS: Final = Table(
    ["since", "before", "after", "by"],
    lambda v: (v["since"], v["before"] or "none", v["after"] or "none", v["changedBy"]),
    "The rate was never changed.",
)
DRAFT: Final = Takes(on={"draft": Value("", metavar="RAT")})

for each in (
    ActCommand("list", "rates.listRateDrafts", "List the rates that were drafted, newest first.", DRAFTS,
               Takes(values={"merchant": Value("--merchant", "Only this merchant's.", "ID")})),
    ActCommand("history", "rates.listRates", "Show who changed a rate, when and from what, newest first.", VERSIONS,
               Takes(values={"mode": Value("--mode", default="live"),
                             **{name: Value(*words) for name, words in NAMES.items()}})),
    ActCommand("publish", "rates.publishRate",
               "Put a drafted rate in force.\n\nOrders take the rate in force at their time, however late they are "
               "reported.",
               "{commission} is in force since {decidedAt}.", DRAFT),
    ActCommand("drop", "rates.dropRate", "Drop a drafted rate.", "{commission} is dropped.", DRAFT),
):  # fmt: skip
    rule.add_command(each)
