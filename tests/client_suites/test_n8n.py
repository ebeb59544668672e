"""The n8n nodes against a real hub, by a merchant's token: subscribe, hear, try, unsubscribe, report, look up.

`n8n_host.mjs` stands for n8n itself, which is not run here: it loads the package as n8n does and calls the nodes.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from attrs import frozen

from clients.generator.__main__ import CLIENTS
from hub.app import Hub
from hub.clock import system_clock
from hub.domain.messages.notifications import EVENT_TYPES
from hub.operations.users.api_tokens import NewToken, create_token
from hub.testing.clock import FakeClock
from tests.polling import until
from tests.served_hub import Api, api_of, served

HOST = Path(__file__).with_name("n8n_host.mjs")


@frozen
class Workflow:
    """A workflow with the nodes, in a process of Node."""

    process: asyncio.subprocess.Process

    async def __call__(self, command: str, given: Any = None) -> Any:
        """Ask for something; raise `RuntimeError` with what a node throws."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([command, given]).encode() + b"\n")
        line = await asyncio.wait_for(self.process.stdout.readline(), 30)
        answer = json.loads(line)
        if "fault" in answer:
            raise RuntimeError(answer["fault"])
        return answer["answer"]


@asynccontextmanager
async def workflow() -> AsyncIterator[Workflow]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("the n8n nodes were not tried: node is not installed")
    process = await asyncio.create_subprocess_exec(
        node, str(HOST), str(CLIENTS / "n8n"), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield Workflow(process)
    finally:
        await process.communicate(b"")  # ends its input, and with that the process


@asynccontextmanager
async def connected(sqlite_url: str, clock: FakeClock, *scopes: str) -> AsyncIterator[tuple[Hub, Api, Workflow]]:
    """A hub that may ask this machine, a merchant's client, and a workflow with its token."""
    clock.advance(system_clock() - clock())
    async with served(sqlite_url, clock, HUB_OUTBOUND_ALLOWED_NETWORKS="127.0.0.0/8") as hub, api_of(hub, clock) as api:
        made = await create_token(hub.parts.store, clock, NewToken("n8n", scopes, merchant=api.key.merchant_id))
        async with workflow() as flow:
            await flow("settings", {"baseUrl": f"{hub.url}/api/", "token": made.token})
            yield hub, api, flow


@pytest.mark.prove
async def test_a_workflow_hears_of_changes_while_it_is_active(sqlite_url: str, clock: FakeClock) -> None:
    """Subscribed, told, and unsubscribed; what the hub did not sign starts nothing."""
    async with connected(sqlite_url, clock, "webhooks:write") as (_, api, flow):
        names = await flow("names")
        assert (names["nodes"], names["credential"]) == (["affiliateHub", "affiliateHubTrigger"], "affiliateHubApi")
        assert [each["value"] for each in await flow("options")] == list(EVENT_TYPES)
        await flow("parameters", {"events": ["conversion.review", "commission.*"], "samples": False})
        assert await flow("hook", "checkExists") is False
        assert await flow("hook", "create") is True
        assert await flow("hook", "checkExists") is True
        (made,) = (await api("GET", "/v1/subscriptions")).json["data"]
        assert (made["url"], made["events"]) == (names["url"], ["conversion.review", "commission.*"])
        assert (await api("POST", f"/v1/subscriptions/{made['id']}/test", {"type": "commission.paid"})).status == 202
        await api("POST", "/v1/conversions", {"externalOrderId": "N-1", "orderAmount": "20.00"})

        async def told() -> Any:
            return await flow("started")

        (message,) = await until(told)
        assert (message["type"], message["data"]["externalOrderId"]) == ("conversion.review", "N-1")
        assert message["id"].startswith("msg_")
        async with aiohttp.ClientSession() as stranger, stranger.post(names["url"], json=message) as refused:
            assert refused.status == 401
        assert len(await flow("started")) == 1, "neither the test message nor the stranger's started anything"
        await flow("parameters", {"events": [], "samples": True})
        await api("POST", f"/v1/subscriptions/{made['id']}/test", {"type": "commission.held"})

        async def tried() -> bool:
            return len(await flow("started")) == 2

        await until(tried)
        assert await flow("hook", "delete") is True
        assert await flow("hook", "checkExists") is False
        assert await flow("hook", "delete") is True
        assert (await api("GET", "/v1/subscriptions")).json["data"] == []


async def test_a_workflow_reports_orders_and_looks_them_up(sqlite_url: str, clock: FakeClock) -> None:
    async with connected(sqlite_url, clock, "orders:write") as (_, _, flow):
        order = {
            "operation": "reportOrder",
            "externalOrderId": "N-2",
            "orderAmount": "20.00",
            "more": '{"currency": "USD"}',
        }
        await flow("parameters", order)
        (accepted,) = await flow("run")
        assert accepted["status"] == "RECEIVED"
        await flow("parameters", {**order, "operation": "lookUp"})

        async def found() -> Any:
            (seen,) = await flow("run")
            return seen if seen.get("found") is not False else None

        assert (await until(found))["externalOrderId"] == "N-2"
        await flow("parameters", {**order, "operation": "reportStatus", "status": "delivered", "more": {}})
        assert (await flow("run"))[0]["status"] == "RECEIVED"
        await flow("parameters", {"operation": "lookUp", "externalOrderId": "N-none"})
        assert await flow("run") == [{"externalOrderId": "N-none", "found": False}]
        with pytest.raises(RuntimeError, match="insufficient_scope"):
            await flow("hook", "create")


def test_the_package_is_what_n8n_installs() -> None:
    manifest = json.loads((CLIENTS / "n8n/package.json").read_text("utf-8"))
    assert "n8n-community-node-package" in manifest["keywords"]
    assert "dependencies" not in manifest
    for name in (*manifest["n8n"]["nodes"], *manifest["n8n"]["credentials"]):
        assert (CLIENTS / "n8n" / name).exists()
    python = (CLIENTS / "python/affiliate_hub_client/version.py").read_text("utf-8")
    assert f'"{manifest["version"]}"' in python, "it has the clients' version"
