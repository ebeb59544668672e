"""A merchant's partners: who sells, has sold, applied or was invited, each in one line with its figures of a period.

A partner is whoever has a membership, a link, a figure of the period or an open invitation in the account. Memberships
say the state: who waits for a decision comes before what else it is. The database sorts them, so that the best sellers
of any number are found; sales and earnings are compared in the merchant's currency.
"""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Final, Literal

from attrs import evolve, field, frozen

from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.operations.affiliates.memberships import every_membership
from hub.operations.figures.figures import Period
from hub.operations.list_filters import searching
from hub.operations.lists import List, Page, Wanted, every_part, read
from hub.records.memberships import MembershipDocument
from hub.storage import Row, Store, Tx

PARTNERS: Final = List("partners")
PartnerState = Literal["APPLIED", "MEMBER", "ACTIVE", "INVITED", "REJECTED", "REMOVED"]
STATES: Final[tuple[PartnerState, ...]] = ("APPLIED", "MEMBER", "ACTIVE", "INVITED", "REJECTED", "REMOVED")
"""ACTIVE sells without being a member, on campaigns that are open to all."""
SORTS: Final[Mapping[str, tuple[str, bool]]] = {
    **{name + up: (f"by_{name}", bool(up)) for name in ("sales", "earned", "orders", "clicks", "since")
       for up in ("", "-up")},
    "name": ("by_name", True),
    "name-down": ("by_name", False),
}  # fmt: skip
"""The orders of partners: the key of the list, and whether the least, the oldest or A comes first.

Who waits for a decision has the highest keys, but for the name.
"""
USUAL_SORT: Final = "sales"


@frozen
class Of:
    """Whose partners are listed: the account, its merchant and mode, the merchant's currency, and the period."""

    account_id: str
    merchant_id: str
    mode: str
    currency: str
    period: Period

    @property
    def given(self) -> dict[str, str | int]:
        """The values that every reading of the list takes."""
        return {"first": self.period.first, "last": self.period.last, "currency": self.currency}


@frozen
class Money:
    """What a partner sold and earned in one currency, in minor units."""

    currency: str
    sales_minor: int
    earned_minor: int


@frozen
class Partner:
    """One line: `affiliate_id` is empty for somebody who was invited; times are ms UTC, `since` 0 if unknown.

    `own_rate` is the kind and the value of a rate of its own, `memberships` are those of a partner that is read alone.
    """

    affiliate_id: str
    name: str
    email: str
    state: PartnerState
    since: int
    clicks: int = 0
    orders: int = 0
    own_rate: tuple[str, str] | None = None
    is_test: bool = False
    money: tuple[Money, ...] = ()
    memberships: tuple[MembershipDocument, ...] = field(default=(), repr=False)


def asked_partners(of: Of, sort: str = "", state: str | None = None, search: str = "") -> Wanted:
    """Return what is asked for of an account's partners: in a state, with a text in name or address, in any case."""
    key, lowest_first = SORTS.get(sort, SORTS[USUAL_SORT])
    filters = {**of.given, "state": state, "search": search.strip() or None}
    return searching(Wanted(filters, sort=key, oldest_first=lowest_first))


async def list_partners(store: Store, of: Of, wanted: Wanted) -> Page[Partner]:
    """Return a part of an account's partners, as `asked_partners` says; raise `CursorFault`."""
    async with store.read() as tx:
        page = await read(tx, PARTNERS, wanted, {"account_id": of.account_id})
        return page.with_entries(await _with_money(tx, of, page.entries))


async def partner_of(store: Store, of: Of, affiliate_id: str) -> Partner | None:
    """Return one affiliate as the account's partner with its memberships, None if it is none."""
    period = {"first": of.period.first, "last": of.period.last}
    async with store.read() as tx:
        row = await tx.one("partner", account_id=of.account_id, affiliate_id=affiliate_id, **period)
        if row is None:
            return None
        (found,) = await _with_money(tx, of, [row])
    whose = {"merchant": of.merchant_id, "mode": of.mode, "affiliate": affiliate_id}
    return evolve(found, memberships=tuple(await every_membership(store, whose)))


async def counted_partners(store: Store, of: Of) -> dict[PartnerState, int]:
    """Return how many partners of an account are in each state."""
    period = {"first": of.period.first, "last": of.period.last}
    async with store.read() as tx:
        rows = await tx.all("partner_states", account_id=of.account_id, **period)
    found = {row["state"]: int(row["number"]) for row in rows}
    return {state: found.get(state, 0) for state in STATES}


async def partners_csv(store: Store, of: Of, wanted: Wanted, root: str) -> AsyncIterator[bytes]:
    """Yield all that is wanted as a CSV file, a line for each currency; `root` is the address of a partner's page."""
    head = ["name", "email", "state", "since", "clicks", "orders", "currency", "sales", "earned", "page"]
    yield _lines([head])
    async with aclosing(every_part(store, PARTNERS, wanted, {"account_id": of.account_id})) as pages:
        async for page in pages:
            async with store.read() as tx:
                partners = await _with_money(tx, of, page.entries)
            yield _lines([line for each in partners for line in _cells(each, root)])


async def _with_money(tx: Tx, of: Of, rows: Sequence[Row]) -> list[Partner]:
    keys = [(row["affiliate_id"],) for row in rows if row["affiliate_id"]]
    period = {"first": of.period.first, "last": of.period.last}
    sums = await tx.all("sums_of_partners", account_id=of.account_id, affiliates=keys, **period) if keys else []
    money: dict[str, list[Money]] = {}
    for each in sums:
        found = Money(each["currency"], each["sales_minor"], each["earned_minor"])
        money.setdefault(each["affiliate_id"], []).append(found)
    return [_partner(row, money) for row in rows]


def _partner(row: Row, money: Mapping[str, Sequence[Money]]) -> Partner:
    kind, _, value = (row["own_rate"] or "").partition(":")
    return Partner(
        row["affiliate_id"],
        row["name"],
        row["email"],
        row["state"],
        row["since"],
        row["clicks"],
        row["orders"],
        (kind, value) if kind else None,
        row["test_of"] is not None,
        tuple(money.get(row["affiliate_id"], ())),
    )


def _cells(each: Partner, root: str) -> Iterable[list[object]]:
    page = f"{root}/{each.affiliate_id}" if each.affiliate_id else ""
    since = format_instant(each.since) if each.since else ""
    head = [defused(each.name), defused(each.email), each.state, since, each.clicks, each.orders]
    for money in each.money or (Money("", 0, 0),):
        amounts = [format_money(amount, money.currency) if money.currency else ""
                   for amount in (money.sales_minor, money.earned_minor)]  # fmt: skip
        yield [*head, money.currency, *amounts, page]


def _lines(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
