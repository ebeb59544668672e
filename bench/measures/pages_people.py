"""How long the pages take, and how heavy they are, in a network of many people: on SQLite and PostgreSQL.

Each affiliate signs in, has links and a coupon, and is in a campaign of the merchant whose pages are visited. There are
other merchants beside it. No orders are stored: `pages-html` has those.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bench.filling import HEX, SERIES, writer
from bench.measures.pages_html import pages_measure, visited
from bench.options import AFFILIATES
from bench.page_visits import add_people
from bench.plan import Side
from bench.workbench import Stage, Workbench, hub

MERCHANTS = 2_000
MADE_AT = "1700000000000"
AFFILIATE_TABLES = (
    ("affiliates", "affiliate_id, name, email, status, created_at",
     "'aff_' || {id}, 'Affiliate ' || n, 'a' || n || '@blog.example', 'ACTIVE', {at}"),
    ("users", "user_id, email, email_key, name, status, created_at",
     "'usr_' || {id}, 'a' || n || '@blog.example', 'a' || n || '@blog.example', 'Person ' || n, 'ACTIVE', {at}"),
    ("user_roles", "user_id, role, subject_id, created_at", "'usr_' || {id}, 'affiliate', 'aff_' || {id}, {at}"),
    ("affiliate_coupons", "coupon_code, affiliate_id", "'COUPON' || n, 'aff_' || {id}"),
    ("tracking_codes", "code, account_id", "'l' || {id}, '{account}'"),
    ("links", "account_id, code, affiliate_id, destination, created_at",
     "'{account}', 'l' || {id}, 'aff_' || {id}, 'https://shop.example/', {at} + n"),
    ("memberships", "account_id, campaign_id, affiliate_id, status, applied_at",
     "'{account}', '{campaign}', 'aff_' || {id}, 'APPROVED', {at} + n"),
)  # fmt: skip
MERCHANT_TABLES = (
    ("merchants", "merchant_id, name, email, domains, currency, status, created_at, updated_at",
     "'mer_' || {id}, 'Merchant ' || n, 'm' || n || '@shop.example', '[]', 'EUR', 'APPROVED', {at}, {at}"),
    ("accounts", "account_id, merchant_id, mode", "'act_' || {id}, 'mer_' || {id}, 'test'"),
    ("accounts", "account_id, merchant_id, mode", "'acl_' || {id}, 'mer_' || {id}, 'live'"),
)  # fmt: skip


def _filled(bench: Workbench, dialect: str) -> Stage:
    return bench.kept(f"people {dialect}", lambda: _made(bench, dialect))


@contextmanager
def _made(bench: Workbench, dialect: str) -> Iterator[Stage]:
    with bench.stage(dialect) as stage:
        hub(
            stage.database, "campaign", "create", "--merchant", stage.merchant_id, "--mode", "test", "--title", "Spring"
        )
        add_people(stage)
        with stage.database.reader() as read:
            ((campaign,),) = read("SELECT max(campaign_id) FROM campaigns")
        values = {"id": HEX[dialect].format(width=32, number="n"), "at": MADE_AT, "account": stage.account_id,
                  "campaign": campaign}  # fmt: skip
        with writer(stage.database) as write:
            for tables, most in ((AFFILIATE_TABLES, AFFILIATES), (MERCHANT_TABLES, MERCHANTS)):
                for table, columns, made in tables:
                    write(SERIES[dialect].format(
                        table=table, columns=columns, values=made.format(**values), first=1, last=most
                    ))  # fmt: skip
        yield stage


STORED = f"pages, {AFFILIATES:,} affiliates"
SIDES = (
    Side(f"{STORED}, SQLite", lambda bench: visited(_filled(bench, "sqlite"))),
    Side(f"{STORED}, PostgreSQL", lambda bench: visited(_filled(bench, "postgresql"))),
)
MEASURE = pages_measure(
    "pages-people", f"every page with {AFFILIATES:,} affiliates who sign in: time and compressed size", SIDES
)
