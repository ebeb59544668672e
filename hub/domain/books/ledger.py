"""The rules of the ledger: which entries a commission's move makes, and how the entries of an account are chained.

An entry moves money from one place to another: it debits the one and credits the other, by the same amount, so that it
is balanced by its form. The merchant's place is what the merchant owes; an affiliate's commission is PENDING, HOLD or
APPROVED, or PAYABLE in `pending`, `held` or `payable`; a rejected one is nowhere. Amounts are positive minor units of
the entry's currency, times are milliseconds UTC.

Each entry carries the SHA-256 of its own content and of the hash of the entry before it, so that no row of an account
can be changed, taken out or put in without every later hash being wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final, Literal, NamedTuple

Place = Literal[
    "merchant",
    "pending",
    "held",
    "payable",
    "adjustments",
    "payout",
    "bank",
    "fees",
    "deposit",
    "received",
    "losses",
    "tax",
    "exchange",
]
"""Where money is: what a merchant owes, an affiliate's four balances, a run under way, what was paid, our own fees,
what is left of a merchant's deposit, what merchants paid, what the network has written off, the VAT of invoices, and
what the network has exchanged for affiliates that are paid in another currency."""
Kind = Literal[
    "opened", "earned", "held", "released", "clawed_back", "adjusted", "paid", "settled", "returned", "fee", "withheld",
    "deposited", "withdrawn", "covered", "uncovered", "written_off", "adopted",
    "taxed", "invoice_paid", "invoice_reopened", "exchanged",
]  # fmt: skip

PLACES: Final[frozenset[str]] = frozenset(Place.__args__)  # type: ignore[attr-defined]  # a Literal has its words
KINDS: Final[frozenset[str]] = frozenset(Kind.__args__)  # type: ignore[attr-defined]  # as above
PLACE_OF_STATE: Final[Mapping[str, Place | None]] = {
    "PENDING": "pending",
    "HOLD": "held",
    "APPROVED": "held",
    "PAYABLE": "payable",
    "REJECTED": None,
}
"""Where a commission is that was not paid; a paid one is in `payout` until its run is settled, then in `bank`."""
FIRST_HASH: Final = ""
_KIND_TO: Final[Mapping[Place, Kind]] = {"held": "held", "payable": "released", "pending": "held"}


class Movement(NamedTuple):
    """An entry before it has its place in the chain; `cause` is the id of the event, the act or the run behind it."""

    kind: Kind
    debit: Place
    credit: Place
    amount_minor: int
    currency: str
    affiliate_id: str
    commission_id: str | None
    adjustment_id: str | None
    external_order_id: str | None
    cause: str


class Entry(NamedTuple):
    """A row of the ledger; `entry_no` counts an account's entries from 1 without a gap."""

    account_id: str
    entry_no: int
    posted_at: int
    kind: str
    debit: str
    credit: str
    amount_minor: int
    currency: str
    affiliate_id: str
    commission_id: str | None
    adjustment_id: str | None
    external_order_id: str | None
    cause: str
    hash: str


class Head(NamedTuple):
    """The end of an account's chain: how many entries it has, and the hash of the last one (empty if none)."""

    account_id: str
    entries: int
    hash: str


class Owner(NamedTuple):
    """Whose money a commission is: what its entries name."""

    currency: str
    affiliate_id: str
    commission_id: str
    external_order_id: str


Standing = tuple[Place | None, int]
"""Where a commission is, and its minor units there."""


def standing(state: str, amount_minor: int) -> Standing:
    """Return where an unpaid commission of this state and amount is; raise KeyError if it is PAID."""
    place = PLACE_OF_STATE[state]
    return (place, amount_minor) if place is not None and amount_minor else (None, 0)


def moves(owner: Owner, before: Standing, after: Standing, cause: str) -> list[Movement]:
    """Return the entries that take a commission from one standing to another, none if nothing moves.

    A changed amount is earned or clawed back where the commission was; then all of it goes to where it is now.
    """
    (old, had), (new, has) = before, after
    if old is None:
        return [] if new is None else [_movement(owner, "earned", "merchant", new, has, cause)]
    if new is None:
        return [_movement(owner, "clawed_back", old, "merchant", had, cause)]
    found = []
    if has > had:
        found.append(_movement(owner, "earned", "merchant", old, has - had, cause))
    elif has < had:
        found.append(_movement(owner, "clawed_back", old, "merchant", had - has, cause))
    if new != old:
        found.append(_movement(owner, _KIND_TO[new], old, new, has, cause))
    return found


def paying(owner: Owner, payable_minor: int, to: Place, cause: str) -> list[Movement]:
    """Return the entries that pay out to `to` what a commission has payable, none for nothing."""
    return [_movement(owner, "paid", "payable", to, payable_minor, cause)] if payable_minor else []


def adopting(owner: Owner, balance: Mapping[Place, int], wanted: Standing, cause: str) -> list[Movement]:
    """Return the entries after which an unpaid commission is where it should be, whatever its entries add up to.

    `balance` is what they leave in the places of affiliates. Each difference is one entry between that place and the
    merchant (`hub ledger mend`).
    """
    place, amount = wanted
    target: dict[Place, int] = {} if place is None else {place: amount}
    found = []
    for name in sorted({*balance, *target}):
        missing = target.get(name, 0) - balance.get(name, 0)
        if missing > 0:
            found.append(_movement(owner, "adopted", "merchant", name, missing, cause))
        elif missing < 0:
            found.append(_movement(owner, "adopted", name, "merchant", -missing, cause))
    return found


def _movement(owner: Owner, kind: Kind, debit: Place, credit: Place, amount: int, cause: str) -> Movement:
    currency, affiliate_id, commission_id, order_id = owner
    return Movement(kind, debit, credit, amount, currency, affiliate_id, commission_id, None, order_id, cause)


def chain(head: Head, movements: Iterable[Movement], now: int) -> tuple[list[Entry], Head]:
    """Return movements as the next entries of an account, posted at `now`, and the account's new head."""
    account_id, number, last = head
    entries = []
    for each in movements:
        number += 1
        last = entry_hash(last, account_id, number, now, each)
        entries.append(Entry(account_id, number, now, *each, last))
    return entries, Head(account_id, number, last)


def entry_hash(before: str, account_id: str, entry_no: int, posted_at: int, content: Sequence[str | int | None]) -> str:
    """Return the hash of an entry: SHA-256 in hex of the hash before it and of its columns in the order of `Movement`.

    NUL separates them, because no text that a store takes can contain one; a column without a value is empty.
    """
    kind, debit, credit, amount, currency, affiliate, commission, adjustment, order, cause = content
    text = (
        f"{before}\0{account_id}\0{entry_no}\0{posted_at}\0{kind}\0{debit}\0{credit}\0{amount}\0{currency}\0{affiliate}"
        f"\0{commission or ''}\0{adjustment or ''}\0{order or ''}\0{cause}"
    )
    return sha256(text.encode()).hexdigest()


class ChainCheck:
    """Follows the chain of one account, entry by entry, and remembers only where it is."""

    def __init__(self, account_id: str, start: Head | None = None) -> None:
        """Begin with the first entry, or after a head that was proved before."""
        self.head = start or Head(account_id, 0, FIRST_HASH)

    def fault(self, entry: Entry) -> str | None:
        """Return what is wrong with the entry after the head, which should be this one; None if it holds."""
        account_id, number, last = self.head
        if entry.entry_no != number + 1:
            return f"is missing; the next one is entry {entry.entry_no}"
        if entry.debit == entry.credit or not {entry.debit, entry.credit} <= PLACES or entry.kind not in KINDS:
            return f"moves money from {entry.debit!r} to {entry.credit!r} as {entry.kind!r}, which no entry does"
        if entry.amount_minor <= 0:
            return f"moves {entry.amount_minor}, which is not a positive amount"
        if entry_hash(last, account_id, entry.entry_no, entry.posted_at, entry[3:13]) != entry.hash:
            return "is not what its hash says: it or the hash was changed after it was written"
        self.head = Head(account_id, entry.entry_no, entry.hash)
        return None


def digest_of(heads: Iterable[Head]) -> str:
    """Return one hash for the whole ledger: SHA-256 over the heads of its accounts, in the order of their ids."""
    lines = [f"{head.account_id} {head.entries} {head.hash}\n" for head in sorted(heads)]
    return sha256("".join(lines).encode()).hexdigest()


def deltas(entry: Entry) -> Iterator[tuple[str, int]]:
    """Yield by how much an entry changes each of its two places, as (place, minor units): credit up, debit down."""
    yield entry.debit, -entry.amount_minor
    yield entry.credit, entry.amount_minor
