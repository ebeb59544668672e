"""`hub payout`: runs that pay affiliates."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.acting import by_option, over_store_as
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import Table, named, print_result, say, show_fields, show_table
from hub.clock import system_clock
from hub.domain.words import MODES

if TYPE_CHECKING:
    from hub.operations.money.payouts.payout_documents import ItemDocument, RunDocument
    from hub.operations.money.payouts.payout_runs import Wanted

Command = TypeVar("Command", bound=Callable[..., Any])
AFTER = click.option("--after", metavar="LINE", default="", help="The lines after this one, as the previous page says.")
AFTER_ITEM = click.option(
    "--after-item", metavar="ITEM", default="", help="The payments after this one, as the previous page says."
)


@click.group()
def payout() -> None:
    """Gather payouts into runs, release and settle them."""


def gathers(command: Command) -> Command:
    """Add the options that say what a run gathers."""
    options = (
        click.option("--minimum", metavar="AMOUNT", help="Minimum payout, like 25 or EUR:25."),
        click.option("--currency", help="Only this currency (default: all)."),
        click.option("--before", metavar="T", help="Only what was payable by this moment, RFC 3339 (default: now)."),
        click.option("--mode", type=click.Choice(MODES), required=True, help="Test runs pay nobody."),
    )
    for option in options:
        command = option(command)
    return command


def wanted_of(mode: str, before: str | None, currency: str | None) -> Wanted:
    """Return what a run gathers; raise `OperatorFault` for a bad moment or currency."""
    from hub.domain.instants import parse_instant
    from hub.operations.checks import checked_currency
    from hub.operations.errors import OperatorFault
    from hub.operations.money.payouts.payout_runs import Wanted

    try:
        cutoff = None if before is None else parse_instant(before)
    except ValueError:
        raise OperatorFault(f"--before {before!r} is not an RFC 3339 moment, like 2026-11-30T00:00:00Z.") from None
    return Wanted(mode, cutoff, None if currency is None else checked_currency(currency))


@payout.command()
@gathers
@AFTER
@AFTER_ITEM
@invoked
def preview(
    invocation: Invocation, *, mode: str, before: str | None, currency: str | None, minimum: str | None, after: str,
    after_item: str,
) -> None:  # fmt: skip
    """Show the run that `create` would make now, with a page of its lines as JSON; nothing is reserved."""
    from hub.operations.money.payouts.payout_previews import preview_run
    from hub.operations.money.payouts.payout_runs import with_minimum

    settings, wanted = invocation.settings(), wanted_of(mode, before, currency)
    payouts = with_minimum(settings.payouts, minimum)
    found = invocation.with_store(
        lambda store: preview_run(store, system_clock, payouts, wanted, after=after, after_item=after_item),
        settings,
    )

    def human() -> None:
        show_document(found)
        for each in found["stopped"]:
            say(f"Nothing is paid of {each['merchantName']}: {each['overdue']} {each['currency']} are overdue.")

    print_result(invocation, found, human)


@payout.command()
@gathers
@by_option
@invoked
def create(
    invocation: Invocation, *, mode: str, before: str | None, currency: str | None, minimum: str | None, by: str | None
) -> None:
    """Reserve what is payable in a run. If one already waits for release, that one is shown instead."""
    from hub.operations.money.payouts.payout_gathering import create_run
    from hub.operations.money.payouts.payout_runs import with_minimum

    settings, wanted = invocation.settings(), wanted_of(mode, before, currency)
    payouts = with_minimum(settings.payouts, minimum)
    made = over_store_as(invocation, by, lambda store: create_run(store, system_clock, payouts, wanted))
    print_result(invocation, made, lambda: show_document(made))


@payout.command()
@click.argument("payout_id", metavar="PAY")
@AFTER
@AFTER_ITEM
@invoked
def show(invocation: Invocation, payout_id: str, after: str, after_item: str) -> None:
    """Show a run with a page of its payments and one of its lines."""
    from hub.operations.money.payouts.payout_runs import show_run

    found = invocation.with_store(lambda store: show_run(store, payout_id, after=after, after_item=after_item))

    def human() -> None:
        show_document(found)
        columns = ["line", "status", "affiliate", "amount", "merchant", "order", "reason"]
        rows = (
            (each["id"], each["status"], each["affiliateId"], f"{each['amount']} {each['currency']}",
             named(each["merchantId"], each["merchantName"]), each["externalOrderId"], each["reason"])
            for each in found["lines"]
        )  # fmt: skip
        show_table(columns, rows, "The run has no lines.")
        if found["nextLine"] is not None:
            say(f"Next page: hub payout show {payout_id} --after {found['nextLine']}")

    print_result(invocation, found, human)


@payout.command(name="next")
@click.option("--affiliate", required=True, metavar="AFF", help="Whose pay date.")
@invoked
def next_(invocation: Invocation, affiliate: str) -> None:
    """Show an affiliate's next pay date (`[payouts] pay_day`), and what is still missing."""
    from hub.operations.money.payouts.pay_dates import next_payouts

    settings = invocation.settings()
    found = invocation.with_store(
        lambda store: next_payouts(store, system_clock, settings.payouts, affiliate), settings
    )  # fmt: skip
    columns = ["pay date", "currency", "due", "payable", "payable before", "missing"]
    rows = (
        (each["payDate"], each["currency"], each["due"], each["payable"], each["payableBefore"], each["missing"])
        for each in found
    )
    empty = "No pay date: [payouts] pay_day is not set, so people decide when a run is made."
    print_result(invocation, found, lambda: show_table(columns, rows, empty))


NEXT: Final = {
    "PREVIEW": ("Nothing is reserved. Next: hub payout create, with the same options",),
    "GATHERING": ("It was interrupted, or still gathers. To go on: hub payout create --mode {mode}",),
    "DRAFT": ("Next: hub payout release {id}",),
    "RELEASING": ("It was interrupted, or is being released. To go on: hub payout release {id}",),
    "RELEASED": (
        "Next: hub payout export {id} --format FORMAT --output FILE",
        "Once it is paid: hub payout settle {id} --reference TEXT",
    ),
}
"""What is to be done about a run, by its status."""


def show_document(run: RunDocument) -> None:
    """Print a run with its payments."""
    title = "Payout" if run["mark"] is None else f"{run['mark']} payout, which pays nobody"
    people = {"created by": run["createdBy"], "released by": run["releasedBy"]}
    show_fields(title, {
        **({} if run["id"] is None else {"id": run["id"]}), "status": run["status"], "cut-off": run["cutoff"],
        **{name: person for name, person in people.items() if person is not None},
        "pays": [f"{t['amount']} {t['currency']} to {t['payments']}" for t in run["totals"]],
    })  # fmt: skip
    columns = ["affiliate", "amount", "commissions", "corrections", "status", "carried over", "reference"]
    rows = (
        (named(i["affiliateId"], i["affiliateName"]), _amount(i), i["commissions"],
         i["adjustments"], i["status"], i["carriedReason"], i["reference"])
        for i in run["items"]
    )  # fmt: skip
    show_table(columns, rows, "There is nothing to pay.")
    for each in run["items"]:
        _show_word_of_bank(run["id"], each)
    if run["nextItem"] is not None:
        say(f"These are the first payments of more; the next: --after-item {run['nextItem']}")
    leaves_no_file = run["mark"] is not None and run["status"] == "RELEASED"  # a test run
    if run["totals"] and not leaves_no_file:
        say(*(step.format(id=run["id"], mode=run["mode"]) for step in NEXT.get(run["status"], ())))


def _show_word_of_bank(payout_id: str | None, item: ItemDocument) -> None:
    """Print why a payment came back, and a later word of the bank that contradicts it, with what to do."""
    if item["returnedReason"]:
        say(f"The payment to {item['affiliateId']} in {item['currency']} came back: {item['returnedReason']}")
    if item["question"]:
        say(f"{item['question']} If it did, for {item['affiliateId']}: hub payout reinstate {payout_id} "
            f"--affiliate {item['affiliateId']} --currency {item['currency']} --reason TEXT")  # fmt: skip


def _amount(item: ItemDocument) -> str:
    """Return what a payment is, and what is sent of it in another currency."""
    sent = "" if item["sentCurrency"] is None else f", sent as {item['sentAmount']} {item['sentCurrency']}"
    return f"{item['amount']} {item['currency']}{sent}"


RUNS: Final = Table(
    ["id", "status", "mode", "created", "released", "pays"],
    lambda r: (r["id"], r["status"], r["mode"], r["createdAt"], r["releasedAt"],
               [f"{t['amount']} {t['currency']} to {t['payments']}" for t in r["totals"]]),
    "There are no runs yet: hub payout create --mode live",
)  # fmt: skip
RUN: Final = {"payout": Value("", metavar="PAY")}

for each in (
    ActCommand("list", "payouts.listPayouts", "List runs, newest first.", RUNS,
               Takes(values={"mode": Value("--mode", "Only of this mode (default: both).")})),
    ActCommand("release", "payouts.releasePayout",
               "Pay a run: its commissions are PAID from now on. If interrupted, run it again: nobody is paid twice.",
               show_document, Takes(on=RUN)),
    ActCommand("cancel", "payouts.cancelPayout", "Cancel a draft: what it reserved is payable again.",
               show_document, Takes(on=RUN, values={"reason": Value("--reason", "Why; kept in the trail.")})),
):  # fmt: skip
    payout.add_command(each)
