"""Payments that are sent in another currency than was earned: by which rate, how much, and that the books agree.

The rate is the one in force when the run is made, so that whoever releases it sees what is sent. It is booked when the
payment arrives, by way of the place `exchange`, and back when it comes back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from hub.config.payout_section import PayoutSettings
from hub.domain.books.exchange import Sent, exchanged, exchanged_shares, through_exchange
from hub.domain.books.ledger import Movement
from hub.domain.books.money_notes import Key
from hub.domain.money import format_money, money_shown
from hub.domain.payouts.payouts import Gathered
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.payout_documents import sent_of
from hub.storage import Row, Tx

PROVED_AT_ONCE: Final = 1_000
ITEM: Final = ("payout_id", "affiliate_id", "currency")
"""What names a payment."""


class _Exchanged(NamedTuple):
    """A row of `insert_payout_exchanges`."""

    payout_id: str
    affiliate_id: str
    currency: str
    sent_currency: str
    sent_minor: int
    rate: str
    set_id: str


class _Reckoned(NamedTuple):
    """A row of `set_sent_amounts`."""

    payout_id: str
    affiliate_id: str
    currency: str
    sent_minor: int


async def keep_exchanges(tx: Tx, payout_id: str, decided: Iterable[tuple[Gathered, Sent]]) -> list[Key]:
    """Insert by what the payments of a new run are exchanged; return the keys of those that are."""
    rows = [
        _Exchanged(payout_id, gathered.affiliate_id, gathered.currency, sent.currency, sent.minor, sent.exchange.rate,
                   sent.exchange.set_id)
        for gathered, sent in decided if sent.exchange is not None
    ]  # fmt: skip
    if rows:
        await tx.run("insert_payout_exchanges", exchanges=rows)
    return [row[:3] for row in rows]


async def reckon_exchanges(tx: Tx, items: Sequence[Key]) -> dict[Key, int]:
    """Set what is sent of these payments anew, after they were counted; return it by those that are exchanged."""
    rows = await tx.all("exchanges_of_items", items=items)
    sent = [_Reckoned(row["payout_id"], row["affiliate_id"], row["currency"], _sent_of(row)) for row in rows]
    if sent:
        await tx.run("set_sent_amounts", sent=sent)
    return {each[:3]: each.sent_minor for each in sent}


def _sent_of(row: Row) -> int:
    return exchanged(row["amount_minor"], row["currency"], row["sent_currency"], row["rate"])


async def refuse_old_rates(tx: Tx, now: int, settings: PayoutSettings, payout_id: str) -> None:
    """Raise `OperatorFault` if a draft (at `now`, ms UTC) would send money by a rate that is too old by now."""
    rows = await tx.all("old_exchanges_of", payout_id=payout_id, since=now - settings.exchange_age, limit=1)
    if rows:
        raise OperatorFault(
            f"Payout {payout_id} sends {rows[0]['sent_currency']} by a rate of {rows[0]['currency']} that is older "
            "than [payouts] exchange_age by now; nothing was paid.",
            command=f"Cancel it and create it again: hub payout cancel {payout_id} --reason ...",
        )


def sent_words(item: Row) -> str:
    """Return what is sent of a payment, as people read it."""
    currency, minor = sent_of(item)
    return f"{format_money(minor, currency)} {currency}"


def at_bank(item: Row, shares: Sequence[Row], moved: Iterable[tuple[str, Movement]]) -> list[tuple[str, Movement]]:
    """Return the entries of movements of a payment's shares, by account: to and from the bank by way of `exchange`.

    `shares` are all rows of `paid_by_account`, in their order. What is in no other currency, or moves no money at the
    bank, stays as it is.
    """
    if item["sent_currency"] is None:
        return list(moved)
    currency, minors = item["sent_currency"], [share["minor"] for share in shares]
    parts = exchanged_shares(minors, item["currency"], currency, item["rate"])
    sent = {share["account_id"]: part for share, part in zip(shares, parts, strict=True)}
    return [
        (account_id, leg)
        for account_id, movement in moved
        for leg in (
            through_exchange(movement, sent[account_id], currency)
            if "bank" in (movement.debit, movement.credit) else [movement]
        )
    ]  # fmt: skip


async def exchanged_sums(tx: Tx, account_id: str) -> AsyncIterator[dict[tuple[str, str], int]]:
    """Yield what settled payments leave of an account in `exchange`, in minor units by affiliate and currency.

    They are parts, of some payments each, which add up.
    """
    place: Key = ("", "", "")
    while rows := await tx.all(
        "settled_exchanges", account_id=account_id, **dict(zip(ITEM, place, strict=True)), limit=PROVED_AT_ONCE
    ):
        yield _left_in_exchange(rows, account_id)
        place = tuple(rows[-1][name] for name in ITEM)


def _left_in_exchange(rows: Sequence[Row], account_id: str) -> dict[tuple[str, str], int]:
    sums: defaultdict[tuple[str, str], int] = defaultdict(int)
    for _, group in groupby(rows, key=lambda row: tuple(row[name] for name in ITEM)):
        shares = list(group)
        first, minors = shares[0], [row["minor"] for row in shares]
        try:
            parts = exchanged_shares(minors, first["currency"], first["sent_currency"], first["rate"])
        except ValueError:  # somebody changed it to what is no currency or no rate: its entries are of nothing then
            continue
        for row, part in zip(shares, parts, strict=True):
            if row["account_id"] == account_id:
                sums[row["affiliate_id"], row["currency"]] += row["minor"]
                sums[row["affiliate_id"], row["sent_currency"]] -= part
    return {key: minor for key, minor in sums.items() if minor}


async def exchange_faults(tx: Tx, payout_id: str, most: int) -> list[str]:
    """Return in sentences which payments of a run no approved rate sends, or another amount; at most `most`."""
    found, place = list[str](), ("", "")
    while len(found) < most:
        rows = await tx.all(
            "exchanges_to_prove", payout_id=payout_id, affiliate_id=place[0], currency=place[1], limit=PROVED_AT_ONCE
        )
        found += [
            f"Payout {payout_id} sends {row['affiliate_id']} {money_shown(row['sent_minor'], row['sent_currency'])} "
            f"{row['sent_currency']} for {row['currency']}, but "
            + ("no such rate was approved." if row["approved"] == 0 else "by its rate that is another amount.")
            for row in rows
            if row["approved"] == 0 or row["sent_minor"] != _sent_of(row)
        ]
        if len(rows) < PROVED_AT_ONCE:
            break
        place = rows[-1]["affiliate_id"], rows[-1]["currency"]
    return found[:most]
