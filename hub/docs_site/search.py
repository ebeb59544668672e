"""Search over the documents and the reference, in SQLite's full-text index, which is kept in memory."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from html import escape
from typing import Final

from attrs import frozen
from markupsafe import Markup

from hub.docs_site.markdown import Section
from hub.docs_site.reference import Group

MOST_WORDS: Final = 8
MOST_FOUND: Final = 25
REFERENCE_WEIGHT: Final = 2.0
_BEGIN, _END = "\x02", "\x03"
"""Marks around the words that were found: no text has them, so they can be replaced after escaping."""


@frozen
class IndexedPlace:
    """A place that can be found; one with twice the weight counts as twice as good a match."""

    address: str
    page: str
    title: str
    text: str
    weight: float = 1.0


@frozen
class Found:
    """A place that was found, with the words around as HTML."""

    address: str
    page: str
    title: str
    excerpt: Markup


class SearchIndex:
    """An index of entries; it is made once and only read from then on."""

    def __init__(self, entries: Iterable[IndexedPlace]) -> None:
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.execute(
            "CREATE VIRTUAL TABLE entries USING fts5("
            "title, text, page, address UNINDEXED, weight UNINDEXED, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        rows = ((each.title, each.text, each.page, each.address, each.weight) for each in entries)
        self._connection.executemany(
            "INSERT INTO entries (title, text, page, address, weight) VALUES (?, ?, ?, ?, ?)", rows
        )

    def find(self, asked: str) -> list[Found]:
        """Return the places that have all words, or words that begin with them, the best first."""
        words = re.findall(r"\w+", asked)[:MOST_WORDS]
        if not words:
            return []
        match = " ".join(f'"{word}"*' for word in words)
        found = self._connection.execute(
            "SELECT address, page, title, snippet(entries, 1, ?, ?, '…', 24) FROM entries "
            "WHERE entries MATCH ? ORDER BY weight * bm25(entries, 8.0, 1.0, 2.0) LIMIT ?",
            (_BEGIN, _END, match, MOST_FOUND),
        )
        return [Found(address, page, title, _marked(excerpt)) for address, page, title, excerpt in found]


def section_entries(address: str, page: str, sections: Iterable[Section], weight: float) -> list[IndexedPlace]:
    """Return the entries of a document."""
    return [
        IndexedPlace(f"{address}#{each.anchor}" if each.level > 1 else address, page, each.title, each.text, weight)
        for each in sections
        if each.title
    ]


def operation_entries(groups: Iterable[Group]) -> list[IndexedPlace]:
    """Return the entries of the reference: each operation with the names of its fields."""
    return [
        IndexedPlace(
            each.address,
            f"{each.method} {each.path}",
            each.summary,
            _words(each.text, [each.name, *names]),
            REFERENCE_WEIGHT,
        )
        for group in groups
        for each in group.operations
        for names in [[field.name for field in (*each.query_fields, *each.body_fields)]]
    ]


def _words(text: str, names: list[str]) -> str:
    return f"{text} {' '.join(names)}"


def _marked(excerpt: str) -> Markup:
    marked = escape(excerpt).replace(_BEGIN, "<mark>").replace(_END, "</mark>")
    return Markup(marked)  # noqa: S704 - escaped in the line above
