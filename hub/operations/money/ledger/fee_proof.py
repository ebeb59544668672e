"""The proof of fees: each commission that is billed and each bonus has the fee that was in force.

That of a bonus, and of a commission that is billed when it is paid, is right behind its entry. Of commissions that are
billed when they become payable all that was charged is compared with what is payable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from hub.domain.books.fees import fee_left, fee_of_more
from hub.domain.books.ledger import Entry
from hub.domain.money import MoneyError, money_shown
from hub.domain.orders.volume_rates import VOLUME_CAUSE
from hub.domain.words import BilledWhen
from hub.operations.money.ledger.running_sums import RunningSums
from hub.storage import Row, Store

PAGE: Final = 5_000
TOLERANCE: Final = 60_000
"""In ms: a fee that was set in the minute around a payment may or may not have been seen by it, on another node."""


class Rate(NamedTuple):
    """A fee in percent and the moment (ms UTC) since which it holds."""

    since: int
    percentage: str


class _Due(NamedTuple):
    entry: Entry
    amounts: frozenset[int]


class FeeTotals:
    """Follows the entries of an account, and remembers the one whose fee comes next."""

    def __init__(self, rates: Sequence[Rate], booked: RunningSums, most: int, billed: BilledWhen = "paid") -> None:
        """Follow an account; `booked` keeps what was booked of each bonus by volume so far.

        At most so many fees that are wrong are named.
        """
        self._billed = billed
        self._has_fees = bool(rates)
        self._rates = rates
        self._booked = booked
        self._most = most
        self._due: _Due | None = None
        self._wrong: list[str] = []

    def add(self, entries: Sequence[Entry]) -> None:
        """Add entries."""
        for entry in entries:
            if self._due is not None:
                self._settle(self._due, entry)
            self._has_fees = self._has_fees or entry.kind == "fee"
            signed = self._charged(entry)
            before = 0 if signed is None else self._booked_before(entry, signed)
            self._due = None if signed is None else _Due(entry, self._fees(entry.posted_at, before, signed))

    def _settle(self, due: _Due, entry: Entry | None) -> None:
        charged = 0
        if entry is not None and entry.kind == "fee" and (entry.commission_id, entry.adjustment_id) == (
            due.entry.commission_id, due.entry.adjustment_id
        ):  # fmt: skip
            charged = entry.amount_minor if entry.credit == "fees" else -entry.amount_minor
        if charged not in due.amounts and len(self._wrong) < self._most:
            expected = " or ".join(money_shown(each, due.entry.currency) for each in sorted(due.amounts)) or "another"
            self._wrong.append(
                f"The fee behind entry {due.entry.entry_no} is {money_shown(charged, due.entry.currency)} "
                f"{due.entry.currency}, but {expected} was due."
            )

    def _booked_before(self, entry: Entry, signed: int) -> int:
        """Return what was booked of the sum that an entry is the rest of, and add the entry; 0 for single amounts."""
        if not entry.cause.startswith(VOLUME_CAUSE):
            return 0
        return self._booked.added(f"{entry.affiliate_id} {entry.cause} {entry.currency}", signed)

    def _fees(self, moment: int, before: int, signed: int) -> frozenset[int]:
        """Return the fees that may have been charged at a moment: more than one only if it was just changed."""
        inside = [rate for rate in self._rates if abs(rate.since - moment) <= TOLERANCE]
        earlier = [rate for rate in self._rates if rate.since < moment - TOLERANCE]
        known = [rate.percentage for rate in (*earlier[-1:], *inside)]
        none_yet = [] if earlier else [0]
        try:
            return frozenset([fee_of_more(before, signed, percentage) for percentage in known] + none_yet)
        except MoneyError:
            return frozenset()  # a rate that somebody changed to what is none: nothing that was charged can be right

    async def faults(self, store: Store, account_id: str, most: int) -> list[str]:
        """Return in sentences which fees are missing or wrong, with those that corrections of orders gave back."""
        if self._due is not None:
            self._settle(self._due, None)
            self._due = None
        found = list(self._wrong)
        if self._billed == "payable" and self._has_fees:
            found += await _found(store, "fees_of_payable_page", account_id, self._wrong_of_payable, most)
        found += await _found(store, "fees_of_corrected", account_id, _not_given_back, most - len(found))
        return found[:most]

    def _charged(self, entry: Entry) -> int | None:
        """Return what an entry is charged a fee for, negative for what is taken back; None for all others."""
        if entry.kind == "paid" and entry.debit == "payable" and entry.adjustment_id is None:
            return entry.amount_minor if self._billed == "paid" else None
        if entry.kind == "adjusted" and entry.commission_id is None:
            return entry.amount_minor if entry.debit == "merchant" else -entry.amount_minor
        return None

    def _wrong_of_payable(self, row: Row) -> str | None:
        """Return in a sentence that a commission is charged another fee than that of what is payable of it."""
        if row["charged_minor"] in self._fees(row["since"], 0, row["amount_minor"]):
            return None
        return (
            f"The fee of commission {row['commission_id']} is {money_shown(row['charged_minor'], row['currency'])} "
            f"{row['currency']}, but another was due when it became payable."
        )


async def _found(store: Store, query: str, account_id: str, fault: Callable[[Row], str | None], most: int) -> list[str]:
    """Return what `fault` says of a query's rows, page by page until it is enough; `place` leads to the next page."""
    found, after = list[str](), ""
    while len(found) < most:
        async with store.read() as tx:
            rows = await tx.all(query, account_id=account_id, after=after, limit=PAGE)
        if not rows:
            break
        found += [said for said in map(fault, rows) if said is not None]
        after = rows[-1]["place"]
    return found


def _left_of(row: Row) -> int:
    """Return the fee that should be left of a commission, after what corrections took back."""
    return fee_left(row["charged_minor"], row["amount_minor"], row["amount_minor"] - row["taken_minor"])


def _not_given_back(row: Row) -> str | None:
    if row["left_minor"] == _left_of(row):
        return None
    currency = row["currency"]
    return (
        f"The fee of commission {row['commission_id']} is {money_shown(row['left_minor'], currency)} {currency} after "
        f"its corrections, but {money_shown(_left_of(row), currency)} should be left of it."
    )
