"""The ledger's entries as a bookkeeper's journal: a chart of accounts, and a line for each entry by account number.

A place of the ledger is an account of the chart, and an entry debits and credits in a bookkeeper's sense: a commission
that is earned debits what the merchant owes and credits what the affiliate has coming.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Final, NamedTuple, get_args

from hub.domain.books.ledger import Entry, Place
from hub.domain.money import format_money

CHART: Final[Mapping[Place, tuple[str, str]]] = {
    "merchant": ("1400", "assets:receivables:merchants"),
    "received": ("1200", "assets:bank:received"),
    "bank": ("1210", "assets:bank:paid"),
    "pending": ("3700", "liabilities:affiliates:pending"),
    "held": ("3710", "liabilities:affiliates:held"),
    "payable": ("3720", "liabilities:affiliates:payable"),
    "adjustments": ("3730", "liabilities:affiliates:corrections"),
    "payout": ("3740", "liabilities:affiliates:under-way"),
    "deposit": ("3750", "liabilities:merchants:deposit"),
    "tax": ("3806", "liabilities:tax:vat"),
    "exchange": ("1590", "equity:exchange"),
    "fees": ("8400", "revenue:fees"),
    "losses": ("2400", "expenses:losses"),
}
"""The number and the name of each place's account; `[payouts] chart` sets other numbers."""
COLUMNS: Final = (
    "date", "account", "entry", "debitNumber", "creditNumber", "amount", "currency", "text", "order", "reference",
)  # fmt: skip


def chart_of(text: str) -> Mapping[Place, str]:
    """Return the number of each place's account, with those that a text such as "bank=1800,fees=4400" replaces.

    Raise ValueError for any other text, for a place that there is not, and for a number that two places have.
    """
    numbers: dict[Place, str] = {place: number for place, (number, _) in CHART.items()}
    known = {str(place): place for place in get_args(Place)}
    for part in text.split(",") if text.strip() else ():
        name, equals, number = (each.strip() for each in part.partition("="))
        if name not in known or not equals or not number.isalnum():
            raise ValueError(f"{part.strip()!r} is not a place of the ledger with a number, like bank=1800")
        numbers[known[name]] = number
    if len(set(numbers.values())) < len(numbers):
        raise ValueError("two places have the same number")
    return numbers


class JournalLine(NamedTuple):
    """A line of a journal; `date` is a day of the books, `amount` decimal text above nought."""

    date: str
    account: str
    entry: int
    debit_number: str
    credit_number: str
    amount: str
    currency: str
    text: str
    order: str
    reference: str


def journal_line(entry: Entry, day: str, numbers: Mapping[Place, str]) -> JournalLine:
    """Return the line of an entry on a day of the books."""
    return JournalLine(
        day, entry.account_id, entry.entry_no, numbers[entry.debit], numbers[entry.credit],  # type: ignore[index]  # places
        format_money(entry.amount_minor, entry.currency), entry.currency, entry.kind, entry.external_order_id or "",
        entry.commission_id or entry.adjustment_id or entry.cause,
    )  # fmt: skip


def hledger_text(entry: Entry, day: str) -> str:
    """Return an entry as a transaction of hledger: its postings add up to nought, which `hledger check` proves."""
    amount = f"{format_money(entry.amount_minor, entry.currency)} {entry.currency}"
    debit, credit = CHART[entry.debit][1], CHART[entry.credit][1]  # type: ignore[index]  # places
    said = f"{entry.kind} {entry.external_order_id or entry.cause}".translate(_PLAIN)
    whose = entry.affiliate_id or "network"
    return (
        f"{day} ({entry.account_id}:{entry.entry_no}) {said}\n"
        f"    {debit}:{whose}  {amount}\n    {credit}:{whose}  -{amount}\n\n"
    )


_PLAIN: Final = str.maketrans(";|\n", ",/ ")
"""Characters that end a description, and what stands for them."""
_QUOTED: Final = str.maketrans('"\\\n', "'/ ")
"""Characters that end or alter a quoted text, and what stands for them."""
Balances = Mapping[tuple[Place, str], Decimal]
"""What is in each place and currency, credits less debits."""


def beancount_name(place: Place) -> str:
    """Return the name of a place's account as beancount has it: the roots are its own, and each part is capitalised."""
    root, *parts = CHART[place][1].split(":")
    return ":".join([{"revenue": "Income"}.get(root, root.title()), *(part.capitalize() for part in parts)])


def beancount_opening(day: date, balances: Balances) -> str:
    """Return the accounts, opened on the day before a month's first, and what was in them then."""
    before = day - timedelta(days=1)
    opened = "".join(f"{before} open {beancount_name(place)}\n" for place in CHART)
    postings = "".join(f"  {beancount_name(place)}  {-amount} {currency}\n"
                       for (place, currency), amount in balances.items() if amount)  # fmt: skip
    return f"{opened}\n" + (f'{before} * "Opening balances"\n{postings}\n' if postings else "")


def beancount_text(entry: Entry, day: date) -> str:
    """Return an entry as a transaction of beancount; its tag and its link lead back to the ledger."""
    amount = f"{format_money(entry.amount_minor, entry.currency)} {entry.currency}"
    debit, credit = (beancount_name(each) for each in (entry.debit, entry.credit))  # type: ignore[arg-type]  # places
    said = f"{entry.kind} {entry.external_order_id or entry.cause}".translate(_QUOTED)
    return (
        f'{day} * "{entry.affiliate_id or "network"}" "{said}" ^{entry.account_id}-{entry.entry_no} #{entry.kind}\n'
        f"  {debit}  {amount}\n  {credit}  -{amount}\n\n"
    )


def beancount_closing(day: date, balances: Balances) -> str:
    """Return what each account must hold as the day begins, which beancount compares with the transactions."""
    currencies = sorted({currency for _, currency in balances})
    return "".join(
        f"{day} balance {beancount_name(place)}  {-balances.get((place, currency), Decimal(0))} {currency}\n"
        for place in CHART for currency in currencies
    )  # fmt: skip
