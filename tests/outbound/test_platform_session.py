"""Asking a platform over the network: logins, patience, limits and budgets, against a real web server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from aiohttp import encode_basic_auth, web
from attrs import evolve

from hub.domain.connectors.request_calls import Call, RateLimit
from hub.domain.connectors.request_logins import BasicLogin, TokenGrant, TokenHeader
from hub.domain.connectors.requests import LinkHeader, Listing, Requests
from hub.outbound import platform_session
from hub.outbound.pacing import Bucket, Pacer
from hub.outbound.platform_client import PlatformClient, PlatformFault
from hub.outbound.platform_session import Budget, PlatformSession
from hub.outbound.platform_tokens import Fetch, renew_unkept
from tests.acme_requests import ACME_REQUESTS
from tests.outbound.stand_in import LOCAL, Handler, serving

SINCE = 1_772_359_200_000
ORDERS = Listing(Call("/orders?since={since}&page={page}"), "order", items="orders", page_size=2)
DECLARED = evolve(ACME_REQUESTS, orders=ORDERS)


async def read(
    handler: Handler, declared: Requests = DECLARED, *, allowed: Any = LOCAL, budget: Budget | None = None,
    values: Mapping[str, str] = {"key": "k", "secret": "s"},
) -> tuple[list[Any], list[float]]:  # fmt: skip
    """Return the orders of all pages, and the pauses that were made."""
    pauses: list[float] = []

    async def rest(seconds: float) -> None:
        pauses.append(round(seconds))

    async with serving(handler) as address:
        given = {"site": address, **values}
        async with PlatformSession(declared, given, allowed, budget or Budget(), rest=rest) as session:
            client = PlatformClient(declared, session.ask, given)
            assert declared.orders is not None
            pages = [page async for page in client.pages(declared.orders, SINCE)]
    return [order["id"] for page in pages for order in page.items], pauses


async def test_pages_follow_with_the_login() -> None:
    asked = []

    async def handler(request: web.Request) -> web.Response:
        asked.append((dict(request.query), request.headers["Authorization"]))
        page = int(request.query["page"])
        return web.json_response({"orders": [{"id": page * 10 + each} for each in range(2 if page < 3 else 1)]})

    assert await read(handler) == ([10, 11, 20, 21, 30], [])
    assert asked[0] == ({"since": "2026-03-01T10:00:00", "page": "1"}, "Basic azpz")


async def test_an_empty_answer_is_the_last_page() -> None:
    async def handler(request: web.Request) -> web.Response:
        if request.query["page"] == "2":
            return web.Response(status=204)
        return web.json_response({"orders": [{"id": 1}, {"id": 2}]})

    assert await read(handler) == ([1, 2], [])


@pytest.mark.parametrize(
    ("status", "headers", "pauses"),
    [(429, {"Retry-After": "7"}, [7, 7]), (429, {"Retry-After": "9999"}, [60, 60]), (503, {}, [1, 2])],
)
async def test_a_busy_or_broken_shop_is_asked_again(status: int, headers: dict[str, str], pauses: list[float]) -> None:
    """As long after as it asks for, within bounds."""
    answers = 0

    async def handler(_: web.Request) -> web.Response:
        nonlocal answers
        answers += 1
        if answers < 3:
            return web.Response(status=status, headers=headers)
        return web.json_response({"orders": [{"id": 1}]})

    assert await read(handler) == ([1], pauses)


async def broken(_: web.Request) -> web.Response:
    return web.Response(status=500)


async def unknown_key(_: web.Request) -> web.Response:
    return web.Response(status=401)


async def moved(_: web.Request) -> web.Response:
    return web.Response(status=301, headers={"Location": "/elsewhere"})


async def a_page(_: web.Request) -> web.Response:
    return web.Response(text="<html>")


async def numbers(_: web.Request) -> web.Response:
    return web.json_response([1, 2])


async def nothing_there(_: web.Request) -> web.Response:
    return web.Response(status=404)


async def always_another(_: web.Request) -> web.Response:
    return web.json_response({"orders": [{"id": 1}, {"id": 2}]})


async def endless(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse()
    await answer.prepare(request)
    for _ in range(10_000):
        await answer.write(b" " * 4_096)
    return answer


@pytest.mark.parametrize(
    ("handler", "said", "code"),
    [
        (broken, "answers 500, 5 times", "unreachable"),
        (unknown_key, "refuses the credentials", "refused"),
        (nothing_there, "answers 404", "missing"),
        (moved, "answers 301", "answer"),
        (a_page, "not JSON", "answer"),
        (numbers, "no list of objects at orders", "answer"),
        (endless, "longer than", "answer"),
        (always_another, "100 requests", "budget"),
    ],
)
async def test_what_is_not_a_list_ends_with_a_sentence(
    handler: Handler, said: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform_session, "MOST_BYTES", 1024 * 1024)
    with pytest.raises(PlatformFault, match=said) as raised:
        await read(handler, budget=Budget(requests=100))
    assert raised.value.code == code


async def test_a_slow_answer_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's handler is cancelled when the client goes away, so the test waits for nothing."""
    monkeypatch.setattr(platform_session, "ANSWER_SECONDS", 0.05)
    monkeypatch.setattr(platform_session, "ATTEMPTS", 2)

    async def slow(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        while True:
            await answer.write(b" ")
            await asyncio.sleep(0.01)

    with pytest.raises(PlatformFault, match="took longer"):
        await read(slow)


async def test_bytes_and_seconds_have_a_budget() -> None:
    with pytest.raises(PlatformFault, match="bytes were read"):
        await read(always_another, budget=Budget(bytes=1_000))
    with pytest.raises(PlatformFault, match="longer than 3 seconds"):
        await read(broken, budget=Budget(seconds=3))


async def test_a_shop_that_cannot_be_reached_is_named_so() -> None:
    async with serving(broken) as address:
        pass
    with pytest.raises(PlatformFault, match="cannot be reached"):
        await read(broken, evolve(DECLARED, root=f"{address}/api"))


async def test_an_address_that_is_not_public_is_not_asked() -> None:
    """The control of all the others: without the allowed network the guard refuses the same server."""
    with pytest.raises(PlatformFault, match="not a public address"):
        await read(always_another, allowed=())


async def test_a_full_bucket_of_the_platform_is_left_to_run_out() -> None:
    declared = evolve(DECLARED, rate=RateLimit(2, 40, used_header="X-Calls"), orders=evolve(ORDERS, pages=LinkHeader()))

    async def handler(_: web.Request) -> web.Response:
        return web.json_response({"orders": [{"id": 1}]}, headers={"X-Calls": "38/40"})

    assert await read(handler, declared) == ([1], [9])


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    now = 0.0
    bucket = Bucket(RateLimit(per_second=2, burst=3), lambda: now)
    assert [bucket.wait() for _ in range(5)] == [0, 0, 0, 0.5, 1.0]
    now = 10.0
    assert bucket.wait() == 0


def test_shops_of_a_host_take_turns_within_its_rate() -> None:
    """Whichever of them asks more: a connection has one request under way, so it waits behind every other one."""
    now = 0.0
    pacer = Pacer(2, lambda: now)
    waits = [pacer.host_wait(f"https://api.example/stores/{shop}/orders") for shop in ("a", "a", "b", "a", "b", "c")]
    assert waits == [0, 0, 0.5, 1.0, 1.5, 2.0]
    assert pacer.host_wait("https://other.example/") == 0, "another host has a rate of its own"
    assert [Pacer(0, lambda: now).host_wait("https://api.example/") for _ in range(9)] == [0] * 9


GRANT = TokenGrant("{site}/token", (("grant_type", "refresh_token"), ("refresh_token", "{refresh_token}")),
                   refresh_token="refresh_token")  # fmt: skip


async def test_a_token_is_fetched_and_renewed_after_a_401() -> None:
    """The renewed credentials are handed over to be kept, the new refresh token with them."""
    declared = evolve(DECLARED, login=TokenHeader("Authorization", "Bearer {token}"), grant=GRANT)
    tokens, kept = 0, []

    async def handler(request: web.Request) -> web.Response:
        nonlocal tokens
        if request.path == "/token":
            tokens += 1
            sent = await request.post()
            assert sent["refresh_token"] == f"r{tokens}"
            renewed = {"access_token": f"t{tokens}", "refresh_token": f"r{tokens + 1}", "expires_in": 3600}
            return web.json_response(renewed)
        if request.headers["Authorization"] != "Bearer t2":
            return web.Response(status=401)
        return web.json_response({"orders": [{"id": 1}]})

    async def keep(values: Mapping[str, str], fetch: Fetch) -> Mapping[str, str]:
        new = await renew_unkept(values, fetch)
        kept.append((new["token"], new["refresh_token"]))
        return new

    async with serving(handler) as address:
        given = {"site": address, "refresh_token": "r1"}
        async with PlatformSession(declared, given, LOCAL, renew=keep) as session:
            page = await anext(PlatformClient(declared, session.ask, given).pages(ORDERS, SINCE))
    assert (page.items, kept) == ([{"id": 1}], [("t1", "r2"), ("t2", "r3")])


@pytest.mark.parametrize("login", [None, BasicLogin("{client_id}", "{client_secret}")])
async def test_a_client_proves_itself_in_a_header_where_the_platform_wants_that(login: BasicLogin | None) -> None:
    """And nowhere else: with the grant's own login the shop is asked by its token."""
    grant = evolve(GRANT, login=login)
    declared = evolve(DECLARED, login=TokenHeader("Authorization", "Bearer {token}"), grant=grant)
    sent = []

    async def handler(request: web.Request) -> web.Response:
        sent.append(request.headers.get("Authorization"))
        return web.json_response({"access_token": "t1"} if request.path == "/token" else {"orders": []})

    async with serving(handler) as address:
        given = {"site": address, "refresh_token": "r1", "client_id": "c", "client_secret": "s"}
        async with PlatformSession(declared, given, LOCAL) as session:
            await anext(PlatformClient(declared, session.ask, given).pages(ORDERS, SINCE))
    assert sent == [None if login is None else encode_basic_auth("c", "s"), "Bearer t1"]


async def test_a_refused_grant_is_a_refusal() -> None:
    declared = evolve(DECLARED, login=TokenHeader("Authorization", "Bearer {token}"), grant=GRANT)
    with pytest.raises(PlatformFault, match="no access token") as raised:
        await read(unknown_key, declared, values={"refresh_token": "r"})
    assert raised.value.code == "refused"
