"""`hub listen` as a process of its own: webhooks of a test account at a receiver that no hub could ask."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from hub.app import Hub
from hub.clock import system_clock
from hub.domain.messages.notifications import EVENT_TYPES
from hub.testing.clock import FakeClock
from tests.forked import Forked, run_hub
from tests.notifications.receiver import Receiver, receiving
from tests.polling import until
from tests.served_hub import Api, api_of
from tests.shared_hub import clock, clock_of_the_file, file_of_the_hub, hub

__all__ = ["clock", "clock_of_the_file", "file_of_the_hub", "hub"]


SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture
async def api(hub: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    """A merchant of its own, by the machine's clock: the command signs with that."""
    clock.advance(system_clock() - clock())
    async with api_of(hub, clock) as api:
        yield api


def environment(hub: Hub, api: Api) -> Mapping[str, str]:
    given = {"HUB_BASE_URL": f"{hub.url}/api", "HUB_KEY": api.key.key_id, "HUB_SECRET": api.key.secret}
    return {**os.environ, **given}


async def lines(process: Forked, number: int) -> list[str]:
    return [await asyncio.to_thread(process.stdout.readline) for _ in range(number)]


async def triggered(hub: Hub, api: Api, event_type: str) -> tuple[int, str, str]:
    return await asyncio.to_thread(run_hub, ["trigger", event_type], environment(hub, api))


async def has(receiver: Receiver, messages: int) -> bool:
    return len(receiver.requests) >= messages


def listening(hub: Hub, api: Api, receiver: Receiver, *more: str) -> Forked:
    return Forked(["listen", "--forward-to", receiver.url, *more], environment(hub, api))


async def test_messages_arrive_signed_with_each_answer_shown_and_nothing_is_left_behind(hub: Hub, api: Api) -> None:
    async with receiving() as receiver:
        with listening(hub, api, receiver, "--events", "commission.*,conversion.review") as process:
            greeting = await lines(process, 2)
            secret = greeting[1].rpartition(" ")[2].strip()
            order = {"externalOrderId": "L-1", "orderAmount": "20.00"}
            assert (await api("POST", "/v1/conversions", order)).status == 202
            await until(partial(has, receiver, 1))
            shown = await lines(process, 2)
            assert (receiver.types, "conversion.review" in shown[0], "-> 200" in shown[0]) == (
                ["conversion.review"], True, True,
            )  # fmt: skip
            assert shown[1].strip() == "noted"
            receiver.answer = 500
            status, said, _ = await triggered(hub, api, "commission.payable")
            assert (status, "is on its way to a listener" in said) == (0, True)
            await until(partial(has, receiver, 2))
            assert "commission.payable" in (await lines(process, 2))[0]
            for headers, body, _ in receiver.requests:
                moment = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
                signed = Webhook(secret).sign(headers["webhook-id"], moment, body.decode())
                assert headers["webhook-signature"] == signed
            assert len(await of_account(hub, api)) == 1
            process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(process.wait, 10) == 0
    assert await of_account(hub, api) == []
    status, _, fault = await triggered(hub, api, "commission.payable")
    assert (status, "Nobody listens to commission.payable here" in fault) == (1, True)


async def test_what_a_killed_listener_left_is_replaced_and_its_receiver_may_be_away(hub: Hub, api: Api) -> None:
    """The message under the old listener is the control: it does not come to the new one."""
    async with receiving() as receiver:
        with listening(hub, api, receiver) as killed:
            await lines(killed, 2)
            (old,) = await of_account(hub, api)
            killed.kill()
        assert await of_account(hub, api) == [old]
        await triggered(hub, api, "commission.paid")
        with listening(hub, api, receiver, "--json", "--webhook-secret", SECRET) as process:
            await until(partial(replaced, hub, api, old))
            for event_type in ("deposit.short", "payout.released"):
                await triggered(hub, api, event_type)
            told = [json.loads(line) for line in await lines(process, 2)]
            assert [each["status"] for each in told] == [200, 200]
            assert receiver.types == ["deposit.short", "payout.released"]
            headers, body, _ = receiver.requests[0]
            moment = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
            judge = Webhook(SECRET)
            assert headers["webhook-signature"] == judge.sign(headers["webhook-id"], moment, body.decode())
            process.send_signal(signal.SIGINT)
            assert await asyncio.to_thread(process.wait, 10) == 0


async def test_every_kind_can_be_triggered(hub: Hub, api: Api) -> None:
    async with receiving() as receiver:
        with listening(hub, api, receiver, "--json") as process:
            await until(partial(listened, hub, api))
            for each in EVENT_TYPES:
                reply = await api("POST", f"/v1/subscriptions/{(await of_account(hub, api))[0]}/test", {"type": each})
                assert reply.status == 202
            told = [json.loads(line)["type"] for line in await lines(process, len(EVENT_TYPES))]
            process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(process.wait, 10)
        assert told == receiver.types == list(EVENT_TYPES), "each once, in their order"


@pytest.mark.parametrize(
    ("given", "key", "words"),
    [
        (["--forward-to", "localhost:3000"], None, "is not an http or https URL"),
        (["--forward-to", "http://localhost:1/", "--events", "commission.none"], None, "There is no event"),
        (["--forward-to", "http://localhost:1/"], "ak_live_1", "This is for test accounts"),
        (["--forward-to", "http://localhost:1/"], "ak_test_1", "does not know this key"),
        (["--forward-to", "http://localhost:1/", "--webhook-secret", "secret"], None, "cannot be used"),
    ],
)
async def test_what_cannot_be_listened_to_is_refused(
    hub: Hub, api: Api, given: list[str], key: str | None, words: str
) -> None:
    known = {**environment(hub, api), **({"HUB_KEY": key} if key else {})}
    status, _, fault = await asyncio.to_thread(run_hub, ["listen", *given], known)
    assert (status, words in fault) == (1, True), fault
    assert await of_account(hub, api) == []


async def of_account(hub: Hub, api: Api) -> list[str]:
    listed: Any = (await api("GET", "/v1/subscriptions")).json
    return [each["id"] for each in listed["data"]]


async def listened(hub: Hub, api: Api) -> bool:
    return bool(await of_account(hub, api))


async def replaced(hub: Hub, api: Api, old: str) -> bool:
    return await of_account(hub, api) not in ([], [old])
