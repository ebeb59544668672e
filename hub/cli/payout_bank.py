"""`hub payout`, with the bank: files that are written, sent again and withdrawn, and what became of the payments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.acting import by_option, over_store_as
from hub.cli.bank import read_report_file
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import Table, print_result, say, show_fields, show_table
from hub.cli.output_files import write_whole
from hub.cli.payout import RUN, payout, show_document
from hub.clock import system_clock
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.words import PAYOUT_FORMATS, PayoutFormat

if TYPE_CHECKING:
    from hub.operations.money.payouts.arrived_payments import SettlementDocument

OUTPUT = click.option("--output", type=click.Path(path_type=Path), required=True, help="The file to write.")
FILES: Final = Table(
    ["file", "format", "payments", "written", "by", "SHA-256", "withdrawn"],
    lambda f: (f.id, f.format, f.payments, format_instant(f.written_at), f.written_by, f.sha256,
               instant_or_none(f.withdrawn_at)),
    "No file was written of it.",
)  # fmt: skip


@payout.command()
@click.argument("payout_id", metavar="PAY")
@click.option("--format", "form", required=True, type=click.Choice(PAYOUT_FORMATS))
@OUTPUT
@click.option("--currency", metavar="C", help="Only this currency (PayPal takes one in a file: default the first).")
@click.option("--part", type=click.IntRange(1), default=1, help="Which part of a batch that is too long for one file.")
@by_option
@invoked
def export(
    invocation: Invocation, payout_id: str, *, form: PayoutFormat, output: Path, currency: str | None, part: int,
    by: str | None,
) -> None:  # fmt: skip
    """Write a payment file of what a released run pays and no file holds yet, or the one that holds it all."""
    from hub.operations.checks import checked_currency
    from hub.operations.money.payouts.payout_choice import Part
    from hub.operations.money.payouts.payout_files import export_run
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)
    wanted = Part(None if currency is None else checked_currency(currency), part)
    made = over_store_as(
        invocation, by,
        lambda store: export_run(store, sealer, system_clock, settings.payouts, payout_id, form, wanted),
    )  # fmt: skip
    write_whole(output, made.content)

    def human() -> None:
        say(f"{_payments_in(made.document['payments'], output)}{', as before' if made.document['again'] else ''}.")
        rows = [tuple(each.values()) for each in made.document["leftOut"]]
        if rows:
            show_table(["affiliate", "currency", "amount", "left out"], rows, "")
        if made.document["leftOutCount"] > len(rows):
            say(f"{made.document['leftOutCount']} payments are left out; these are the first.")

    kept, document = made.document["file"], dict(made.document)
    more = {} if kept is None else {"fileId": kept.id, "sha256": kept.sha256, "messageId": kept.message_id}
    print_result(invocation, {**document, **more, "file": str(output)}, human)


def _payments_in(payments: int, output: Path) -> str:
    return f"{payments} payment{' is' if payments == 1 else 's are'} in {output}"


@payout.command()
@click.argument("file_id", metavar="FILE")
@OUTPUT
@invoked
def file(invocation: Invocation, file_id: str, output: Path) -> None:
    """Write a file again, to the byte."""
    from hub.operations.money.payouts.payout_files import stored_file
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)
    content, kept = invocation.with_store(lambda store: stored_file(store, sealer, file_id), settings)
    write_whole(output, content)
    print_result(invocation, kept, lambda: say(f"{_payments_in(kept.payments, output)}, as before."))


@payout.command()
@click.argument("payout_id", metavar="PAY")
@click.option("--reference", required=True, help="The bank's reference; repeating it changes nothing.")
@click.option("--results", type=click.Path(path_type=Path), help="The bank's file: pain.002, camt.054 or CSV.")
@click.option("--file", "file_id", metavar="FILE", help="Only the payments in this file.")
@click.option("--affiliate", metavar="AFF", help="Only the payments to this affiliate, in a file or not.")
@click.option("--currency", help="With --affiliate: only the payment in this currency.")
@by_option
@invoked
def settle(
    invocation: Invocation, payout_id: str, *, reference: str, results: Path | None, file_id: str | None,
    affiliate: str | None, currency: str | None, by: str | None,
) -> None:  # fmt: skip
    """Record that payments of a released run arrived: all in its files, some of them, or as a result file says."""
    from hub.operations.money.payouts.arrived_payments import settlement_of
    from hub.operations.money.payouts.payout_settlement import Chosen, settle_run
    from hub.operations.money.receipts.bank_report_store import Sent

    if results is None:
        chosen = Chosen(file_id, affiliate, currency)
        done = over_store_as(
            invocation, by, lambda store: settle_run(store, system_clock, payout_id, reference, None, chosen)
        )  # fmt: skip
        print_result(invocation, done, lambda: _show_settled(done))
        return
    read = read_report_file(
        invocation, by, results, lambda content, name: Sent(content, name, payout_id, reference, file_id)
    )
    said = invocation.with_store(lambda store: settlement_of(store, payout_id, read.verdicts))
    print_result(invocation, {**said, "reportId": read.id}, lambda: _show_settled(said))


def _show_settled(done: SettlementDocument) -> None:
    show_document(done)
    say(f"{done['settled']} arrived, {done['returned']} came back, {done['pending']} are under way.")
    if done["questions"]:
        say(f"{done['questions']} contradict what is known, and nothing was changed: look at them in the run.")


def _one_payment(reason: str) -> Takes:
    return Takes(
        on=RUN,
        values={"affiliateId": Value("--affiliate", "The affiliate: id, or exact name or e-mail address.", "AFF"),
                "reason": Value("--reason", reason),
                "currency": Value("--currency", "Only the payment in this currency (default: all).")},
    )  # fmt: skip


for each in (
    ActCommand("files", "payouts.listPayoutFiles", "List the files that were written for a run.", FILES, Takes(on=RUN)),
    ActCommand("withdraw", "payouts.withdrawPayoutFile",
               "Record that a file was never sent: its payments may go into another one.",
               lambda done: show_fields("File", done), Takes(on={"file": Value("", metavar="FILE")})),
    ActCommand("returned", "payouts.returnPayment", "Record that a payment came back: the next run pays it again.",
               show_document, _one_payment("What the bank says.")),
    ActCommand("reinstate", "payouts.reinstatePayment",
               "Undo a return that was recorded by mistake, as long as no run includes the balance.", show_document,
               _one_payment("How you know; kept in the trail.")),
):  # fmt: skip
    payout.add_command(each)
