"""A hub in which every list is longer than a page, made of one of each thing by copying its row in SQL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final

from attrs import frozen

from hub.operations.references import account_id_of
from hub.operations.users.users import NewUser, create_user
from hub.storage import Store
from hub.testing.clock import FakeClock
from tests.pages.world import world_of
from tests.served_hub import ApiKey, served

FEW: Final = 230
"""More than the longest page of an API, 200."""
MANY: Final = 530
"""More than a page of a filtered list looks at here (`DEPTH`), and than is read in one transaction, 500 each."""
DEPTH: Final = 500
"""As many as a page of a filtered list looks at; in the hub it is ten times that."""


@frozen
class Copies:
    """Copies of a row: expressions of SQL by column, over the number `n` of the copy, where they differ from it.

    The row is the one with the highest value in the first of these columns, of those that match `where`.
    """

    table: str
    count: int
    columns: Mapping[str, str]
    where: str = "true"


@frozen
class Filled:
    """The database, and what the walks need to know of it."""

    url: str
    ids: Mapping[str, str]
    key: ApiKey
    clock: FakeClock

    def stored(self, query: str) -> list[str]:
        """Return the first column of a query over the database; `:name` is one of the ids."""
        with closing(sqlite3.connect(self.url.removeprefix("sqlite:///"))) as db:
            return [str(row[0]) for row in db.execute(query, dict(self.ids))]

    def run(self, statement: str) -> None:
        """Run a statement over the database."""
        with closing(sqlite3.connect(self.url.removeprefix("sqlite:///"))) as db, db:
            db.execute(statement, dict(self.ids))


def fill(path: Path) -> Filled:
    """Fill a migrated SQLite file."""
    with ThreadPoolExecutor(1) as pool:
        filled = pool.submit(asyncio.run, _world(f"sqlite:///{path}")).result()
    with closing(sqlite3.connect(path)) as db, db:
        for statement in MADE.split(";"):
            db.execute(statement, dict(filled.ids))
        for each in COPIES:
            copy(db, each, filled.ids)
        db.execute(
            "INSERT INTO new_changes SELECT account_id, 'conversion', conversion_id, 0 FROM conversions WHERE true"
            " ON CONFLICT DO NOTHING"
        )
    return filled


async def _world(url: str) -> Filled:
    clock = FakeClock()
    async with served(url, clock) as hub:
        world = await world_of(hub, clock, "Ann")
        store: Store = hub.parts.store
        people = (
            ("operator", NewUser("ann@hub.example", "operator-admin", name="Ann")),
            ("owner", NewUser("owner@shop.example", "merchant", world.merchant_id, level="owner")),
            ("blogger", NewUser("bea@blog.example", "affiliate", affiliate_id=world.affiliate_id)),
        )
        ids = {
            **world.ids,
            "merchant": world.merchant_id,
            "account": world.account_id,
            "conversion": world.ids["order"],
            "id": world.ids["webhook"],
            "live": await account_id_of(store, world.merchant_id, "live"),
        }
        for name, wanted in people:
            ids[name] = (await create_user(store, clock, wanted))["id"]
        return Filled(url, ids, world.key, clock)


def id_of(prefix: str) -> str:
    """Return the expression of an id that sorts before those of the hub, in the order of `n`."""
    return f"printf('{prefix}_%032x', n)"


MADE: Final = """
    INSERT INTO order_reviews
    SELECT account_id, conversion_id, 'amount', event_id, 'amount', '{}', received_at, NULL, NULL
    FROM conversions WHERE conversion_id = :order;
    INSERT INTO rate_changes VALUES (:account, 'CAMPAIGN', :campaign, 1, 'chg_1', NULL, NULL, 'PERCENTAGE', '5', 'x');
    INSERT INTO merchant_fees VALUES (:merchant, 1, '2.5', 'x');
    INSERT INTO bank_reports
    VALUES ('bkr_f', 'statement', NULL, NULL, '', 'statement.csv', 'x', 1, 'usr_x', 'user', 'page', 1);
    INSERT INTO bank_report_progress VALUES ('bkr_f', 'DONE', 1, 1, '{}', '', '', 0, 1);
    INSERT INTO api_tokens
    VALUES ('tok_f', 'Token', '["orders:read"]', :account, NULL, NULL, 'x', '[]', 9000000000000, NULL, NULL, NULL, 1);
    INSERT INTO webhook_deliveries
    SELECT :account, subscription_id, 'x', 1, 'msg_f' || subscription_id, 'commission.created', '{}', '1', 'GIVEN_UP',
           1, 1, NULL, 9000000000000, 500, 'x', NULL
    FROM subscriptions;
    INSERT INTO mails
    SELECT 'mail_f', user_id, email, 'sign_in', '{}', NULL, NULL, 'GIVEN_UP', 1, 1, NULL, 9000000000000, 'x'
    FROM users WHERE user_id = :operator
"""
"""Rows of tables of which a world has none."""

AT: Final = "1795172400000 + n"

COPIES: Final = (
    Copies("merchants", FEW, {"merchant_id": id_of("mer"), "name": "'Shop ' || n", "status": "'IN_REVIEW'"}),
    Copies("accounts", FEW, {"account_id": "'acc_test_' || n", "merchant_id": id_of("mer")}, "mode = 'test'"),
    Copies("accounts", FEW, {"account_id": "'acc_live_' || n", "merchant_id": id_of("mer")}, "mode = 'live'"),
    Copies("affiliates", MANY, {"affiliate_id": id_of("aff"), "name": "printf('Blog %05d', n)"}),
    Copies("campaigns", FEW, {"campaign_id": id_of("cmp"), "campaign_code": "'CODE-' || n", "title": "'C ' || n"}),
    Copies("campaigns", FEW, {"campaign_id": id_of("cmp_l"), "account_id": ":live", "campaign_code": "'LIVE-' || n",
                              "listed": "1", "approval_status": "'NOT_REQUIRED'"}, "campaign_id = :campaign"),
    Copies("memberships", FEW, {"campaign_id": id_of("cmp")}),
    Copies("memberships", MANY, {"affiliate_id": id_of("aff")}, "campaign_id = :campaign"),
    Copies("tracking_codes", MANY, {"code": "'L' || printf('%08d', n)"}),
    Copies("links", MANY, {"code": "'L' || printf('%08d', n)", "created_at": "1795172400000 + n / 3"}),
    Copies("clicks", MANY, {"click_id": id_of("clk"), "clicked_at": AT}, "code = :link"),
    Copies("api_keys", FEW, {"key_id": "'ak_test_' || printf('%024d', n)"}),
    Copies("connection_routes", FEW, {"connection_id": id_of("con")}),
    Copies("connections", FEW, {"connection_id": id_of("con"), "title": "'Store ' || n"}),
    Copies("merchant_domains", FEW, {"domain": "'d' || n || '.example'"}),
    Copies("products", FEW, {"product_id": id_of("prd"), "external_product_id": "'SKU-' || n || '-copy'",
                             "number": "1 + n", "record": "NULL"}),
    Copies("uploads", FEW, {"upload_id": id_of("upl"), "sha256": "'digest' || n", "status": "'DONE'",
                            "finished_at": AT}),
    Copies("events", MANY, {"event_id": id_of("evt"), "status": "'FAILED'", "external_order_id": "'O-' || n",
                            "received_at": AT, "due_at": "NULL",
                            "explanation": "'{\"skipReason\":\"it failed\"}'"}),
    Copies("conversions", MANY, {"conversion_id": id_of("cnv"), "external_order_id": "'O-' || n",
                                 "event_id": id_of("evt"), "review": "'OPEN'", "received_at": AT},
           "conversion_id = :review"),
    Copies("commissions", MANY, {"commission_id": id_of("com"), "conversion_id": id_of("cnv")}),
    Copies("request_log", MANY, {"log_id": id_of("log"), "logged_at": "1795172400000 + n / 3", "status": "400",
                                 "error_code": "'validation_failed'", "request_id": "'req-' || n",
                                 "path": "'/v1/path-' || n"},
           "account_id = :account"),
    Copies("order_messages", FEW, {"message_id": id_of("msg")}),
    Copies("order_messages", MANY, {"message_id": id_of("msg_b"), "conversion_id": id_of("cnv")}),
    Copies("order_reviews", MANY, {"conversion_id": id_of("cnv"), "review_key": "'amount:' || n"}),
    Copies("subscriptions", FEW, {"subscription_id": id_of("sub_a")}, "subscription_id = :subscription"),
    Copies("subscriptions", FEW, {"subscription_id": id_of("sub_m")}, "subscription_id = :webhook"),
    Copies("webhook_deliveries", MANY, {"message_id": id_of("msg_a"), "number": "1000 + n", "due_at": "NULL"},
           "subscription_id = :subscription"),
    Copies("webhook_deliveries", MANY, {"message_id": id_of("msg_m"), "number": "1000 + n", "due_at": "NULL"},
           "subscription_id = :webhook"),
    Copies("payouts", FEW, {"payout_id": id_of("pay")}),
    Copies("payout_items", FEW, {"payout_id": id_of("pay")}),
    Copies("payout_items", FEW, {"payout_id": id_of("pay"), "currency": "'EUR'"}, "payout_id = :payout"),
    Copies("payout_items", FEW, {"affiliate_id": id_of("aff")}, "payout_id = :payout"),
    Copies("adjustments", FEW, {"adjustment_id": id_of("adj"), "status": "'PROPOSED'", "reason": "'Reason ' || n"}),
    Copies("receipts", FEW, {"receipt_id": id_of("rcp"), "movement": "'Movement ' || n"}),
    Copies("bank_reports", FEW, {"report_id": id_of("bkr_a")}),
    Copies("bank_report_progress", FEW, {"report_id": id_of("bkr_a")}),
    Copies("rate_drafts", FEW, {"draft_id": id_of("rat"), "status": "'DRAFT'"}),
    Copies("rate_changes", FEW, {"change_id": id_of("chg"), "changed_at": AT}),
    Copies("merchant_fees", FEW, {"valid_from": AT}),
    Copies("users", FEW, {"user_id": id_of("usr"), "email": "'u' || n || '@hub.example'",
                          "email_key": "'u' || n || '@hub.example'"}, "user_id = :operator"),
    Copies("user_roles", FEW, {"user_id": id_of("usr")}, "user_id = :operator"),
    Copies("api_tokens", FEW, {"token_id": id_of("tok"), "name": "'Token ' || n"}),
    Copies("mails", MANY, {"mail_id": id_of("mail")}, "mail_id = 'mail_f'"),
    Copies("trail", MANY, {"trail_id": id_of("act"), "subject_id": id_of("mer_t"), "subject_kind": "'merchant'"}),
    Copies("ledger_entries", MANY, {"entry_no": "100000 + n", "adjustment_id": id_of("adj"),
                                    "external_order_id": "printf('L-%05d', n)"}, "kind = 'adjusted'"),
    Copies("nodes", 3, {"node_id": "'node-' || n"}),
)  # fmt: skip


def copy(db: sqlite3.Connection, wanted: Copies, ids: Mapping[str, str]) -> None:
    """Copy a row, as often as it is wanted."""
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({wanted.table})")]
    assert set(wanted.columns) <= set(columns), wanted.table
    values = ", ".join(wanted.columns.get(column, column) for column in columns)
    made = db.execute(
        f"INSERT INTO {wanted.table} "
        f"WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {wanted.count}) "
        f"SELECT {values} FROM numbers "
        f"CROSS JOIN (SELECT * FROM {wanted.table} WHERE {wanted.where} "
        f"ORDER BY {next(iter(wanted.columns))} DESC LIMIT 1)",
        dict(ids),
    )
    assert made.rowcount == wanted.count, f"There is no row of {wanted.table} to copy."
