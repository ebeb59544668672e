"""A token reaches what its scope names, of its own affiliate alone, while it counts; a refusal says nothing."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import frozen

from hub.acts.act import Act
from hub.acts.scopes import HOLDERS, needed_for
from hub.app import Hub
from hub.domain.scopes import reaches_one, scopes_alone
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.trail_lists import list_acts
from hub.operations.users import api_tokens
from hub.operations.users.api_tokens import revoke_token
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from hub.token_api.routes import APIS
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.world import World
from tests.served_hub import served
from tests.token_api.callers import ADMIN, AFFILIATE, Program, address, example_body, ids_of, program, token

__all__ = ["keeper"]

EVERY = [(root, act) for root, (_, acts) in APIS.items() for act in acts]
OWN = [act for act in APIS[AFFILIATE][1] if "{" in act.path]


@frozen
class Stage:
    """A hub with two worlds, the ids of the first, and a program."""

    hub: Hub
    clock: FakeClock
    ann: World
    bob: World
    ids: dict[str, str]
    ask: Program

    async def acts(self) -> int:
        return len((await list_acts(self.hub.parts.store, Wanted(limit=5_000))).entries)


@pytest.fixture
async def stage(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> AsyncIterator[Stage]:
    kept = keeper.of("Ann", "Bob")
    url = kept.copied(tmp_path, clock)
    async with served(url, clock, HUB_LIMITS_PER_MINUTE="0", HUB_LIMITS_PER_HOUR="0") as hub:
        ann, bob = kept.served_by(hub, clock)
        async with program(hub) as ask:
            yield Stage(hub, clock, ann, bob, await ids_of(ann), ask)


async def refused(stage: Stage, ask: Program, root: str, act: Act) -> tuple[int, str]:
    reply = await ask(act.method, address(root, act, stage.ids), example_body(act))
    assert reply.json["requestId"] == reply.headers["X-Request-ID"]
    return reply.status, reply.json["code"]


async def test_tokens_that_do_not_count_get_the_same_answer_everywhere(stage: Stage) -> None:
    """None, unknown, revoked, expired, of another address: 401 with the same words, and nothing is done."""
    store, clock = stage.hub.parts.store, stage.clock
    spent = await token(stage.hub, clock, "admin:write")
    await revoke_token(store, clock, spent[:36])
    texts = {
        "missing": "",
        "unknown": f"tok_{'0' * 32}_x",
        "revoked": spent,
        "expired": await token(stage.hub, clock, "admin:write", expires_in="1s"),
        "elsewhere": await token(stage.hub, clock, "admin:write", allowed=["203.0.113.0/24"]),
    }
    clock.now += 2_000
    before, bodies = await stage.acts(), set()
    for text in texts.values():
        for root, act in EVERY if text == "" else EVERY[:2]:
            reply = await stage.ask.using(text)(act.method, address(root, act, stage.ids), example_body(act))
            assert (reply.status, reply.headers["WWW-Authenticate"]) == (401, "Bearer"), act.operation
            bodies.add(re.sub(rb"req_\w+", b"", reply.raw))
    assert len(bodies) == 1
    assert await stage.acts() == before
    control = await token(stage.hub, clock, "admin:read", allowed=["127.0.0.0/8"])
    assert (await stage.ask.using(control)("GET", f"{ADMIN}/merchants")).status == 200


async def test_a_scope_reaches_no_further(stage: Stage) -> None:
    """A reader cannot write, and neither API takes the other's tokens."""
    hub, clock, own = stage.hub, stage.clock, stage.ann.affiliate_id
    readers = {ADMIN: await token(hub, clock, "admin:read"),
               AFFILIATE: await token(hub, clock, "affiliate:read", affiliate=own)}  # fmt: skip
    writers = {ADMIN: await token(hub, clock, "admin:write"),
               AFFILIATE: await token(hub, clock, "affiliate:write", affiliate=own)}  # fmt: skip
    before = await stage.acts()
    for root, act in EVERY:
        other = writers[AFFILIATE if root == ADMIN else ADMIN]
        assert await refused(stage, stage.ask.using(other), root, act) == (403, "insufficient_scope"), act.operation
        if act.writes:
            assert await refused(stage, stage.ask.using(readers[root]), root, act) == (403, "insufficient_scope")
    assert await stage.acts() == before


async def test_every_act_asks_for_the_scope_of_its_resource(stage: Stage) -> None:
    """Every other scope together, or the bundle less what it lacks, reaches nothing; no scope is for nothing."""
    before, made = await stage.acts(), 0
    for root, (kind, acts) in APIS.items():
        without = dict[tuple[str, ...], str]()
        holder = HOLDERS[kind]
        how = {"affiliate": stage.ann.affiliate_id} if holder == "affiliate" else {}
        known, asked = scopes_alone(holder), {scope for act in acts for scope in needed_for(act, holder)}
        assert {*asked, *(scope.replace(":write", ":read") for scope in asked)} == set(known)
        for act in acts:
            reaching = {each for each in known if reaches_one([each], needed_for(act, holder))}
            others = tuple(each for each in known if each not in reaching)
            if others not in without:
                without[others] = await token(stage.hub, stage.clock, *others, **how)
            ask = stage.ask.using(without[others])
            assert await refused(stage, ask, root, act) == (403, "insufficient_scope"), act.operation
            if not act.writes:
                own = needed_for(act, holder)[:1]
                without[own] = without.get(own) or await token(stage.hub, stage.clock, *own, **how)
                let_in = await stage.ask.using(without[own])("GET", address(root, act, stage.ids))
                assert let_in.status not in (401, 403), act.operation
        made += len(without)
    assert await stage.acts() == before + made, "nothing but tokens was made"


async def test_no_bundle_changes_people(stage: Stage) -> None:
    """Roles, second factors and tokens take the scope of that name; a bundle with it does not reach further."""
    bundle = stage.ask.using(await token(stage.hub, stage.clock, "admin:write"))
    named = stage.ask.using(await token(stage.hub, stage.clock, "people:write"))
    people = [act for act in APIS[ADMIN][1] if act.writes and needed_for(act, "operator") == ("people:write",)]
    assert {"createUser", "grantRole", "revokeRole", "resetFactors", "revokeToken"} <= {
        each.operation for each in people
    }
    for act in people:
        assert await refused(stage, bundle, ADMIN, act) == (403, "insufficient_scope"), act.operation
    assert (await bundle("GET", f"{ADMIN}/users")).status == 200
    revoked = await named("POST", f"{ADMIN}/tokens/{bundle.token[:36]}/revoke")
    assert revoked.status == 200, "the control"
    assert (await bundle("GET", f"{ADMIN}/users")).status == 401


async def test_a_token_in_the_url_is_refused(stage: Stage) -> None:
    text = await token(stage.hub, stage.clock, "admin:read")
    ask = stage.ask.using(text)
    assert (await ask("GET", f"{ADMIN}/merchants")).status == 200
    assert (await ask("GET", f"{ADMIN}/merchants?access_token={text}")).status == 401
    assert (await stage.ask.using("")("GET", f"{ADMIN}/merchants?access_token={text}")).status == 401


async def test_a_merchants_token_is_made_for_its_account_and_reaches_no_other_api(stage: Stage) -> None:
    """Made by an operator's token, shown once; the operators' and the affiliates' APIs do not take it."""
    ask, merchant = stage.ask.using(await token(stage.hub, stage.clock, "keys:write")), stage.ann.merchant_id
    body = {"mode": "test", "scopes": ["orders:read"], "allowedIps": ["127.0.0.0/8"], "expiresIn": "30d"}
    made = await ask("POST", f"{ADMIN}/merchants/{merchant}/tokens", body)
    assert made.status == 201, made.raw
    assert (made.json["merchantId"], made.json["mode"]) == (merchant, "test")
    listed = (await ask("GET", f"{ADMIN}/merchants/{merchant}/tokens")).json["data"]
    assert listed == [{name: value for name, value in made.json.items() if name != "token"}]
    its = stage.ask.using(made.json["token"])
    assert (await its("GET", "/api/v1/conversions")).status == 200
    for root in (ADMIN, AFFILIATE):
        assert (await its("GET", f"{root}/campaigns")).status == 403
    wrong = await ask("POST", f"{ADMIN}/merchants/{merchant}/tokens", {**body, "scopes": ["admin:write"]})
    assert wrong.status == 400
    required = {"mode": "test", "required": True}
    assert (await ask("PUT", f"{ADMIN}/merchants/{merchant}/signatures", required)).json["test"] is True
    stage.clock.now += 3_000
    assert (await its("GET", "/api/v1/conversions")).status == 401


async def test_an_affiliate_sees_and_changes_its_own_alone(stage: Stage) -> None:
    """Bob's token with the ids of Ann's things: 404, no word of hers, and nothing is done."""
    hub, clock = stage.hub, stage.clock
    bob = stage.ask.using(await token(hub, clock, "affiliate:write", affiliate=stage.bob.affiliate_id))
    before = await stage.acts()
    for act in OWN:
        reply = await bob(act.method, address(AFFILIATE, act, stage.ids), example_body(act))
        assert reply.status == 404, (act.operation, reply.raw)
    for act in (act for act in APIS[AFFILIATE][1] if not act.writes and "{" not in act.path):
        reply = await bob("GET", AFFILIATE + act.path + ("?mode=test" if "mode" in act.query else ""))
        assert reply.status == (404 if act.absent else 200), (act.operation, reply.raw)
        if act.path != "/campaigns/public":
            assert not [mark for mark in stage.ann.marks if mark.encode() in reply.raw], act.operation
    assert await stage.acts() == before
    ann = stage.ask.using(await token(hub, clock, "affiliate:read", affiliate=stage.ann.affiliate_id))
    own = [await ann("GET", address(AFFILIATE, act, stage.ids)) for act in OWN if not act.writes]
    assert {reply.status for reply in own} == {200}, "the control: they are hers"
    mine = (await ann("GET", f"{AFFILIATE}/commissions?mode=test")).json["data"]
    assert [each["id"] for each in mine] == [stage.ids["commission"]]


async def test_an_act_is_noted_in_the_name_of_the_token_or_its_person(stage: Stage) -> None:
    text = await token(stage.hub, stage.clock, "admin:write")
    reply = await stage.ask.using(text)("POST", f"{ADMIN}/affiliates/{stage.ids['affiliate']}/deactivate")
    assert reply.status == 200, reply.raw
    (act,) = (await list_acts(stage.hub.parts.store, Wanted({"act": "affiliate.deactivated"}))).entries
    assert (act["actor"], act["source"], act["address"]) == (text[:36], "api", "127.0.0.1")
    (used,) = (await stage.ask.using(text)("GET", f"{ADMIN}/tokens")).json["data"]
    assert used["lastAddress"] == "127.0.0.1"


async def test_tokens_that_ended_leave_room_for_new_ones(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person has at most a number of tokens that count; what is revoked or expired is not among them."""
    hub, clock = stage.hub, stage.clock
    monkeypatch.setattr(api_tokens, "MOST", 2)
    person = await create_user(hub.parts.store, clock, NewUser("olu@hub.example", "operator-admin"))
    mine = {"user_id": person["id"]}
    spent = await token(hub, clock, "admin:read", **mine)
    await token(hub, clock, "admin:read", expires_in="1s", **mine)
    with pytest.raises(OperatorFault, match="revoke one first"):
        await token(hub, clock, "admin:read", **mine)
    await revoke_token(hub.parts.store, clock, spent[:36])
    clock.now += 1_000
    await token(hub, clock, "admin:read", **mine)
    await token(hub, clock, "admin:read", **mine)
    with pytest.raises(OperatorFault, match="revoke one first"):
        await token(hub, clock, "admin:read", **mine)
