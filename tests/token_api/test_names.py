"""The names of parameters and members: unknown ones are refused, those of every API are one, and paths take ids."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.acts.fields import Fields
from hub.app import Hub
from hub.http.errors import ApiError
from hub.testing.clock import FakeClock
from hub.token_api import reading
from hub.token_api.reading import NAMES, read_query
from hub.token_api.routes import APIS
from tests.openapi_documents import document_of
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.world import World
from tests.served_hub import served
from tests.token_api.callers import ADMIN, Program, address, example_body, ids_of, program, token

__all__ = ["keeper"]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Ann").copied(tmp_path, clock)


@pytest.fixture
async def world(sqlite_url: str, clock: FakeClock, keeper: Keeper) -> AsyncIterator[World]:
    async with served(sqlite_url, clock, HUB_LIMITS_PER_MINUTE="0", HUB_LIMITS_PER_HOUR="0") as hub:
        yield await keeper.world_in(hub, clock, "Ann")


@pytest.fixture
async def ask(world: World) -> AsyncIterator[Program]:
    hub: Hub = world.hub
    async with program(hub, await token(hub, world.clock, "admin:write", "people:write")) as asking:
        yield asking


async def test_nothing_is_ignored(ask: Program, world: World) -> None:
    """Every act refuses a name that it has not, in its query and in its body, and says which was meant."""
    ids = await ids_of(world)
    own = ask.using(await token(world.hub, world.clock, "affiliate:write", affiliate=world.affiliate_id))
    for root, (_, acts) in APIS.items():
        asking = ask if root == ADMIN else own
        for act in acts:
            place = address(root, act, ids)
            reply = await asking(act.method, f"{place}?nothing_such=1", example_body(act))
            assert (reply.status, reply.json["code"]) == (400, "validation_failed"), act.operation
            assert "`nothing_such` is unknown here" in str(reply.json["message"])
            if act.body:
                reply = await asking(act.method, place, {**(example_body(act) or {}), "nothing_such": 1})
                assert reply.json["param"] == "nothing_such", act.operation
    wrong = await ask("POST", f"{ADMIN}/affiliates", {"name": "Bea", "emial": "b@a.example"})
    assert "`emial` is unknown here; looks like `email`" in wrong.json["message"]


async def test_nothing_within_an_object_is_ignored(ask: Program, world: World) -> None:
    """The members of a campaign, a profile and sub-ids stand in objects of their own."""
    campaign = f"{ADMIN}/campaigns/{world.ids['campaign']}"
    wrong = await ask("PATCH", campaign, {"fields": {"titel": "Spring"}})
    assert (wrong.status, wrong.json["message"]) == (400, ["`titel` is unknown here; looks like `title`"])
    rates = {"period": "MONTH", "measure": "ORDERS", "tiers": [], "cap": 1}
    assert (await ask("PATCH", campaign, {"fields": {"volumeRates": rates}})).status == 400
    profile = await ask("PATCH", f"{ADMIN}/merchants/{world.merchant_id}/profile", {"fields": {"legalNmae": "Fern"}})
    assert (profile.status, "legalNmae" in profile.raw.decode()) == (400, True)
    link = {"merchantId": world.merchant_id, "mode": "test", "affiliateId": world.affiliate_id, "subIds": {"sub9": "x"}}
    refused = await ask("POST", f"{ADMIN}/links", link)
    assert (refused.status, "sub9" in refused.raw.decode()) == (400, True)
    right = await ask("PATCH", campaign, {"fields": {"title": "Spring"}})
    assert (right.status, right.json["title"]) == (200, "Spring"), "the control"


async def test_filters_have_the_names_of_the_merchant_api(ask: Program, world: World) -> None:
    """The older names are taken as well, both at once are not, and the document has the newer ones."""
    for query in ("status=PAYABLE", "state=PAYABLE"):
        found = await ask("GET", f"{ADMIN}/commissions?mode=test&{query}")
        assert found.status == 200, found.raw
        assert {each["state"] for each in found.json["data"]} <= {"PAYABLE"}
    affiliate = world.affiliate_id
    new, old = [
        await ask("GET", f"{ADMIN}/commissions?mode=test&{name}={affiliate}") for name in ("affiliateId", "affiliate")
    ]
    assert new.json == old.json
    both = await ask("GET", f"{ADMIN}/commissions?status=PAYABLE&state=HOLD")
    assert (both.status, both.json["param"]) == (400, "status")
    named = {
        parameter["name"]
        for kind, _ in APIS.values() for path in document_of(kind)["paths"].values() for operation in path.values()
        for parameter in operation["parameters"] if parameter.get("in") == "query"
    }  # fmt: skip
    assert not named & NAMES.keys()
    assert named >= {"status", "affiliateId", "merchantId"}


async def test_a_list_of_nobody_is_refused(ask: Program, world: World) -> None:
    """Rather than empty, which would read as if the merchant had none."""
    for things in ("campaigns", "links", "commissions"):
        found, nobodys = [
            await ask("GET", f"{ADMIN}/{things}?merchantId={merchant}") for merchant in (world.merchant_id, "mer_0")
        ]
        assert (found.status, found.json["data"] != []) == (200, True), things
        assert (nobodys.status, "mer_0" in nobodys.raw.decode()) == (400, True), things


async def test_a_run_takes_a_minimum_of_its_own(ask: Program) -> None:
    """In a preview and in a run; what is no amount and no currency is refused."""
    wanted = {"mode": "test", "currency": "usd", "minimum": "USD:1000000"}
    assert (await ask("POST", f"{ADMIN}/payouts/preview", wanted)).json["minimum"] == "USD:1000000"
    for path in ("payouts/preview", "payouts"):
        for wrong in ({"minimum": "much"}, {"currency": "XQX"}):
            assert (await ask("POST", f"{ADMIN}/{path}", wanted | wrong)).status == 400, wrong


async def test_paths_take_ids_alone(ask: Program, world: World) -> None:
    """A name would reach another one the day somebody else has it, too."""
    shown = (await ask("GET", f"{ADMIN}/affiliates/{world.affiliate_id}")).json
    assert shown["id"] == world.affiliate_id, "the control"
    for name in (shown["name"], shown["email"], "0"):
        assert (await ask("GET", f"{ADMIN}/affiliates/{name}")).status == 404
        assert (await ask("POST", f"{ADMIN}/affiliates/{name}/deactivate")).status == 404
    assert (await ask("GET", f"{ADMIN}/affiliates/{world.affiliate_id}")).json["status"] == "ACTIVE"


async def test_what_is_not_there_is_a_404(ask: Program) -> None:
    other = (await ask("POST", f"{ADMIN}/affiliates", {"name": "New", "email": "new@blog.example"})).json["id"]
    assert (await ask("GET", f"{ADMIN}/affiliates/{other}/payee")).status == 404


def test_control_without_the_look_at_names_all_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    fields: Fields = APIS[ADMIN][1][0].query
    with pytest.raises(ApiError):
        read_query(fields, [("nothing_such", "1")])
    monkeypatch.setattr(reading, "refusals_of", lambda given, known: [])
    assert read_query(fields, [("nothing_such", "1")]) == {}
