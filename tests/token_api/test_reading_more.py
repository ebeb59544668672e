"""What pages show, the operators' and the affiliates' APIs read: one commission and why, statements, figures, files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from hub.acts.reports import EXPORT_SCOPES
from hub.app import Hub
from hub.domain.payouts.payees import Payee
from hub.mail.outbox import Outbox
from hub.operations.files.exports import export
from hub.operations.money.payees.payees import set_payee
from hub.testing.clock import FakeClock
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.world import World, world_of
from tests.polling import until
from tests.served_hub import api_of, served
from tests.token_api.callers import ADMIN, AFFILIATE, Program, program, token

PAYEE = Payee("Anna Ames", "Main Street 1", "10115", "Berlin", "DE", "iban", "DE89370400440532013000")


__all__ = ["keeper"]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Ann").copied(tmp_path, clock)


@pytest.fixture
async def hub(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    async with served(sqlite_url, clock, HUB_LIMITS_PER_MINUTE="0", HUB_LIMITS_PER_HOUR="0") as hub:
        yield hub


@pytest.fixture
async def world(hub: Hub, clock: FakeClock, keeper: Keeper) -> World:
    return await keeper.world_in(hub, clock, "Ann")


@pytest.fixture
async def own(hub: Hub, clock: FakeClock, world: World) -> AsyncIterator[Program]:
    async with program(hub, await token(hub, clock, "affiliate:read", affiliate=world.affiliate_id)) as ask:
        yield ask


@pytest.fixture
async def operator(hub: Hub, clock: FakeClock, own: Program) -> Program:
    return own.using(await token(hub, clock, "admin:read"))


async def test_an_affiliate_reads_why_a_commission_is_what_it_is(own: Program, world: World) -> None:
    """By which rule, what was reported, by which click, and nothing of the shop's own notes."""
    listed = (await own("GET", f"{AFFILIATE}/commissions?mode=test")).json["data"][0]
    shown = (await own("GET", f"{AFFILIATE}/commissions/{listed['id']}")).json
    alike = ("id", "externalOrderId", "orderedAt", "merchantId", "merchantName", "linkCode", "subIds")
    assert {name: shown[name] for name in alike} == {name: listed[name] for name in alike}
    assert (shown["commission"]["amount"], shown["commission"]["state"]) == (listed["amount"], listed["state"])
    assert (shown["linkCode"], shown["corrections"]) == (world.ids["link"], [])
    assert shown["clickedAt"] is not None
    assert not {"metadata", "candidateId", "couponCode", "explanation"} & shown.keys()


async def test_an_affiliate_reads_its_messages_and_statement(own: Program, world: World) -> None:
    said = (await own("GET", f"{AFFILIATE}/commissions/{world.ids['commission']}/messages")).json["data"]
    assert [(each["author"], each["text"]) for each in said] == [("affiliate", "Ann asks")]
    statement = await own("GET", f"{AFFILIATE}/payouts/{world.ids['payout']}/statement")
    assert (statement.status, statement.json["affiliateId"]) == (200, world.affiliate_id)
    assert (await own("GET", f"{AFFILIATE}/payouts/pay_none/statement")).status == 404


async def test_an_affiliate_asks_its_merchant_about_an_order(
    hub: Hub, clock: FakeClock, own: Program, world: World
) -> None:
    """As on its page: once for a key, told to the merchant; a token that only reads, or another's order, is refused."""
    place = f"{AFFILIATE}/commissions/{world.ids['commission']}/messages"
    said = {"text": "  Why is it on hold?  "}
    assert (await own("POST", place, said)).json["code"] == "insufficient_scope"
    writes = own.using(await token(hub, clock, "orders:write", affiliate=world.affiliate_id))
    for _ in range(2):
        thread = await writes("POST", place, said, {"Idempotency-Key": "question-1"})
        assert thread.status == 201, thread.raw
        assert [(each["author"], each["text"]) for each in thread.json["data"]] == [
            ("affiliate", "Ann asks"), ("affiliate", "Why is it on hold?"),
        ]  # fmt: skip
    assert (await writes("POST", place, {"text": " "})).status == 400
    assert (await writes("POST", f"{AFFILIATE}/commissions/com_none/messages", said)).status == 404
    (told,) = (await own("GET", f"{AFFILIATE}/messages")).json["data"]
    assert (told["commissionId"], told["messages"], told["unreadByMerchant"]) == (world.ids["commission"], 2, 2)


async def test_an_affiliate_reads_its_payee_without_the_account(
    hub: Hub, clock: FakeClock, own: Program, world: World
) -> None:
    """Before there is one it is a 404, as for operators."""
    assert (await own("GET", f"{AFFILIATE}/payee")).json["code"] == "not_found"
    parts = hub.parts
    await set_payee(parts.store, parts.sealer, clock, Outbox(parts.sealer, is_on=False), world.affiliate_id, PAYEE)
    shown = await own("GET", f"{AFFILIATE}/payee")
    assert (shown.status, shown.json["legalName"], shown.json["account"][-4:]) == (200, "Anna Ames", "3000")
    assert "DE89370400440532013000" not in shown.raw.decode()


async def test_an_operator_reads_one_commission_figures_products_and_files(
    operator: Program, world: World, clock: FakeClock
) -> None:
    async def read_alike() -> bool:
        listed = (await operator("GET", f"{ADMIN}/commissions?mode=test")).json["data"][0]
        return bool((await operator("GET", f"{ADMIN}/commissions/{listed['id']}")).json == listed)

    await until(read_alike)  # between the two the worker may end what the world left to it, and set `updatedAt`
    assert (await operator("GET", f"{ADMIN}/commissions/com_none")).json["code"] == "not_found"

    async def counted(by: str) -> bool:
        clock.advance(1)
        found = (await operator("GET", f"{ADMIN}/reports?by={by}&mode=test")).json["data"]
        return any(each["orders"] for each in found)

    for by in ("day", "merchant", "campaign", "affiliate"):
        await until(partial(counted, by))
    days = (await operator("GET", f"{ADMIN}/reports?mode=test&from=2020-01-01&to=2020-01-31")).json["data"]
    assert days == []
    place = f"{ADMIN}/merchants/{world.merchant_id}"
    products = (await operator("GET", f"{place}/products?mode=test&search=ann")).json["data"]
    assert [each["externalProductId"] for each in products] == ["SKU-1"]
    assert (await operator("GET", f"{place}/products?mode=test&status=ARCHIVED")).json["data"] == []
    uploads = (await operator("GET", f"{place}/uploads?mode=test")).json["data"]
    assert world.ids["upload"] in [each["uploadId"] for each in uploads]


async def test_clicks_are_read_one_by_one(hub: Hub, clock: FakeClock, own: Program, operator: Program) -> None:
    """By the shop, the operator and the affiliate, each its own; the notes of the address are with them, no visitor."""
    bob = await world_of(hub, clock, "Bob")
    link, click = bob.ids["link"], bob.ids["click"]
    theirs = own.using(await token(hub, clock, "links:read", affiliate=bob.affiliate_id))
    async with api_of(hub, clock) as client:
        api = client.with_key(bob.key)
        (shown,) = (await api("GET", f"/v1/clicks?linkCode={link}&affiliateId={bob.affiliate_id}")).json["data"]
        assert (await api("GET", "/v1/clicks?createdFrom=2027-01-01T00:00:00Z")).json["data"] == []
    assert (shown["id"], shown["linkCode"], shown["subIds"]) == (click, link, {"sub1": "Bob"})
    assert set(shown) == {
        "id", "clickedAt", "linkCode", "affiliateId", "campaignId", "subIds", "merchantId", "mode",
    }  # fmt: skip
    assert (await theirs("GET", f"{AFFILIATE}/links/{link}/clicks")).json["data"] == [shown]
    assert (await own("GET", f"{AFFILIATE}/links/{link}/clicks")).status == 404, "another's link"
    place = f"{ADMIN}/merchants/{bob.merchant_id}/clicks?mode=test"
    assert (await operator("GET", place)).json["data"] == [shown]
    assert (await operator("GET", f"{place}&createdTo=2020-01-01T00:00:00Z")).json["data"] == []


async def test_records_are_exported_as_the_terminal_does(
    hub: Hub, operator: Program, clock: FakeClock, world: World
) -> None:
    """The same bytes; each kind by its own scopes, and a merchant that is none by a 404 rather than a broken file."""
    place = f"{ADMIN}/merchants/{world.merchant_id}/export?mode=test"
    for what in EXPORT_SCOPES:
        reply = await operator("GET", f"{place}&of={what}")
        assert (reply.status, reply.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
        if what != "request-log":
            blocks = [each.text async for each in export(hub.parts.store, what, world.merchant_id, "test")]
            assert reply.raw.decode() == "".join(blocks)
        assert reply.raw.count(b"\n") > 1, what
    orders = operator.using(await token(hub, clock, "orders:read"))
    assert (await orders("GET", f"{place}&of=conversions")).status == 200
    assert (await orders("GET", f"{place}&of=commissions")).json["code"] == "insufficient_scope", "it has addresses"
    assert (await operator("GET", f"{ADMIN}/merchants/mer_none/export")).json["code"] == "not_found"
    assert (await operator("GET", f"{place}&of=nothing")).status == 400
