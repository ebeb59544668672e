"""/affiliate: what has been earned, what is payable, and a link to copy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from aiohttp import web
from attrs import define

from hub.domain.money import parse_money
from hub.operations.affiliates.affiliates import show_affiliate
from hub.operations.lists import Wanted
from hub.operations.money.books.balances import BalanceDocument, affiliate_balances
from hub.operations.orders.affiliate_reports import (
    Sum,
    list_own_links,
    own_commissions,
    sums_of_affiliate,
)
from hub.operations.orders.order_messages import threads_of_affiliate
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.affiliate.applications import who_decides
from hub.pages.affiliate.modes import shown_mode
from hub.pages.route_table import RouteTable

NEWEST: Final = 5
MOST_THREADS: Final = 100
"""Of how many threads, the newest, the new messages are shown."""


@define
class Balance:
    """What an affiliate has in one currency, in minor units; `next_hold_until` is in ms UTC."""

    currency: str
    pending: int = 0
    held: int = 0
    payable: int = 0
    paid: int = 0
    next_hold_until: int | None = None
    owed: int = 0
    """What the affiliate owes, as a negative amount."""
    corrections: int = 0
    """What corrections changed of what is payable and was paid."""

    def correct(self, found: BalanceDocument) -> None:
        """Include corrections, as the payable and the paid amounts beside it do."""
        payable, owed, paid = (
            _minor(text, self.currency) for text in (found["payable"], found["negative"], found["paid"])
        )
        self.corrections = payable + owed + paid - self.payable - self.paid
        self.payable, self.owed, self.paid = payable, owed, paid

    @property
    def earned(self) -> int:
        """All that was not rejected, with corrections: the sum of the lines below it."""
        return self.pending + self.held + self.payable + self.owed + self.paid


PAGES: Final = RouteTable(affiliate_page)


@PAGES.get("/affiliate")
async def show_home(visit: AffiliateVisit) -> web.StreamResponse:
    """Show what has been earned, a link to copy, and the newest orders."""
    store, clock, own = visit.services.store, visit.services.clock, visit.affiliate_id
    shown = await shown_mode(visit)
    balances = balances_of((await sums_of_affiliate(store, own))[shown.mode])
    documents = {each["currency"]: each for each in await affiliate_balances(store, own, shown.mode, exact=False)}
    for balance in balances:
        if balance.currency in documents:
            balance.correct(documents[balance.currency])
    links = (await list_own_links(store, clock, own, shown.mode, Wanted(limit=NEWEST))).entries
    threads = await threads_of_affiliate(store, own, Wanted(limit=MOST_THREADS))
    return visit.page(
        "affiliate/home.html",
        shown=shown,
        name=(await show_affiliate(store, own)).name,
        balances=balances,
        root=await visit.services.root(),
        link=next((link for link in links if link.stopped is None), None),
        decides=await who_decides(visit) if not links else "",
        newest=(await own_commissions(store, own, shown.mode, Wanted(limit=NEWEST))).entries,
        unread=[thread for thread in threads.entries if thread.unread],
    )


def _minor(text: str, currency: str) -> int:
    amount = parse_money(text.removeprefix("-"), currency)
    return -amount if text.startswith("-") else amount


def balances_of(sums: Iterable[Sum]) -> list[Balance]:
    """Return the balances of sums by state, by currency; what was rejected is in none."""
    found: dict[str, Balance] = {}
    for each in sums:
        balance = found.setdefault(each.currency, Balance(each.currency))
        if each.state == "PENDING":
            balance.pending += each.amount_minor
        elif each.state in ("HOLD", "APPROVED"):
            balance.held += each.amount_minor
            ends = [end for end in (balance.next_hold_until, each.next_hold_until) if end is not None]
            balance.next_hold_until = min(ends, default=None)
        elif each.state == "PAYABLE":
            balance.payable += each.amount_minor
        elif each.state == "PAID":
            balance.paid += each.amount_minor
    return [found[currency] for currency in sorted(found)]
