"""The limit that ratios are taken against: a bare aiohttp handler that gets the same kind of request."""

from __future__ import annotations

from bench import traffic, wrk
from bench.options import SECONDS
from bench.peers.stand_in import CLICKS, CREDENTIALS
from bench.plan import Figures, Side
from bench.servers import bare_server
from bench.workbench import Workbench


def _posts(bench: Workbench) -> Figures:
    requests = traffic.conversions(CREDENTIALS, CLICKS, how_many=50_000)
    with bare_server() as server:
        return wrk.load(server, traffic.write(bench.folder / "bare", requests, repeats=True)).figures()


def _reads(bench: Workbench) -> Figures:
    requests = (CREDENTIALS.request("GET", f"/api/v1/events/{number}") for number in range(10_000))
    with bare_server() as server:
        return wrk.load(server, traffic.write(bench.folder / "bare", requests, repeats=True)).figures()


def _visits(bench: Workbench) -> Figures:
    requests = [traffic.BROWSER % b"/t/abcdefgh"]
    with bare_server() as server:
        sent = traffic.write(bench.folder / "bare", requests * 2, repeats=True)
        return wrk.load(server, sent, seconds=SECONDS).figures()


POSTS = Side("bare aiohttp: POST of an order", _posts)
READS = Side("bare aiohttp: signed GET", _reads)
VISITS = Side("bare aiohttp: a browser's GET", _visits)
