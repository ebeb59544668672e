"""Millions of decided conversions, fast: one that the hub decided itself, multiplied by SQL.

The ids in its rows are replaced by numbered ones, so every table gets rows as wide as real ones, and `hub audit` holds
on the result. Half of the order numbers ascend, as platforms number their orders; half are in no order.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from bench import steady, traffic
from bench.databases import Database, postgres_session
from bench.servers import hub_server
from bench.settling import settle
from bench.workbench import Stage, Workbench
from hub.domain.durations import DAY
from hub.processing.figure_rows import DayRow, PlaceRow, ProductRow
from hub.storage.migrations.files import split_statements

HERE = Path(__file__).parent
TABLES = ("events", "payloads", "claims", "conversions", "commissions", "order_facts", "counted_orders")
FIGURES = {
    "daily_figures": DayRow._fields[6:],
    "product_figures": ProductRow._fields[4:],
    "affiliate_figures": PlaceRow._fields[7:],
}
"""The tables with what all orders add up to, and the columns of these numbers."""
CHUNK = 100_000
LONG_AGO = 0x018000000000
"""The time in the ids that are made here, in milliseconds UTC: before everything the hub makes."""
SERIES = {
    "sqlite": "WITH RECURSIVE series (n) AS (VALUES ({first}) UNION ALL SELECT n + 1 FROM series WHERE n < {last})"
    " INSERT INTO {table} ({columns}) SELECT {values} FROM series",
    "postgresql": "INSERT INTO {table} ({columns}) SELECT {values}"
    " FROM generate_series(CAST({first} AS BIGINT), {last}) AS series (n)",
}
HEX = {
    "sqlite": "printf('%0{width}x', {number})",
    "postgresql": "lpad(to_hex({number}), {width}, '0')",
}
SCATTER = 2_654_435_761
"""An odd number: multiplied by it, modulo 2**32, the numbers below 2**32 are permuted."""


@frozen
class Sample:
    """The rows of one decided conversion, by table, and the ids in them."""

    rows: Mapping[str, Sequence[Mapping[str, Any]]]
    ids: Mapping[str, str]
    order_id: str
    spread: int = 0
    """By how many milliseconds each came after the one before; 0: all have the sample's times."""


def fill(bench: Workbench, stage: Stage, millions: float, report: Callable[[str], None], days: int = 0) -> None:
    """Add the conversions to a stage that no hub uses meanwhile; spread over so many days, or of one moment."""
    wanted = int(millions * 1e6)
    sample = evolve(_decide_one(bench, stage), spread=days * DAY // wanted)
    with writer(stage.database) as write:
        for first in range(1, wanted + 1, CHUNK):
            for statement in _statements(stage.database.dialect, sample, first, min(wanted, first + CHUNK - 1)):
                write(statement)
            if first // CHUNK % 10 == 0:
                report(f"filling: {min(wanted, first + CHUNK - 1) / 1e6:g} of {millions:g} million conversions")
        for table, numbers in FIGURES.items():
            write(f"UPDATE {table} SET {', '.join(f'{name} = {name} * {wanted + 1}' for name in numbers)}")
        for statement in _open_books(stage.database.dialect):
            write(statement)


def _open_books(dialect: str) -> Iterator[str]:
    """Yield the statements that begin the ledger anew, with one entry for each commission as it is now."""
    yield from ("DELETE FROM ledger_entries", "DELETE FROM ledger_heads")
    opening = "".join([(HERE / f"open_books{of}.sql").read_text("utf-8") for of in ("", f".{dialect}")])
    yield from split_statements(opening) if dialect == "sqlite" else _split_postgresql(opening)


def _split_postgresql(text: str) -> Iterator[str]:
    """Yield the statements of a script one by one; a body between `$$` has semicolons of its own."""
    rest = ""
    for part in re.split(r"(?<=;)", re.sub(r"--.*", "", text)):
        rest += part
        if rest.strip() and rest.count("$$") % 2 == 0:
            yield rest
            rest = ""


def _sha256_hex(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _decide_one(bench: Workbench, stage: Stage) -> Sample:
    orders = traffic.conversions(stage.credentials, stage.clicks, tag="SAMPLE", how_many=1)
    with hub_server(stage.database.environment, worker=True) as server:
        sent = traffic.write(bench.folder / "sample", orders, threads=1)
        (event_id,) = steady.load(server.base_url, sent, rate=1, seconds=1).acknowledged
        settle(stage)
        _await_figures(stage)
    with stage.database.reader() as read:
        ((conversion_id, order_id),) = read(
            f"SELECT conversion_id, external_order_id FROM conversions WHERE event_id = '{event_id}'"
        )
        ((commission_id,),) = read(f"SELECT commission_id FROM commissions WHERE conversion_id = '{conversion_id}'")
    ids = {"evt": event_id, "cnv": conversion_id, "com": commission_id}
    return Sample(_rows(stage.database, [*ids.values(), order_id]), ids, order_id)


def _await_figures(stage: Stage) -> None:
    """Wait until the sample is counted among the day's figures, which are multiplied with it."""
    with stage.database.reader() as read:
        while read("SELECT 1 FROM new_figures") or not read("SELECT 1 FROM counted_orders"):
            time.sleep(0.1)


def _rows(database: Database, marks: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the sample's rows in each table: those that contain one of its ids."""
    found = {}
    with database.reader() as read:
        for table in TABLES:
            names = database.columns(table)
            rows = [dict(zip(names, row, strict=True)) for row in read(f"SELECT {', '.join(names)} FROM {table}")]
            found[table] = [row for row in rows if any(mark in map(str, row.values()) for mark in marks)]
    return found


def _statements(dialect: str, sample: Sample, first: int, last: int) -> Iterator[str]:
    for table, rows in sample.rows.items():
        for row in rows:
            yield SERIES[dialect].format(
                table=table, first=first, last=last, columns=", ".join(row),
                values=", ".join(_expression(dialect, sample, value) for value in row.values()),
            )  # fmt: skip


def _expression(dialect: str, sample: Sample, value: object) -> str:
    """Return the SQL of a value of the sample, with numbered ids in place of its own."""
    if value is None:
        return "NULL"
    if not isinstance(value, str):
        is_moment = sample.spread and isinstance(value, int) and value > LONG_AGO
        return f"{LONG_AGO} + n * {sample.spread}" if is_moment else str(value)
    replaced = {identity: _numbered_id(dialect, kind, sample.spread) for kind, identity in sample.ids.items()}
    replaced[sample.order_id] = _order_id(dialect)
    parts = re.split("(" + "|".join(map(re.escape, replaced)) + ")", value)
    return " || ".join(replaced.get(part) or "'" + part.replace("'", "''") + "'" for part in parts if part)


def _numbered_id(dialect: str, kind: str, spread: int) -> str:
    moment = HEX[dialect].format(width=12, number=f"({LONG_AGO} + n * {spread})") if spread else f"'{LONG_AGO:012x}'"
    return f"'{kind}_' || {moment} || {HEX[dialect].format(width=20, number='n')}"


def _order_id(dialect: str) -> str:
    """Return the SQL of an order number: odd ones ascend as N-..., even ones are R-... in no order."""
    ascending = HEX[dialect].format(width=10, number="n")
    scattered = HEX[dialect].format(width=10, number=f"(n * {SCATTER}) % 4294967296")
    return f"CASE n % 2 WHEN 1 THEN 'N-' || {ascending} ELSE 'R-' || {scattered} END"


@contextmanager
def writer(database: Database) -> Iterator[Callable[[str], object]]:
    """Open a session that executes statements, whose commits wait for no disk; what was not committed is lost."""
    if database.dialect == "postgresql":
        with postgres_session(database.url) as session:
            session("SET synchronous_commit = off")
            yield session
            session("VACUUM ANALYZE")
            session("CHECKPOINT")
        return
    path = database.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.create_function("sha256_hex", 1, _sha256_hex, deterministic=True)
        # Nobody reads meanwhile, and a file that breaks here is thrown away.
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000;")
        yield connection.execute
