"""Two nodes behind a proxy are restarted one after the other under load: no client sees it.

The proxy is Caddy, which asks each node's /readyz. The control are nodes that do not drain: the proxy learns of their
end from requests that fail.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import aiohttp
import pytest
from attrs import define

from hub.clock import system_clock
from hub.config.settings import load_settings
from hub.operations.merchants.keys import issue_key
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.sealing import load_sealer
from hub.storage import Store
from hub.testing.postgres import free_port
from tests.polling import until
from tests.served_hub import MASTER_KEY, Api, ApiKey

pytestmark = pytest.mark.prove
SENDERS = 4

CADDY = shutil.which("caddy")


async def gets_orders(node: Node) -> bool:
    """Whether the proxy sends the node orders, which counts from zero since its start."""
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{node.port}/metrics") as reply:
        return 'hub_requests_total{route="POST /v1/conversions"' in await reply.text()


@define
class Node:
    """A hub on a port that it keeps over restarts."""

    url: str
    port: int
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        environment = {
            **os.environ, "HUB_DATABASE_URL": self.url, "HUB_MASTER_KEY": MASTER_KEY, "HUB_SERVER_DRAIN": "3s",
            "HUB_LIMITS_PER_MINUTE": "0", "HUB_LIMITS_PER_HOUR": "0",
        }  # fmt: skip
        command = [sys.executable, "-m", "hub", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        assert re.match("listening on", self.process.stdout.readline())

    def stop(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=300) == 0
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def proxied(nodes: list[Node], folder: Path) -> Iterator[str]:
    port = free_port()
    upstreams = " ".join(f"127.0.0.1:{node.port}" for node in nodes)
    # An order that is sent twice counts once, so that the proxy may try any of them again.
    (folder / "Caddyfile").write_text(f"""{{
    admin off
    auto_https off
}}
http://127.0.0.1:{port} {{
    reverse_proxy {upstreams} {{
        lb_policy round_robin
        health_uri /readyz
        health_interval 500ms
        lb_try_duration 30s
        lb_retry_match {{
            method POST
        }}
    }}
}}
""")
    command = [CADDY or "", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    home = {**os.environ, "HOME": str(folder)}
    with subprocess.Popen(command, env=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


async def key_of(url: str) -> ApiKey:
    settings = load_settings(None, {"HUB_DATABASE_URL": url, "HUB_MASTER_KEY": MASTER_KEY})
    async with await Store.open(url) as store:
        wanted = NewMerchant("Shop", "ann@shop.example", ["shop.example"], approve=True)
        merchant = (await create_merchant(store, system_clock, wanted)).id
        made = await issue_key(store, load_sealer(settings), system_clock, merchant_id=merchant, mode="test")
    return ApiKey(made.key_id, made.signing_secret, merchant)


@pytest.mark.skipif(CADDY is None, reason="caddy is not installed: a rolling restart behind a proxy was not tried")
async def test_no_client_sees_a_rolling_restart(postgres_url: str, tmp_path: Path) -> None:
    key, statuses, stop = await key_of(postgres_url), Counter[int | str](), asyncio.Event()
    nodes = [Node(postgres_url, free_port()) for _ in range(2)]
    await asyncio.gather(*(asyncio.to_thread(node.start) for node in nodes))
    with proxied(nodes, tmp_path) as address:
        await _restart_under_load(nodes, address, key, statuses, stop)
    for node in nodes:
        await asyncio.to_thread(node.stop)
    print(f"a rolling restart under load: {dict(statuses)}")
    assert set(statuses) == {202}


async def _restart_under_load(
    nodes: list[Node], address: str, key: ApiKey, statuses: Counter[int | str], stop: asyncio.Event
) -> None:
    async with aiohttp.ClientSession(address) as session:

        async def answers() -> bool:
            try:
                async with session.get("/readyz") as reply:
                    return reply.status == 200
            except aiohttp.ClientError:
                return False

        await until(answers)
        api = Api(session, key, system_clock)  # type: ignore[arg-type]  # the machine's clock does as well

        async def send(sender: int) -> None:
            number = 0
            while not stop.is_set():
                number += 1
                order = {"externalOrderId": f"{sender}-{number}", "orderAmount": "1"}
                try:
                    reply = await api("POST", "/v1/conversions", order)
                    statuses[reply.status] += 1
                    if reply.status != 202:
                        print(reply.status, dict(reply.headers), reply.raw[:200])
                except aiohttp.ClientError as fault:
                    statuses[type(fault).__name__] += 1

        senders = [asyncio.create_task(send(number)) for number in range(SENDERS)]
        for node in nodes:
            await until(lambda: statuses[202] > 100)
            await asyncio.to_thread(node.stop)
            await asyncio.to_thread(node.start)
            await until(partial(gets_orders, node))  # the proxy has noticed that it is back
        stop.set()
        await asyncio.gather(*senders)
