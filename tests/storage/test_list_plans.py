"""Every list of the APIs goes by an index, on both databases: a page costs what it holds, however long the list is."""

from __future__ import annotations

import re
from functools import cache, partial

import asyncpg

from hub.storage import Store, declared_lists
from hub.storage.named_queries.query import Query

MORE = (
    "figures_by_affiliate", "figures_by_campaign", "figures_by_day",
    "figures_by_product", "figures_by_link", "days_of_orders", "uncounted_orders", "oldest_new_figures",
    "conversion_of_order", "progress_of_conversions", "token_by_id", "token_answer",
)  # fmt: skip
"""Lists of the other APIs, the figures of the reports, and what every request of a token asks."""
BIG = ("conversions", "commissions", "events", "request_log", "clicks", "facts", "trail", "webhook_deliveries", "links")
"""Tables that grow without end."""


@cache
def led_queries() -> list[str]:
    """The queries of the lists that say which of their filters an index leads to."""
    return [
        name
        for declared in declared_lists().values()
        for key in declared.keys.values()
        if key.indexed is not None
        for name, _ in declared.queries()
        if name.startswith(f"{declared.name}/{key.name}/")
    ]


ACROSS = frozenset(
    f"{declared.name}/{key.name}/{'+'.join(sorted(led)) or 'all'}"
    for declared in declared_lists().values()
    for key in declared.keys.values()
    for led in key.across
)
"""The sets that are read across accounts: they sort what they found, a bounded number of each account's newest."""
FEW = ("updated_since", "order_id", "earning_affiliates/")
"""What these name is found first, and sorted: what changed of late, what was said of one order, who earns there."""


def is_across(name: str) -> bool:
    list_, key, _, led, *_ = name.split("/")
    return f"{list_}/{key}/{led}" in ACROSS


def test_there_are_lists() -> None:
    assert len(led_queries()) >= 500


async def test_sqlite_reads_each_list_in_the_order_of_an_index(sqlite_store: Store) -> None:
    """Neither a scan of a table nor a sort of what was found: a page reads what it shows, or what it looks through."""
    faults = {}
    for name in led_queries():
        plan = await sqlite_store.explain(name)
        dear = partial(is_unbounded if is_across(name) else partial(is_dear, whole="/all/" in name), plan=plan)
        if found := [step for step in plan if dear(step)]:
            faults[name] = found
    assert faults == {}


def is_unbounded(step: str, plan: list[str]) -> bool:
    """Whether a step of what is read across accounts reads more than each account's own part: a table as a whole."""
    if not step.startswith("SCAN ") or step.split()[1] in ("a", "accounts"):
        return False
    read = step.split()[1]
    made = [each for each in plan if each in (f"MATERIALIZE {read}", f"CO-ROUTINE {read}")]
    return len(made) < len([each for each in plan if each.split()[:2] == ["SCAN", read]])


def is_dear(step: str, plan: list[str], *, whole: bool = False) -> bool:
    """Whether a step reads a whole table or sorts; what a search looked through is scanned, and is bounded.

    The `whole` list may scan a table whose primary key is the list's: it ends at the limit, if nothing is sorted.
    """
    if whole and re.fullmatch(r"SCAN \w+", step) and not any("TEMP B-TREE" in each for each in plan):
        return False
    looked_through = {each.split()[1] for each in plan if each.startswith(("CO-ROUTINE", "MATERIALIZE"))}
    is_scan = step.startswith("SCAN ") and "USING" not in step and step.split()[1] not in looked_through
    return is_scan or ("TEMP B-TREE FOR ORDER BY" in step and not looked_through)


async def test_postgresql_reads_each_list_in_the_order_of_an_index(postgres_store: Store, postgres_url: str) -> None:
    """Small tables are read as a whole and sorted, so the planner is asked what it would do if both were dear."""
    connection = await asyncpg.connect(postgres_url)
    faults = {}
    try:
        await connection.execute("SET enable_seqscan = off")
        await connection.execute("SET enable_sort = off")
        await connection.execute("SET enable_bitmapscan = off")
        for name in led_queries():
            sql, arguments = with_values(postgres_store.queries[name])
            rows = await connection.fetch(f"EXPLAIN (COSTS OFF) {sql}", *arguments)
            found = [row[0].strip() for row in rows if re.search(rf"Sort\b|Seq Scan on ({'|'.join(BIG)})\b", row[0])]
            if found and not sorts(name):
                faults[name] = found
    finally:
        await connection.close()
    assert faults == {}


def sorts(name: str) -> bool:
    """Whether a query may sort: what it looked through (the edge has the same plan without), or few, or across."""
    return "/search/" in name or is_across(name) or any(each in name for each in FEW)


def with_values(query: Query) -> tuple[str, list[object]]:
    """The statement with a value for each parameter: of NULL the planner knows that it equals nothing."""
    typed = {int(place): kind for place, kind in re.findall(r"CAST\(\$(\d+) AS (TEXT|BIGINT)\)", query.sql)}
    values = {"review": "OPEN", "astray": "yes"}  # of another word the planner knows that there is no such entry
    return query.sql, [
        values.get(each.name, "x" if typed.get(place) == "TEXT" else 1)
        for place, each in enumerate(query.parameters, start=1)
    ]


async def test_control_a_list_without_an_index_would_show(sqlite_store: Store) -> None:
    """The keys of all accounts have no index in the order of their age, and the same look finds the sort."""
    plan = await sqlite_store.explain("keys/created_at/newest/all/page/first")
    assert [step for step in plan if is_dear(step, plan)]


async def test_sqlite_searches_and_does_not_scan(sqlite_store: Store) -> None:
    assert {name: found for name in MORE if (found := await scans_of(sqlite_store, name))} == {}


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
        for name in MORE:
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
