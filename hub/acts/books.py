"""How the network keeps its books."""

from __future__ import annotations

from typing import Final

from hub.acts.act import Act, get, put
from hub.acts.authority import PROVED_ADMINS
from hub.acts.fields import needed, text
from hub.operations.money.books import BooksDocument, set_books, show_books

ACTS: Final[tuple[Act, ...]] = (
    Act(get("/books", "getBooks"), "Show how the books are kept", lambda c: show_books(c.store), BooksDocument),
    Act(put("/books", "setBooks"), "Set the time zone of the books, before the first invoice",
        lambda c: set_books(c.store, c.clock, c.body["time_zone"]), BooksDocument,
        body={"timeZone": needed(text("The IANA name of the time zone.", "Europe/Berlin", 64))},
        trail=("books.set",), by=(PROVED_ADMINS,), commands=("ledger zone",),
        without={"page": "it is set once, before the first invoice"}),
)  # fmt: skip
