"""What the tables' CHECK constraints admit and refuse, and that SQLite builds no list for it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from hub.storage.migrations.files import load_migrations

WORDS = {
    ("events", "type"): ["conversion", "order_status", "webhook"],
    ("events", "status"): ["RECEIVED", "QUEUED", "PROCESSED", "SKIPPED", "PARKED", "UNMATCHED", "FAILED"],
    ("claims", "scope"): ["order", "status", "webhook"],
    ("conversions", "review"): ["OPEN", "ATTRIBUTED", "DISMISSED"],
    ("commissions", "state"): ["PENDING", "HOLD", "APPROVED", "PAYABLE", "REJECTED"],
    ("commissions", "source"): ["PRODUCT", "CAMPAIGN", "MERCHANT", "PLATFORM", "MIXED"],
    ("products", "status"): ["ACTIVE", "INACTIVE", "OUT_OF_STOCK", "ARCHIVED"],
}
MERCHANT = (
    "(merchant_id, name, email, domains, currency, status, created_at, updated_at)"
    " VALUES ('m', 'n', 'e', '[]', 'USD', 'APPROVED', 0, 0)"
)
ROWS = {
    "events": "(account_id, event_id, type, status, received_at, attempts)"
    " VALUES ('a', 'e', 'webhook', 'QUEUED', 1, 0)",
    "claims": "(account_id, scope, claim_key, event_id) VALUES ('a', 'order', 'k', 'e')",
    "conversions": "(account_id, conversion_id, event_id, external_order_id, order_minor, paid_minor, currency, lines,"
    " ordered_at, received_at, confidence, reason, created_at)"
    " VALUES ('a', 'c', 'e', 'o', 1, 1, 'USD', '[]', 1, 1, 'LOW', 'click_missing', 1)",
    "commissions": "(account_id, commission_id, conversion_id, affiliate_id, state, amount_minor, base_minor, currency,"
    " source, terms, hold_ms, created_at, updated_at)"
    " VALUES ('a', 'm', 'c', 'f', 'HOLD', 1, 1, 'USD', 'PRODUCT', '{}', 1, 1, 1)",
    "products": "(account_id, product_id, external_product_id, name, product_url, price_minor, currency, status,"
    " search_text, created_at, updated_at, number) VALUES ('a', 'p', 'x', 'n', 'u', 1, 'USD', 'ACTIVE', 'n', 1, 1, 1)",
}


@pytest.fixture
def connection(sqlite_url: str) -> Iterator[sqlite3.Connection]:
    """A connection to a file that has a row in each of the tables."""
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)) as opened:
        opened.execute(f"INSERT INTO merchants {MERCHANT}")
        opened.execute("INSERT INTO accounts (account_id, merchant_id, mode) VALUES ('a', 'm', 'test')")
        for table, row in ROWS.items():
            opened.execute(f"INSERT INTO {table} {row}")
        yield opened


def test_sqlite_admits_the_words_of_each_list_and_no_other(connection: sqlite3.Connection) -> None:
    """Every word of a list, and null if the column may be null."""
    for (table, column), words in WORDS.items():
        for word in words:
            assert connection.execute(f"UPDATE {table} SET {column} = ?", (word,)).rowcount == 1
        for word in ("", words[0].lower() if words[0].isupper() else words[0].upper(), f"{words[0]} "):
            with pytest.raises(sqlite3.IntegrityError, match="CHECK constraint failed"):
                connection.execute(f"UPDATE {table} SET {column} = ?", (word,))
    connection.execute("UPDATE conversions SET review = NULL")
    with pytest.raises(sqlite3.IntegrityError, match="paid_at"):
        connection.execute("UPDATE commissions SET state = 'PAID'")


def test_sqlite_builds_no_list_to_check_a_row(connection: sqlite3.Connection) -> None:
    """The control: with the lists as the file has them, each of the tables opens one for every row."""
    assert not any(builds_lists(connection, table) for table in ROWS)
    text = "\n".join(step.text for step in load_migrations("postgresql"))
    for table in ROWS:
        definition = re.search(rf"CREATE TABLE {table} .*?\n\) ?;", text, re.DOTALL)
        assert definition is not None
        with closing(sqlite3.connect(":memory:")) as as_written:
            as_written.create_collation("C", lambda one, other: (one > other) - (one < other))  # PostgreSQL's
            as_written.execute(definition[0])
            assert builds_lists(as_written, table)


def builds_lists(connection: sqlite3.Connection, table: str) -> bool:
    program = connection.execute(f"EXPLAIN INSERT INTO {table} {ROWS[table]}").fetchall()
    return any(re.search("OpenEphemeral", row[1]) for row in program)
