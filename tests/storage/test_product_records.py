"""Products of the release before get their number and their record from the migration, as the hub would give them."""

from __future__ import annotations

import sqlite3
from itertools import product
from pathlib import Path
from typing import Any

import asyncpg
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.catalog.product import Product
from hub.catalog.product_record import told
from hub.domain.money import CURRENCIES
from hub.storage import Store
from hub.storage.migrations.files import migration_folder

COLUMNS = tuple(name for name in Product._fields if name != "number")
TEXTS = (
    "",
    'a "quoted" \\ text',
    "".join(map(chr, range(1, 0x30))),
    "\x7f\x80\u2028 \u00fc\u6f22 \U0001f642",
    "</script>/",
)
AMOUNTS = (0, 7, 1_234, 10**15)
MOMENTS = (0, 999, 1_763_657_058_123, 4_102_444_800_000)


def before(number: int, account: str, text: str, currency: str, amount: int, moment: int) -> tuple[Any, ...]:
    """A row of the release before."""
    some = text if number % 2 else None
    return (
        account, f"prd_{9_999 - number:05}", f"{text}{number}", text, some, text, some, some, some, currency,
        None, None, None, amount, amount + 1 if number % 3 else None, some, "ACTIVE", moment, moment + number, "",
    )  # fmt: skip


def all_kinds() -> list[tuple[Any, ...]]:
    """Every currency, text, amount and moment, in two accounts."""
    kinds = [*product(TEXTS, ("USD", "JPY"), AMOUNTS, MOMENTS), *product(("x",), CURRENCIES, AMOUNTS, (1,))]
    return [before(number, "ab"[number % 2], *kind) for number, kind in enumerate(kinds)]


async def migrated(url: str, folder: Path, rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """The rows as they are once a database of the release before has been migrated."""
    for path in migration_folder().glob("000[1-4]*.sql"):
        (folder / path.name).write_bytes(path.read_bytes())
    await (await Store.open(url, migrate=True, migrations=folder)).close()
    merchant = "INSERT INTO merchants VALUES ('m', 'n', 'e', '[]', 'USD', NULL, NULL, NULL, 'APPROVED', 0, 0)"
    accounts = "INSERT INTO accounts VALUES ('a', 'm', 'test'), ('b', 'm', 'live')"
    insert = f"INSERT INTO products ({', '.join(COLUMNS)}, search_text) VALUES "
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as raw:
            raw.execute(merchant)
            raw.execute(accounts)
            raw.executemany(f"{insert} ({', '.join('?' * 20)})", rows)
        raw.close()
    else:
        connection = await asyncpg.connect(url)
        await connection.execute(f"{merchant}; {accounts}")
        await connection.executemany(f"{insert} ({', '.join(f'${n}' for n in range(1, 21))})", rows)
        await connection.close()
    async with await Store.open(url, migrate=True) as store, store.read() as tx:
        found = await tx._session.fetch("SELECT * FROM products", {} if store.dialect == "sqlite" else [])
        return [dict(row) for row in found]


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """The address of a database without any table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'hub.db'}"
        return
    server = request.getfixturevalue("postgres")
    url = server.create_empty()
    yield url
    server.drop(url)


async def test_old_products_get_record_and_number(empty_url: str, tmp_path: Path) -> None:
    found = await migrated(empty_url, tmp_path, all_kinds())
    assert len(found) == len(all_kinds())
    faults = [row for row in found if row["record"] != orjson.dumps(told(Product.from_row(row))).decode()]
    assert faults == []
    for account in "ab":
        own = sorted((row for row in found if row["account_id"] == account), key=lambda row: row["product_id"])
        assert [row["number"] for row in own] == list(range(1, len(own) + 1))


async def test_a_product_is_its_row(tmp_path: Path) -> None:
    """Its fields are the columns that are asked for and, but for what is made of them, those that are written."""
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    await migrated(url, tmp_path, all_kinds()[:1])
    async with await Store.open(url) as store, store.read() as tx:
        (batch,) = store.queries["write_products"].parameters
        (row,) = await tx.all("products_of_account", account_id="a", external_ids=["0"])
    assert tuple(row.keys()) == Product._fields
    assert tuple(name for name, _ in batch.columns) == (*Product._fields, "search_text", "record")


@settings(max_examples=300)
@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_sqlite_writes_texts_as_the_hub_does(text: str) -> None:
    """The migration and the hub have different writers of JSON."""
    with sqlite3.connect(":memory:") as raw:
        (quoted,) = raw.execute("SELECT json_quote(?)", (text,)).fetchone()
    raw.close()
    assert quoted == orjson.dumps(text).decode()
