"""A key that is revoked is taken nowhere once the command has ended."""

from __future__ import annotations

from typing import Any

import pytest

from hub.app import Hub
from hub.operations.merchants.keys import revoke_key
from hub.testing.clock import FakeClock
from hub.ttl_cache import STALE_MS
from tests.cli.conftest import Operator
from tests.cli.test_serve import request, serving
from tests.merchant_api.test_stuck_store import order
from tests.polling import until_blocking
from tests.served_hub import Api


def issued(operator: Operator) -> tuple[str, Any]:
    """A merchant and its key."""
    merchant = operator.merchant("--approve")
    return merchant, operator.do("key", "create", "--merchant", merchant, "--mode", "test")


@pytest.mark.prove
def test_a_serving_process_refuses_it_from_then_on(operator: Operator) -> None:
    merchant, key = issued(operator)
    with serving(operator.url) as (_, base_url):
        assert request(operator, base_url, key, "GET", "/v1/campaigns")["status"] == 200
        operator.do("key", "revoke", key["keyId"])
        assert request(operator, base_url, key, "GET", "/v1/products")["status"] == 401
        (refused,) = until_logged(operator, merchant)
    assert refused["errorCode"] == "key_revoked"


async def test_control_a_process_remembers_a_key_for_a_moment(hub: Hub, api: Api, clock: FakeClock) -> None:
    assert (await order(api, 1)).status == 202
    await revoke_key(hub.parts.store, clock, api.key.key_id)
    assert (await order(api, 2)).status == 202
    clock.advance(STALE_MS)
    assert (await order(api, 3)).status == 401


def test_without_a_serving_process_nothing_is_waited_for(operator: Operator) -> None:
    _, key = issued(operator)
    assert operator.do("key", "revoke", key["keyId"])["revokedAt"]


def until_logged(operator: Operator, merchant: str) -> list[Any]:
    found: list[Any] = until_blocking(lambda: operator.do("log", "--merchant", merchant, "--errors"))
    return found
