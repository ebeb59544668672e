"""The files that pay: written once, kept to the byte, and proved against the ledger before a byte is written.

A payment is in one file at a time. A file has only payments that are RELEASED and in no other, under a message id of
its own, so that nothing is paid by two files; "write it again" gives the bytes that were kept. A file that was never
sent is withdrawn, and its payments may be in another.
"""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections.abc import AsyncIterator, Sequence
from typing import Final, NamedTuple, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.money_notes import Key
from hub.domain.durations import DAY
from hub.domain.money import money_shown
from hub.domain.payouts.payout_formats import Payment, file_identity, format_of
from hub.domain.words import PayoutFormat
from hub.ids import new_id
from hub.operations.errors import OperatorFault, known
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.money.payees.payers import payer_of
from hub.operations.money.payouts.four_eyes import Alternative, paid_by, pay_alone
from hub.operations.money.payouts.four_eyes import Payment as Lone
from hub.operations.money.payouts.payout_choice import (
    WHOLE,
    Choice,
    Chosen,
    LeftOut,
    Part,
    batch_of,
    payments_of,
    refuse_run,
)
from hub.operations.money.payouts.payout_documents import require_run, short_id
from hub.operations.money.payouts.payout_runs import pages_of_items
from hub.operations.money.payouts.run_slices import payment_slices
from hub.operations.money.payouts.transfer_schema import written_file
from hub.operations.second_person import why_not_second
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import items_of, keys_of, note_rows
from hub.records.bank_files import FileDocument, file_document
from hub.sealing import Sealer, SealingFault
from hub.storage import Row, Store, Tx

SHOWN: Final = 5


class ExportDocument(TypedDict):
    """What a file holds: how many payments, and those that have to be paid in another way.

    `leftOut` are the first of `leftOutCount`. `file` is null for a TEST run's list, which is not kept; `again` says
    that it was written before.
    """

    payoutId: str
    format: str
    payments: int
    leftOut: list[LeftOut]
    leftOutCount: int
    file: FileDocument | None
    again: bool


@frozen
class Exported:
    """A file's content, and what it holds."""

    content: bytes
    document: ExportDocument


class _Paid(NamedTuple):
    """A row of `insert_file_payments`."""

    file_id: str
    affiliate_id: str
    currency: str
    amount_minor: int


async def export_run(
    store: Store, sealer: Sealer, clock: Clock, settings: PayoutSettings, payout_id: str, form: PayoutFormat,
    part: Part = WHOLE,
) -> Exported:  # fmt: skip
    """Write what a released run pays in this way and no file has, and keep the file; return it.

    If all of it is in one such file already, that file is returned again, to the byte. An account that was just named
    is in no file: a thief's may have got into a run that was there already. Raise `OperatorFault` for a run that is not
    released, for one of test accounts in any form but CSV, if a payment is not what the ledger says, if the file is not
    what its schema allows, and if nothing of the run can be paid in this way.
    """
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        run = await require_run(tx, payout_id)
        format_ = format_of(form)
        refuse_run(run, format_)
        await _prove_amounts(tx, payout_id)
        now = clock()
        chosen = await _chosen(tx, sealer, run, now, settings, Choice(run["mode"] == "test", format_, part))
        if not chosen.paid and not chosen.listed:
            return await _again(tx, sealer, run, form, part, chosen)
        file_id = new_id("fil")
        file_of_day = await _written_today(tx, form, now)
        batch = batch_of(run, file_id, payer_of(settings), now, file_of_day, chosen)
        content = await asyncio.to_thread(written_file, format_, batch)
        count = len(chosen.paid) or len(chosen.listed)
        kept = None
        if chosen.paid:
            kept = await _keep(tx, sealer, run, (file_id, form, content), [each for each, _ in chosen.paid], now)
    return Exported(content, _document(payout_id, form, count, chosen, kept, again=False))


async def _chosen(tx: Tx, sealer: Sealer, run: Row, now: int, settings: PayoutSettings, choice: Choice) -> Chosen:
    async for page in payments_of(tx, sealer, run, now, settings.payee_wait):
        for each in page:
            choice.add(each)
    return choice.chosen


def _document(
    payout_id: str, form: PayoutFormat, payments: int, chosen: Chosen, kept: FileDocument | None, *, again: bool
) -> ExportDocument:  # fmt: skip
    return {
        "payoutId": payout_id, "format": form, "payments": payments, "leftOut": chosen.left,
        "leftOutCount": chosen.reasons.total(), "file": kept, "again": again,
    }  # fmt: skip


async def _written_today(tx: Tx, form: PayoutFormat, now: int) -> int:
    """Return how many files of a format were written on this day (UTC); banks want a day's files to have numbers."""
    row = await tx.one("payout_files_since", format=form, since=now - now % DAY)
    return 0 if row is None else int(row["files"])


async def _prove_amounts(tx: Tx, payout_id: str) -> None:
    """Raise `OperatorFault` unless each payment is what its lines and its entries in the ledger add up to."""
    async for payments in payment_slices(tx.one, payout_id):
        rows = await tx.all("payments_that_differ", **payments, limit=SHOWN)
        if rows:
            raise OperatorFault(
                f"Nothing was written: {' '.join(map(difference, rows))}",
                command="`hub ledger verify` shows all that does not agree.",
            )


def difference(row: Row) -> str:
    """Return a row of `payments_that_differ` as a sentence."""
    said, lines, entries = (money_shown(row[name], row["currency"])
                            for name in ("amount_minor", "lines_minor", "entries_minor"))  # fmt: skip
    return (
        f"The payment of payout {row['payout_id']} to {row['affiliate_id']} is {said} {row['currency']}, but its lines "
        f"add up to {lines} and its entries in the ledger to {entries}."
    )


async def _keep(
    tx: Tx, sealer: Sealer, run: Row, written: tuple[str, PayoutFormat, bytes], paid: Sequence[Payment], now: int
) -> FileDocument:
    """Keep a file and mark its payments; raise `OperatorFault` if one is in another file meanwhile."""
    file_id, form, content = written
    digest = hashlib.sha256(content).hexdigest()
    await tx.run(
        "insert_payout_file", file_id=file_id, payout_id=run["payout_id"], format=form, message_id=short_id(file_id),
        sha256=digest, sealed=sealer.seal(zlib.compress(content), file_identity(file_id, digest)), payments=len(paid),
        written_by=current_actor().id, now=now,
    )  # fmt: skip
    rows = [_Paid(file_id, each.affiliate_id, *(each.earned or (each.currency, each.amount_minor))) for each in paid]
    await tx.run("insert_file_payments", payments=rows)
    if await tx.run("mark_payments_in_file", payments=rows, payout_id=run["payout_id"]) != len(rows):
        raise OperatorFault("A payment is in another file by now; nothing was written.")
    payments = [{"payout_id": run["payout_id"], **row._asdict()} for row in rows]
    await note_rows(tx, now, {
        "payout_files": [(file_id,)], "payout_items": items_of(payments),
        "payout_file_payments": keys_of("payout_file_payments", payments),
    })  # fmt: skip
    kept = file_document(await _file(tx, file_id))
    await note_act(tx, now, "payout.exported", run["payout_id"], after=kept)
    return kept


async def _again(tx: Tx, sealer: Sealer, run: Row, form: PayoutFormat, part: Part, chosen: Chosen) -> Exported:
    """Return the only file of this format that was written before; raise `OperatorFault` unless there is one."""
    rows = [row for row in await tx.all("payout_files_of", payout_id=run["payout_id"])
            if row["format"] == form and row["withdrawn_at"] is None]  # fmt: skip
    if len(rows) > 1:
        raise OperatorFault(
            f"All that payout {run['payout_id']} pays as {form} is in {len(rows)} files already.",
            command=f"To write one again: hub payout file FILE --output ... ; those are "
            f"{', '.join(row['file_id'] for row in rows)}.",
        )
    if not rows or part != WHOLE:
        why = "; ".join(sorted(chosen.reasons)) if chosen.reasons else "it has no payments"
        raise OperatorFault(f"Nothing of payout {run['payout_id']} can be written as {form}: {why}.")
    content, kept = await _stored(tx, sealer, rows[0]["file_id"])
    return Exported(content, _document(run["payout_id"], form, kept.payments, chosen, kept, again=True))


async def stored_file(store: Store, sealer: Sealer, file_id: str) -> tuple[bytes, FileDocument]:
    """Return the bytes of a file as they were written; raise `OperatorFault` if it is unknown or was changed."""
    async with store.read() as tx:
        return await _stored(tx, sealer, file_id)


async def _stored(tx: Tx, sealer: Sealer, file_id: str) -> tuple[bytes, FileDocument]:
    row = await _file(tx, file_id)
    content = opened(sealer, row)
    if content is None:
        raise OperatorFault(
            f"File {file_id} is not as it was written.", command="`hub ledger verify` shows all that does not agree."
        )
    return content, file_document(row)


def opened(sealer: Sealer, row: Row) -> bytes | None:
    """Return the bytes of a row of `payout_file`, None if they are not those that were written."""
    try:
        content = zlib.decompress(sealer.open(row["sealed"], file_identity(row["file_id"], row["sha256"])))
    except (SealingFault, zlib.error):
        return None
    return content if hashlib.sha256(content).hexdigest() == row["sha256"] else None


async def list_files(store: Store, payout_id: str) -> list[FileDocument]:
    """Return the files of a run, oldest first; raise `OperatorFault` if the run is unknown."""
    async with store.read() as tx:
        await require_run(tx, payout_id)
        return [file_document(row) for row in await tx.all("payout_files_of", payout_id=payout_id)]


async def withdraw_file(store: Store, clock: Clock, settings: PayoutSettings, file_id: str) -> FileDocument:
    """Note that a file was never sent: its payments may be in another one. Repeating it changes nothing.

    Raise `OperatorFault` if it is unknown, if a payment of it has arrived or came back, so that the bank has it, and if
    one person who wrote and withdraws it could pay more than the limit a second time.
    """
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        row = await _file(tx, file_id)
        if row["withdrawn_at"] is not None:
            return file_document(row)
        freed, known = list[Key](), 0
        async for items in pages_of_items(tx, row["payout_id"], file_id=file_id):
            known += sum(item["status"] != "RELEASED" for item in items)
            freed += items_of(items)
        if known:
            raise OperatorFault(
                f"File {file_id} was sent: {known} of its payments are settled or came back. Nothing was done."
            )
        now = clock()
        await _refuse_alone(tx, settings, now, row)
        await tx.run("withdraw_payout_file", file_id=file_id, withdrawn_by=current_actor().id, now=now)
        await tx.run("free_payments_of_file", payout_id=row["payout_id"], file_id=file_id)
        await note_rows(tx, now, {"payout_files": [(file_id,)], "payout_items": freed})
        done = file_document(await _file(tx, file_id))
        await note_act(tx, now, "payout.file-withdrawn", row["payout_id"], before=file_document(row), after=done)
        return done


async def _refuse_alone(tx: Tx, settings: PayoutSettings, now: int, file: Row) -> None:
    """Note what a file pays as its writer's own, who withdraws it; raise `OperatorFault` if that is above the limit."""
    why = await why_not_second(tx, now, file["written_by"], after=settings.second_person_after)
    if why is None:
        return

    async def payments() -> AsyncIterator[Sequence[Lone]]:
        async for items in pages_of_items(tx, file["payout_id"], file_id=file["file_id"]):
            yield paid_by(items)

    alternative = Alternative(
        f"File {file['file_id']} pays", f"another person than the one who wrote it withdraws it: {why}.",
        "At the terminal that person is named with --by.",
    )  # fmt: skip
    await pay_alone(tx, settings, now, "payout.file-withdrawn", payments, alternative)


async def _file(tx: Tx, file_id: str) -> Row:
    row = await tx.one("payout_file", file_id=file_id)
    return known(row, "file", file_id, command="`hub payout files PAY` shows those of a run.")
