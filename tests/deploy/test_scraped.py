"""Every query of the dashboard and of the alert rules, asked of a real Prometheus that scrapes a hub under traffic."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import aiohttp
import pytest
from yarl import URL

from hub.app import Hub
from hub.testing.clock import FakeClock
from hub.testing.postgres import free_port
from tests.deploy.test_alerts import RULES, dashboard_queries, rules
from tests.deploy.test_deploy import program, running
from tests.polling import until
from tests.served_hub import api_of, served

pytestmark = pytest.mark.prove

COMPARED = re.compile(r" (?:>|<|==) [\d.]+")
"""What makes a query of values an alert, or hides those that are 0."""
MISSPELT = ("sum by (outcome) (rate(hub_event_total[5m]))", "max by (status) (hub_requests_total{route=~'nowhere.*'})")


async def asked(session: aiohttp.ClientSession, query: str) -> list[dict[str, str]]:
    """The labels of what a query finds."""
    async with session.get("/api/v1/query", params={"query": query}) as answer:
        document = await answer.json()
    assert document["status"] == "success", (query, document)
    return [each["metric"] for each in document["data"]["result"]]


async def shopped(hub: Hub, clock: FakeClock, number: int) -> bool:
    """Send an order and a click, and note an answer that failed and a connection that was refused; return True."""
    async with api_of(hub, clock) as api:
        order = {"externalOrderId": f"P-{number}", "orderAmount": "10.00", "currency": "USD"}
        assert (await api("POST", "/v1/conversions", order)).status == 202
    async with aiohttp.ClientSession(hub.url) as session, session.get("/t/nobodys"):
        hub.parts.metrics.note_refused("connections")
        hub.parts.metrics.note_request("POST /v1/conversions", 503, 0.1)
    return True


@pytest.fixture
async def prometheus(sqlite_url: str, clock: FakeClock, tmp_path: Path) -> AsyncIterator[aiohttp.ClientSession]:
    """Prometheus with the rules that come with the hub; it has scraped a hub with traffic twice."""
    binary, port = program("prometheus"), free_port()
    async with served(sqlite_url, clock) as hub:
        await hub.parts.telling.board.refresh()
        where = URL(hub.url)
        scrape = {"job_name": "affiliate-hub", "static_configs": [{"targets": [f"{where.host}:{where.port}"]}]}
        settings = {"global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [str(RULES)],
                    "scrape_configs": [scrape]}  # fmt: skip
        (tmp_path / "prometheus.yml").write_text(json.dumps(settings))  # YAML holds JSON
        words = [binary, f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data",
                 f"--web.listen-address=127.0.0.1:{port}", "--log.level=error"]  # fmt: skip
        with running(*words):
            async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
                await until(partial(is_ready, session))
                for number in range(2):
                    await shopped(hub, clock, number)
                    await until(partial(asked, session, f"count_over_time(hub_refused_total[5m]) > {number}"))
                yield session


async def is_ready(session: aiohttp.ClientSession) -> bool:
    try:
        async with session.get("/-/ready") as answer:
            return answer.status == 200
    except aiohttp.ClientConnectorError:
        return False


async def test_each_finds_what_a_hub_shows_and_the_rules_are_evaluated(prometheus: aiohttp.ClientSession) -> None:
    queries = [*dashboard_queries(), *(rule["expr"] for rule in rules())]
    for query in queries:
        assert await until(partial(asked, prometheus, COMPARED.sub("", query))), query
    legends = re.compile(r"sum by \((?P<label>\w+)\)|max by \((?P<other>\w+)\)")
    for query in queries:
        if found := legends.match(query):
            label = found["label"] or found["other"]
            assert all(label in each for each in await asked(prometheus, COMPARED.sub("", query))), query

    async def evaluated() -> bool:
        async with prometheus.get("/api/v1/rules") as answer:
            (group,) = (await answer.json())["data"]["groups"]
        assert {each["health"] for each in group["rules"]} <= {"ok", "unknown"}, group
        return all(each["health"] == "ok" for each in group["rules"])

    assert await until(evaluated)


async def test_control_a_misspelt_query_finds_nothing(prometheus: aiohttp.ClientSession) -> None:
    for query in MISSPELT:
        assert await asked(prometheus, query) == []
