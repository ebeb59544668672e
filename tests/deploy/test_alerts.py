"""Alert rules and dashboard: valid, tested, and asking for what a hub really shows."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from hub.domain.troubles import KINDS
from hub.testing.clock import FakeClock
from tests.deploy.test_deploy import DEPLOY, program, ran
from tests.served_hub import served

RULES = DEPLOY / "prometheus" / "affiliate-hub.rules.yml"
DASHBOARD = DEPLOY / "grafana" / "affiliate-hub.json"


def rules() -> list[dict[str, str]]:
    found: list[dict[str, str]] = importlib.import_module("yaml").safe_load(RULES.read_text("utf-8"))["groups"][0][
        "rules"
    ]
    return found


def dashboard_queries() -> list[str]:
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def series_in(query: str) -> set[str]:
    return set(re.findall(r"\bhub_\w+", query))


@pytest.fixture
async def shown(sqlite_url: str, clock: FakeClock) -> set[str]:
    """The names of all series of a hub."""
    async with served(sqlite_url, clock) as hub, aiohttp.ClientSession(hub.url) as session:
        await hub.parts.telling.board.refresh()
        async with session.get("/metrics") as answer:
            text = await answer.text()
    families = list(text_string_to_metric_families(text))
    plain = {family.name for family in families}
    of_kind = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}
    return plain | {f"{each.name}{end}" for each in families for end in of_kind.get(each.type, ())}


def test_the_rules_are_valid_and_do_what_their_tests_say() -> None:
    promtool = program("promtool")
    ran(promtool, "check", "rules", str(RULES))
    ran(promtool, "test", "rules", str(RULES.with_suffix("").with_suffix(".rules.test.yml")))


def test_every_query_of_the_dashboard_is_one(tmp_path: Path) -> None:
    lines = [f"  - {{record: r{n}, expr: {json.dumps(query)}}}" for n, query in enumerate(dashboard_queries())]
    file = tmp_path / "queries.yml"
    file.write_text("groups:\n- name: dashboard\n  rules:\n" + "\n".join(lines) + "\n")
    ran(program("promtool"), "check", "rules", str(file))


async def test_rules_and_dashboard_ask_for_what_a_hub_shows(shown: set[str]) -> None:
    asked = {name for query in (*dashboard_queries(), *(rule["expr"] for rule in rules())) for name in series_in(query)}
    assert len(asked) > 10
    assert asked - shown == set()


def test_control_a_series_that_no_hub_shows_would_be_found() -> None:
    assert series_in('sum(rate(hub_orders_total{a="b"}[5m]))') == {"hub_orders_total"}


def test_urgent_kinds_page_somebody_and_the_others_do_not() -> None:
    urgent = "|".join(kind for kind, each in KINDS.items() if each.is_urgent)
    by_name = {rule["alert"]: rule["expr"] for rule in rules()}
    assert f'kind=~"{urgent}"' in by_name["HubTroubleUrgent"]
    assert f'kind!~"{urgent}"' in by_name["HubTrouble"]
