"""Campaigns: created as drafts, approved by an admin, activated, paused, expired by time, archived for good."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hub.app import Hub
from hub.merchant_api.openapi.schemas import input_example
from hub.operations.campaigns.campaigns import approve_campaign, reject_campaign
from hub.testing.clock import FakeClock
from hub.validation.inputs import CampaignInput
from tests.served_hub import Api
from tests.sqlite_first import on_both

FULL = {
    **input_example(CampaignInput),
    "title": "Spring",
    "description": "All shoes",
    "startDate": "2026-11-01T00:00:00.000Z",
    "endDate": "2026-12-01T00:00:00.000Z",
    "defaultCommissionType": "PERCENTAGE",
    "defaultCommissionValue": "8.5",
    "cookieDurationDays": 30,
    "allowedTrafficSources": ["blog", "email"],
    "termsAndConditions": "None",
    "approvalRequired": False,
}
"""A body with every field: the example of each that has no value here."""


async def create(api: Api, **fields: object) -> str:
    reply = await api("POST", "/v1/campaigns", {"title": "Spring", **fields})
    assert reply.status == 201, reply.raw
    created: str = reply.json["id"]
    return created


async def shown(api: Api, campaign_id: str) -> Any:
    return (await api("GET", f"/v1/campaigns/{campaign_id}")).json


async def act(api: Api, campaign_id: str, verb: str) -> tuple[int, str]:
    reply = await api("POST", f"/v1/campaigns/{campaign_id}/{verb}")
    return reply.status, reply.json["status"] if reply.status == 200 else reply.json["message"]


async def patch(api: Api, campaign_id: str, **fields: object) -> tuple[int, Any]:
    reply = await api("PATCH", f"/v1/campaigns/{campaign_id}", fields)
    return reply.status, reply.json if reply.status == 200 else reply.json["message"]


async def history(hub: Hub, campaign_id: str) -> list[tuple[int, str]]:
    async with hub.parts.store.read() as tx:
        row = await tx.all("campaigns_named", reference=campaign_id)
        keys = [(row[0]["account_id"], campaign_id)]
        return [(r["changed_at"], r["status"]) for r in await tx.all("load_campaign_changes", campaigns=keys)]


class TestCreateAndShow:
    async def test_a_new_campaign_is_a_draft_and_can_be_shown(self, either_api: Api) -> None:
        reply = await either_api("POST", "/v1/campaigns", FULL)
        assert reply.status == 201
        assert set(reply.json) == {"id", "campaignCode", "title", "status"}
        assert (reply.json["title"], reply.json["status"]) == ("Spring", "DRAFT")
        assert reply.json["id"].startswith("cmp_")
        assert reply.json["campaignCode"].startswith("CMP-")
        record = await shown(either_api, reply.json["id"])
        assert record == FULL | reply.json | {
            "approvalStatus": "NOT_REQUIRED",
            "createdAt": "2026-11-20T12:00:00.000Z",
            "updatedAt": "2026-11-20T12:00:00.000Z",
        }

    async def test_create_with_a_title_alone(self, either_api: Api) -> None:
        record = await shown(either_api, await create(either_api))
        left_out = set(FULL) - {"title", "approvalRequired"}
        assert {record[name] for name in left_out} == {None}
        assert record["approvalRequired"] is False

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"title": ""},
            {"title": None},
            {"title": "x" * 161},
            {"title": 5},
            {"title": "T", "cookieDurationDays": 366},
            {"title": "T", "cookieDurationDays": "30"},
            {"title": "T", "startDate": "2026-11-01"},
            {"title": "T", "startDate": "2026-11-02T00:00:00Z", "endDate": "2026-11-01T00:00:00Z"},
            {"title": "T", "defaultCommissionType": "FIXED"},
            {"title": "T", "allowedTrafficSources": "blog"},
            {"title": "T", "approvalRequired": "true"},
            {"title": "T", "defaultCommissionType": "PERCENTAGE", "defaultCommissionValue": "100.1"},
        ],
    )
    async def test_a_bad_body_is_a_400(self, api: Api, body: object) -> None:
        reply = await api("POST", "/v1/campaigns", body)
        assert (reply.status, isinstance(reply.json["message"], list)) == (400, True)
        assert (await api("GET", "/v1/campaigns")).json["total"] == 0

    async def test_an_unknown_campaign_is_a_404(self, api: Api) -> None:
        assert (await api("GET", "/v1/campaigns/nothing")).status == 404
        assert await patch(api, "nothing", title="T") == (404, "There is no such campaign.")
        assert await act(api, "nothing", "pause") == (404, "There is no such campaign.")
        assert await act(api, "nothing", "activate") == (404, "There is no such campaign.")


class TestList:
    async def test_pages_and_filters_by_the_effective_status(self, either_api: Api, clock: FakeClock) -> None:
        ids = [
            await create(either_api, title=f"C{n}", endDate="2026-11-20T12:00:10Z" if n == 1 else None)
            for n in range(3)
        ]
        await act(either_api, ids[1], "activate")
        await act(either_api, ids[2], "activate")

        async def listed(query: str) -> list[str]:
            return [each["title"] for each in (await either_api("GET", f"/v1/campaigns{query}")).json["data"]]

        assert await listed("") == ["C2", "C1", "C0"]
        assert await listed("?status=ACTIVE") == ["C2", "C1"]
        clock.advance(10_000)
        assert await listed("?status=ACTIVE") == ["C2"]
        assert await listed("?status=EXPIRED") == ["C1"]
        page = (await either_api("GET", "/v1/campaigns?page=2&pageSize=2")).json
        assert ([each["title"] for each in page["data"]], page["total"], page["pageSize"]) == (["C0"], 3, 2)

    @pytest.mark.parametrize("query", ["pageSize=201", "page=0", "status=LIVE"])
    async def test_a_bad_query_is_a_400(self, api: Api, query: str) -> None:
        assert (await api("GET", f"/v1/campaigns?{query}")).status == 400


class TestLife:
    async def test_a_campaign_can_be_activated_and_paused(
        self, either_api: Api, either_hub: Hub, clock: FakeClock
    ) -> None:
        campaign = await create(either_api)
        status, reason = await act(either_api, campaign, "pause")
        assert status == 400
        assert "ACTIVE" in reason
        for verb, after in (("activate", "ACTIVE"), ("activate", "ACTIVE"), ("pause", "PAUSED"), ("pause", "PAUSED")):
            clock.advance(1_000)
            assert await act(either_api, campaign, verb) == (200, after)
        start = clock() - 4_000
        assert await history(either_hub, campaign) == [
            (start, "DRAFT"), (start + 1_000, "ACTIVE"), (start + 3_000, "PAUSED"),
        ]  # fmt: skip

    async def test_an_approval_is_required_before_activation(
        self, either_api: Api, either_hub: Hub, clock: FakeClock
    ) -> None:
        store = either_hub.parts.store
        campaign = await create(either_api, approvalRequired=True)
        assert (await shown(either_api, campaign))["approvalStatus"] == "PENDING"
        assert (await act(either_api, campaign, "activate"))[0] == 400
        assert (await patch(either_api, campaign, status="ACTIVE"))[0] == 400
        assert (await patch(either_api, campaign, approvalRequired=False, status="ACTIVE"))[0] == 400, "no way round"
        await reject_campaign(store, clock, campaign)
        assert (await act(either_api, campaign, "activate"))[0] == 400
        await approve_campaign(store, clock, campaign)
        assert await act(either_api, campaign, "activate") == (200, "ACTIVE")
        assert (await shown(either_api, campaign))["approvalStatus"] == "APPROVED"

    async def test_a_campaign_that_comes_to_need_approval_is_paused(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        campaign = await create(api)
        await act(api, campaign, "activate")
        status, record = await patch(api, campaign, approvalRequired=True)
        assert (status, record["status"], record["approvalStatus"]) == (200, "PAUSED", "PENDING")
        await approve_campaign(hub.parts.store, clock, campaign)
        status, record = await patch(api, campaign, approvalRequired=False)
        assert (status, record["approvalRequired"], record["approvalStatus"]) == (200, False, "NOT_REQUIRED")

    async def test_expiry_comes_with_time_and_can_be_put_off(self, api: Api, clock: FakeClock) -> None:
        campaign = await create(api, endDate="2026-11-20T12:00:10Z")
        await act(api, campaign, "activate")
        clock.advance(10_000)
        assert (await shown(api, campaign))["status"] == "EXPIRED"
        assert (await act(api, campaign, "activate"))[0] == 400
        assert (await act(api, campaign, "pause"))[0] == 400
        status, record = await patch(api, campaign, endDate="2026-12-01T00:00:00Z")
        assert (status, record["status"]) == (200, "ACTIVE")

    @pytest.mark.parametrize("status", ["EXPIRED", "LIVE", None, "active"])
    async def test_some_statuses_cannot_be_set(self, api: Api, status: str | None) -> None:
        assert (await patch(api, await create(api), status=status))[0] == 400

    async def test_archived_is_final(self, either_api: Api) -> None:
        campaign = await create(either_api)
        assert (await patch(either_api, campaign, status="ARCHIVED"))[1]["status"] == "ARCHIVED"
        assert (await patch(either_api, campaign, status="ARCHIVED"))[0] == 200
        for status in ("DRAFT", "ACTIVE", "PAUSED"):
            assert (await patch(either_api, campaign, status=status))[0] == 400
        assert (await act(either_api, campaign, "activate"))[0] == 400
        assert (await act(either_api, campaign, "pause"))[0] == 400

    async def test_patch_takes_the_same_transitions(self, api: Api, hub: Hub) -> None:
        campaign = await create(api)
        assert (await patch(api, campaign, status="PAUSED"))[0] == 400
        assert (await patch(api, campaign, status="ACTIVE", title="New"))[1]["title"] == "New"
        assert (await patch(api, campaign, status="DRAFT"))[0] == 400
        assert (await patch(api, campaign, status="PAUSED"))[1]["status"] == "PAUSED"
        assert [status for _, status in await history(hub, campaign)] == ["DRAFT", "ACTIVE", "PAUSED"]

    async def test_patch_changes_what_is_given(self, either_api: Api, clock: FakeClock) -> None:
        reply = await either_api("POST", "/v1/campaigns", FULL)
        clock.advance(1_000)
        status, record = await patch(
            either_api, reply.json["id"], title="Summer", endDate=None, allowedTrafficSources=[]
        )
        assert status == 200
        assert record == FULL | reply.json | {
            "title": "Summer",
            "endDate": None,
            "allowedTrafficSources": [],
            "approvalStatus": "NOT_REQUIRED",
            "createdAt": "2026-11-20T12:00:00.000Z",
            "updatedAt": "2026-11-20T12:00:01.000Z",
        }

    async def test_one_date_is_held_against_the_stored_other(self, api: Api) -> None:
        campaign = await create(api, startDate="2026-11-10T00:00:00Z", endDate="2026-11-30T00:00:00Z")
        assert await patch(api, campaign, endDate="2026-11-05T00:00:00Z") == (
            400,
            ["`endDate` must be after startDate"],
        )
        assert (await patch(api, campaign, startDate="2026-12-05T00:00:00Z"))[0] == 400

    @on_both("either_hub")
    async def test_changes_at_once_lose_nothing(self, either_api: Api, either_hub: Hub, clock: FakeClock) -> None:
        """An approval among them: a change that read before it must not undo it."""
        campaign = await create(either_api, approvalRequired=True)
        await asyncio.gather(
            *(patch(either_api, campaign, description=f"D{n}") for n in range(5)),
            approve_campaign(either_hub.parts.store, clock, campaign),
            *(patch(either_api, campaign, termsAndConditions=f"T{n}") for n in range(5)),
        )
        record = await shown(either_api, campaign)
        assert record["approvalStatus"] == "APPROVED"
        assert None not in (record["description"], record["termsAndConditions"])
