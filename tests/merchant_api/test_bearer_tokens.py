"""A merchant's token in place of a signature: what its scopes reach, of its own account, while it counts; no more."""

from __future__ import annotations

import re
from typing import Any

import aiohttp
import pytest
from attrs import frozen

from hub.app import Hub
from hub.domain.scopes import SCOPES
from hub.merchant_api import pipeline
from hub.merchant_api.endpoint import Endpoint
from hub.merchant_api.v1 import ENDPOINTS
from hub.operations.merchants.merchants import close_merchant, set_merchant_status
from hub.operations.merchants.signed_only import require_signatures
from hub.operations.users.api_tokens import NewToken, create_token, list_tokens, revoke_token
from hub.operations.users.user_roles import revoke_role
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.served_hub import Api, Reply, log_of, new_merchant

ALL = SCOPES["merchant"]
ORDER = {"externalOrderId": "B-1", "orderAmount": "49.90"}


@frozen
class Bearer:
    """Sends requests with a token, which no signature goes with."""

    session: aiohttp.ClientSession
    token: str
    root: str = ""

    async def __call__(
        self, method: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None
    ) -> Reply:
        sent = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        json = {} if body is None else {"data": body} if isinstance(body, bytes) else {"json": body}
        async with self.session.request(method, f"{self.root}/api{path}", headers=sent, **json) as r:
            return Reply(r.status, r.headers.copy(), await r.read())


@pytest.fixture
def stale(clock: FakeClock) -> Any:
    """Let what processes remember of keys and tokens grow too old."""

    def pass_by() -> None:
        clock.now += 3_000

    return pass_by


async def bearer(api: Api, hub: Hub, clock: FakeClock, *scopes: str, **how: Any) -> Bearer:
    how.setdefault("merchant", api.key.merchant_id)
    made = await create_token(hub.parts.store, clock, NewToken("test", scopes, **how))
    return Bearer(api.session, made.token)


def path_of(endpoint: Endpoint) -> str:
    return re.sub(r"\{\w+\}", "none", endpoint.path)


async def test_reading_and_writing_without_a_signature(api: Api, hub: Hub, clock: FakeClock) -> None:
    """The same answers, idempotency and request log as with a key, and the use is noted."""
    ask = await bearer(api, hub, clock, "orders:write")
    first = await ask("POST", "/v1/conversions", ORDER, headers={"Idempotency-Key": "k-1"})
    again = await ask("POST", "/v1/conversions", ORDER, headers={"Idempotency-Key": "k-1"})
    assert (first.status, again.raw, again.headers["Idempotency-Replayed"]) == (202, first.raw, "true")
    same = await api("POST", "/v1/conversions", ORDER, headers={"Idempotency-Key": "k-1"})
    assert same.raw == first.raw, "a key of the account is no other caller"
    event = first.json["eventId"]
    assert (await ask("GET", f"/v1/events/{event}")).json["eventId"] == event
    two = [await ask("GET", "/v1/conversions") for _ in range(2)]
    assert {reply.status for reply in two} == {200}, "a token signs nothing, so nothing is a replay"
    token_id = ask.token[:36]
    logged = [row for row in await log_of(hub, api.key) if row["keyId"] == token_id]
    assert [row["status"] for row in logged] == [202, 202, 200, 200, 200]
    (kept,) = [each for each in await list_tokens(hub.parts.store) if each.id == token_id]
    assert kept.last_address == "127.0.0.1"
    assert kept.last_used_at is not None


async def test_every_route_asks_for_its_scope(api: Api, hub: Hub, clock: FakeClock) -> None:
    """Every other scope together does not reach a route, so none does alone; its own does, and writing reads."""
    asked = {scope for endpoint in ENDPOINTS for scope in endpoint.scopes}
    assert asked == set(ALL), "no scope is for nothing, and none is missing"
    without: dict[tuple[str, ...], Bearer] = {}
    for endpoint in ENDPOINTS:
        reaching = {*endpoint.scopes, *(scope.replace(":read", ":write") for scope in endpoint.scopes)}
        others = tuple(scope for scope in ALL if scope not in reaching)
        if others not in without:
            without[others] = await bearer(api, hub, clock, *others)
        headers = {"Content-Type": "text/csv"} if "/uploads/" in endpoint.path else {}
        refused = await without[others](endpoint.method, path_of(endpoint), None if headers else {}, headers=headers)
        assert (refused.status, refused.json.get("code")) == (403, "insufficient_scope"), endpoint.route
        assert all(scope in refused.json["message"] for scope in endpoint.scopes)
    own: dict[str, Bearer] = {}
    for endpoint in ENDPOINTS:
        for scope in {endpoint.scopes[0], endpoint.scopes[0].replace(":read", ":write")} & set(ALL):
            own[scope] = own.get(scope) or await bearer(api, hub, clock, scope)
            let_in = await own[scope](endpoint.method, path_of(endpoint), b"x")
            assert let_in.status not in (401, 403), (endpoint.route, scope, let_in.raw)


async def test_control_without_the_look_at_scopes_every_route_is_open(
    api: Api, hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = await bearer(api, hub, clock, "reports:read")
    assert (await ask("GET", "/v1/conversions")).status == 403
    monkeypatch.setattr(pipeline, "require_scope", lambda scopes, needed: None)
    assert (await ask("GET", "/v1/conversions")).status == 200


async def test_a_token_that_does_not_count_gets_the_answer_of_a_wrong_signature(
    api: Api, hub: Hub, clock: FakeClock, stale: Any
) -> None:
    """Unknown, wrong, revoked, expired, from elsewhere, in the address: one 401, and the log has the reason."""
    store = hub.parts.store
    good = await bearer(api, hub, clock, "orders:read")
    spent = await bearer(api, hub, clock, "orders:read")
    await revoke_token(store, clock, spent.token[:36])
    elsewhere = await bearer(api, hub, clock, "orders:read", allowed=["203.0.113.0/24"])
    short = await bearer(api, hub, clock, "orders:read", expires_in="1s")
    operators = await bearer(api, hub, clock, "admin:write", merchant=None)
    stale()
    digest = (await store.fetch_one("token_by_id", token_id=good.token[:36]) or {})["secret_hash"]
    cases = {
        "bad_token": (good.token[:-1] + ("A" if good.token[-1] != "A" else "B"), ""),
        "token_revoked": (spent.token, ""),
        "token_expired": (short.token, ""),
        "ip_not_allowed": (elsewhere.token, ""),
        "token_in_address": (good.token, f"?access_token={good.token}"),
    }
    strangers = {"unknown_token": (f"tok_{'0' * 32}_x", ""), "an operator's": (operators.token, ""), "none": ("", "")}
    signed = await api("GET", "/v1/conversions", headers={"X-Signature": "0" * 64})
    bodies, heads = {_varying(signed)}, {tuple(sorted(signed.headers.keys()))}
    for text, query in (*cases.values(), *strangers.values()):
        reply = await Bearer(api.session, text)("GET", f"/v1/conversions{query}")
        assert reply.status == 401
        bodies.add(_varying(reply))
        heads.add(tuple(sorted(reply.headers.keys())))
    assert len(bodies) == len(heads) == 1
    logged = [row["errorCode"] for row in await log_of(hub, api.key)]
    assert logged[-len(cases) :] == list(cases)
    assert not any(good.token[37:] in str(row) for row in await log_of(hub, api.key)), "no secret in the log"
    assert (await good("GET", "/v1/conversions")).status == 200, "the control: it counts in its header"
    for name in ("access_token", "token"):
        async with api.session.get(f"/api/v1/conversions?{name}={good.token}") as in_address_alone:
            assert in_address_alone.status == 401
    forged = {"X-API-Key": good.token[:36], "X-Timestamp": str(clock() // 1000), "X-Signature": digest}
    async with api.session.get("/api/v1/conversions", headers=forged) as as_key:
        assert as_key.status == 401, "a token's id is no key, whatever signs with its digest"


def _varying(reply: Reply) -> bytes:
    return re.sub(rb"req_\w+", b"", reply.raw)


async def test_a_token_is_of_one_account(api: Api, hub: Hub, clock: FakeClock) -> None:
    """Another merchant's things, and those of the other mode, do not exist for it; a live one needs an approval."""
    event = (await api("POST", "/v1/conversions", ORDER)).json["eventId"]
    other = await new_merchant(hub, clock, "Other", approve=True)
    for how in ({"merchant": other}, {"mode": "live"}):
        stranger = await bearer(api, hub, clock, *ALL, **how)
        assert (await stranger("GET", f"/v1/events/{event}")).status == 404
        assert (await stranger("GET", "/v1/conversions")).json["data"] == []
    own = await bearer(api, hub, clock, *ALL)
    assert (await own("GET", f"/v1/events/{event}")).status == 200, "the control"
    with pytest.raises(Exception, match="A live token needs an APPROVED merchant"):
        await bearer(api, hub, clock, *ALL, mode="live", merchant=await new_merchant(hub, clock, "New"))


async def test_an_account_can_require_signatures(api: Api, hub: Hub, clock: FakeClock, stale: Any) -> None:
    ask = await bearer(api, hub, clock, "orders:read")
    live = await bearer(api, hub, clock, "orders:read", mode="live")
    for required, due in ((True, 401), (False, 200)):
        await require_signatures(hub.parts.store, clock, api.key.merchant_id, "test", required=required)
        stale()
        assert (await ask("GET", "/v1/conversions")).status == due
        assert (await live("GET", "/v1/conversions")).status == 200, "the other mode is as it was"
        assert (await api("GET", "/v1/conversions")).status == 200
    assert "signature_required" in {row["errorCode"] for row in await log_of(hub, api.key)}


async def test_a_token_ends_with_its_person_and_its_merchant(api: Api, hub: Hub, clock: FakeClock, stale: Any) -> None:
    """An owner who may only look keeps what reads; without a role nothing counts; a closed merchant's are revoked."""
    store, merchant = hub.parts.store, api.key.merchant_id
    email = f"{merchant}@shop.example"
    person = await create_user(store, clock, NewUser(email, "merchant", merchant, level="owner"))
    ask = await bearer(api, hub, clock, "orders:write", "payouts:read", user_id=person["id"])
    assert (await ask("POST", "/v1/conversions", {**ORDER, "externalOrderId": "P-1"})).status == 202
    await revoke_role(store, clock, hub.parts.pages.outbox, NewUser(email, "merchant", merchant))
    stale()
    assert (await ask("GET", "/v1/balances")).status == 401
    viewer = await create_user(store, clock, NewUser(f"v{email}", "merchant", merchant, level="viewer"))
    with pytest.raises(Exception, match="Viewers can only create tokens that read"):
        await bearer(api, hub, clock, "orders:write", user_id=viewer["id"])
    reader = await bearer(api, hub, clock, "orders:read", user_id=viewer["id"])
    assert (await reader("GET", "/v1/conversions")).status == 200
    live = await bearer(api, hub, clock, "orders:read", mode="live")
    await set_merchant_status(store, clock, merchant, "SUSPENDED")
    stale()
    assert ((await live("GET", "/v1/conversions")).status, (await reader("GET", "/v1/conversions")).status) == (
        401,
        200,
    )
    await close_merchant(store, clock, merchant)
    stale()
    assert (await reader("GET", "/v1/conversions")).status == 401


async def test_the_feed_tells_a_token_what_it_may_read(api: Api, hub: Hub, clock: FakeClock) -> None:
    await api("POST", "/v1/campaigns", {"title": "Told"})
    item = {"externalProductId": "p1", "name": "P", "productUrl": "https://shop.example/", "price": "2"}
    await api("POST", "/v1/products/import", {"products": [item]})
    ask = await bearer(api, hub, clock, "products:read", "requests:read")
    told = (await ask("GET", "/v1/changes")).json["data"]
    assert {each["type"] for each in told} == {"product"}
    assert (await ask("GET", "/v1/changes?types=campaign,product")).status == 403
    everything = {each["type"] for each in (await api("GET", "/v1/changes")).json["data"]}
    assert everything >= {"product", "campaign"}, "the control: a key is told all"


async def test_files_are_taken_by_token(api: Api, hub: Hub, clock: FakeClock) -> None:
    """A refused one is not even received."""
    csv, headers = b"externalOrderId,orderAmount\nC-1,5.00\n", {"Content-Type": "text/csv"}
    ask = await bearer(api, hub, clock, "orders:write", "uploads:read")
    sent = await ask("POST", "/v1/uploads/orders", csv, headers=headers)
    assert sent.status == 202, sent.raw
    assert (await ask("GET", f"/v1/uploads/{sent.json['uploadId']}")).status == 200
    assert (await ask("POST", "/v1/uploads/products", csv, headers=headers)).status == 403
    wrong = Bearer(api.session, ask.token + "x")
    assert (await wrong("POST", "/v1/uploads/orders", csv, headers=headers)).status == 401
