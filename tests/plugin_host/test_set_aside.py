"""Distributions that cannot be used are set aside, each with its reason; the others serve."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from hub.cli import hub
from hub.plugin_host.registry import PluginFault, load_registry
from tests.plugin_host.conftest import OpenHost
from tests.plugin_host.distributions import CONNECTOR, Distributions
from tests.plugin_host.test_hostile_plugins import all_translated, bad, job, orders
from tests.polling import until

QUICK = {"load_seconds": 2.0}
CANNOT_LOAD = {
    "an import error": ("import no_such_library", "cannot be imported: ModuleNotFoundError"),
    "sys.exit": ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
    "BaseException": ("raise BaseException('no')", "cannot be imported: BaseException: no"),
    "os._exit": ("import os; os._exit(3)", "cannot be loaded: it ended the plugin host's process (exit status 3)"),
    "a slow import": ("import time; time.sleep(60)", "took longer than 2 seconds"),
    "an import that swallows everything": (
        "import time\nwhile True:\n    try:\n        time.sleep(60)\n    except BaseException:\n        pass",
        "cannot be loaded: it did not end when its time was up",
    ),
    "600 MB": ("hog = bytearray(600_000_000)", "cannot be imported: MemoryError"),
    "a misspelt hook": (
        "from hub.api import hookimpl\n@hookimpl\ndef hub_conectors(): return []",
        "does not fit the hub's hooks",
    ),
    "an endless list": (
        "from hub.api import hookimpl\n@hookimpl\ndef hub_connectors(): return iter(int, 1)",
        "gives a int from hub_connectors()",
    ),
}

WAITED_FOR = ("a slow import", "an import that swallows everything")
"""What lasts until its time is up, seconds."""


@pytest.mark.parametrize(
    "how", [pytest.param(each, marks=pytest.mark.prove) if each in WAITED_FOR else each for each in CANNOT_LOAD]
)
async def test_what_cannot_load_is_set_aside(distributions: Distributions, open_host: OpenHost, how: str) -> None:
    source, said = CANNOT_LOAD[how]
    origin = distributions.write("broken", source)
    host = open_host(**QUICK)
    catalog = await host.catalog()
    assert catalog.named("generic") is not None
    faulty = [each for each in catalog.set_aside if not each.off]
    assert {each.distribution for each in faulty} == {origin}
    assert any(said in each.reason for each in faulty), faulty
    aside = catalog.set_aside_for("broken")
    assert aside is not None
    (failed,) = await host.translate([job("broken")])
    assert failed.failure is not None
    assert said in failed.failure.sentence or len(faulty) > 1


async def test_a_webhook_that_may_be_anothers_is_tried_again(distributions: Distributions, open_host: OpenHost) -> None:
    """Nobody recognises it, and a plugin that might is set aside: that is a failure, and no word about the body."""
    (nobodys,) = await open_host(off=("generic",)).translate([job(None)])
    assert "no installed connector recognises" in str(nobodys.unmappable), "the control: none is set aside"
    origin = distributions.write("broken", "import no_such_library")
    (failed,) = await open_host(off=("generic",)).translate([job(None)])
    assert failed.failure is not None
    assert (failed.failure.distribution, failed.failure.part) == (origin, "loading")
    assert "it cannot be imported" in failed.failure.sentence


def test_control_in_the_servers_process_one_of_them_stops_all(
    distributions: Distributions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it was before there was a plugin host."""
    distributions.write("broken", "import no_such_library")
    monkeypatch.syspath_prepend(str(distributions.folder))
    with pytest.raises(PluginFault):
        load_registry()


async def test_a_name_that_two_declare_is_neithers(distributions: Distributions, open_host: OpenHost) -> None:
    """Nobody can take another's connections over by declaring its name."""
    for name in ("one", "two"):
        distributions.write(name, CONNECTOR.format(name="shared", body="pass"))
    catalog = await open_host().catalog()
    assert catalog.named("shared") is None
    aside = catalog.set_aside_for("shared")
    assert aside is not None
    assert "and hub-two 1.0 both declare the connector 'shared'" in aside.sentence


async def test_plugins_are_turned_off_without_being_imported(distributions: Distributions, open_host: OpenHost) -> None:
    distributions.write("broken", "import no_such_library")
    catalog = await open_host(off=("hub_broken", "generic")).catalog()
    assert [each.off for each in catalog.set_aside] == [True, True]
    assert catalog.faults == []
    assert catalog.named("generic") is None


async def test_a_mended_plugin_is_noticed(distributions: Distributions, open_host: OpenHost) -> None:
    """Its files changed, and hold still: a new process takes over, without a restart of the hub."""
    distributions.write("hostile", "import no_such_library")
    host = open_host(check_seconds=0.05)
    assert (await host.catalog()).named("hostile") is None
    distributions.hostile("return [created('B')]")

    async def is_loaded() -> bool:
        return (await host.catalog()).named("hostile") is not None

    await until(is_loaded)
    assert orders(await all_translated(host, job(), bad())) == ["A-1", "B"]


async def test_a_plugin_installed_beside_a_running_host_is_noticed(
    distributions: Distributions, open_host: OpenHost
) -> None:
    host = open_host(check_seconds=0.05)
    assert (await host.catalog()).named("hostile") is None
    distributions.hostile("pass")

    async def is_loaded() -> bool:
        return (await host.catalog()).named("hostile") is not None

    await until(is_loaded)
    assert orders(await all_translated(host, job())) == ["A-1"]


@pytest.mark.prove
def test_commands_do_not_stumble_over_a_broken_plugin(distributions: Distributions) -> None:
    """It is listed with its reason, and named if it is asked for; the others can be used."""
    distributions.write("broken", "import os; os._exit(3)")
    listed = CliRunner().invoke(hub, ["plugin", "list", "--json"], prog_name="hub")
    assert listed.exit_code == 0, listed.output
    found = {each["connector"]: each for each in json.loads(listed.stdout)}
    assert "ended the plugin host's process" in found["broken"]["setAside"]
    assert found["generic"]["setAside"] is None
    assert "Set aside: hub-broken 1.0" in CliRunner().invoke(hub, ["plugin", "list"], prog_name="hub").stdout
    checked = CliRunner().invoke(hub, ["plugin", "check", "generic"], prog_name="hub")
    assert checked.exit_code == 0, checked.output
