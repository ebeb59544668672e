"""Hostile plugins under a whole worker and a whole hub, on both databases: their events fail, and nothing else does."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import aiohttp
import pytest

from hub.config.settings import load_settings
from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection
from hub.plugin_host import cooling
from hub.plugin_host.host import PluginHost
from hub.plugin_host.registry import PluginFault
from hub.processing.handed_out import LEASE_MS
from hub.processing.retries import ATTEMPTS
from hub.processing.worker import Worker
from hub.testing.clock import FakeClock
from tests.plugin_host.conftest import OpenHost
from tests.plugin_host.distributions import Distributions
from tests.polling import until
from tests.processing.harness import POLICY, Harness
from tests.served_hub import new_merchant, served_with_host


@pytest.fixture
async def harness(database_url: str) -> AsyncIterator[Harness]:
    """A worker over either database, whose plugins a test chooses."""
    opened = await Harness.open(database_url)
    yield opened
    await opened.close()


def hire(harness: Harness, host: PluginHost) -> None:
    harness.worker = Worker(harness.store, host, POLICY, harness.clock, batch=64)


async def webhook(harness: Harness, delivery: str, **body: Any) -> str:
    return (await harness.webhook("order-created", delivery, hostile=1, number=delivery, **body)).event_id


async def work_until_final(harness: Harness, event_id: str) -> dict[str, Any]:
    """Work on, the clock moved to what is due next, until an event is decided."""
    for _ in range(100):
        await harness.work()
        event = await harness.event(event_id)
        if event["status"] not in ("RECEIVED", "QUEUED"):
            return event
        harness.clock.advance(LEASE_MS)
        await asyncio.sleep(0.02)
    raise AssertionError("the event was never decided")


@pytest.mark.prove
async def test_a_body_that_kills_fails_after_its_attempts_and_says_why(
    harness: Harness, distributions: Distributions, open_host: OpenHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cooling, "FIRST_SECONDS", 0.01)
    monkeypatch.setattr(cooling, "LONGEST_SECONDS", 0.01)
    distributions.hostile("os._exit(3)")
    hire(harness, open_host())
    bad, good = await webhook(harness, "B-1", bad=True), await webhook(harness, "G-1")
    assert (await work_until_final(harness, good))["status"] == "PROCESSED"
    event = await work_until_final(harness, bad)
    assert (event["status"], event["attempts"]) == ("FAILED", ATTEMPTS)
    reason = event["explanation"]["skipReason"]
    said = "plugin_failed: the connector hostile (hub-hostile 1.0) failed in translate_webhook of order-created: "
    assert reason.startswith(f"{said}it ended the plugin host's process (exit status 3), at site/hub_hostile.py:")


def test_control_in_the_asking_process_it_would_end_the_hub(
    distributions: Distributions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it did: the process that translates is gone."""
    distributions.hostile("os._exit(3)")
    script = (
        "from hub.plugin_host.registry import load_plugins\n"
        "hostile = load_plugins().named('hostile')\n"
        "hostile.translate_webhook('order-created', {'bad': 1}, None)\n"
        "print('lives')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")


async def test_an_event_is_noted_before_a_plugin_sees_it(
    harness: Harness, distributions: Distributions, open_host: OpenHost
) -> None:
    """So a body that takes the whole machine down is tried a few times, and then never again."""
    distributions.hostile("pass")
    hire(harness, open_host())
    event_id = await webhook(harness, "B-1")
    for attempt in range(1, ATTEMPTS + 1):
        count, handed = await harness.worker.take()
        assert (count, len(handed)) == (1, 1)
        # Here the hub ends: nothing more is heard of what was given out.
        assert (await harness.event(event_id))["attempts"] == attempt
        assert await harness.worker.take() == (0, [])
        harness.clock.advance(LEASE_MS)
    event = await work_until_final(harness, event_id)
    assert event["status"] == "FAILED"
    assert event["explanation"]["skipReason"] == "internal: the hub ended 10 times while a plugin was reading this body"


async def test_an_event_that_somebody_else_took_up_is_left_to_them(
    harness: Harness, distributions: Distributions, open_host: OpenHost
) -> None:
    """A node that was paused past its lease decides nothing of what another has."""
    distributions.hostile("pass")
    hire(harness, open_host())
    event_id = await webhook(harness, "B-1")
    _, handed = await harness.worker.take()
    harness.clock.advance(LEASE_MS)
    _, taken = await harness.worker.take()
    await harness.worker._decide_handed(handed)
    assert await harness.conversion("B-1") is None
    await harness.worker._decide_handed(taken)
    assert (await harness.event(event_id))["status"] == "PROCESSED"


async def test_what_needs_no_plugin_does_not_wait_for_one(
    harness: Harness, distributions: Distributions, open_host: OpenHost
) -> None:
    """While a body hangs, a conversion of the REST API is decided."""
    distributions.hostile("time.sleep(600)")
    hire(harness, open_host(body_seconds=60))
    bad = await webhook(harness, "B-1", bad=True)
    await harness.worker.start()
    try:

        async def is_taken() -> bool:
            return bool((await harness.event(bad))["attempts"])

        await until(is_taken)
        await harness.order("O-1")
        harness.worker.wake()
        await until(partial(harness.conversion, "O-1"))
        assert (await harness.event(bad))["processed_at"] is None
    finally:
        await harness.worker._plugins.close()  # type: ignore[attr-defined]  # the host of this test
        await harness.worker.stop()


async def test_a_connection_whose_plugin_is_set_aside_is_503_with_the_reason(
    database_url: str, clock: FakeClock, distributions: Distributions
) -> None:
    """The hub is ready all the same, and says so; once the plugin is mended, deliveries are checked again."""
    distributions.hostile("pass")
    async with served_with_host(database_url, clock) as hub, aiohttp.ClientSession(hub.url) as session:
        plugins: Any = hub.parts.plugins
        admin = ConnectionAdmin(hub.parts.store, hub.parts.sealer, plugins, clock, hub.url)
        merchant_id = await new_merchant(hub, clock, approve=True)
        made = await create_connection(admin, NewConnection(merchant_id, "test", "hostile"))
        path = f"/connect/{made['id']}"

        async def ask() -> tuple[int, str]:
            async with session.post(path, data=b"{}") as answer:
                return answer.status, await answer.text()

        assert (await ask())[0] == 401
        async with session.post(path, data=b"hello") as answer:
            assert answer.status == 200
        distributions.write("hostile", "import no_such_library")
        await plugins.reload()
        status, text = await ask()
        assert status == 503
        assert "its plugin, hub-hostile 1.0, is set aside" in text
        async with session.get("/readyz") as answer:
            assert answer.status == 200
            assert (await answer.json())["notices"] == ["hub-hostile 1.0 is set aside; `hub plugin list` says why."]
        distributions.hostile("pass")
        await plugins.reload()
        assert (await ask())[0] == 401


async def test_a_strict_hub_does_not_start_with_a_broken_plugin(
    sqlite_url: str, clock: FakeClock, distributions: Distributions
) -> None:
    distributions.write("broken", "import no_such_library")
    with pytest.raises(PluginFault, match="hub-broken 1.0 cannot be imported"):
        async with served_with_host(sqlite_url, clock, HUB_PLUGINS_STRICT="true"):
            pass
    async with served_with_host(sqlite_url, clock, HUB_PLUGINS_STRICT="true", HUB_PLUGINS_OFF="broken"):
        pass


async def test_a_hub_without_connections_starts_no_process(sqlite_url: str, clock: FakeClock) -> None:
    """What needs no plugin pays for none."""
    async with served_with_host(sqlite_url, clock) as hub:
        await asyncio.sleep(0)
        assert hub.parts.plugins.known is None
    assert load_settings(None, {}).plugins.processes == 1
