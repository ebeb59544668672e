"""The upper half of /operator: who waits for a decision, the month's money, who grew and fell, open questions."""

from __future__ import annotations

from typing import Final

from hub.operations.audits.bridge import MOST_COUNTED, Movement, Movers, Waits, month_money, movers, waits
from hub.operations.lists import Wanted
from hub.operations.orders.order_reviews import questions_part
from hub.pages.markup import many, month_words
from hub.pages.operator import parts
from hub.pages.visit import Visit
from hub.records.order_messages import OrderReviewDocument

SHOWN_QUESTIONS: Final = 5
WAITING: Final = (
    ("merchants", "Merchants to approve or grant live access", "/operator/approvals"),
    ("campaigns", "Campaigns to approve", "/operator/approvals"),
    ("payouts", "Payouts to release", "/operator/payouts"),
    ("corrections", "Corrections to approve", "/operator/adjustments?status=PROPOSED"),
    ("receipts", "Payments of merchants that match no invoice", "/operator/owed"),
    ("questions", "Questions about orders", "/operator/questions"),
    ("reviews", "Uncertain orders, for their merchants", "/operator/reviews"),
)
MONEY: Final = (
    ("invoices", "In: paid by merchants"),
    ("deposits", "In: deposits"),
    ("paid", "Out: paid to affiliates"),
    ("under_way", "On its way to affiliates"),
)


async def bridge_sections(visit: Visit) -> list[parts.Section]:
    """Return the sections, the most urgent first."""
    store, clock = visit.services.store, visit.services.clock
    month, money = await month_money(store, clock)
    questions = (await questions_part(store, Wanted(limit=SHOWN_QUESTIONS))).entries
    sections = [
        _waiting(await waits(store)),
        _money(month, money),
        _moved("merchant", await movers(store, clock, "merchant")),
        _moved("affiliate", await movers(store, clock, "affiliate")),
    ]
    return [*sections, _questions(questions)] if questions else sections


def _waiting(found: Waits) -> parts.Section:
    counts = found._asdict()
    facts = [(words, parts.link(_counted(counts[name]), address)) for name, words, address in WAITING if counts[name]]
    return parts.Section("Waiting for you", facts, paragraphs=() if facts else ("No one is waiting.",))


def _money(month: str, found: list[Movement]) -> parts.Section:
    facts = [
        (words, parts.Cell("money", each.minor, each.currency, many(each.movements, "payment", "payments")))
        for kind, words in MONEY
        for each in found
        if each.kind == kind
    ]
    nothing = "Nothing came in or went out yet."
    return parts.Section(
        f"Money in and out, {month_words(month)}", facts, paragraphs=() if facts else (nothing,),
        links=(("Payouts", "/operator/payouts"), ("What merchants owe", "/operator/owed")),
    )  # fmt: skip


def _moved(noun: str, found: Movers) -> parts.Section:
    rows = [
        (
            parts.link(each.name or each.id, f"/operator/{noun}s/{each.id}"),
            parts.text("Growing" if each.change_minor > 0 else "Falling"),
            parts.money(each.before_minor, each.currency),
            parts.money(each.now_minor, each.currency),
            parts.Cell("gain", each.change_minor, each.currency),
        )
        for each in (*found.growing, *found.falling)
    ]
    columns = (noun.capitalize(), "Trend", "30 days before", "Last 30 days", "Change")
    listing = parts.Listing(f"Growing and falling {noun}s", columns, rows, "Nothing changed in 60 days.")
    return parts.Section(
        f"Growing and falling {noun}s", listing=listing, links=(("All figures", f"/operator/reports?by={noun}"),)
    )


def _questions(found: list[OrderReviewDocument]) -> parts.Section:
    rows = [
        (
            parts.link(each.external_order_id, f"/operator/orders/{each.conversion_id}"),
            parts.text(each.reason.replace("_", " ")),
            parts.at(each.opened_at),
        )
        for each in found
    ]
    listing = parts.Listing("Open questions", ("Order", "What happened", "Since"), rows, "")
    return parts.Section("Open questions about orders", listing=listing, links=(("All", "/operator/questions"),))


def _counted(number: int) -> str:
    return f"{MOST_COUNTED - 1:,}+" if number >= MOST_COUNTED else f"{number:,}"
