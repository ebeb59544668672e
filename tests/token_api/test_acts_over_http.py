"""The operators' and the affiliates' APIs do what they declare, as they describe it, and once for a key."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from functools import cache, partial
from typing import Any

import pytest
from openapi_schema_validator import OAS30Validator
from openapi_spec_validator import validate as validate_document

from hub.acts.act import Act
from hub.app import Hub
from hub.merchant_api.endpoint import CsvFile
from hub.merchant_api.openapi.named import or_null
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.users.users import NewUser, create_user
from hub.records.record import name_of
from hub.testing.clock import FakeClock
from hub.token_api.answers import ClaimingStore
from hub.token_api.document import answer_name, statuses
from hub.token_api.routes import APIS
from tests.openapi_documents import document_of
from tests.outbound.stand_in import serving
from tests.pages.test_platforms import acme_hub
from tests.pages.world import world_of
from tests.platform_sync.acme_shop import AcmeShop
from tests.polling import until
from tests.served_hub import Reply, new_merchant, served
from tests.token_api.callers import ADMIN, AFFILIATE, Program, address, example, ids_of, program, token

DOCUMENTS = {root: document_of(kind) for root, (kind, _) in APIS.items()}
BY_OPERATION = {(root, act.operation): act for root, (_, acts) in APIS.items() for act in acts}


def unnamed_or_null(node: Any) -> Iterator[Any]:
    """Yield the closed sets of words in a document that are written where they are used, and may be null."""
    if isinstance(node, dict) and None in node.get("enum", ()) and len(node["enum"]) > 2:
        yield node
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from unnamed_or_null(each)


@cache
def strict(root: str, name: str) -> Any:
    """A component with its references put in place, and no member beyond those it names."""
    schemas = DOCUMENTS[root]["components"]["schemas"]

    def put_in(node: Any) -> Any:
        if isinstance(node, list):
            return [put_in(each) for each in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return put_in(schemas[node["$ref"].rpartition("/")[2]])
        found = {key: put_in(value) for key, value in node.items()}
        return {**found, "additionalProperties": False} if isinstance(node.get("properties"), dict) else found

    return put_in(schemas[name])


def assert_documented(root: str, act: Act, reply: Reply) -> None:
    assert reply.status == act.success, (act.operation, reply.raw)
    if act.answer is CsvFile:
        assert reply.headers["Content-Type"].startswith("text/csv")
        return
    faults = OAS30Validator(strict(root, answer_name(act.answer))).iter_errors(reply.json)
    assert [f"{act.operation} {fault.json_path}: {fault.message}" for fault in faults] == []


@pytest.fixture
async def hub(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    async with served(sqlite_url, clock, HUB_LIMITS_PER_MINUTE="0", HUB_LIMITS_PER_HOUR="0") as hub:
        yield hub


@pytest.fixture
async def admin(hub: Hub, clock: FakeClock) -> AsyncIterator[Program]:
    async with program(hub, await token(hub, clock, "admin:write", "people:write")) as ask:
        yield ask


class TestDocuments:
    @pytest.mark.parametrize("root", APIS)
    def test_they_are_valid_and_name_every_act_once(self, root: str) -> None:
        document, acts = DOCUMENTS[root], APIS[root][1]
        validate_document(document)
        described = [(m.upper(), path) for path, methods in document["paths"].items() for m in methods]
        assert sorted(described) == sorted((act.method, act.path) for act in acts)
        names = [act.operation for act in acts]
        assert len(set(names)) == len(names)

    def test_a_closed_set_that_may_be_null_has_a_name(self) -> None:
        """Else a generator of clients writes it three times; the control is the same set without its name."""
        for document in (*DOCUMENTS.values(), document_of("merchant")):
            assert list(unnamed_or_null(document)) == []
        nameless = or_null({"type": "string", "enum": ["valid", "invalid"]})
        assert list(unnamed_or_null({"outcome": nameless})) == [nameless]

    @pytest.mark.parametrize("root", APIS)
    async def test_they_are_served_without_a_token(self, hub: Hub, root: str) -> None:
        async with program(hub) as anybody:
            reply = await anybody("GET", f"{root}/openapi.json")
        assert reply.json["paths"] == DOCUMENTS[root]["paths"]

    def test_every_class_of_an_answer_has_a_name_of_its_own(self) -> None:
        """Two classes of one name would describe each other."""
        classes: dict[tuple[str, str], Any] = {}
        for root, act in ((root, act) for root, (_, acts) in APIS.items() for act in acts):
            entry = getattr(act.answer, "entry", act.answer)
            assert classes.setdefault((root, name_of(entry)), entry) is entry


def readers(root: str) -> Iterator[Act]:
    return (act for act in APIS[root][1] if not act.writes)


async def is_known(ask: Program, path: str) -> bool:
    """Whether what was just answered is known: the log of requests and the worker write between two questions."""
    first = await ask("GET", path)
    again = await ask("GET", path, headers={"If-None-Match": first.headers["ETag"]})
    return again.status == 304


class TestReading:
    async def test_every_reader_answers_as_documented(self, hub: Hub, clock: FakeClock, admin: Program) -> None:
        """With what is there, with every parameter of its query, and a 304 for what is known."""
        world = await world_of(hub, clock, "Ann")
        ids = await ids_of(world)
        own = await token(hub, clock, "affiliate:read", affiliate=world.affiliate_id)
        for root, ask in ((ADMIN, admin), (AFFILIATE, admin.using(own))):
            for act in readers(root):
                path = address(root, act, ids)
                first = await ask("GET", path)
                if act.operation in NOT_THERE:
                    assert first.status in (400, 404), act.operation
                    continue
                assert_documented(root, act, first)
                if act.operation not in CHANGING and act.answer is not CsvFile:
                    await until(partial(is_known, ask, path))
                query = "&".join(f"{name}={example(m)}" for name, m in act.query.items() if name != "cursor")
                asked = await ask("GET", f"{path}?{query.replace('True', 'true')}")
                assert asked.status in (200, 400), (act.operation, asked.raw)

    @pytest.mark.parametrize("path", ["/affiliates", "/merchants"])
    async def test_lists_are_read_page_by_page(self, admin: Program, path: str) -> None:
        for number in range(5):
            body: dict[str, Any] = {"name": f"N{number}", "email": f"n{number}@shop.example"}
            body |= {"domains": [f"s{number}.example"]} if path == "/merchants" else {}
            assert (await admin("POST", ADMIN + path, body)).status == 201
        seen: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            page = (await admin("GET", f"{ADMIN}{path}?limit=2" + (f"&cursor={cursor}" if cursor else ""))).json
            seen += [each["name"] for each in page["data"]]
            cursor = page["nextCursor"]
        assert seen == [f"N{number}" for number in reversed(range(5))]


NOT_THERE = {"getPayee", "listRates", "previewRate"}
"""What the world lacks, or what asks for more, which is said as a refusal."""
CHANGING = {"getHealth", "listNodes", "listTokens", "previewPayout"}
"""Answers that differ each time."""


class TestWriting:
    async def test_a_networks_first_day(self, hub: Hub, clock: FakeClock, admin: Program) -> None:
        """Merchant, key, affiliate, campaign, link, subscription, user: made, changed and ended, as documented."""

        async def do(operation: str, body: object = None, /, **ids: str) -> Any:
            act = BY_OPERATION[ADMIN, operation]
            reply = await admin(act.method, address(ADMIN, act, ids), body)
            assert_documented(ADMIN, act, reply)
            return reply.json

        shop = {"name": "S", "email": "s@s.example", "domains": ["s.example"]}
        merchant = (await do("createMerchant", shop))["id"]
        assert (await do("approveMerchant", merchant=merchant))["status"] == "APPROVED"
        assert (await do("updateMerchant", {"hold": "7d"}, merchant=merchant))["holdMs"] == 7 * 86_400_000
        key = await do("createKey", {"mode": "test", "allowedIps": ["127.0.0.0/8"]}, merchant=merchant)
        assert (await do("updateKey", {"allowedIps": []}, key=key["keyId"]))["allowedIps"] == []
        assert (await do("revokeKey", key=key["keyId"]))["revokedAt"] is not None
        affiliate = (await do("createAffiliate", {"name": "B", "email": "b@b.example", "coupons": ["B10"]}))["id"]
        assert (await do("updateAffiliate", {"name": "Bea"}, affiliate=affiliate))["name"] == "Bea"
        form = {"merchantId": merchant, "mode": "test", "fields": {"title": "Spring"}, "joining": "OPEN"}
        campaign = (await do("createCampaign", form))["id"]
        await do("activateCampaign", campaign=campaign)
        await do("decideMembership", {"status": "APPROVED"}, campaign=campaign, affiliate=affiliate)
        wanted = {"merchantId": merchant, "mode": "test", "affiliateId": affiliate, "campaignId": campaign}
        link = (await do("createLink", {**wanted, "subIds": {"sub1": "blog"}}))["code"]
        assert (await do("disableLink", link=link))["disabledAt"] is not None
        hook = {"url": "https://s.example/h", "events": ["commission.*"], "merchantId": merchant, "mode": "test"}
        subscription = await do("createSubscription", hook)
        assert subscription["secret"].startswith("whsec_")
        assert (await do("pauseSubscription", subscription=subscription["id"]))["status"] == "PAUSED"
        assert (await do("rotateSubscriptionSecret", {"overlap": "1h"}, subscription=subscription["id"]))["secret"]
        await do("deleteSubscription", subscription=subscription["id"])
        user = await do("createUser", {"email": "u@s.example", "role": "merchant", "merchantId": merchant})
        assert (await do("disableUser", user=user["id"]))["status"] == "DISABLED"
        await do("setFee", {"percentage": "2.5"}, merchant=merchant)
        acts = (await admin("GET", f"{ADMIN}/trail?limit=200")).json["data"]
        assert {"merchant.created", "key.revoked", "link.disabled", "subscription.deleted", "fee.set"} <= {
            act["act"] for act in acts
        }

    async def test_a_platform_is_asked_by_token(self, sqlite_url: str, clock: FakeClock) -> None:
        """Credentials are checked with the shop, stored once for a key, used for all that follows, and deleted."""
        acme = AcmeShop(orders=[], products=[])
        async with (
            serving(acme.serve) as shop,
            acme_hub(sqlite_url, clock) as hub,
            program(hub, await token(hub, clock, "admin:write", "people:write")) as admin,
        ):
            merchant = await new_merchant(hub, clock)
            wanted = {"merchantId": merchant, "mode": "test", "connector": "acme"}
            ids = {"connection": (await admin("POST", f"{ADMIN}/connections", wanted)).json["id"]}

            async def do(operation: str, body: object = None, *, headers: Any = None) -> Reply:
                act = BY_OPERATION[ADMIN, operation]
                return await admin(act.method, address(ADMIN, act, ids), body, headers)

            values = {"site": shop, "key": "key", "secret": "wr0ng"}
            refused = await do("giveCredentials", {"values": values})
            assert (refused.status, refused.json["code"]) == (400, "act_refused")
            assert (await do("startReading", {})).json["message"] == (
                "It has no credentials, so its platform cannot be asked."
            )
            faulty = await do("giveCredentials", {"values": {**values, "days": 1}})
            assert (faulty.status, faulty.json["param"]) == (400, "values")
            once = {"Idempotency-Key": "give"}
            given = await do("giveCredentials", {"values": {**values, "secret": "s3cret"}, "days": 3}, headers=once)
            assert_documented(ADMIN, BY_OPERATION[ADMIN, "giveCredentials"], given)
            again = await do("giveCredentials", {"values": {**values, "secret": "s3cret"}, "days": 3}, headers=once)
            assert again.raw == given.raw
            for operation, body in (
                ("keepWebhooks", None), ("startReading", {"since": "2d"}), ("fetchAgain", None),
                ("setLastLook", {"look": "off"}), ("getPlatform", None), ("deleteCredentials", None),
            ):  # fmt: skip
                reply = await do(operation, body)
                assert_documented(ADMIN, BY_OPERATION[ADMIN, operation], reply)
                assert b"s3cret" not in reply.raw, operation
            assert acme.hooks == []

    async def test_what_cannot_be_is_refused_in_the_apis_form(self, hub: Hub, clock: FakeClock, admin: Program) -> None:
        reply = await admin("POST", f"{ADMIN}/affiliates", {"email": 1})
        assert (reply.status, reply.json["code"], reply.json["param"]) == (400, "validation_failed", "name")
        assert len(reply.json["message"]) == 2
        reply = await admin("POST", f"{ADMIN}/affiliates", {"name": "B", "email": "nobody"})
        assert (reply.status, reply.json["code"]) == (400, "act_refused")
        assert "hub " not in reply.json["message"]
        only = await create_user(hub.parts.store, clock, NewUser("a@s.example", "operator-admin"))
        reply = await admin("POST", f"{ADMIN}/users/{only['id']}/disable")
        assert (reply.status, "last active administrator" in reply.json["message"]) == (400, True)
        assert (await admin("POST", f"{ADMIN}/affiliates", b"{")).json["code"] == "malformed_json"
        assert (await admin("GET", f"{ADMIN}/merchants/mer_none")).json["code"] == "not_found"
        assert (await admin("GET", f"{ADMIN}/merchants?limit=0")).json["param"] == "limit"
        assert (await admin("GET", f"{ADMIN}/merchants?search=a%00b")).json["param"] == "search"
        assert (await admin("DELETE", f"{ADMIN}/merchants")).status == 405
        xml = await admin("POST", f"{ADMIN}/affiliates", b"<a/>", {"Content-Type": "text/xml"})
        assert xml.status == 415

    async def test_a_business_is_named_as_a_payee(self, hub: Hub, clock: FakeClock, admin: Program) -> None:
        """With every member that the act has: none of them is a fault of the server."""
        made = await create_affiliate(hub.parts.store, clock, name="Ada", email="ada@blog.example")
        act = BY_OPERATION["/api/admin/v1", "setPayee"]
        body = {name: example(member) for name, member in act.body.items()}
        body |= {"method": "iban", "account": "DE89370400440532013000", "business": True, "taxId": "DE136695976"}
        reply = await admin("PUT", f"/api/admin/v1/affiliates/{made.id}/payee", body)
        assert (reply.status, reply.json["business"], reply.json["account"][-4:]) == (200, True, "3000"), reply.raw

    async def test_requests_are_counted(self, sqlite_url: str, clock: FakeClock) -> None:
        async with served(sqlite_url, clock, HUB_LIMITS_PER_MINUTE="2") as hub, program(hub) as anybody:
            ask = anybody.using(await token(hub, clock, "admin:read"))
            seen = [await ask("GET", f"{ADMIN}/users") for _ in range(3)]
        assert [reply.status for reply in seen] == [200, 200, 429]
        assert seen[2].headers["Retry-After"]


class TestOnce:
    async def test_a_key_gives_the_first_answer_again(self, admin: Program) -> None:
        body, once = {"name": "B", "email": "b@b.example"}, {"Idempotency-Key": "once"}
        first = await admin("POST", f"{ADMIN}/affiliates", body, once)
        again = await admin("POST", f"{ADMIN}/affiliates", body, once)
        assert (again.status, again.raw) == (first.status, first.raw)
        assert again.headers["Idempotency-Replayed"] == "true"
        other = await admin("POST", f"{ADMIN}/affiliates", {**body, "name": "C"}, once)
        assert (other.status, other.json["code"]) == (422, "idempotency_mismatch")
        assert len((await admin("GET", f"{ADMIN}/affiliates")).json["data"]) == 1

    async def test_twins_at_once_do_it_once(self, admin: Program) -> None:
        body, once = {"name": "B", "email": "b@b.example"}, {"Idempotency-Key": "twins"}
        replies = await asyncio.gather(*[admin("POST", f"{ADMIN}/affiliates", body, once) for _ in range(5)])
        assert {reply.status for reply in replies} <= {201, 409}
        assert len((await admin("GET", f"{ADMIN}/affiliates")).json["data"]) == 1

    async def test_an_answer_that_was_lost_is_not_done_again(
        self, admin: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The process ends behind the act's commit: the key is noted, its answer is not."""
        body, once = {"name": "B", "email": "b@b.example"}, {"Idempotency-Key": "lost"}

        async def die(*_: object) -> None:
            raise ConnectionResetError

        with monkeypatch.context() as patched:
            patched.setattr("hub.token_api.answers.Answers.keep", die)
            assert (await admin("POST", f"{ADMIN}/affiliates", body, once)).status == 500
        again = await admin("POST", f"{ADMIN}/affiliates", body, once)
        assert (again.status, again.json["code"]) == (409, "idempotency_in_flight")
        assert len((await admin("GET", f"{ADMIN}/affiliates")).json["data"]) == 1

    async def test_control_without_the_note_it_would_be_done_twice(
        self, admin: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def nothing(self: ClaimingStore, _: object) -> None:
            self.is_claimed = False

        monkeypatch.setattr(ClaimingStore, "_note", nothing)
        body, once = {"name": "B", "email": "b@b.example"}, {"Idempotency-Key": "twice"}
        for number in itertools.count(1):
            await admin("POST", f"{ADMIN}/affiliates", {**body, "email": f"b{number}@b.example"}, once)
            if number == 2:
                break
        assert len((await admin("GET", f"{ADMIN}/affiliates")).json["data"]) == 2

    def test_every_write_says_so(self) -> None:
        for root, (_, acts) in APIS.items():
            for act in (each for each in acts if each.writes):
                operation = DOCUMENTS[root]["paths"][act.path][act.method.lower()]
                assert {"$ref": "#/components/parameters/IdempotencyKey"} in operation["parameters"]
                assert {409, 422} <= set(statuses(act))
