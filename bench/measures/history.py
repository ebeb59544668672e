"""What millions of stored conversions do to the throughput; on SQLite and on PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from bench import filling, traffic, wrk
from bench.ledger import require_audit, require_kept
from bench.measures import conversions
from bench.options import MILLIONS, SECONDS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.scans import by_index
from bench.servers import hub_server
from bench.settling import settle
from bench.workbench import Stage, Workbench

ORDERS = SECONDS * traffic.MOST_PER_SECOND


def _filled(bench: Workbench, dialect: str) -> Stage:
    """Return the stage with the millions in it, made once."""
    return bench.kept(f"history {dialect}", lambda: _made(bench, dialect))


@contextmanager
def _made(bench: Workbench, dialect: str) -> Iterator[Stage]:
    with bench.stage(dialect) as stage:
        filling.fill(bench, stage, MILLIONS, lambda line: click.echo(line, err=True))
        yield stage


def _loaded(bench: Workbench, dialect: str, *, worker: bool, scattered: bool = False) -> Figures:
    stage = _filled(bench, dialect)
    # The numbers follow those that are stored, and were not used in another round.
    first = int(MILLIONS * 1e6) + bench.next_number() * ORDERS
    numbers = range(first, first + ORDERS)
    names = (
        [f"R-{n * filling.SCATTER % 2**32:010x}" for n in numbers] if scattered else [f"N-{n:010x}" for n in numbers]
    )
    requests = traffic.signed_orders(stage.credentials, traffic.orders_named(names, stage.clicks))
    sent = traffic.write(bench.folder / "history", requests)
    with (
        by_index(stage.database, filling.TABLES),
        hub_server(stage.database.environment, worker=worker) as server,
    ):
        if worker:
            settle(stage)  # events that a run without a worker has left
        count = conversions.commissions_from_now(stage)
        answers = wrk.load(server, sent)
        commissions = count() if worker else 0
    require_kept(stage.database, answers.acknowledged)
    figures = answers.figures()
    return {**figures, "perSecond": min(figures["perSecond"], commissions / answers.seconds)} if worker else figures


def _audited(bench: Workbench, dialect: str) -> Figures:
    began = time.monotonic()
    require_audit(_filled(bench, dialect).database)
    return {"seconds": time.monotonic() - began}


def _measure(name: str, dialect: str, title: str, empty: Side, empty_decided: Side) -> Measure:
    stored = f"{MILLIONS:g} million stored, {title}"
    full = Side(f"accepted, {stored}", lambda bench: _loaded(bench, dialect, worker=False))
    scattered = Side(
        f"accepted, order numbers in no order, {stored}",
        lambda bench: _loaded(bench, dialect, worker=False, scattered=True),
    )
    decided = Side(f"decided, {stored}", lambda bench: _loaded(bench, dialect, worker=True))
    audit = Side(f"hub audit, {stored}", lambda bench: _audited(bench, dialect), once=True)
    return Measure(
        name,
        f"throughput on {title} with {MILLIONS:g} million conversions stored, beside an empty database",
        (empty, full, scattered, empty_decided, decided, audit),
        (
            Requirement(f"accepted, {stored} / empty", Value(full, of=empty), least=0.85),
            Requirement(f"decided, {stored} / empty", Value(decided, of=empty_decided), least=0.85),
            Requirement(f"accepted in no order, {stored} / empty", Value(scattered, of=empty)),
        ),
        standard=False,
    )


MEASURE = _measure("history", "sqlite", "SQLite", conversions.SQLITE, conversions.DECIDED)
POSTGRES_MEASURE = _measure(
    "history-pg", "postgresql", "PostgreSQL", conversions.POSTGRES, conversions.POSTGRES_DECIDED
)
