"""A payout run by commands beside a hub that takes orders: memory of both, and how long the orders' answers take."""

from __future__ import annotations

from itertools import count
from types import TracebackType

from bench import steady, traffic
from bench.alongside import Alongside
from bench.measures.payouts import LEAST_AFFILIATES, fill_elsewhere, pay
from bench.options import MILLIONS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import Server, hub_server
from bench.workbench import Stage, Workbench

ORDERS_PER_SECOND = 20.0
CHUNK_SECONDS = 10.0
"""Orders are signed for so long at a time: a signature of long ago is refused."""


class Orders(Alongside):
    """Sends orders at a constant rate for as long as its block lasts, and keeps what became of them."""

    def __init__(self, bench: Workbench, stage: Stage, server: Server) -> None:
        super().__init__("orders")
        self.found: list[steady.Steady] = []
        self.fault: BaseException | None = None
        self._bench, self._stage, self._server = bench, stage, server

    def run(self) -> None:
        """Send one part after the other until the block ends."""
        try:
            for number in count():
                if self.ends.is_set():
                    return
                self._send(f"beside-{number}")
        except BaseException as fault:  # noqa: BLE001 - it is raised where the block ends
            self.fault = fault

    def _send(self, tag: str) -> None:
        many = int(ORDERS_PER_SECOND * CHUNK_SECONDS) + 1
        orders = traffic.conversions(self._stage.credentials, self._stage.clicks, tag=tag, how_many=many)
        written = traffic.write(self._bench.folder / "beside", orders, threads=1)
        self.found.append(steady.load(self._server.base_url, written, rate=ORDERS_PER_SECOND, seconds=CHUNK_SECONDS))

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for the last part, however the block ended; raise what stopped the thread."""
        super().__exit__(kind, value, trace)
        if self.fault is not None and value is None:
            raise self.fault


def run_beside(bench: Workbench) -> Figures:
    """Pay all lines by the commands while a hub takes orders; fail unless all of them are paid once."""
    lines = max(LEAST_AFFILIATES, round(MILLIONS * 1e6))
    with bench.stage() as stage:
        fill_elsewhere(stage.database, lines)
        with hub_server(stage.database.environment, worker=True) as server:
            with Orders(bench, stage, server) as orders:
                figures = pay(stage.database, bench.folder, lines)
            resident = server.resident_mb()
    return {
        **figures,
        "servingMb": resident,
        "orders": float(sum(sum(each.statuses.values()) for each in orders.found)),
        "refused": float(sum(each.refused for each in orders.found)),
        "p50Ms": max(each.p50_ms for each in orders.found),
        "p99Ms": max(each.p99_ms for each in orders.found),
    }


SIDE = Side("payouts beside orders", run_beside, once=True)
MEASURE = Measure(
    "payouts-beside",
    f"The same payout run as `payouts`, by commands beside a serving hub that takes {ORDERS_PER_SECOND:g} orders a "
    "second: the memory of the commands, and the slowest of its orders' parts.",
    (SIDE,),
    (
        Requirement("the memory of each command, MiB", Value(SIDE, "peakMb"), most=256),
        Requirement("orders that were refused", Value(SIDE, "refused"), most=0),
    ),
    standard=False,
)
