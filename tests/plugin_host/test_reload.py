"""`hub plugin reload` beside a running hub, and what `hub plugin list` and readiness say of what it has loaded."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from typing import Any

import aiohttp
import pytest

from hub.app import Hub
from hub.clock import system_clock
from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection
from hub.operations.errors import OperatorFault
from hub.operations.system.plugin_reload import reload_plugins, served_plugins
from hub.plugin_host import pool
from hub.plugin_host.catalog import Catalog
from hub.plugin_host.evidence import Evidence
from hub.plugin_host.pool import ProcessPool
from hub.plugin_host.process import Loaded, PluginProcess, ProcessEnded
from hub.plugin_host.translation import HostUnavailable
from hub.storage import Store
from tests.plugin_host.conftest import OpenHost
from tests.plugin_host.distributions import Distributions
from tests.polling import until
from tests.served_hub import new_merchant, served_with_host

NEVER = 3_600.0


async def command(url: str, *arguments: str) -> tuple[int, str]:
    """Run `hub plugin` in a process of its own; return its exit status and what it printed."""
    line = [sys.executable, "-m", "hub", "plugin", *arguments, "--database", url]
    process = await asyncio.create_subprocess_exec(*line, stdout=subprocess.PIPE)
    printed, _ = await process.communicate()
    return process.returncode or 0, printed.decode()


async def status_of_new_connection(hub: Hub) -> int:
    """Connect a store by the connector `hostile`, post an unsigned body, and return the answer's status."""
    plugins: Any = hub.parts.plugins
    admin = ConnectionAdmin(hub.parts.store, hub.parts.sealer, plugins, system_clock, hub.url)
    merchant_id = await new_merchant(hub, system_clock, approve=True)
    made = await create_connection(admin, NewConnection(merchant_id, "test", "hostile"))
    async with aiohttp.ClientSession(hub.url) as session, session.post(f"/connect/{made['id']}", data=b"{}") as answer:
        return answer.status


@pytest.mark.prove
async def test_a_plugin_installed_beside_a_hub_serves_after_a_reload(
    database_url: str, distributions: Distributions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub looks at no files here, so that it is the command that does it."""
    monkeypatch.setenv("HUB_DATABASE_URL", database_url)
    monkeypatch.setattr(ProcessPool, "_should_reload", unasked)
    async with served_with_host(database_url, system_clock) as hub:
        await hub.parts.plugins.catalog()
        distributions.hostile("pass")
        listed = json.loads((await command(database_url, "list", "--json"))[1])
        serves = {each["connector"]: each["serves"] for each in listed}
        assert serves["generic"] in (None, True), "None until the hub's next sign of life"
        assert serves["hostile"] is not True, "the control: nothing else has loaded it"
        status, printed = await command(database_url, "reload", "--json")
        (process,) = json.loads(printed)
        assert status == 0
        assert process["connectors"]["hostile"] == "hub-hostile 1.0"
        assert process["fault"] is None
        assert await status_of_new_connection(hub) == 401
        assert "hostile" in (await command(database_url, "list"))[1]
        (seen,) = await served_plugins(hub.parts.store, system_clock)
        assert "hostile" in seen["connectors"]


async def unasked(_self: ProcessPool) -> bool:
    return False


async def test_a_reload_says_what_it_set_aside_and_readiness_lists_it(
    sqlite_url: str, distributions: Distributions
) -> None:
    distributions.hostile("pass")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        own = f"127.0.0.1:{taken.getsockname()[1]}"
    async with (
        served_with_host(sqlite_url, system_clock, HUB_SERVER_OPERATIONS_ADDRESS=own) as hub,
        aiohttp.ClientSession() as http,
    ):
        await hub.parts.plugins.catalog()
        distributions.write("hostile", "import no_such_library")
        status, printed = await command(sqlite_url, "reload")
        assert status == 0
        assert "Set aside: hub-hostile 1.0 cannot be imported: ModuleNotFoundError" in printed
        async with http.get(f"http://{own}/readyz") as answer:
            found = (await answer.json())["details"]["plugins"]
        assert "hub-hostile 1.0" in found["setAside"]
        assert "generic" in found["connectors"]


@pytest.mark.prove
async def test_a_reload_that_fails_is_a_fault_and_the_old_plugins_go_on(
    sqlite_url: str, distributions: Distributions, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributions.hostile("pass")
    async with served_with_host(sqlite_url, system_clock) as hub, aiohttp.ClientSession(hub.url) as session:
        catalog = await hub.parts.plugins.catalog()

        async def no_process(*_: object) -> None:
            raise OSError("no more processes")

        monkeypatch.setattr(PluginProcess, "start", no_process)
        status, printed = await command(sqlite_url, "reload")
        assert status == 1
        assert "It could not reload them: The plugin host does not start: no more processes." in printed
        assert hub.parts.plugins.known is catalog
        async with session.get("/readyz") as answer:
            assert answer.status == 503
            assert (await answer.json())["reasons"] == ["The plugin host does not start; the log says why."]


async def test_a_host_that_could_not_start_is_tried_again_although_nobody_asks(
    distributions: Distributions, open_host: OpenHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hub that is not ready gets no requests, so none of them could bring it back."""
    distributions.hostile("pass")
    start = PluginProcess.start
    failures = iter([OSError("no more processes")] * 2)

    async def fail_twice(limits: Any) -> PluginProcess:
        fault = next(failures, None)
        if fault is not None:
            raise fault
        return await start(limits)

    monkeypatch.setattr(PluginProcess, "start", fail_twice)
    host = open_host(check_seconds=0.05)
    with pytest.raises(HostUnavailable):
        await host.catalog()
    await until(lambda: host.known is not None)
    assert (host.known or Catalog()).named("hostile") is not None
    assert host.fault is None


async def test_what_was_ended_while_it_loaded_is_back_within_seconds(
    distributions: Distributions, open_host: OpenHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever ends the process then, the kernel out of memory or an operator, makes a sound plugin look guilty."""
    origin, load = distributions.hostile("pass"), PluginProcess.load
    guilty = iter([Evidence("", origin, "", "", "it ended the plugin host's process (signal 9)")])

    async def end_once(process: PluginProcess, seconds: float) -> Loaded:
        if (evidence := next(guilty, None)) is None:
            return await load(process, seconds)
        await process.close()
        raise ProcessEnded(evidence)

    monkeypatch.setattr(PluginProcess, "load", end_once)
    monkeypatch.setattr(pool, "FIRST_RETRY_SECONDS", 0.2)
    host = open_host(check_seconds=0.05)
    catalog = await host.catalog()
    assert catalog.named("hostile") is None
    assert [each.distribution for each in catalog.set_aside if not each.off] == [origin]
    await until(lambda: (host.known or Catalog()).named("hostile"))
    assert (host.known or Catalog()).faults == []


@pytest.mark.prove
async def test_what_never_loads_is_tried_ever_more_rarely(
    distributions: Distributions, open_host: OpenHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributions.write("broken", "import no_such_library")
    asked = list[int]()

    def noted(retries: int) -> float:
        asked.append(retries)
        return 0.0 if retries < 3 else NEVER

    monkeypatch.setattr(pool, "retry_pause", noted)
    host = open_host(check_seconds=0.02)
    await host.catalog()
    await until(lambda: 3 in asked)
    assert asked == sorted(asked)


def test_the_pause_doubles_to_five_minutes() -> None:
    assert [pool.retry_pause(tries) for tries in (0, 1, 2, 5, 6, 1_000)] == [5, 10, 20, 160, 300, 300]


async def test_nobody_serves(sqlite_url: str) -> None:
    async with await Store.open(sqlite_url, migrate=True) as store:
        with pytest.raises(OperatorFault, match="No hub serves this database"):
            await reload_plugins(store, system_clock, patience=NEVER)
