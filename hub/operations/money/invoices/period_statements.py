"""An affiliate's statement of a period, across runs: what could be paid before, what changed it, and what is left.

The balance is that of payable commissions and approved corrections, as the ledger has it, so the next run's amount. A
run is one line for each currency: what it paid is in the statement of the run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta, tzinfo
from typing import Final, TypedDict

from attrs import frozen

from hub.domain.books.book_time import first_moment, month_of, span_of_month
from hub.domain.instants import format_instant, parse_instant
from hub.domain.money import format_money
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.errors import OperatorFault
from hub.operations.money.invoices.statements import ROUNDING
from hub.operations.money.payouts.payout_documents import mark_of
from hub.storage import Row, Store

MOST_ENTRIES: Final = 50_000
"""A statement is made in memory; a period with more entries is asked for in parts."""
WORDS: Final = {
    "opened": "Balance when the books were opened",
    "earned": "Commission raised",
    "held": "Commission on hold again",
    "released": "Commission payable",
    "clawed_back": "Commission reduced or taken back",
    "adjusted": "Correction",
    "paid": "Payout",
    "returned": "Payment came back, or was carried on",
    "written_off": "Debt written off",
    "adopted": "Adopted into the books",
}


class PeriodLine(TypedDict):
    """A change of the balance; `amount` is decimal text, negative if it took from it, and `balance` what it left.

    `what` is a kind of entry of the ledger, `reference` the id of what caused it: a run's for `paid`.
    """

    at: str
    what: str
    merchantId: str | None
    merchantName: str | None
    externalOrderId: str | None
    commissionId: str | None
    adjustmentId: str | None
    reference: str
    reason: str | None
    amount: str
    balance: str


class PeriodPart(TypedDict):
    """A period in one currency; `openingBalance` and the lines' amounts add up to `closingBalance`."""

    currency: str
    openingBalance: str
    closingBalance: str
    lines: list[PeriodLine]


class PeriodStatement(TypedDict):
    """An affiliate's balance from `since` until before `until`; `mark` is "TEST" for that of test accounts."""

    affiliateId: str
    affiliateName: str
    mode: str
    mark: str | None
    since: str
    until: str
    issuer: str
    rounding: str
    parts: list[PeriodPart]


@frozen
class Period:
    """A time in ms UTC, the end exclusive."""

    since: int
    until: int


def period_of(since: str | None, until: str | None, now: int, zone: tzinfo) -> Period:
    """Return a period from dates of the books (`until` included) or RFC 3339 moments.

    By default it is from the month's first day on.

    Raise `OperatorFault` for another form, and for one that ends before it begins.
    """
    this_month = span_of_month(month_of(now, zone), zone)[0]
    period = Period(_moment(since, 0, zone) if since else this_month, _moment(until, 1, zone) if until else now + 1)
    if period.since >= period.until:
        raise OperatorFault("The period ends before it begins.")
    return period


async def period_statement(
    store: Store, affiliate: str, period: Period, issuer: str, mode: str = "live"
) -> PeriodStatement:
    """Return an affiliate's statement of a period; `issuer` is the name of the network.

    Raise `OperatorFault` if the affiliate is unknown, and for a period of more than `MOST_ENTRIES` entries.
    """
    async with store.read() as tx:
        row = await require_affiliate(tx, affiliate)
        whose = {"affiliate_id": row["affiliate_id"], "mode": mode}
        opening = {
            each["currency"]: each["minor"] for each in await tx.all("balances_before", **whose, before=period.since)
        }
        entries = await tx.all(
            "balance_entries", **whose, since=period.since, until=period.until, limit=MOST_ENTRIES + 1
        )
    if len(entries) > MOST_ENTRIES:
        raise OperatorFault(f"The period has more than {MOST_ENTRIES:,} entries; ask for a shorter one.")
    by_currency = defaultdict[str, list[Row]](list)
    for each in entries:
        by_currency[each["currency"]].append(each)
    currencies = sorted({currency for currency, minor in opening.items() if minor} | by_currency.keys())
    return {
        "affiliateId": row["affiliate_id"],
        "affiliateName": row["name"],
        "mode": mode,
        "mark": mark_of(mode),
        "since": format_instant(period.since),
        "until": format_instant(period.until),
        "issuer": issuer,
        "rounding": ROUNDING,
        "parts": [_part(each, opening.get(each, 0), by_currency[each]) for each in currencies],
    }


def what_of(line: PeriodLine) -> str:
    """Return what a line is for, in words."""
    return line["reason"] or WORDS.get(line["what"], line["what"])


def _part(currency: str, opening: int, entries: Iterable[Row]) -> PeriodPart:
    balance, lines = opening, list[PeriodLine]()
    for first, minor in _gathered(entries):
        balance += minor
        is_run = _is_of_run(first)
        lines.append({
            "at": format_instant(first["posted_at"]),
            "what": first["kind"],
            "merchantId": None if is_run else first["merchant_id"],
            "merchantName": None if is_run else first["merchant_name"],
            "externalOrderId": None if is_run else first["external_order_id"],
            "commissionId": None if is_run else first["commission_id"],
            "adjustmentId": None if is_run else first["adjustment_id"],
            "reference": first["cause"],
            "reason": None if is_run else first["reason"],
            "amount": format_money(minor, currency),
            "balance": format_money(balance, currency),
        })  # fmt: skip
    return {
        "currency": currency,
        "openingBalance": format_money(opening, currency),
        "closingBalance": format_money(balance, currency),
        "lines": lines,
    }


def _gathered(entries: Iterable[Row]) -> Iterator[tuple[Row, int]]:
    """Yield entries with their minor units; those of a run are one, at the place of its last."""
    rows = list(entries)
    runs = defaultdict[str, int](int)
    last: dict[str, Row] = {}
    for each in filter(_is_of_run, rows):
        runs[each["cause"]] += each["minor"]
        last[each["cause"]] = each
    for each in rows:
        if not _is_of_run(each):
            yield each, each["minor"]
        elif last[each["cause"]] is each:
            yield each, runs[each["cause"]]


def _is_of_run(entry: Row) -> bool:
    return bool(entry["kind"] == "paid" and entry["cause"].startswith("pay_"))


def _moment(text: str, days: int, zone: tzinfo) -> int:
    """Return a moment, or the first one of a date that many days later, in ms UTC."""
    try:
        if len(text) > len("2026-11-30"):
            return parse_instant(text)
        return first_moment(date.fromisoformat(text) + timedelta(days=days), zone)
    except (ValueError, OverflowError):
        raise OperatorFault(f"{text!r} is neither a date like 2026-11-30 nor an RFC 3339 moment.") from None
