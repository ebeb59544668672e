"""What the tables' CHECK constraints let in and refuse, and that SQLite need build no list for it."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hub.storage import Store
from hub.storage.migrations.files import migration_folder

WORDS = {
    ("events", "type"): ["conversion", "order_status", "webhook"],
    ("events", "status"): ["RECEIVED", "QUEUED", "PROCESSED", "SKIPPED", "PARKED", "UNMATCHED", "FAILED"],
    ("claims", "scope"): ["order", "status", "webhook"],
    ("conversions", "review"): ["OPEN", "ATTRIBUTED", "DISMISSED"],
    ("commissions", "state"): ["PENDING", "HOLD", "APPROVED", "PAYABLE", "REJECTED"],
    ("commissions", "source"): ["PRODUCT", "CAMPAIGN", "MERCHANT", "PLATFORM", "MIXED"],
    ("products", "status"): ["ACTIVE", "INACTIVE", "OUT_OF_STOCK", "ARCHIVED"],
}
MERCHANT = "VALUES ('m', 'n', 'e', '[]', 'USD', NULL, NULL, NULL, 'APPROVED', 0, 0)"
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
    " search_text, created_at, updated_at) VALUES ('a', 'p', 'x', 'n', 'u', 1, 'USD', 'ACTIVE', 'n', 1, 1)",
}


def migrations_to(tmp_path: Path, last: str) -> Path:
    """A folder with the migrations up to one of them."""
    folder = tmp_path / f"to-{last}"
    folder.mkdir(exist_ok=True)
    for path in migration_folder().glob("*.sql"):
        if path.name[:4] <= last:
            shutil.copy(path, folder)
    return folder


async def old_and_new(tmp_path: Path, url: str) -> sqlite3.Connection:
    """A connection to a file that was filled and opened before its constraints were rewritten, and uses them now."""
    await (await Store.open(url, migrate=True, migrations=migrations_to(tmp_path, "0005"))).close()
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    connection.execute(f"INSERT INTO merchants {MERCHANT}")
    connection.execute("INSERT INTO accounts VALUES ('a', 'm', 'test')")
    for table, row in ROWS.items():
        connection.execute(f"INSERT INTO {table} {row}")
    await (await Store.open(url, migrate=True)).close()
    return connection


async def test_sqlite_lets_in_the_same_words_as_before(tmp_path: Path) -> None:
    """Every word of a list, a null where one may be, and nothing else; rows and file are sound."""
    with closing(await old_and_new(tmp_path, f"sqlite:///{tmp_path}/hub.db")) as connection:
        for (table, column), words in WORDS.items():
            for word in words:
                assert connection.execute(f"UPDATE {table} SET {column} = ?", (word,)).rowcount == 1
            for word in ("", words[0].lower() if words[0].isupper() else words[0].upper(), f"{words[0]} "):
                with pytest.raises(sqlite3.IntegrityError, match="CHECK constraint failed"):
                    connection.execute(f"UPDATE {table} SET {column} = ?", (word,))
        connection.execute("UPDATE conversions SET review = NULL")
        with pytest.raises(sqlite3.IntegrityError, match="paid_at"):
            connection.execute("UPDATE commissions SET state = 'PAID'")
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_sqlite_builds_no_list_to_check_what_is_written_all_the_time(tmp_path: Path) -> None:
    """The control is the schema before: there each of the tables opens one for every row."""
    url = f"sqlite:///{tmp_path}/old.db"
    await (await Store.open(url, migrate=True, migrations=migrations_to(tmp_path, "0005"))).close()
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as before:
        assert all(builds_lists(before, table) for table in ROWS)
    with closing(await old_and_new(tmp_path, f"sqlite:///{tmp_path}/new.db")) as after:
        assert not any(builds_lists(after, table) for table in ROWS)


def builds_lists(connection: sqlite3.Connection, table: str) -> bool:
    connection.execute(f"SELECT * FROM {table}").fetchall()  # what is only explained does not look for a new schema
    program = connection.execute(f"EXPLAIN INSERT INTO {table} {ROWS[table]}").fetchall()
    return any(re.search("OpenEphemeral", row[1]) for row in program)
