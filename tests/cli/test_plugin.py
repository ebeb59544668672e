"""`hub plugin`: list, new, check and map."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hub.api import API_VERSION
from hub.cli import author_process, hub
from hub.cli.installed import installed_catalog
from hub.cli.invocation import Invocation
from hub.cli.simulate import SCENARIO_NAMES
from hub.domain.connectors.scenarios import SCENARIOS
from hub.plugin_host.catalog import Catalog
from hub.testing.samples import samples_of
from hub.testing.skeleton import write_plugin
from tests.plugin_host.distributions import distributions_in
from tests.testing.test_connector_rules import made


@pytest.fixture(scope="module")
def installed() -> Catalog:
    """What a plugin host finds of the installed plugins."""
    return installed_catalog(Invocation())


@pytest.fixture
def asked_once(monkeypatch: pytest.MonkeyPatch, installed: Catalog) -> None:
    """Have the commands of a test take for granted what a plugin host finds: each would else start one."""
    monkeypatch.setattr(author_process, "installed_catalog", lambda _: installed)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(hub, ["plugin", *arguments], prog_name="hub")


def do(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_every_installed_connector_is_listed() -> None:
    """Every installed connector, with what it signs and knows."""
    found = {each["connector"]: each for each in do("list")}
    assert found["generic"]["signs"] is None
    assert found["prestashop"]["topics"] == ["order", "product", "ping", "asked-order"]
    assert "hub-prestashop" in run("list").stdout


@pytest.mark.prove
def test_a_broken_plugin_does_not_keep_the_others_from_being_used(tmp_path: Path) -> None:
    """Each command names it, and goes on with the rest; in a process of its own, since it is never unloaded."""
    (tmp_path / "hub_broken.py").write_text("raise RuntimeError('oh dear')")
    info = tmp_path / "hub_broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hub-broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[hub.plugins]\nbroken = hub_broken\n")

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        line = [sys.executable, "-m", "hub", "plugin", *arguments]
        return subprocess.run(line, capture_output=True, text=True, check=False, env=environment, timeout=300)

    listed = command("list")
    assert listed.returncode == 0
    assert "Set aside: hub-broken 1.0 cannot be imported: RuntimeError: oh dear" in listed.stdout
    assert "The connector 'broken' is set aside" in command("check", "broken").stderr
    assert command("check", "generic").returncode == 0


class TestNew:
    def test_it_writes_a_distribution(self, tmp_path: Path) -> None:
        """What it is worth is proved by the guide's own test."""
        told = do("new", "blue-whale", "--output", str(tmp_path))
        folder = tmp_path / "hub-blue-whale"
        assert told["folder"] == str(folder)
        assert "hub_blue_whale/__init__.py" in told["files"]
        assert len(samples_of(made(), folder / "hub_blue_whale" / "samples")) == 5
        texts = [file.read_text() for file in folder.rglob("*") if file.is_file()]
        assert not [text for text in texts if "$" in text or "PACKAGE" in text]

    def test_a_person_reads_what_to_do_next(self, tmp_path: Path) -> None:
        assert "hub plugin check acme" in run("new", "acme", "--output", str(tmp_path)).stdout
        assert f'api="{API_VERSION}"' in (tmp_path / "hub-acme" / "hub_acme" / "__init__.py").read_text("utf-8")

    @pytest.mark.parametrize(
        ("name", "said"),
        [("Acme", "cannot be a connector's name"), ("a_b", "cannot be"), ("generic", "is installed already")],
    )
    def test_a_bad_name_is_refused(self, name: str, said: str, tmp_path: Path) -> None:
        result = run("new", name, "--output", str(tmp_path))
        assert result.exit_code == 1
        assert said in result.stderr

    def test_nothing_is_overwritten(self, tmp_path: Path) -> None:
        write_plugin("acme", tmp_path)
        assert "exists already" in run("new", "acme", "--output", str(tmp_path)).stderr


class TestCheck:
    def test_a_connector_that_holds_exits_with_0(self) -> None:
        told = do("check", "generic")
        assert all(rule["holds"] for rule in told["connectors"]["generic"])

    def test_a_connector_with_faults_exits_with_1(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The table tells how many, the sentences stand below, and the exit status is 1."""
        distributions_in(tmp_path / "site", monkeypatch).hostile("pass")
        result = run("check", "hostile")
        assert result.exit_code == 1
        assert "1 fault\n" in result.stdout
        assert "hostile bodies" in result.stdout, "a rule that holds is in the table, too"
        assert "hostile, topics: " in result.stderr

    def test_accept_needs_a_name(self) -> None:
        assert "Name the connector" in run("check", "--accept").stderr

    @pytest.mark.usefixtures("asked_once")
    def test_accept_that_changes_nothing(self) -> None:
        assert do("check", "--accept", "generic")["accepted"] == []

    @pytest.mark.usefixtures("asked_once")
    def test_an_unknown_connector_is_refused(self) -> None:
        assert "No connector 'nope' is installed" in run("check", "nope").stderr


@pytest.mark.usefixtures("asked_once")
class TestMap:
    @pytest.fixture
    def body(self, tmp_path: Path) -> str:
        file = tmp_path / "body.json"
        file.write_text('{"external_order_id": "A-1", "order_amount": "5.00"}')
        return str(file)

    def test_the_facts_of_a_body_are_shown(self, body: str) -> None:
        told = do("map", "generic", "--topic", "order-created", body)
        assert [(fact["fact"], fact["amount"]) for fact in told["facts"]] == [("OrderCreated", "5.00")]
        assert '"fact": "OrderCreated"' in run("map", "generic", "--topic", "order-created", body).stdout

    def test_a_refusal_is_an_answer(self, body: str) -> None:
        told = do("map", "generic", "--topic", "product-updated", body)
        assert "external_product_id" in told["unmappable"]

    def test_options_and_headers_reach_the_connector(self, tmp_path: Path) -> None:
        (sample,) = (s for s in samples_of(_prestashop()) if s.name == "tax-included")
        file = tmp_path / "order.json"
        file.write_bytes(sample.raw)
        arguments = ("map", "prestashop", "--topic", "order", str(file), "-H", "X-A: b", "--option")
        assert do(*arguments, "tax=included")["facts"][0]["amount"] == "60.000000"
        assert "There is no option" in run(*arguments, "taxx=included").stderr
        assert "'tax' is not an option" in run(*arguments, "tax").stderr

    def test_an_unknown_topic_is_refused(self, body: str) -> None:
        assert "has no topic 'x'" in run("map", "prestashop", "--topic", "x", body).stderr

    def test_a_body_that_is_not_json_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "x").write_bytes(b'{"a": NaN}')
        assert "no JSON" in run("map", "generic", "--topic", "order-paid", str(tmp_path / "x")).stderr


def test_simulate_names_every_scenario() -> None:
    """The command's list and the simulator's are one."""
    assert tuple(SCENARIOS) == SCENARIO_NAMES


def _prestashop() -> Any:
    from hub.testing.connector_suite import connector_named

    return connector_named("prestashop")
