"""Every answer to a proven caller tells where it stands, whatever the answer is; and what will go says so itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

import pytest
from attrs import evolve

from hub.app import Hub
from hub.domain.deprecations import Deprecation
from hub.merchant_api import routes
from hub.merchant_api.openapi.errors import METERED
from hub.merchant_api.openapi.operations import operation
from hub.merchant_api.v1 import ENDPOINTS
from hub.testing.clock import FakeClock
from hub.token_api.routes import APIS
from tests.served_hub import Api, Reply, api_of, served
from tests.token_api.callers import ADMIN, program, token

GOES = Deprecation(date(2027, 1, 31), "Ask /v1/conversions.", date(2028, 3, 1))


def nowhere(path: str) -> str:
    return re.sub(r"\{\w+\}", "none", path)


def told(reply: Reply) -> set[str]:
    return {name for name in METERED if name in reply.headers}


async def test_every_answer_of_v1(api: Api) -> None:
    """Of unknown ids, empty bodies, unknown parameters and what succeeds; a stranger's 401 tells nothing."""
    statuses = set()
    for endpoint in ENDPOINTS:
        body: object = {} if endpoint.writes else None
        reply = await api(endpoint.method, f"{nowhere(endpoint.path)}?unknown=1", body)
        if "uploads/" in endpoint.path and endpoint.writes:
            assert reply.status == 415, "a body's type is judged before it is read, and so before anything is proved"
            continue
        assert told(reply) == set(METERED), (endpoint.operation, reply.status)
        statuses.add(reply.status)
    assert {200, 400, 404} <= statuses
    stranger = await api("GET", "/v1/products", headers={"X-Signature": "0" * 64})
    assert (stranger.status, told(stranger)) == (401, set())


async def test_every_answer_to_a_token_whose_scope_does_not_reach(hub: Hub, clock: FakeClock, api: Api) -> None:
    weak = await token(hub, clock, "uploads:read", merchant=api.key.merchant_id, mode="test")
    async with program(hub, weak) as ask:
        for endpoint in ENDPOINTS:
            if endpoint.scopes == ("uploads:read",):
                continue
            csv = {"Content-Type": "text/csv"} if "uploads/" in endpoint.path else {}
            body = b"{}" if endpoint.writes else None
            reply = await ask(endpoint.method, f"/api{nowhere(endpoint.path)}", body, csv)
            assert (reply.status, told(reply)) == (403, set(METERED)), endpoint.operation


@pytest.mark.parametrize("root", APIS)
async def test_every_answer_of_the_token_apis(hub: Hub, clock: FakeClock, root: str) -> None:
    """The wrong kind of token everywhere, and the right one for what it may read."""
    async with program(hub, await token(hub, clock, "admin:read")) as ask:
        for act in APIS[root][1]:
            body = b"{}" if act.body else None
            reply = await ask(act.method, root + nowhere(act.path), body)
            assert told(reply) == set(METERED), (act.operation, reply.status)
            assert reply.status != 401


async def test_none_is_told_where_there_is_no_limit(sqlite_url: str, clock: FakeClock) -> None:
    """The control: the headers are those of a limit."""
    async with (
        served(sqlite_url, clock, HUB_LIMITS_PER_MINUTE="0", HUB_LIMITS_PER_HOUR="0") as hub,
        program(hub, await token(hub, clock, "admin:read")) as ask,
    ):
        reply = await ask("GET", f"{ADMIN}/merchants")
    assert (reply.status, told(reply)) == (200, set())


class TestWhatWillGo:
    def test_a_notice_is_at_least_a_year(self) -> None:
        with pytest.raises(ValueError, match="2028-01-30 is less than 365 days after 2027-01-31"):
            Deprecation(date(2027, 1, 31), "", date(2028, 1, 30))

    async def test_an_endpoint_says_so_in_answers_and_document(
        self, sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In refusals, too, but for the 401; the endpoint beside it says nothing."""
        rows = [evolve(e, deprecated=GOES) if e.operation == "getConversion" else e for e in ENDPOINTS]
        monkeypatch.setattr(routes, "ENDPOINTS", rows)
        async with served(sqlite_url, clock) as hub, api_of(hub, clock) as api:
            reply = await api("GET", "/v1/conversions/none")
            beside = await api("GET", "/v1/conversions")
            stranger = await api("GET", "/v1/conversions/none", headers={"X-Signature": "0" * 64})
        assert reply.status == 404
        assert said(reply.headers) == {
            "Deprecation": "@1801353600",
            "Sunset": "Wed, 01 Mar 2028 00:00:00 GMT",
            "Link": f'<{str(hub.url).rstrip("/")}/docs/api#deprecations>; rel="deprecation"; type="text/html"',
        }
        assert said(beside.headers) == said(stranger.headers) == {}
        (row,) = [each for each in rows if each.deprecated]
        described = operation(row)
        assert described["deprecated"] is True
        assert "may be gone from 2028-03-01. Ask /v1/conversions." in described["x-deprecation"]

    async def test_the_older_names_of_parameters_say_so_and_count(self, hub: Hub, clock: FakeClock) -> None:
        async with program(hub, await token(hub, clock, "admin:read")) as ask:
            older = await ask("GET", f"{ADMIN}/commissions?state=PAYABLE")
            today = await ask("GET", f"{ADMIN}/commissions?status=PAYABLE")
            both = await ask("GET", f"{ADMIN}/commissions?status=PAYABLE&state=PAID")
        assert older.json == today.json
        assert (both.status, both.json["message"]) == (400, ["`status` must be given once"])
        assert said(older.headers).keys() == {"Deprecation", "Link"}, "they stay, so there is no end"
        assert said(today.headers) == {}


def said(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: headers[name] for name in ("Deprecation", "Sunset", "Link") if name in headers}
