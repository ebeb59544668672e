"""Every list of the APIs goes by an index, on both databases: a page costs what it holds, however long the list is."""

from __future__ import annotations

import re

import asyncpg

from hub.operations.orders import account_events, account_lists
from hub.storage import Store

LISTS = sorted(
    name
    for module in (account_lists, account_events)
    for value in vars(module).values()
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(each, str) for each in value)
    for name in value
    if re.fullmatch(r"\w+_(above|below)", name)
)
MORE = (
    "deliveries_of_subscription", "events_of_order_above",
    "figures_by_affiliate", "figures_by_campaign", "figures_by_day",
    "figures_by_product", "figures_by_link", "conversion_of_order", "progress_of_conversions",
    "merchants_of_all", "affiliates_of_all", "campaigns_of_all", "links_of_all", "token_by_id",
    "token_answer", "commissions_of_affiliate", "acts_listed",
)  # fmt: skip
"""Lists of the other APIs, the figures of the reports, and what every request of a token asks."""
BIG = ("conversions", "commissions", "events", "request_log", "clicks", "facts", "trail", "webhook_deliveries", "links")
"""Tables that grow without end."""


def test_there_are_lists() -> None:
    assert len(LISTS) >= 20


async def test_sqlite_searches_and_does_not_scan(sqlite_store: Store) -> None:
    assert {name: found for name in (*LISTS, *MORE) if (found := await scans_of(sqlite_store, name))} == {}


async def scans_of(store: Store, name: str) -> list[str]:
    """The steps of a plan that read a big table as a whole."""
    plan = await store.explain(name)
    aliases = aliases_in(store.queries[name].without_values()[0])
    scans = [step for step in plan if step.startswith("SCAN ")]
    return [step for step in scans if aliases.get(step.split()[1]) in BIG and "USING" not in step]


async def test_postgresql_has_an_index_for_each(postgres_store: Store, postgres_url: str) -> None:
    """Small tables are read as a whole, so the planner is asked what it would do if that were dear."""
    connection = await asyncpg.connect(postgres_url)
    faults = {}
    try:
        await connection.execute("SET enable_seqscan = off")
        for name in (*LISTS, *MORE):
            sql, arguments = postgres_store.queries[name].without_values()
            rows = await connection.fetch(f"EXPLAIN (COSTS OFF) {sql}", *arguments)
            found = [row[0].strip() for row in rows if re.search(rf"Seq Scan on ({'|'.join(BIG)})\b", row[0])]
            if found:
                faults[name] = found
    finally:
        await connection.close()
    assert faults == {}


async def test_control_a_scan_would_show(sqlite_store: Store) -> None:
    """A query over all accounts reads all of them, and the same look finds it."""
    assert [name for name in sqlite_store.queries if await scans_of(sqlite_store, name)]


def aliases_in(sql: str) -> dict[str, str]:
    """The tables of a statement by their aliases, and by their own names."""
    found = dict(re.findall(r"(?:FROM|JOIN)\s+(\w+)\s+AS\s+(\w+)", sql))
    return {**{alias: table for table, alias in found.items()}, **{table: table for table in BIG}}
