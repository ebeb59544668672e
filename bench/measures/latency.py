"""Latencies at half load: half of the most that the same server took a moment before, sent at a constant rate."""

from __future__ import annotations

import time

from bench import steady, traffic, wrk
from bench.alongside import Alongside
from bench.databases import Reader
from bench.ledger import audited_hub
from bench.measures import conversions
from bench.options import SECONDS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import Server
from bench.settling import settle
from bench.workbench import Stage, Workbench

LOOK_SECONDS = 0.01
SEEN = (
    "SELECT commission_id, conversion_id FROM commissions WHERE account_id = '{}' AND commission_id > '{}' ORDER BY 1"
)


class Watch(Alongside):
    """Notes from the outside when each commission can be seen, for as long as its block lasts."""

    def __init__(self, stage: Stage) -> None:
        super().__init__("watch")
        self.seen: dict[str, float] = {}
        self._stage = stage
        self._last = "com_"

    def run(self) -> None:
        """Look for new commissions until the block ends."""
        with self._stage.database.reader() as read:
            self._look(read, keep=False)
            while not self.ends.wait(LOOK_SECONDS):
                self._look(read, keep=True)

    def _look(self, read: Reader, *, keep: bool) -> None:
        rows = read(SEEN.format(self._stage.account_id, self._last))
        now = time.monotonic()
        if rows:
            self._last = rows[-1][0]
        if keep:
            self.seen.update((conversion_id, now) for _, conversion_id in rows)


def _conversions(bench: Workbench, dialect: str = "sqlite") -> Figures:
    kept: list[str] = []
    with audited_hub(bench, dialect, worker=True, acknowledged=kept) as (stage, server):
        rate = _half_of_decided(bench, stage, server, kept)
        how_many = int(rate * SECONDS) + 1
        requests = traffic.conversions(stage.credentials, stage.clicks, tag="H", how_many=how_many)
        sent = traffic.write(bench.folder / "half", requests, threads=1)
        with Watch(stage) as watch:
            answers = steady.load(server.base_url, sent, rate=rate, seconds=SECONDS)
            settle(stage)
            time.sleep(2 * LOOK_SECONDS)
        kept += answers.acknowledged
        visible = _visible_after(stage, watch, answers)
    return {
        "perSecond": rate,
        "p50Ms": answers.p50_ms,
        "p99Ms": answers.p99_ms,
        "refused": answers.refused,
        "visibleP50Ms": steady.percentile(visible, 50),
        "visibleP99Ms": steady.percentile(visible, 99),
    }


def _half_of_decided(bench: Workbench, stage: Stage, server: Server, kept: list[str]) -> float:
    """Return half of the conversions a second that this server accepts and decides under full load."""
    sent = conversions.conversions(bench, stage)
    count = conversions.commissions_from_now(stage)
    answers = wrk.load(server, sent)
    commissions = count()
    kept += answers.acknowledged
    settle(stage)
    return min(answers.per_second, commissions / answers.seconds) / 2


def _visible_after(stage: Stage, watch: Watch, answers: steady.Steady) -> list[float]:
    """Return the milliseconds from each answer until its commission was seen, ascending."""
    since = min(answers.acknowledged)
    with stage.database.reader() as read:
        conversion_of = dict(read(f"SELECT event_id, conversion_id FROM conversions WHERE event_id >= '{since}'"))
    return sorted(
        max(0.0, watch.seen[conversion_of[event_id]] - answered) * 1000
        for event_id, answered in answers.acknowledged.items()
    )


def _clicks(bench: Workbench) -> Figures:
    kept: list[str] = []
    with audited_hub(bench, worker=True, acknowledged=kept) as (stage, server):
        visit = traffic.BROWSER % stage.link.encode()
        full = wrk.load(server, traffic.write(bench.folder / "full", [visit] * 2, repeats=True))
        sent = traffic.write(bench.folder / "half", [visit], threads=1, repeats=True)
        answers = steady.load(server.base_url, sent, rate=full.per_second / 2, seconds=SECONDS)
        kept += [*full.acknowledged, *answers.acknowledged]
    return {
        "perSecond": full.per_second / 2,
        "p50Ms": answers.p50_ms,
        "p99Ms": answers.p99_ms,
        "refused": answers.refused,
    }


SQLITE = Side("conversions at half load, SQLite", _conversions)
POSTGRES = Side("conversions at half load, PostgreSQL", lambda bench: _conversions(bench, "postgresql"))
CLICKS = Side("clicks at half load, SQLite", _clicks)

MEASURE = Measure(
    "latency",
    "at half load, sent at a constant rate: intake, answer to visible commission, clicks",
    (SQLITE, POSTGRES, CLICKS),
    (
        Requirement("intake at half load, p99 in ms", Value(SQLITE, "p99Ms"), most=25),
        Requirement("intake at half load on PostgreSQL, p99 in ms", Value(POSTGRES, "p99Ms"), most=25),
        Requirement("accepted to commission visible, p99 in ms", Value(SQLITE, "visibleP99Ms"), most=1000),
        Requirement("the same on PostgreSQL, p99 in ms", Value(POSTGRES, "visibleP99Ms"), most=1000),
        Requirement("clicks at half load, p99 in ms", Value(CLICKS, "p99Ms"), most=10),
    ),
)
