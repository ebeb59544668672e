"""Traces and faults for the operator's own tools: one order from socket to commission over two nodes, one error."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import orjson
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from attrs import define, field

from hub.app import Hub
from hub.config.settings import SettingsFault, load_settings
from hub.http.request import current_request
from hub.observability import pushed_metrics, sending
from hub.observability.error_reports import reports_to
from hub.observability.logs import with_request_id
from hub.observability.sending import WAITING, Sender
from hub.observability.traces import root_of, traces_to
from hub.testing.clock import FakeClock
from tests.polling import until
from tests.served_hub import Api, api_of, served

SOON = 0.05
"""What waits is sent so soon, where a hub takes a second."""
ORDER = {"externalOrderId": "T-1", "orderAmount": "10.00", "currency": "USD"}
PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@define
class Tool:
    """A collector and an error tracker in one, which keeps what it was sent; `away` answers 503."""

    url: str = ""
    spans: list[dict[str, Any]] = field(factory=list)
    metrics: dict[str, dict[str, Any]] = field(factory=dict)
    errors: list[dict[str, Any]] = field(factory=list)
    asked: int = 0
    away: bool = False

    async def take_spans(self, request: web.Request) -> web.Response:
        self.asked += 1
        if self.away:
            return web.Response(status=503)
        for resource in (await request.json())["resourceSpans"]:
            assert attributes_of(resource["resource"])["service.name"] == "affiliate-hub"
            self.spans += [span for scope in resource["scopeSpans"] for span in scope["spans"]]
        return web.json_response({"partialSuccess": {}})

    async def take_metrics(self, request: web.Request) -> web.Response:
        """Keep the newest of each name."""
        for resource in (await request.json())["resourceMetrics"]:
            assert attributes_of(resource["resource"])["service.name"] == "affiliate-hub"
            self.metrics |= {each["name"]: each for scope in resource["scopeMetrics"] for each in scope["metrics"]}
        return web.json_response({"partialSuccess": {}})

    async def take_error(self, request: web.Request) -> web.Response:
        assert "sentry_key=abc" in request.headers["X-Sentry-Auth"]
        head, item, event = (await request.read()).strip().split(b"\n")
        assert orjson.loads(item) == {"type": "event"}
        self.errors.append(orjson.loads(event))
        assert self.errors[-1]["event_id"] == orjson.loads(head)["event_id"]
        return web.json_response({})

    def of(self, event_id: str) -> list[dict[str, Any]]:
        """The spans of an event's trace, the root first."""
        mine = [span for span in self.spans if span["traceId"] == event_id.removeprefix("evt_")]
        return sorted(mine, key=lambda span: span["parentSpanId"])


@pytest.fixture
async def tool() -> AsyncIterator[Tool]:
    tool = Tool()
    app = web.Application()
    app.router.add_post("/v1/traces", tool.take_spans)
    app.router.add_post("/v1/metrics", tool.take_metrics)
    app.router.add_post("/api/7/envelope/", tool.take_error)
    async with TestServer(app) as server:
        tool.url = str(server.make_url("")).rstrip("/")
        yield tool


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "EVERY_SECONDS", SOON)


@pytest.fixture
async def two_nodes(postgres_url: str, clock: FakeClock, tool: Tool) -> AsyncIterator[Hub]:
    """A node that takes requests alone, and beside it one that decides."""
    told = {"HUB_TELEMETRY_TRACES": tool.url}
    async with (
        served(postgres_url, clock, **told, HUB_WORKER_ENABLED="false") as taking,
        served(postgres_url, clock, **told),
    ):
        yield taking


def attributes_of(span: dict[str, Any]) -> dict[str, Any]:
    return {each["key"]: next(iter(each["value"].values())) for each in span["attributes"]}


async def test_an_order_has_one_trace_over_two_nodes(two_nodes: Hub, clock: FakeClock, tool: Tool) -> None:
    """Its id is the event's; the root is the request on the one node, and below it the decision of the other."""
    async with api_of(two_nodes, clock) as api:
        raw = orjson.dumps(ORDER)
        headers = {**api.headers(raw), "traceparent": PARENT}
        event_id = (await api.send("POST", "/v1/conversions", raw, headers)).json["eventId"]
    await until(lambda: len(tool.of(event_id)) == 2)
    request, decision = tool.of(event_id)
    assert (request["name"], request["parentSpanId"], request["spanId"]) == (
        "POST /v1/conversions", "", root_of(event_id)
    )  # fmt: skip
    assert request["links"] == [{"traceId": PARENT[3:35], "spanId": PARENT[36:52]}]
    assert attributes_of(request)["http.response.status_code"] == "202"
    assert (decision["name"], decision["parentSpanId"]) == ("decide conversion", root_of(event_id))
    assert attributes_of(decision)["hub.outcome"] == "PROCESSED"
    assert attributes_of(decision)["hub.conversion_id"].startswith("cnv_")
    assert int(decision["endTimeUnixNano"]) >= int(decision["startTimeUnixNano"])


async def test_metrics_are_pushed_as_they_are_shown(
    sqlite_url: str, clock: FakeClock, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each that `/metrics` has, with the same values: counters as sums, histograms with what is between two bounds."""
    monkeypatch.setattr(pushed_metrics, "EVERY_SECONDS", SOON)
    async with served(sqlite_url, clock, HUB_TELEMETRY_METRICS=tool.url) as hub, api_of(hub, clock) as api:
        for number in range(3):
            assert (await api("POST", "/v1/conversions", {**ORDER, "externalOrderId": f"M-{number}"})).status == 202
        shown = {family.name: family for family in hub.parts.metrics.families() if family.samples}
        await until(lambda: answered(tool) == 3)
    assert tool.metrics.keys() >= shown.keys()
    assert {"hub_requests", "hub_request_seconds", "hub_store_up", "hub_trouble"} <= shown.keys()
    for name, family in shown.items():
        kind = {"counter": "sum", "histogram": "histogram"}.get(family.type, "gauge")
        assert tool.metrics[name][kind]["dataPoints"], name
    (seconds,) = orders_of(tool, "hub_request_seconds", "histogram")
    assert (seconds["count"], sum(map(int, seconds["bucketCounts"]))) == ("3", 3)
    assert len(seconds["bucketCounts"]) == len(seconds["explicitBounds"]) + 1
    assert tool.metrics["hub_store_up"]["gauge"]["dataPoints"][0]["asDouble"] == 1


def orders_of(tool: Tool, name: str, kind: str) -> list[dict[str, Any]]:
    """The points of a metric that are of orders sent by merchants."""
    found = tool.metrics.get(name, {kind: {"dataPoints": []}})[kind]["dataPoints"]
    return [each for each in found if "/conversions" in attributes_of(each)["route"]]


def answered(tool: Tool) -> int:
    """How many orders the collector knows of."""
    return int(sum(each["asDouble"] for each in orders_of(tool, "hub_requests", "sum")))


async def test_without_the_setting_nothing_is_noted(hub: Hub, api: Api) -> None:
    """The control: orders are taken, and nobody is asked."""
    assert (await api("POST", "/v1/conversions", ORDER)).status == 202
    assert hub.parts.metrics.traces is None


async def test_a_fault_reaches_the_tracker_with_its_traceback(sqlite_url: str, clock: FakeClock, tool: Tool) -> None:
    dsn = tool.url.replace("http://", "http://abc@") + "/7"
    async with served(sqlite_url, clock, HUB_TELEMETRY_ERRORS=dsn):
        try:
            raise LookupError("no shelf")
        except LookupError:
            logging.getLogger("hub.shelves").exception("a shelf is missing")
        logging.getLogger("hub.shelves").warning("no fault")
        await until(lambda: tool.errors)
    (error,) = tool.errors
    assert (error["logentry"]["formatted"], error["logger"]) == ("a shelf is missing", "hub.shelves")
    assert error["exception"]["values"] == [{"type": "LookupError", "value": "no shelf"}]
    assert "test_telemetry.py" in error["extra"]["traceback"]
    logging.getLogger("hub.shelves").error("after its end nobody is told")
    assert len(tool.errors) == 1


async def test_while_the_tool_is_away_orders_are_taken_and_spans_wait(clock: FakeClock, tool: Tool) -> None:
    """They are sent once it is back, each once; what does not fit is dropped and counted."""
    traces, tool.away = traces_to(tool.url, clock, 100, "1.0"), True
    await traces.sender.start()
    event_id = "evt_" + "1" * 32
    attributes: dict[str, str | int] = {"http.response.status_code": 202}
    traces.note_request(event_id, "POST /v1/conversions", 5, attributes)
    await until(lambda: tool.asked >= 2)
    assert tool.spans == []
    tool.away = False
    await until(partial(tool.of, event_id))
    await traces.sender.stop()
    assert len(tool.spans) == 1


def test_a_queue_has_an_end() -> None:
    sender: Sender[int] = Sender("http://127.0.0.1:1", {}, lambda _: b"")
    for number in range(WAITING + 3):
        sender.add(number)
    assert sender.dropped == 3


def test_a_share_of_orders_is_the_same_on_every_node(clock: FakeClock) -> None:
    traces = traces_to("http://127.0.0.1:1", clock, 25, "1.0")
    chosen = [traces.wants(f"evt_{number:032x}") for number in range(400)]
    assert chosen.count(True) == 100
    assert not traces.wants("no id of an event")


@pytest.mark.parametrize("dsn", ["https://errors.example/1", "https://abc@errors.example", "errors.example"])
def test_a_dsn_that_cannot_be_one_is_refused_at_the_start(dsn: str) -> None:
    with pytest.raises(SettingsFault, match="HUB_TELEMETRY_ERRORS"):
        load_settings(None, {"HUB_TELEMETRY_ERRORS": dsn})


def test_a_tracker_under_a_path_is_reached_there() -> None:
    assert reports_to("https://abc@errors.example/x/7", "1.0").sender.url == "https://errors.example/x/api/7/envelope/"


def test_lines_of_the_log_have_the_id_of_the_request() -> None:
    assert with_request_id(None, "info", {"event": "x"}) == {"event": "x"}
    token = current_request.set("req_1")
    assert with_request_id(None, "info", {"event": "x"}) == {"event": "x", "request_id": "req_1"}
    assert with_request_id(None, "info", {"event": "x", "request_id": "req_2"})["request_id"] == "req_2"
    current_request.reset(token)
