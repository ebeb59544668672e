"""Accounts can be spread over machines: no query joins the rows of one account with those of another.

PostgreSQL says in its plans what is joined with what, and by which columns: views, batches and subqueries are already
resolved there. Two tenants' tables may be joined if the plan ties their accounts to each other or to the same value.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import asyncpg
import pytest

from hub.storage.named_queries.compiler import load_queries
from tests.storage.test_schema import SHARED

QUERIES = load_queries("postgresql")
JOINS = ("Nested Loop", "Hash Join", "Merge Join")
APART = ("InitPlan", "SubPlan")
TIED = re.compile(
    r"(\w+)\.account_id(?: \|\| ''::text)?\)? = (?:ANY \()?\(?(?:(\w+)\.account_id|(\$\d+|batch\.members ->> \d+))"
)
OVER_ACCOUNTS = {
    "debts": "what an affiliate owes one account is set against what it earns with the others",
    "network_figures_by_campaign": "operators see the titles of the network's campaigns",
    "products_to_take": "a merchant's test account takes the products of its live one, or the other way round",
    "settled_exchanges": "a payout pays what an affiliate earned with all accounts",
}
"""Queries that join over accounts, and why: each is behind a command or page, none on an order's way."""
UNSHOWN = {
    "audited_claims", "audited_events", "days_of_orders", "events", "ledger_ends", "load_coupon_campaigns",
    "load_customers", "load_subscriptions", "note_ends", "own_offers", "progress_of_conversions",
}  # fmt: skip
"""Queries that tie accounts where plans show no columns: in rows that are kept, or of a batch. Read by us."""

Plan = dict[str, Any]


def children(plan: Plan, *, apart: bool = False) -> Iterator[Plan]:
    """Yield the parts of a plan that are of the same query, or those of queries apart from it."""
    for child in plan.get("Plans", ()):
        if (child.get("Parent Relationship") in APART and not child.get("Subplan Name", "").startswith("CTE")) == apart:
            yield child


def nodes(plan: Plan) -> Iterator[Plan]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def sources(plan: Plan) -> frozenset[str]:
    """Return the names under which a plan reads tenants' tables, without those of subqueries apart."""
    below = frozenset[str]().union(*(sources(child) for child in children(plan)))
    if "Alias" not in plan or plan.get("Relation Name") in SHARED or not ("Relation Name" in plan or below):
        return below
    return below | {plan["Alias"]}  # a table's, or a subquery's that reads one


class Accounts:
    """Which accounts a plan says to be the same: those of tables, batches and parameters."""

    def __init__(self, plan: Plan) -> None:
        self._same: dict[str, str] = {}
        for node in nodes(plan):
            for text in (value for value in node.values() if isinstance(value, str)):
                for left, right, parameter in TIED.findall(text):
                    if (one := self.of(left)) != (other := self.of(right or parameter)):
                        self._same[one] = other

    def of(self, name: str) -> str:
        while name in self._same:
            name = self._same[name]
        return name


def joined_over_accounts(plan: Plan) -> list[tuple[list[str], list[str]]]:
    """Return the sides of every join whose tenants' tables are not tied by an account."""
    accounts, found = Accounts(plan), []
    for node in nodes(plan):
        sides = [sources(child) for child in children(node)] if node["Node Type"] in JOINS else []
        pairs = [sides] if len(sides) == 2 else []
        pairs += [[sources(node), sources(child)] for child in children(node, apart=True)
                  if child["Parent Relationship"] == "SubPlan"]  # fmt: skip
        for left, right in pairs:
            if left and right and not {accounts.of(each) for each in left} & {accounts.of(each) for each in right}:
                found.append((sorted(left), sorted(right)))
    return found


@pytest.fixture
async def planner(postgres_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection whose plans are made for any values."""
    connection = await asyncpg.connect(postgres_url)
    await connection.execute("SET plan_cache_mode = force_generic_plan")
    yield connection
    await connection.close()


async def plan_of(planner: asyncpg.Connection, sql: str, parameters: int) -> Plan:
    values = f"({', '.join(['NULL'] * parameters)})" if parameters else ""
    await planner.execute(f"PREPARE asked AS {sql}")
    try:
        (plan,) = json.loads(await planner.fetchval(f"EXPLAIN (VERBOSE, FORMAT JSON) EXECUTE asked{values}"))
    finally:
        await planner.execute("DEALLOCATE asked")
    found: Plan = plan["Plan"]
    return found


def highest(sql: str) -> int:
    return max((int(number) for number in re.findall(r"\$(\d+)", sql)), default=0)


async def test_no_query_joins_over_accounts(planner: asyncpg.Connection) -> None:
    found: dict[str, Sequence[object]] = {}
    for name, query in QUERIES.items():
        if joins := joined_over_accounts(await plan_of(planner, query.sql, highest(query.sql))):
            found.setdefault(name.partition("/")[0], joins)
    assert {name: joins for name, joins in found.items() if name not in OVER_ACCOUNTS.keys() | UNSHOWN} == {}
    assert (OVER_ACCOUNTS.keys() | UNSHOWN) - found.keys() == set(), "nothing is excused that needs no excuse"


@pytest.mark.parametrize(
    ("sql", "sides"),
    [
        ("SELECT 1 FROM events AS e JOIN conversions AS c ON c.conversion_id = e.conversion_id", 1),
        ("SELECT 1 FROM events WHERE conversion_id IN (SELECT conversion_id FROM conversions)", 1),
        ("SELECT 1 FROM events AS e JOIN conversions AS c USING (account_id, conversion_id)", 0),
        ("SELECT 1 FROM events AS e, conversions AS c WHERE e.account_id = $1 AND c.account_id = $1", 0),
        ("SELECT 1 FROM events AS e, conversions AS c WHERE e.account_id = $1 AND c.account_id = $2", 1),
    ],
)
async def test_control_a_join_over_accounts_is_seen(planner: asyncpg.Connection, sql: str, sides: int) -> None:
    assert len(joined_over_accounts(await plan_of(planner, sql, highest(sql)))) == sides
