"""Signed conversions, durable before the answer: accepted alone, and decided by the worker in the same process."""

from __future__ import annotations

from collections.abc import Callable

from bench import traffic, wrk
from bench.ledger import audited_hub
from bench.measures import limit
from bench.options import SECONDS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import Server
from bench.settling import settle
from bench.workbench import Stage, Workbench
from hub.clock import system_clock
from hub.ids import id_at


def accepted(bench: Workbench, dialect: str = "sqlite", *, without: str | None = None) -> Figures:
    """Measure conversions answered with 202, without a worker."""
    kept: list[str] = []
    with audited_hub(bench, dialect, worker=False, acknowledged=kept, without=without) as (stage, server):
        sent = conversions(bench, stage)
        cost = costs_from_now(server)
        answers = wrk.load(server, sent)
        cost_of_one = cost(len(answers.acknowledged))
        kept += answers.acknowledged
    return {**answers.figures(), **cost_of_one}


def decided(bench: Workbench, dialect: str = "sqlite", *, without: str | None = None) -> Figures:
    """Measure commissions written by the end of the load, with the worker in the process that accepts.

    What an order costs is counted until all of them are decided.
    """
    kept: list[str] = []
    with audited_hub(bench, dialect, worker=True, acknowledged=kept, without=without) as (stage, server):
        sent = conversions(bench, stage)
        count, cost = commissions_from_now(stage), costs_from_now(server)
        answers = wrk.load(server, sent)
        commissions = count()
        settle(stage)
        cost_of_one = cost(len(answers.acknowledged))
        kept += answers.acknowledged
    return {
        **answers.figures(),
        **cost_of_one,
        "perSecond": min(commissions / answers.seconds, answers.per_second),
        "acceptedPerSecond": answers.per_second,
    }


def costs_from_now(server: Server) -> Callable[[int], Figures]:
    """Return a function that says what each of a number of orders has cost the server since now.

    That is microseconds of the processor, and bytes to the disk unless that is memory.
    """
    seconds, written = server.cpu_seconds(), server.written_bytes()

    def cost(orders: int) -> Figures:
        figures = {"cpuUs": (server.cpu_seconds() - seconds) * 1e6 / orders}
        to_disk = server.written_bytes() - written
        return {**figures, "writtenBytes": to_disk / orders} if to_disk else figures

    return cost


def commissions_from_now(stage: Stage) -> Callable[[], int]:
    """Return a function that counts the commissions made since now."""
    since = id_at("com", system_clock())
    account = stage.account_id

    def count() -> int:
        with stage.database.reader() as read:
            ((found,),) = read(
                f"SELECT COUNT(*) FROM commissions WHERE account_id = '{account}' AND commission_id >= '{since}'"
            )
        return int(found)

    return count


def conversions(bench: Workbench, stage: Stage, *, how_many: int | None = None) -> traffic.Traffic:
    """Return orders for a stage, each of them new."""
    requests = traffic.conversions(stage.credentials, stage.clicks, how_many=how_many)
    return traffic.write(bench.folder / "conversions", requests)


SQLITE = Side("conversions accepted, SQLite", accepted)
DECIDED = Side("conversions decided, SQLite", decided)
POSTGRES = Side("conversions accepted, PostgreSQL", lambda bench: accepted(bench, "postgresql"))
POSTGRES_DECIDED = Side("conversions decided, PostgreSQL", lambda bench: decided(bench, "postgresql"))

MEASURE = Measure(
    "conversions",
    f"signed durable conversions on SQLite for {SECONDS} s: accepted, and decided in the same process",
    (limit.POSTS, SQLITE, DECIDED),
    (
        Requirement("conversions accepted on SQLite / bare aiohttp", Value(SQLITE, of=limit.POSTS), least=0.40),
        Requirement("decided (commission written) / accepted alone", Value(DECIDED, of=SQLITE), least=0.60),
    ),
)
POSTGRES_MEASURE = Measure(
    "postgresql",
    "the same on PostgreSQL",
    (limit.POSTS, POSTGRES, POSTGRES_DECIDED),
    (
        Requirement("conversions accepted on PostgreSQL / bare aiohttp", Value(POSTGRES, of=limit.POSTS), least=0.50),
        Requirement("decided on PostgreSQL / accepted alone", Value(POSTGRES_DECIDED, of=POSTGRES)),
    ),
)
