"""The clients with tokens, against a real hub: MERCHANT_TOKEN, OPERATOR_TOKEN and AFFILIATE_TOKEN."""

from __future__ import annotations

import asyncio
import os
import uuid

import pytest

from affiliate_hub_client import Hub, HubError, MissingSetting, NotAuthenticated, NotFound, operators_models
from affiliate_hub_client.affiliates import AffiliatesHub, AsyncAffiliatesHub
from affiliate_hub_client.operators import AsyncOperatorsHub, OperatorsHub


def test_a_merchants_token_takes_the_place_of_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its scopes bound it; a program that has both signs."""
    with Hub(os.environ["HUB_BASE_URL"], token=os.environ["MERCHANT_TOKEN"]) as hub:
        accepted = hub.report_conversion({"externalOrderId": f"py-{uuid.uuid4()}", "orderAmount": "49.90"})
        assert hub.get_event(accepted["eventId"])["eventId"] == accepted["eventId"]
        with pytest.raises(HubError, match="products:write"):
            hub.archive_products({"productIds": ["SKU-1"]})
    monkeypatch.setenv("HUB_TOKEN", "tok_wrong")
    with Hub.from_environment() as signing:
        signing.list_products()
    monkeypatch.delenv("HUB_KEY")
    with Hub.from_environment() as bearing, pytest.raises(NotAuthenticated):
        bearing.list_products()


def test_operators_act_and_follow_what_changes() -> None:
    token = os.environ["OPERATOR_TOKEN"]
    with OperatorsHub(os.environ["HUB_BASE_URL"], token) as hub:
        wanted: operators_models.CreateAffiliateBody = {"name": "Py", "email": f"py-{uuid.uuid4()}@blog.example"}
        key = str(uuid.uuid4())
        made = hub.create_affiliate(wanted, idempotency_key=key)
        assert hub.create_affiliate(wanted, idempotency_key=key) == made, "said again, done once"
        assert made["id"] in {each["id"] for each in hub.iterate_affiliates(limit=1)}
        *_, last = hub.follow_changes(wait=0)
        assert last["more"] is False
        with pytest.raises(NotFound):
            hub.get_affiliate("aff_none")


def test_affiliates_read_what_is_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUB_TOKEN", os.environ["AFFILIATE_TOKEN"])
    with AffiliatesHub.from_environment() as hub:
        assert hub.get_affiliate()["id"].startswith("aff_")
        assert list(hub.iterate_commissions()) == []
        (part,) = hub.follow_changes(wait=0)
        assert part["more"] is False
    with pytest.raises(MissingSetting, match="Set token"):
        AffiliatesHub("https://hub.example/api", "")


def test_operators_and_affiliates_may_await() -> None:
    async def calls() -> None:
        base = os.environ["HUB_BASE_URL"]
        async with AsyncOperatorsHub(base, os.environ["OPERATOR_TOKEN"]) as hub:
            assert [part["more"] async for part in hub.follow_changes(wait=0)][-1] is False
        async with AsyncAffiliatesHub(base, os.environ["AFFILIATE_TOKEN"]) as own:
            assert (await own.get_affiliate())["id"].startswith("aff_")

    asyncio.run(calls())
