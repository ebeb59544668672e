"""A merchant's partners: who sells, has sold, applied or was invited, each in one line with its figures of a period.

A partner is whoever has a membership, a link, a figure of the period or an open invitation in the account. Memberships
say the state: who waits for a decision comes before what else it is. An account has up to `MOST` of them; of more, the
ones with the most sales are here, and the file of the figures has all.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from attrs import evolve, field, frozen

from hub.domain.instants import format_instant, parse_instant
from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.operations.affiliates.memberships import MembershipDocument, every_membership
from hub.operations.figures.figures import Period, Sums, breakdown
from hub.storage import Row, Store

MOST: Final = 5_000
PartnerState = Literal["APPLIED", "MEMBER", "ACTIVE", "INVITED", "REJECTED", "REMOVED"]
STATES: Final[tuple[PartnerState, ...]] = ("APPLIED", "MEMBER", "ACTIVE", "INVITED", "REJECTED", "REMOVED")
"""ACTIVE sells without being a member, on campaigns that are open to all."""
SORTS: Final = ("sales", "earned", "orders", "clicks", "since", "name")


@frozen
class Money:
    """What a partner sold and earned in one currency, in minor units."""

    currency: str
    sales_minor: int
    earned_minor: int


@frozen
class Partner:
    """One line: `affiliate_id` is empty for somebody who was invited; times are ms UTC, `since` 0 if unknown."""

    affiliate_id: str
    name: str
    email: str
    state: PartnerState
    since: int
    clicks: int = 0
    orders: int = 0
    money: tuple[Money, ...] = ()
    memberships: tuple[MembershipDocument, ...] = field(default=(), repr=False)
    is_test: bool = False

    def amount(self, what: str, currency: str) -> int:
        """Return the sales or what was earned in a currency, in minor units."""
        found = next((each for each in self.money if each.currency == currency), None)
        return 0 if found is None else found.sales_minor if what == "sales" else found.earned_minor


async def partners_of(
    store: Store, whose: tuple[str, str, str], period: Period, *, only: str | None = None
) -> list[Partner]:
    """Return the partners of an account; `whose` is its merchant's id, its mode and its own id, `only` one affiliate.

    They are in no particular order.
    """
    merchant_id, mode, account_id = whose
    members = await every_membership(store, {"merchant": merchant_id, "mode": mode, "affiliate": only})
    sums = await breakdown(store, account_id, period, "affiliate", limit=MOST)
    async with store.read() as tx:
        sellers = await tx.all("sellers_of_account", account_id=account_id, limit=MOST)
        invited = await tx.all("invitations_of_account", account_id=account_id, limit=MOST)
    found = {row["affiliate_id"]: _seller(row) for row in sellers if only in (None, row["affiliate_id"])}
    _add_members(found, members)
    _add_figures(found, [each for each in sums if each.id and only in (None, each.id)])
    guests = [_guest(row) for row in invited] if only is None else []
    return [*found.values(), *guests]


def sorted_partners(partners: Iterable[Partner], sort: str, currency: str) -> list[Partner]:
    """Return partners by one of `SORTS`: the most or the newest first, names from A to Z; who waits comes first."""
    keys = {
        "sales": lambda each: -each.amount("sales", currency),
        "earned": lambda each: -each.amount("earned", currency),
        "orders": lambda each: -each.orders,
        "clicks": lambda each: -each.clicks,
        "since": lambda each: -each.since,
        "name": lambda each: each.name.casefold(),
    }
    by_name = sorted(partners, key=lambda each: (each.name.casefold(), each.affiliate_id, each.email))
    return sorted(by_name, key=lambda each: (sort != "name" and each.state != "APPLIED", keys[sort](each)))


def partners_csv(partners: Sequence[Partner], root: str) -> str:
    """Return partners as a CSV file, a line for each currency; `root` is the address of the partner's page."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(["name", "email", "state", "since", "clicks", "orders", "currency", "sales", "earned", "page"])
    for each in partners:
        page = f"{root}/{each.affiliate_id}" if each.affiliate_id else ""
        since = format_instant(each.since) if each.since else ""
        head = [defused(each.name), defused(each.email), each.state, since, each.clicks, each.orders]
        for money in each.money or (Money("", 0, 0),):
            amounts = [format_money(amount, money.currency) if money.currency else ""
                       for amount in (money.sales_minor, money.earned_minor)]  # fmt: skip
            lines.writerow([*head, money.currency, *amounts, page])
    return text.getvalue()


def _seller(row: Row) -> Partner:
    return Partner(row["affiliate_id"], row["name"], row["email"], "ACTIVE", row["since"],
                   is_test=row["test_of"] is not None)  # fmt: skip


def _guest(row: Row) -> Partner:
    return Partner("", row["email"], row["email"], "INVITED", row["invited_at"])


def _add_members(found: dict[str, Partner], members: Iterable[MembershipDocument]) -> None:
    for member in members:
        applied = parse_instant(member["appliedAt"])
        blank = Partner(member["affiliateId"], member["affiliateName"], member["affiliateEmail"], "REMOVED", applied)
        before = found.get(member["affiliateId"], blank)
        found[member["affiliateId"]] = evolve(
            before, since=min(before.since, applied), memberships=(*before.memberships, member)
        )
    for affiliate_id, each in found.items():
        if each.memberships:
            found[affiliate_id] = evolve(each, state=_state([m["status"] for m in each.memberships]))


def _state(statuses: Sequence[str]) -> PartnerState:
    if "APPLIED" in statuses:
        return "APPLIED"
    return "MEMBER" if "APPROVED" in statuses else "REJECTED" if "REJECTED" in statuses else "REMOVED"


def _add_figures(found: dict[str, Partner], sums: Iterable[Sums]) -> None:
    for each in sums:
        before = found.get(each.id, Partner(each.id, each.name or each.id, "", "ACTIVE", 0))
        more = () if not each.currency else (Money(each.currency, each.revenue_minor, each.commission_minor),)
        found[each.id] = evolve(
            before, clicks=before.clicks + each.clicks, orders=before.orders + each.orders, money=(*before.money, *more)
        )


def of_state(partners: Iterable[Partner], state: str | None, search: str) -> list[Partner]:
    """Return the partners in a state (None: any) whose name or address contains a text, in any case."""
    text = search.casefold()
    return [each for each in partners
            if state in (None, each.state) and text in f"{each.name}\n{each.email}".casefold()]  # fmt: skip


def counted(partners: Iterable[Partner]) -> dict[PartnerState, int]:
    """Return how many partners are in each state."""
    counts: dict[PartnerState, int] = dict.fromkeys(STATES, 0)
    for each in partners:
        counts[each.state] += 1
    return counts
