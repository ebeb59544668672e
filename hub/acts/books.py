"""How the network keeps its books."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post, put
from hub.acts.authority import PROVED_ADMINS, FourEyes
from hub.acts.call import Call, whole
from hub.acts.fields import choice, flag, needed, text
from hub.domain.words import BILLED_WHEN
from hub.operations.money.books.books import BooksDocument, set_books, show_books
from hub.operations.money.ledger.closings import ClosedMonth, close_month, list_months, propose_close

MONTH: Final = needed(text("A month of the books that is over.", "2026-11", 7))


async def _months(c: Call) -> Any:
    return whole(await list_months(c.store))


async def _close(c: Call) -> Any:
    return await close_month(c.store, c.clock, c.services.settings.payouts, c.body["month"])


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/books", "getBooks"), "Show how the books are kept", lambda c: show_books(c.store), BooksDocument),
    Act(put("/books", "setBooks"), "Set the time zone of the books, before the first invoice",
        lambda c: set_books(c.store, c.clock, c.body["time_zone"]), BooksDocument,
        body={"timeZone": needed(text("The IANA name of the time zone.", "Europe/Berlin", 64))},
        trail=("books.set",), by=(PROVED_ADMINS,), commands=("ledger zone",), pages=("/operator/books/zone",)),
    Act(put("/books/billing", "setBilling"), "Set when merchants are billed a commission, before the first invoice",
        lambda c: set_books(c.store, c.clock, billed=c.body["billed"]), BooksDocument,
        body={"billed": needed(choice("When it is paid, or when it becomes payable.", *BILLED_WHEN))},
        trail=("books.set",), by=(PROVED_ADMINS,), commands=("ledger billing",), pages=("/operator/books/billing",)),
    Act(get("/books/months", "listClosedMonths"), "List the months that are closed or proposed to be, newest first",
        _months, ListOfEntries(ClosedMonth)),
    Act(post("/books/months", "proposeClose", 201), "Propose to close a month of the books",
        lambda c: propose_close(c.store, c.clock, **c.body), ClosedMonth,
        body={"month": MONTH,
              "anyway": flag("Close it even if merchants owe amounts that are not invoiced.")},
        trail=("ledger.close-proposed",), by=(PROVED_ADMINS,), commands=("ledger propose-close",),
        pages=("/operator/books/propose-close",)),
    Act(post("/books/months/close", "closeMonth"), "Close a month of the books, as a second person", _close,
        ClosedMonth, body={"month": MONTH}, trail=("ledger.closed",), by=(PROVED_ADMINS,), four_eyes=FourEyes(),
        commands=("ledger close",), pages=("/operator/books/close",)),
)  # fmt: skip
