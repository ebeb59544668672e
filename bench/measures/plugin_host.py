"""What it costs that plugins run in a process of their own: batches of v1 webhooks, read there and in this process."""

from __future__ import annotations

import asyncio
import json
from time import perf_counter

from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.workbench import Workbench
from hub.plugin_host.host import plugin_host
from hub.plugin_host.limits import Limits
from hub.plugin_host.registry import load_registry
from hub.plugin_host.translation import Job, Plugins
from hub.testing.in_process_plugins import InProcessPlugins

BATCH = 64
BATCHES = 100


def _here(_: Workbench) -> Figures:
    return asyncio.run(_measure(InProcessPlugins(load_registry())))


def _in_the_host(_: Workbench) -> Figures:
    async def measure() -> Figures:
        host = plugin_host(Limits(), check_seconds=0.0)
        try:
            began = perf_counter()
            await host.catalog()
            started = perf_counter() - began
            return {**await _measure(host), "startMs": started * 1e3}
        finally:
            await host.close()

    return asyncio.run(measure())


async def _measure(plugins: Plugins) -> Figures:
    jobs = [_job(number) for number in range(BATCH)]
    await plugins.translate(jobs)
    began = perf_counter()
    for _ in range(BATCHES):
        found = await plugins.translate(jobs)
        if not all(each.facts for each in found):
            raise SystemExit("A webhook of the bench was not read.")
    seconds = perf_counter() - began
    return {"perSecond": BATCH * BATCHES / seconds, "batchMs": seconds / BATCHES * 1e3}


def _job(number: int) -> Job:
    body = {"external_order_id": f"O-{number}", "order_amount": "49.90", "note": "x" * 1_000}
    return Job(
        json.dumps(body).encode(), None, "order-created", None, f"d-{number}", 1_795_176_000_000, "USD", live=False
    )


HERE = Side("webhooks read in the asking process", _here)
HOST = Side("webhooks read by the plugin host", _in_the_host)

MEASURE = Measure(
    "plugin-host",
    "v1 webhooks read by hub-generic in batches of 64, in the asking process and by the plugin host",
    (HERE, HOST),
    (Requirement("read by the plugin host / in the asking process", Value(HOST, of=HERE)),),
    standard=False,
)
