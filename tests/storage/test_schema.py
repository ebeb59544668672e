"""The schema itself: every tenant's rows can be kept together, by one column, on whichever machine holds the tenant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen

from hub.storage import Store

SHARED = {
    "accounts": "what an account is; everything that is routed to one starts here",
    "api_tokens": "an operator's or an affiliate's over all accounts, or named before its account is known",
    "token_answers": "as tokens are",
    "affiliate_coupons": "an affiliate's codes hold for all merchants",
    "affiliates": "an affiliate works for many merchants",
    "api_keys": "a request names its key before its account is known",
    "audit_runs": "an audit looks at all accounts",
    "backup_runs": "a backup holds all accounts",
    "troubles": "operators run the hub of all accounts",
    "trouble_mails": "as troubles are",
    "addresses": "a server is reached for all accounts",
    "change_heads": "changes of all accounts are numbered in one order",
    "connection_routes": "a delivery names its connection before its account is known",
    "branding": "how the network of all accounts presents itself",
    "books": "how the network keeps the books of all accounts",
    "former_addresses": "as those of affiliates and people are",
    "introductions": "a person's, who may belong to many merchants",
    "invoices": "their numbers have no gap over all affiliates",
    "join_names": "a stranger names a page before its account is known",
    "leases": "nodes share them",
    "ledger_mends": "an audit looks at all accounts",
    "login_links": "a person signs in before anything of theirs is known",
    "mails": "messages go to people, who belong to no account",
    "lone_payments": "a person pays for many merchants at once",
    "merchant_domains": "a merchant's domains hold for both of its accounts",
    "merchant_fees": "a merchant owns accounts",
    "closed_months": "how the network keeps the books of all accounts",
    "closed_ends": "as closed months are",
    "issuers": "the companies of the network bill merchants and affiliates of all accounts",
    "merchant_issuers": "a merchant owns accounts",
    "affiliate_issuers": "an affiliate is paid for many merchants at once",
    "tax_details": "an affiliate is paid for many merchants at once",
    "vat_checks": "a merchant owns accounts, and an affiliate is paid for many",
    "invoice_payments": "as invoices to merchants are",
    "invoice_reminders": "as invoices to merchants are",
    "debt_reminders": "an affiliate owes what it was paid for many merchants",
    "receipts": "a bank's statement has what all merchants paid",
    "merchant_invoices": "their numbers have no gap over all merchants",
    "merchants": "a merchant owns accounts",
    "notice_choices": "a person's, who may belong to many merchants",
    "notices": "a person's, as their choices are",
    "nodes": "the processes that serve all accounts",
    "pay_dates": "a run pays for many merchants at once",
    "payees": "an affiliate is paid for many merchants at once",
    "payout_terms": "an affiliate is paid for many merchants at once",
    "payment_holds": "an affiliate is paid for many merchants at once",
    "payout_file_payments": "as payments are, of many merchants at once",
    "payout_exchanges": "as payments are, of many merchants at once",
    "exchange_rates": "two people set them for all accounts",
    "bank_reports": "a bank says what became of many merchants' money at once",
    "bank_report_contents": "as banks' reports are",
    "bank_report_progress": "as banks' reports are",
    "bank_report_verdicts": "as banks' reports are",
    "payout_files": "a file pays for many merchants at once",
    "payout_items": "an affiliate is paid for many merchants at once",
    "payouts": "a run pays for many merchants at once",
    "platform_apps": "an operator's app serves all merchants",
    "platform_consents": "a platform answers before the account is known",
    "passkeys": "a person's, who may belong to many merchants",
    "recovery_codes": "a person's, as passkeys are",
    "registrations": "asked for before there is an account",
    "saved_views": "a person's, who may belong to many merchants",
    "schema_migrations": "which migrations were applied",
    "sessions": "a request names its session before its person is known",
    "shown_secrets": "a session is a person's, whichever account the secret is of",
    "sign_in_steps": "a person signs in before anything of theirs is known",
    "sign_in_failures": "a person signs in before anything of theirs is known",
    "short_links": "a click names its short address before its account is known",
    "tracking_codes": "a click names its code before its account is known",
    "subscriptions": "an affiliate's subscription is of all accounts",
    "trail": "people act on what belongs to no account, too",
    "user_roles": "a person may belong to many merchants",
    "users": "a person may belong to many merchants",
}
"""Small tables that every machine has a copy of, and why they are no tenant's. All others belong to an account."""


@frozen
class Key:
    """A primary, unique or foreign key; `target` is the table that a foreign one refers to."""

    table: str
    kind: str
    columns: tuple[str, ...]
    target: str = ""


async def ask(store: Store, sql: str) -> list[dict[str, Any]]:
    async with store.read() as tx:
        return [dict(row) for row in await tx._session.fetch(sql, {} if store.dialect == "sqlite" else [])]


async def columns_of(store: Store) -> dict[str, dict[str, str]]:
    """Return what each column of every table holds: "text", "integer", "text or null" or "integer or null"."""
    sql = """
        SELECT table_name AS name, column_name AS column, replace(data_type, 'bigint', 'integer') AS kind,
               is_nullable = 'YES' AS nullable
        FROM information_schema.columns
        WHERE table_schema = 'public'
          AND table_name NOT IN (SELECT v.table_name FROM information_schema.views AS v WHERE v.table_schema = 'public')
    """
    if store.dialect == "sqlite":
        sql = """
            SELECT t.name, c.name AS "column", lower(c.type) AS kind, c."notnull" = 0 AS nullable
            FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
            WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'
        """
    tables: dict[str, dict[str, str]] = {}
    for row in await ask(store, sql):
        tables.setdefault(row["name"], {})[row["column"]] = row["kind"] + (" or null" if row["nullable"] else "")
    return tables


async def tables_of(store: Store) -> dict[str, list[str]]:
    """Return every table's columns."""
    return {table: sorted(columns) for table, columns in (await columns_of(store)).items()}


async def indexes_of(store: Store) -> dict[str, str]:
    """Return every index that the schema names, with its table, columns and condition as one text."""
    sql = """
        SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
        FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
        WHERE c.relnamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))
    """
    if store.dialect == "sqlite":
        sql = "SELECT name, sql AS definition FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    return {row["name"]: compact(row["definition"]) for row in await ask(store, sql)}


def compact(definition: str) -> str:
    """Return the definition of an index as either database writes it."""
    text = (
        re.sub(r"\s+", " ", definition)
        .replace("( ", "(")
        .partition(" ON ")[2]
        .removeprefix("public.")
        .replace(" USING btree", "")
        .replace("::text", "")
    )
    text = re.sub(r"= ANY \(ARRAY\[([^\]]*)\]\)", r"IN (\1)", text)
    text = re.sub(r"\((\w+ IN \([^)]*\))\)", r"\1", text)  # PostgreSQL puts each side of an OR in parentheses
    return re.sub(r" WHERE \((.*)\)$", r" WHERE \1", text)


async def keys_of(store: Store) -> list[Key]:
    """Return every key of every table, unique indexes included."""
    return [key async for key in (_sqlite_keys if store.dialect == "sqlite" else _postgres_keys)(store)]


async def _sqlite_keys(store: Store) -> Any:
    for table in await tables_of(store):
        for index in await ask(store, f"SELECT name, origin FROM pragma_index_list('{table}') WHERE \"unique\""):
            rows = await ask(store, f"SELECT name FROM pragma_index_info('{index['name']}') ORDER BY seqno")
            yield Key(table, "unique", tuple(row["name"] for row in rows))
        foreign: dict[int, list[dict[str, Any]]] = {}
        for row in await ask(store, f"SELECT * FROM pragma_foreign_key_list('{table}') ORDER BY id, seq"):
            foreign.setdefault(row["id"], []).append(row)
        for rows in foreign.values():
            yield Key(table, "foreign", tuple(row["from"] for row in rows), rows[0]["table"])


async def _postgres_keys(store: Store) -> Any:
    unique = """
        SELECT i.indrelid::regclass::text AS name, array_agg(a.attname::text ORDER BY k.place) AS columns
        FROM pg_index AS i
        CROSS JOIN unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
        WHERE i.indisunique AND i.indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
        GROUP BY i.indexrelid, i.indrelid
    """
    foreign = """
        SELECT c.conrelid::regclass::text AS name, c.confrelid::regclass::text AS target,
               array_agg(a.attname::text ORDER BY k.place) AS columns
        FROM pg_constraint AS c
        CROSS JOIN unnest(c.conkey) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.number
        WHERE c.contype = 'f'
        GROUP BY c.oid, c.conrelid, c.confrelid
    """
    for row in await ask(store, unique):
        yield Key(row["name"], "unique", tuple(row["columns"]))
    for row in await ask(store, foreign):
        yield Key(row["name"], "foreign", tuple(row["columns"]), row["target"])


def loose(tables: dict[str, list[str]], keys: list[Key]) -> Iterator[str]:
    """Yield what ties a tenant's table to something else than its account."""
    for table, columns in tables.items():
        if table not in SHARED and "account_id" not in columns:
            yield f"{table} has no account_id and is no shared table"
        if table not in SHARED and not any(key.table == table and key.kind == "unique" for key in keys):
            yield f"{table} has no key"
    for key in keys:
        if key.table in SHARED or key.columns[0] == "account_id":
            continue
        if key.kind == "foreign" and key.target in SHARED:
            continue  # every machine has the shared table, so the reference is local all the same
        yield f"{key.table}: the {key.kind} key {key.columns} does not begin with account_id"


async def test_every_key_of_a_tenants_table_begins_with_its_account(store: Store) -> None:
    """Primary, unique and foreign keys alike, on both databases."""
    tables, keys = await tables_of(store), await keys_of(store)
    assert list(loose(tables, keys)) == []
    assert {"events", "commissions", "request_log"} <= tables.keys() - SHARED.keys()


async def test_the_list_of_shared_tables_is_true(store: Store) -> None:
    """Nothing is excused that does not exist."""
    assert SHARED.keys() <= (await tables_of(store)).keys()


async def test_no_shared_table_refers_to_a_tenants(store: Store) -> None:
    """A copy on every machine cannot refer to rows that one machine has."""
    assert [
        key for key in await keys_of(store) if key.table in SHARED and key.target and key.target not in SHARED
    ] == []


async def test_both_databases_have_the_same_tables_indexes_and_keys(sqlite_store: Store, postgres_store: Store) -> None:
    """One file makes both schemas: the same columns with the same kinds, the same indexes and the same keys."""
    assert await columns_of(sqlite_store) == await columns_of(postgres_store)
    assert await indexes_of(sqlite_store) == await indexes_of(postgres_store)
    waiting = (await indexes_of(sqlite_store))["conversions_in_review"]
    assert waiting == "conversions (account_id, conversion_id) WHERE review = 'OPEN'"
    stores = (sqlite_store, postgres_store)
    # The ledger's number is SQLite's row number itself, which needs no index.
    keys = [sorted(repr(key) for key in await keys_of(store) if key.table != "schema_migrations") for store in stores]
    assert keys[0] == keys[1]


@pytest.mark.parametrize(
    ("columns", "key", "fault"),
    [
        (["id"], Key("new", "unique", ("id",)), "no account_id"),
        (["account_id", "id"], Key("new", "unique", ("id", "account_id")), "does not begin"),
        (["account_id", "id"], Key("new", "foreign", ("id",), "events"), "does not begin"),
        (["account_id"], Key("other", "unique", ("account_id",)), "no key"),
    ],
)
def test_the_check_finds_what_it_is_for(columns: list[str], key: Key, fault: str) -> None:
    """The control: each kind of loose key is named."""
    assert fault in "; ".join(loose({"new": columns}, [key]))


COLLATIONS = """
SELECT c.relname::text || '.' || a.attname AS name, o.collname::text AS collation
FROM pg_attribute AS a
JOIN pg_class AS c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
JOIN pg_collation AS o ON o.oid = a.attcollation
WHERE a.attname IN ('external_order_id', 'event_id')
"""


async def test_postgresql_sorts_order_numbers_byte_by_byte(postgres_store: Store) -> None:
    """In the order of a locale, what begins alike does not stand together; ids, the control, are in the database's."""
    found = {row["name"]: row["collation"] for row in await ask(postgres_store, COLLATIONS)}
    numbers = {name: collation for name, collation in found.items() if name.endswith(".external_order_id")}
    assert len(numbers) > 5
    assert set(numbers.values()) == {"C"}
    assert {found[name] for name in found.keys() - numbers.keys()} == {"default"}
