"""What a merchant owes, month by month, and the lines that a month's sum is made of."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, tzinfo
from decimal import Decimal
from typing import Final, TypedDict

from hub.domain.books.book_time import month_of, span_of_month, zone_named
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.operations.money.books.books import books_in, zone_of_books
from hub.operations.money.invoices.statements import Owed, month_span, owed_document
from hub.operations.references import account_of, merchant_id_of
from hub.records.statements import OwedAmount, StatementRecord
from hub.storage import Row, Store, Tx

SHOWN_MONTHS: Final = 24
PAGE: Final = 1_000
COLUMNS: Final = ("postedAt", "what", "externalOrderId", "affiliateId", "affiliateName", "commissionId", "adjustmentId",
                  "reason", "amount", "currency", "payment", "deposit")  # fmt: skip


class OwedLine(TypedDict):
    """A line of a merchant's month: a commission that was paid, a correction, or the network's fee for one of them.

    `amount` is decimal text, negative if it is in the merchant's favour; `payment` is the run or the reference.
    `deposit` is what the merchant's deposit has paid of it, negative.
    """

    entry: int
    postedAt: str
    what: str
    externalOrderId: str | None
    affiliateId: str
    affiliateName: str | None
    commissionId: str | None
    adjustmentId: str | None
    reason: str | None
    amount: str
    currency: str
    payment: str
    deposit: str


class OrderLine(OwedLine):
    """What an order added to a month: `amount` with the network's `fee` for it, None without one, makes `total`."""

    fee: str | None
    total: str


async def owed_months(store: Store, merchant: str, mode: str, now: int) -> list[StatementRecord]:
    """Return the last months in which something was owed, newest first; `now` is in ms UTC.

    Raise `OperatorFault` for an unknown merchant.
    """
    async with store.read() as tx:
        account = await account_of(tx, await merchant_id_of(tx, merchant), mode)
        return await months_of(tx, account["account_id"], now)


async def months_of(tx: Tx, account_id: str, now: int) -> list[StatementRecord]:
    """Return the last months in which an account owed something, newest first; `now` is in ms UTC."""
    books = await books_in(tx)
    months_asked = _last_months(now, zone_named(books["timeZone"]))
    rows = await tx.all("owed_by_month", account_id=account_id, months=months_asked)
    months: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        months[row["month"]].append(row)
    return [
        StatementRecord(month=month, time_zone=books["timeZone"], billed=books["billed"], owed=_owed(months[month]))
        for month in sorted(months, reverse=True)
    ]


def _last_months(now: int, zone: tzinfo) -> list[tuple[str, int, int]]:
    """Return the last months of the books, each with its first moment and that of the next (ms UTC)."""
    months, moment = list[tuple[str, int, int]](), now
    for _ in range(SHOWN_MONTHS + 1):
        month = month_of(moment, zone)
        months.append((month, *span_of_month(month, zone)))
        moment = months[-1][1] - 1
    return months


def _owed(rows: list[Row]) -> tuple[OwedAmount, ...]:
    sums: defaultdict[tuple[str, str], int] = defaultdict(int)
    payments: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        sums[row["currency"], row["what"]] += row["minor"]
        sums[row["currency"], "deposit"] += row["deposit_minor"]
        payments[row["currency"]] += row["entries"] if row["what"] == "commission" else 0
    by_currency = [
        Owed(of, sums[of, "commission"], payments[of], sums[of, "correction"], sums[of, "fee"], sums[of, "deposit"])
        for of in sorted({currency for currency, _ in sums})
    ]
    return tuple(owed_document(OwedAmount, each) for each in by_currency)


async def owed_lines(
    store: Store, merchant: str, month: str, mode: str, *, limit: int, after: int = 0
) -> list[OwedLine]:
    """Return at most `limit` lines of a month, in the order of the ledger, after an entry's number.

    Raise `OperatorFault` for an unknown merchant, or for another form of month.
    """
    async with store.read() as tx:
        since, until = month_span(month, await zone_of_books(tx))
        account = await account_of(tx, await merchant_id_of(tx, merchant), mode)
        rows = await tx.all(
            "owed_lines", account_id=account["account_id"], since=since, until=until, after=after, limit=limit
        )
    return [_line(row) for row in rows]


def whole_lines(lines: Sequence[OwedLine], most: int) -> list[OwedLine]:
    """Return the first `most` lines, and one more if it is the fee of the last: what belongs together stays so."""
    cut = most + 1 if len(lines) > most and _is_fee_of(lines[most], lines[most - 1]) else most
    return list(lines[:cut])


def by_order(lines: Sequence[OwedLine]) -> list[OrderLine]:
    """Return one line for each commission or correction, with the fee that the ledger has behind it."""
    found: list[OrderLine] = []
    last: OwedLine | None = None
    for line in lines:
        if last is not None and _is_fee_of(line, last):
            before = found.pop()
            total = str(Decimal(before["total"]) + Decimal(line["amount"]))
            deposit = str(Decimal(before["deposit"]) + Decimal(line["deposit"]))
            found.append({**before, "fee": line["amount"], "total": total, "deposit": deposit})
        else:
            is_fee = line["what"] == "fee"
            found.append({**line, "fee": line["amount"] if is_fee else None, "total": line["amount"]})
        last = line
    return found


def _is_fee_of(line: OwedLine, before: OwedLine) -> bool:
    one, other = ((each["commissionId"], each["adjustmentId"], each["payment"]) for each in (line, before))
    return line["what"] == "fee" and before["what"] != "fee" and one == other


async def owed_csv(store: Store, merchant: str, month: str, mode: str) -> AsyncIterator[bytes]:
    """Yield the lines of a month as CSV, in blocks; the first cell of each row says TEST if nobody owes it."""
    mark = "TEST" if mode == "test" else ""
    yield _rows([["mark", *COLUMNS]])
    after = 0
    while lines := await owed_lines(store, merchant, month, mode, limit=PAGE, after=after):
        after = lines[-1]["entry"]
        yield _rows([[mark, *(defused(str(line.get(name) or "")) for name in COLUMNS)] for line in lines])


def checked_month(text: str) -> str:
    """Return a month such as "2026-11"; raise `OperatorFault` for another form."""
    month_span(text, UTC)
    return text


def _line(row: Row) -> OwedLine:
    return {
        "entry": row["entry_no"],
        "postedAt": format_instant(row["posted_at"]),
        "what": row["what"],
        "externalOrderId": row["external_order_id"],
        "affiliateId": row["affiliate_id"],
        "affiliateName": row["affiliate_name"],
        "commissionId": row["commission_id"],
        "adjustmentId": row["adjustment_id"],
        "reason": row["reason"],
        "amount": format_money(row["minor"], row["currency"]),
        "currency": row["currency"],
        "payment": row["cause"],
        "deposit": format_money(row["deposit_minor"], row["currency"]),
    }


def _rows(rows: list[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
