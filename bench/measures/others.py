"""The programs that a user would write or install instead, each doing as much of the same job as it can."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bench import traffic, wrk
from bench.databases import Database
from bench.faults import Missing
from bench.ledger import require_kept
from bench.measures.conversions import POSTGRES, SQLITE
from bench.peers import node_red, webhook
from bench.peers.stand_in import CLICKS, CREDENTIALS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import ROOT, Server, free_port, server
from bench.workbench import Workbench

ENVIRONMENT = ROOT / ".venv-bench"
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
PROGRAM_CONNECTIONS = 8
"""How many connections Debian's webhook gets: it starts a program for each request, and more would only wait."""


def _fastapi(bench: Workbench, database: Database) -> Figures:
    orders = traffic.conversions(CREDENTIALS, CLICKS, how_many=100_000)
    with _fastapi_server(database) as peer:
        answers = wrk.load(peer, traffic.write(bench.folder / "peer", orders))
    require_kept(database, answers.acknowledged)
    return answers.figures()


def _fastapi_on_sqlite(bench: Workbench) -> Figures:
    file = bench.folder / "peer.db"
    file.unlink(missing_ok=True)
    return _fastapi(bench, Database(f"sqlite:///{file}"))


def _fastapi_on_postgres(bench: Workbench) -> Figures:
    database = bench.postgres.create_empty()
    try:
        return _fastapi(bench, Database(database))
    finally:
        bench.postgres.drop(database)


@contextmanager
def _fastapi_server(database: Database) -> Iterator[Server]:
    program = ENVIRONMENT / "bin" / "python"
    if not (ENVIRONMENT / ".installed").exists():
        raise Missing("`make bench` installs FastAPI, uvicorn and SQLAlchemy in .venv-bench.")
    scheme, _, rest = database.url.partition("://")
    settings = {"PEER_DATABASE": f"{DRIVERS[scheme]}://{rest}", "PEER_SECRET": CREDENTIALS.secret}
    port = free_port()
    command = [str(program), "-m", "uvicorn", "bench.peers.fastapi_app:app", "--port", str(port), "--no-access-log",
               "--log-level", "warning"]  # fmt: skip
    with server(command, port, settings) as started:
        yield started


def _webhook(bench: Workbench) -> Figures:
    with webhook.webhook_server(bench.folder, CREDENTIALS.secret) as (peer, stored):
        sent = traffic.write(bench.folder / "peer", webhook.requests(CREDENTIALS.secret, CLICKS, 20_000))
        answers = wrk.load(peer, sent, connections=PROGRAM_CONNECTIONS)
        webhook.require_stored(stored, answers.statuses)
    return answers.figures()


def _node_red(bench: Workbench) -> Figures:
    with node_red.node_red_server(bench.folder, CREDENTIALS.secret) as (peer, stored):
        orders = traffic.conversions(CREDENTIALS, CLICKS)
        answers = wrk.load(peer, traffic.write(bench.folder / "peer", orders))
        node_red.require_stored(stored, answers.acknowledged)
    return answers.figures()


FASTAPI = Side("FastAPI + SQLAlchemy, SQLite", _fastapi_on_sqlite)
FASTAPI_POSTGRES = Side("FastAPI + SQLAlchemy, PostgreSQL", _fastapi_on_postgres)
WEBHOOK = Side("Debian's webhook, a program a request into SQLite", _webhook)
NODE_RED = Side("Node-RED, verified and appended to a file (no sync, no dedup)", _node_red)

MEASURE = Measure(
    "peers",
    "the same orders into what a user would write or install instead",
    (SQLITE, POSTGRES, FASTAPI, FASTAPI_POSTGRES, WEBHOOK, NODE_RED),
    (
        Requirement("conversions / FastAPI + SQLAlchemy, both on SQLite", Value(SQLITE, of=FASTAPI), least=12),
        Requirement("conversions / FastAPI + SQLAlchemy, both on PostgreSQL", Value(POSTGRES, of=FASTAPI_POSTGRES)),
        Requirement("conversions on SQLite / Debian's webhook", Value(SQLITE, of=WEBHOOK)),
        Requirement("conversions on SQLite / Node-RED", Value(SQLITE, of=NODE_RED)),
    ),
)
