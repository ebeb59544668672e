"""A name that nobody knows is refused nowhere, and never vanishes in silence: the answer says that it was ignored."""

from __future__ import annotations

from typing import Any

import pytest

from hub.app import Hub
from hub.merchant_api.endpoint import CsvFile, Endpoint, JsonObject
from hub.merchant_api.openapi.schemas import input_example
from hub.merchant_api.openapi.webhook_bodies import WEBHOOKS
from hub.merchant_api.v1 import ENDPOINTS
from hub.testing.clock import FakeClock
from hub.token_api.routes import APIS
from tests.openapi_documents import document_of
from tests.pages.world import World, world_of
from tests.served_hub import Api

ORDER: dict[str, Any] = {"externalOrderId": "W-1", "orderAmount": "10.00"}
WARNED = "`nothingSuch` is unknown: it was ignored"
IGNORED = "`click_id` is unknown and looks like `clickId`: it was ignored"


async def test_a_misspelt_click_id_is_named_in_the_answer(api: Api) -> None:
    """The request log alone had it, and nobody earned; a repeat under the same key has the same bytes."""
    key = {"Idempotency-Key": "w-1"}
    first = await api("POST", "/v1/conversions", {**ORDER, "click_id": "clk_1", "zzz": 1}, headers=key)
    assert (first.status, first.json["warnings"]) == (202, [IGNORED, "`zzz` is unknown: it was ignored"])
    again = await api("POST", "/v1/conversions", {**ORDER, "click_id": "clk_1", "zzz": 1}, headers=key)
    assert again.raw == first.raw
    status = {"externalOrderId": "W-1", "status": "delivered", "statusUpdated": "2026-11-20T10:00:00Z"}
    told = (await api("POST", "/v1/order-status", status)).json["warnings"]
    assert told == ["`statusUpdated` is unknown and looks like `statusUpdatedAt`: it was ignored"]


async def test_a_webhooks_misspelt_field_is_named(api: Api) -> None:
    body = {"external_order_id": "W-2", "order_amount": "5.00", "clck_id": "clk_1"}
    reply = await api("POST", "/v1/webhooks/order-created", body, headers={"X-External-Event-Id": "w-2"})
    assert reply.json["warnings"] == ["`clck_id` is unknown and looks like `click_id`: it was ignored"]


@pytest.mark.parametrize("known", [{}, {"clickId": "clk_" + "0" * 32}])
async def test_control_what_is_known_is_not_warned_of(api: Api, known: dict[str, str]) -> None:
    reply = await api("POST", "/v1/conversions", {**ORDER, "externalOrderId": f"W-3-{len(known)}", **known})
    assert "warnings" not in reply.json


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/v1/commissions?state=PAYABLE", "`state` is unknown and looks like `status`: it was ignored"),
        ("/v1/conversions?affiliate=aff_1", "`affiliate` is unknown and looks like `affiliateId`: it was ignored"),
        ("/v1/products?serch=shoe", "`serch` is unknown and looks like `search`: it was ignored"),
        ("/v1/campaigns?include=total", "`include` is unknown: it was ignored"),
        ("/v1/reports/daily?since=2026-11-01", "`since` is unknown: it was ignored"),
        ("/v1/balances?currency=USD", "`currency` is unknown: it was ignored"),
    ],
)
async def test_a_list_says_which_parameter_it_ignored(api: Api, path: str, told: str) -> None:
    """It answered everything, as if nobody had asked for less."""
    asked = await api("GET", path)
    plain = await api("GET", path.partition("?")[0])
    assert asked.json.pop("warnings", None) == [told]
    assert "warnings" not in plain.json
    if "ETag" in asked.headers:
        known = await api("GET", path, headers={"If-None-Match": asked.headers["ETag"]})
        assert known.status == 304


async def test_an_imports_misspelt_field_is_named(api: Api) -> None:
    item = {"externalProductId": "S-1", "name": "Shoe", "productUrl": "https://shop.example/p", "price": "1.00"}
    reply = await api("POST", "/v1/products/import", {"products": [{**item, "comissionValue": "5"}]})
    told = "`products[0].comissionValue` is unknown and looks like `commissionValue`: it was ignored"
    assert (reply.status, reply.json["warnings"]) == (202, [told])


def example_body(endpoint: Endpoint) -> dict[str, Any]:
    if endpoint.body is JsonObject:
        return {**WEBHOOKS[endpoint.path.rpartition("/")[2]]}
    return {} if endpoint.body is None else input_example(endpoint.body)


async def test_no_write_drops_a_name_in_silence(api: Api) -> None:
    """Each write is sent its own example with a name more, and says which was ignored.

    What is done is what is done without the name: the control of each, which warns of nothing.
    """
    warned = set[str]()
    campaign = (await api("POST", "/v1/campaigns", {"title": "Spring"})).json["id"]
    for endpoint in (each for each in ENDPOINTS if each.writes and each.body is not CsvFile):
        body = example_body(endpoint)
        for item in body.get("products", ()):
            item.pop("campaignId", None)  # which must be one of the account's
        for name in ("campaignId", *(["status"] if endpoint.tag == "campaigns" else [])):
            body.pop(name, None)  # an archived campaign is changed no more
        path = endpoint.path.replace("{id}", "SKU-1" if endpoint.tag == "products" else campaign)
        replies = []
        for number, sent in enumerate([{**body, "nothingSuch": 1}, body]):
            headers = {each.name: f"{endpoint.operation}-{number}" for each in endpoint.headers}
            if endpoint.operation == "pauseCampaign":
                await api("POST", f"/v1/campaigns/{campaign}/activate")
            replies.append(await api(endpoint.method, path, sent or None, headers=headers))
        told, plain = replies
        assert "nothingSuch" not in plain.raw.decode(), endpoint.operation
        if endpoint.warns and plain.status == endpoint.success:
            assert told.status == plain.status, (endpoint.operation, told.raw)
            assert told.json["warnings"] == [WARNED], endpoint.operation
            assert "warnings" not in plain.json, endpoint.operation
            warned.add(endpoint.operation)
        else:
            assert told.status == plain.status, (endpoint.operation, told.raw)
    assert len(warned) > 15, "the control: most could be carried out"


async def test_a_change_says_which_field_it_ignored_and_which_one_was_meant(api: Api) -> None:
    """A price that nobody changed answered 200, as if it had been."""
    item = {"externalProductId": "S-9", "name": "Shoe", "productUrl": "https://shop.example/p", "price": "1.00"}
    await api("POST", "/v1/products/import", {"products": [item]})
    changed = await api("PATCH", "/v1/products/S-9", {"discount_price": "0.50"})
    told = "`discount_price` is unknown and looks like `discountPrice`: it was ignored"
    assert (changed.status, changed.json["warnings"], changed.json["discountPrice"]) == (200, [told], None)
    made = await api("POST", "/v1/campaigns", {"title": "Spring", "cookieDays": 7})
    told = "`cookieDays` is unknown and looks like `cookieDurationDays`: it was ignored"
    assert (made.status, made.json["warnings"]) == (201, [told])
    key = {"Idempotency-Key": "w-9"}
    first, again = [await api("POST", "/v1/campaigns", {"title": "Fall", "x": 1}, headers=key) for _ in range(2)]
    assert again.raw == first.raw


async def test_a_subscription_says_which_field_it_ignored(api: Api) -> None:
    made = await api(
        "POST", "/v1/subscriptions", {"url": "https://shop.example/hook", "events": ["commission.*"], "event": 1}
    )
    assert made.json["warnings"] == ["`event` is unknown and looks like `events`: it was ignored"]
    changed = await api("PATCH", f"/v1/subscriptions/{made.json['id']}", {"payloadVersoin": "1"})
    told = "`payloadVersoin` is unknown and looks like `payloadVersion`: it was ignored"
    assert (changed.status, changed.json["warnings"]) == (200, [told])
    assert "warnings" not in (await api("GET", "/v1/subscriptions")).json["data"][0]


@pytest.fixture
async def world(hub: Hub, clock: FakeClock) -> World:
    return await world_of(hub, clock, "Ann", subscribed=False)


async def test_acts_on_links_orders_and_messages_say_which_field_they_ignored(api: Api, world: World) -> None:
    """A link without its campaign, a message of another kind than was meant: the answer looked as if it were right."""
    ann, affiliate = api.with_key(world.key), {"affiliateId": world.affiliate_id}
    made = await ann("POST", "/v1/subscriptions", {"url": "https://shop.example/hook", "events": ["*"]})
    hook, review = f"/v1/subscriptions/{made.json['id']}", f"/v1/conversions/{world.ids['review']}"
    misspelt = [
        ("/v1/links", {**affiliate, "campaign": world.ids["campaign"]}, "campaign", "campaignId"),
        (f"{review}/attribute", {**affiliate, "campain_id": "x"}, "campain_id", "campaignId"),
        (f"{hook}/test", {"typ": "commission.payable"}, "typ", "type"),
        (f"{hook}/retry", {"messageid": None}, "messageid", "messageId"),
        (f"{hook}/replay", {"since": "1d", "sinse": "2d"}, "sinse", "since"),
    ]
    for path, body, given, meant in misspelt:
        reply = await ann("POST", path, body)
        told = f"`{given}` is unknown and looks like `{meant}`: it was ignored"
        assert (reply.status in (200, 201, 202), reply.json.get("warnings")) == (True, [told]), (path, reply.raw)
    plain = await ann("POST", "/v1/links", {**affiliate, "campaignId": world.ids["campaign"]})
    assert (plain.status, "warnings" in plain.json) == (201, False), "the control"


async def test_a_file_says_which_parameter_it_ignored(api: Api) -> None:
    """`dryrun=true` applies the file: who sent it must hear of that at once."""
    file = b"externalOrderId,orderAmount\nW-8,5.00\n"
    reply = await api("POST", "/v1/uploads/orders?dryrun=true", file, headers={"Content-Type": "text/csv"})
    told = "`dryrun` is unknown and looks like `dryRun`: it was ignored"
    assert (reply.status, reply.json["dryRun"], reply.json["warnings"]) == (202, False, [told])
    reply = await api("POST", "/v1/uploads/orders?dryRun=true", file + b"\n", headers={"Content-Type": "text/csv"})
    assert (reply.status, reply.json["dryRun"], "warnings" in reply.json) == (202, True, False), "the control"


async def test_tiers_name_a_member_that_they_do_not_have(api: Api) -> None:
    tier = {"from": "11", "commissionType": "PERCENTAGE", "commissionValue": "12", "to": "20"}
    rates = {"period": "MONTH", "measure": "ORDERS", "tiers": [tier], "cap": 1}
    reply = await api("POST", "/v1/campaigns", {"title": "Spring", "volumeRates": rates})
    assert reply.status == 400
    assert set(reply.json["message"]) == {
        "`volumeRates.cap` is unknown here", "`volumeRates.tiers[0].to` is unknown here",
    }  # fmt: skip


def test_every_list_and_every_write_can_warn() -> None:
    """A new one has the member, too; what is read by its id takes no parameters."""
    silent = {each.operation for each in ENDPOINTS if not each.warns}
    assert silent == {"getEvent", "getUploadVerdicts", "getConversion", "getCommission"}


@pytest.mark.parametrize("kind", [kind for kind, _ in APIS.values()])
def test_an_api_that_refuses_unknown_names_promises_no_warnings(kind: str) -> None:
    """The operators' document had them of a product, and none was ever sent."""
    schemas = document_of(kind)["components"]["schemas"]
    assert [name for name, schema in schemas.items() if "warnings" in schema.get("properties", {})] == []
    assert len(schemas) > 30, "the control: there is something to look through"
