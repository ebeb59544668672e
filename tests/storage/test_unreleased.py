"""Databases that were made before the first release: `hub migrate` adopts the last kind and refuses all before it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from hub.storage import MigrationFault, SchemaTooOld, Store, TransferFault
from hub.storage.migrations.unreleased import FIRST, SEVENTH
from hub.storage.transfer.move import transfer

# What today's schema lacks of the old one, or has beside it: so the fixture needs no copy of the eight old files. Their
# real outcome was compared with today's schema, object by object, when they were merged.
OLD_SQLITE = """
DROP VIEW listed_conversions; DROP VIEW listed_commissions; DROP VIEW payable_lines;
DROP TABLE saved_views;
DROP TABLE api_tokens; DROP TABLE token_answers; DROP TABLE webhook_deliveries; DROP TABLE subscriptions;
DROP TABLE platform_access; DROP TABLE platform_reads; DROP TABLE platform_fetches; DROP TABLE platform_apps;
DROP TABLE platform_consents;
DROP INDEX conversions_by_review; DROP INDEX commissions_by_change; ALTER TABLE conversions DROP COLUMN reviewed_at;
DROP INDEX events_failed; CREATE INDEX events_failed ON events (account_id, event_id) WHERE status = 'FAILED';
DROP INDEX events_unused; DROP INDEX events_of_connections;
CREATE INDEX events_of_connections ON events (account_id, connection_id, event_id) WHERE connection_id IS NOT NULL;
DROP TABLE daily_figures; DROP TABLE product_figures; DROP TABLE counted_orders; DROP TABLE counted_clicks;
DROP TABLE changed_orders; DROP TABLE affiliate_figures; DROP INDEX links_by_account;
DROP INDEX links_by_affiliate; DROP INDEX links_by_age; DROP TABLE audit_runs;
DROP INDEX commissions_by_affiliate; DROP TABLE order_messages;
ALTER TABLE links DROP COLUMN subs;
ALTER TABLE links DROP COLUMN disabled_by;
ALTER TABLE clicks DROP COLUMN subs;
DROP TABLE invoices; DROP TABLE merchant_fees;
DROP TABLE payout_lines; DROP TABLE payout_items; DROP TABLE payouts; DROP TABLE adjustments;
DROP TABLE payees;
DROP INDEX commissions_payable; DROP TABLE ledger_heads; DROP TABLE ledger_entries;
DROP TABLE repeated_reports; DROP TABLE rate_changes; DROP TABLE rate_drafts;
DROP TABLE merchant_invoices; DROP TABLE deposits; DROP TABLE deposit_payments; DROP TABLE deposit_covers;
ALTER TABLE merchants DROP COLUMN deposit_required;
DROP INDEX commissions_held; DROP INDEX commissions_awaiting_deposit;
CREATE INDEX commissions_held ON commissions (hold_until) WHERE state IN ('HOLD', 'APPROVED');
ALTER TABLE commissions DROP COLUMN awaits_deposit;
DROP TABLE order_reviews; ALTER TABLE connections DROP COLUMN source;
ALTER TABLE conversions DROP COLUMN snapshot_version; ALTER TABLE conversions DROP COLUMN stands_at;
DROP INDEX conversions_by_click;
DROP INDEX events_due_by_account;
DROP TABLE registrations; DROP TABLE sign_in_steps; DROP TABLE passkeys; DROP TABLE recovery_codes; DROP TABLE mails;
DROP TABLE trail; DROP TABLE sign_in_failures; DROP TABLE login_links; DROP TABLE sessions;
DROP TABLE user_roles; DROP TABLE users;
DROP TABLE nodes;
ALTER TABLE api_keys DROP COLUMN signature_version;
ALTER TABLE merchants DROP COLUMN status_reason;
ALTER TABLE merchants DROP COLUMN closed_at;
ALTER TABLE links DROP COLUMN disabled_at;
DROP TABLE memberships; DROP TABLE merchant_domains; DROP TABLE shown_secrets;
ALTER TABLE merchants DROP COLUMN profile;
ALTER TABLE merchants DROP COLUMN live_access;
ALTER TABLE merchants DROP COLUMN live_asked_at;
ALTER TABLE merchants DROP COLUMN live_reason;
ALTER TABLE accounts DROP COLUMN advanced_ms;
DROP INDEX clicks_by_visitor; DROP INDEX clicks_with_visitor; ALTER TABLE clicks DROP COLUMN visitor;
ALTER TABLE campaigns DROP COLUMN attribution;
ALTER TABLE campaigns DROP COLUMN listed;
ALTER TABLE campaigns DROP COLUMN joining;
CREATE TRIGGER products_take_number AFTER INSERT ON products WHEN NEW.number IS NULL BEGIN SELECT 1; END;
CREATE TRIGGER products_drop_record AFTER UPDATE OF updated_at ON products WHEN NEW.record = OLD.record
BEGIN UPDATE products SET record = NULL WHERE account_id = NEW.account_id AND product_id = NEW.product_id; END;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql,
    'number              INTEGER NOT NULL', 'number INTEGER'),
    'status = ''ACTIVE'' OR status = ''OUT_OF_STOCK''', 'status IN (''ACTIVE'', ''OUT_OF_STOCK'')')
WHERE name = 'products';
PRAGMA writable_schema = RESET;
"""
OLD_POSTGRESQL = """
DROP VIEW listed_conversions; DROP VIEW listed_commissions; DROP VIEW payable_lines;
DROP TABLE saved_views;
DROP TABLE api_tokens; DROP TABLE token_answers; DROP TABLE webhook_deliveries; DROP TABLE subscriptions;
DROP TABLE platform_access; DROP TABLE platform_reads; DROP TABLE platform_fetches; DROP TABLE platform_apps;
DROP TABLE platform_consents;
DROP INDEX conversions_by_review; DROP INDEX commissions_by_change; ALTER TABLE conversions DROP COLUMN reviewed_at;
DROP INDEX events_failed; CREATE INDEX events_failed ON events (account_id, event_id) WHERE status = 'FAILED';
DROP INDEX events_unused; DROP INDEX events_of_connections;
CREATE INDEX events_of_connections ON events (account_id, connection_id, event_id) WHERE connection_id IS NOT NULL;
DROP TABLE daily_figures; DROP TABLE product_figures; DROP TABLE counted_orders; DROP TABLE counted_clicks;
DROP TABLE changed_orders; DROP TABLE affiliate_figures; DROP INDEX links_by_account;
DROP INDEX links_by_affiliate; DROP INDEX links_by_age; DROP TABLE audit_runs;
DROP INDEX commissions_by_affiliate; DROP TABLE order_messages;
ALTER TABLE links DROP COLUMN subs;
ALTER TABLE links DROP COLUMN disabled_by;
ALTER TABLE clicks DROP COLUMN subs;
DROP TABLE invoices; DROP TABLE merchant_fees;
DROP TABLE payout_lines; DROP TABLE payout_items; DROP TABLE payouts; DROP TABLE adjustments;
DROP TABLE payees;
DROP INDEX commissions_payable; DROP TABLE ledger_heads; DROP TABLE ledger_entries;
DROP TABLE repeated_reports; DROP TABLE rate_changes; DROP TABLE rate_drafts;
DROP TABLE merchant_invoices; DROP TABLE deposits; DROP TABLE deposit_payments; DROP TABLE deposit_covers;
ALTER TABLE merchants DROP COLUMN deposit_required;
DROP INDEX commissions_held; DROP INDEX commissions_awaiting_deposit;
CREATE INDEX commissions_held ON commissions (hold_until) WHERE state IN ('HOLD', 'APPROVED');
ALTER TABLE commissions DROP COLUMN awaits_deposit;
DROP TABLE order_reviews; ALTER TABLE connections DROP COLUMN source;
ALTER TABLE conversions DROP COLUMN snapshot_version; ALTER TABLE conversions DROP COLUMN stands_at;
DROP INDEX conversions_by_click;
DROP INDEX events_due_by_account;
DROP TABLE registrations; DROP TABLE sign_in_steps; DROP TABLE passkeys; DROP TABLE recovery_codes; DROP TABLE mails;
DROP TABLE trail; DROP TABLE sign_in_failures; DROP TABLE login_links; DROP TABLE sessions;
DROP TABLE user_roles; DROP TABLE users;
DROP TABLE nodes;
ALTER TABLE api_keys DROP COLUMN signature_version;
ALTER TABLE merchants DROP COLUMN status_reason;
ALTER TABLE merchants DROP COLUMN closed_at;
ALTER TABLE links DROP COLUMN disabled_at;
DROP TABLE memberships; DROP TABLE merchant_domains; DROP TABLE shown_secrets;
ALTER TABLE merchants DROP COLUMN profile;
ALTER TABLE merchants DROP COLUMN live_access;
ALTER TABLE merchants DROP COLUMN live_asked_at;
ALTER TABLE merchants DROP COLUMN live_reason;
ALTER TABLE accounts DROP COLUMN advanced_ms;
DROP INDEX clicks_by_visitor; DROP INDEX clicks_with_visitor; ALTER TABLE clicks DROP COLUMN visitor;
ALTER TABLE campaigns DROP COLUMN attribution;
ALTER TABLE campaigns DROP COLUMN listed;
ALTER TABLE campaigns DROP COLUMN joining;
CREATE FUNCTION take_product_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE FUNCTION drop_product_record() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER products_take_number BEFORE INSERT ON products FOR EACH ROW EXECUTE FUNCTION take_product_number();
CREATE TRIGGER products_drop_record BEFORE UPDATE ON products FOR EACH ROW EXECUTE FUNCTION drop_product_record();
ALTER TABLE products ALTER COLUMN number DROP NOT NULL;
DROP FUNCTION require_rows(bigint[], bigint[]);
"""
ROWS = """
INSERT INTO merchants VALUES ('m', 'n', 'e', '[]', 'USD', NULL, NULL, NULL, 'APPROVED', 0, 0);
INSERT INTO accounts VALUES ('a', 'm', 'test');
INSERT INTO products (account_id, product_id, external_product_id, name, product_url, price_minor, currency, status,
                      search_text, created_at, updated_at, number)
VALUES ('a', 'p', 'x', 'n', 'u', 1, 'USD', 'ACTIVE', 'n', 1, 1, 1);
"""
SQLITE_SCHEMA = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
POSTGRESQL_SCHEMA = """
SELECT 'column', c.table_name || '.' || c.column_name, c.data_type || c.is_nullable
FROM information_schema.columns AS c WHERE c.table_schema = 'public'
UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'function', oid::regprocedure::text, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
ORDER BY 1, 2
"""


ALL = (
    "0001_create_hub.sql",
    "0002_register_nodes.sql",
    "0003_require_signature_version.sql",
    "0004_people.sql",
    "0005_index_conversions_by_click.sql",
    "0006_end_merchants_and_links.sql",
    "0007_sub_ids.sql",
    "0008_manage_merchants.sql",
    "0009_affiliate_pages.sql",
    "0010_index_due_events_by_account.sql",
    "0011_reload_plugins.sql",
    "0012_mail.sql",
    "0013_ledger.sql",
    "0014_keep_daily_figures.sql",
    "0015_show_new_secrets.sql",
    "0016_payouts.sql",
    "0017_list_changes.sql",
    "0018_restate_orders.sql",
    "0019_operator_lists.sql",
    "0020_invoices.sql",
    "0021_ways_in.sql",
    "0022_subscriptions.sql",
    "0023_sum_figures_by_campaign_and_affiliate.sql",
    "0024_find_failed_events.sql",
    "0025_hand_over_links.sql",
    "0026_attribution_policies.sql",
    "0027_count_by_link_and_sub_id.sql",
    "0028_repeated_reports.sql",
    "0029_api_tokens.sql",
    "0030_rate_versions.sql",
    "0031_saved_views.sql",
    "0032_ask_platforms.sql",
    "0033_deposits.sql",
    "0034_payable_lines.sql",
    "0035_list_over_all_accounts.sql",
    "0036_merchant_invoices.sql",
    "0037_find_what_is_owed.sql",
    "0038_find_sessions_by_visitor.sql",
    "0039_note_shortages.sql",
    "0040_listed_orders.sql",
    "0041_statements_of_periods.sql",
)


def is_sqlite(url: str) -> bool:
    return url.startswith("sqlite")


def opened(url: str) -> sqlite3.Connection:
    return sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)


async def run_script(url: str, script: str) -> None:
    """Run statements on the database itself, past the store."""
    if is_sqlite(url):
        with closing(opened(url)) as raw:
            raw.executescript(script)
        return
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(script)
    finally:
        await connection.close()


async def ask(url: str, sql: str) -> list[tuple[Any, ...]]:
    """Return rows of the database itself, past the store."""
    if is_sqlite(url):
        with closing(opened(url)) as raw:
            return raw.execute(sql).fetchall()
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(sql)]
    finally:
        await connection.close()


async def schema_of(url: str) -> list[tuple[Any, ...]]:
    return await ask(url, SQLITE_SCHEMA if is_sqlite(url) else POSTGRESQL_SCHEMA)


async def migrate(url: str) -> tuple[str, ...]:
    """Migrate and return what was applied."""
    async with await Store.open(url, migrate=True) as store:
        return store.migrated


async def make_unreleased(url: str, version: int = 7) -> None:
    """Make a database as a development version before the first release left it, with a product."""
    await migrate(url)
    seventh = SEVENTH["sqlite" if is_sqlite(url) else "postgresql"]
    checksums = {1: FIRST, 7: seventh}
    ledger = ", ".join(f"({n}, 'x', '{checksums.get(n, 'x')}', 0)" for n in range(1, version + 1))
    await run_script(url, OLD_SQLITE if is_sqlite(url) else OLD_POSTGRESQL)
    await run_script(url, ROWS)
    await run_script(url, f"DELETE FROM schema_migrations; INSERT INTO schema_migrations VALUES {ledger};")


@pytest.mark.parametrize("version", [7, 8])
async def test_the_last_unreleased_schema_becomes_todays(empty_url: str, version: int) -> None:
    """Nothing differs from a new database, the rows stay, and a second run does nothing."""
    await migrate(empty_url)
    todays_schema = await schema_of(empty_url)
    await make_unreleased(empty_url, version)
    assert await schema_of(empty_url) != todays_schema
    assert await migrate(empty_url) == ALL
    assert await schema_of(empty_url) == todays_schema
    assert await ask(empty_url, "SELECT external_product_id, number FROM products") == [("x", 1)]
    assert await ask(empty_url, "SELECT version FROM schema_migrations") == [
        (number + 1,) for number in range(len(ALL))
    ]
    assert await migrate(empty_url) == ()


async def test_four_nodes_at_once_adopt_it_once(empty_url: str) -> None:
    """The others wait for the first and find it done."""
    await make_unreleased(empty_url)
    done = await asyncio.gather(*(migrate(empty_url) for _ in range(4)))
    assert sorted(name for applied in done for name in applied) == list(ALL)


async def test_a_connection_that_was_open_before_keeps_the_new_constraints(tmp_path: Path) -> None:
    """SQLite's connections remember the schema, and have to notice that it changed."""
    url = f"sqlite:///{tmp_path}/hub.db"
    await make_unreleased(url)
    with closing(opened(url)) as before:
        with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
            before.execute("UPDATE products SET status = 'lost'")
        before.execute("UPDATE products SET number = NULL")
        before.execute("UPDATE products SET number = 1")
        await migrate(url)
        with pytest.raises(sqlite3.IntegrityError, match=r"NOT NULL.*number"):
            before.execute("UPDATE products SET number = NULL")
        assert before.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_a_server_asks_for_the_migration(empty_url: str) -> None:
    """It does not take the higher number for that of a newer release."""
    await make_unreleased(empty_url)
    with pytest.raises(SchemaTooOld, match="run `hub migrate`"):
        await Store.open(empty_url)


async def test_the_move_asks_for_the_migration(tmp_path: Path) -> None:
    """A file is moved with the schema of today."""
    path = tmp_path / "hub.db"
    await make_unreleased(f"sqlite:///{path}")
    with pytest.raises(TransferFault, match="run `hub migrate --database"):
        await transfer(path, "postgresql://127.0.0.1:9/none", lambda *_: None)


async def test_an_earlier_schema_is_refused_with_the_way_out(empty_url: str) -> None:
    """Nothing of it is touched."""
    await make_unreleased(empty_url, 5)
    before = await schema_of(empty_url)
    with pytest.raises(MigrationFault, match=r"schema 5.*run `hub migrate` of the last commit"):
        await migrate(empty_url)
    assert await schema_of(empty_url) == before


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("ALTER TABLE clicks ADD COLUMN more TEXT", "other tables or indexes"),
        ("DROP INDEX events_due", "other tables or indexes"),
        ("UPDATE products SET number = NULL", "without a number"),
    ],
)
async def test_a_file_that_was_changed_by_hand_stays_as_it_was(tmp_path: Path, change: str, fault: str) -> None:
    """Constraints are replaced only over the columns that they were written for."""
    url = f"sqlite:///{tmp_path}/hub.db"
    await make_unreleased(url)
    await run_script(url, change)
    before = await schema_of(url)
    with pytest.raises(MigrationFault, match=fault):
        await migrate(url)
    assert await schema_of(url) == before


async def test_a_postgresql_database_that_was_changed_by_hand_stays_as_it_was(postgres_url: str) -> None:
    """A statement of the adoption fails, and all of them are undone."""
    await make_unreleased(postgres_url)
    await run_script(postgres_url, "UPDATE products SET number = NULL")
    before = await schema_of(postgres_url)
    with pytest.raises(MigrationFault, match=r"does not run.*null"):
        await migrate(postgres_url)
    assert await schema_of(postgres_url) == before
