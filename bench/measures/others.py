"""The program that a user would write instead, doing as much of the same job as it can."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bench import traffic, wrk
from bench.databases import Database
from bench.faults import Missing
from bench.ledger import require_kept
from bench.measures.conversions import POSTGRES, SQLITE
from bench.peers.stand_in import CLICKS, CREDENTIALS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import ROOT, Server, server
from bench.workbench import Workbench
from hub.testing.postgres import free_port

ENVIRONMENT = ROOT / ".venv-bench"
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}


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


FASTAPI = Side("FastAPI + SQLAlchemy, SQLite", _fastapi_on_sqlite)
FASTAPI_POSTGRES = Side("FastAPI + SQLAlchemy, PostgreSQL", _fastapi_on_postgres)

MEASURE = Measure(
    "peers",
    "the same orders into what a user would write instead",
    (SQLITE, POSTGRES, FASTAPI, FASTAPI_POSTGRES),
    (
        Requirement("conversions / FastAPI + SQLAlchemy, both on SQLite", Value(SQLITE, of=FASTAPI), least=12),
        Requirement("conversions / FastAPI + SQLAlchemy, both on PostgreSQL", Value(POSTGRES, of=FASTAPI_POSTGRES)),
    ),
)
