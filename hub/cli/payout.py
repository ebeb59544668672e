"""`hub payout`: runs that pay affiliates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import Table, named, print_result, say, show_fields, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.money.payouts.payout_documents import ItemDocument, PreviewedRun, RunDocument, ShownRun


@click.group()
def payout() -> None:
    """Gather payouts into runs, release and settle them."""


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


def _show_preview(run: PreviewedRun) -> None:
    show_document(run)
    for each in run["stopped"]:
        say(f"Nothing is paid of {each['merchantName']}: {each['overdue']} {each['currency']} are overdue.")


def _show(run: ShownRun) -> None:
    show_document(run)
    LINES(run["lines"])
    if run["nextLine"] is not None:
        say(f"Next page: hub payout show {run['id']} --after {run['nextLine']}")


LINES: Final = Table(
    ["line", "status", "affiliate", "amount", "merchant", "order", "reason"],
    lambda each: (each["id"], each["status"], each["affiliateId"], f"{each['amount']} {each['currency']}",
                  named(each["merchantId"], each["merchantName"]), each["externalOrderId"], each["reason"]),
    "The run has no lines.",
)  # fmt: skip
RUNS: Final = Table(
    ["id", "status", "mode", "created", "released", "pays"],
    lambda r: (r["id"], r["status"], r["mode"], r["createdAt"], r["releasedAt"],
               [f"{t['amount']} {t['currency']} to {t['payments']}" for t in r["totals"]]),
    "There are no runs yet: hub payout create --mode live",
)  # fmt: skip
RUN: Final = {"payout": Value("", metavar="PAY")}
GATHERS: Final = {
    "mode": Value("--mode", "Test runs pay nobody."),
    "before": Value("--before", "Only what was payable by this moment, RFC 3339 (default: now).", "T"),
    "currency": Value("--currency", "Only this currency (default: all)."),
    "minimum": Value("--minimum", "Minimum payout, like 25 or EUR:25.", "AMOUNT"),
}
PLACES: Final = {
    "after": Value("--after", "The lines after this one, as the previous page says.", "LINE"),
    "afterItem": Value("--after-item", "The payments after this one, as the previous page says.", "ITEM"),
}

for each in (
    ActCommand("list", "payouts.listPayouts", "List runs, newest first.", RUNS,
               Takes(values={"mode": Value("--mode", "Only of this mode (default: both).")})),
    ActCommand("preview", "payouts.previewPayout",
               "Show the run that `create` would make now, with a page of its lines as JSON; nothing is reserved.",
               _show_preview, Takes(values={**GATHERS, **PLACES})),
    ActCommand("create", "payouts.createPayout",
               "Reserve what is payable in a run. If one already waits for release, that one is shown instead.",
               show_document, Takes(values=GATHERS)),
    ActCommand("show", "payouts.getPayout", "Show a run with a page of its payments and one of its lines.", _show,
               Takes(on=RUN, values=PLACES)),
    ActCommand("release", "payouts.releasePayout",
               "Pay a run: its commissions are PAID from now on. If interrupted, run it again: nobody is paid twice.",
               show_document, Takes(on=RUN)),
    ActCommand("cancel", "payouts.cancelPayout", "Cancel a draft: what it reserved is payable again.",
               show_document, Takes(on=RUN, values={"reason": Value("--reason", "Why; kept in the trail.")})),
):  # fmt: skip
    payout.add_command(each)
