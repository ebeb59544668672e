"""What the hub asks Shopify's GraphQL API: against the schema, its costs, its errors and its bulk operations."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from hub_shopify import hub_connectors, queries
from hub_shopify.requests import REQUESTS
from hub_shopify.scenarios import SCENES

from hub.api import Context, Play, parse_body
from hub.domain.connectors.bulk_lines import BulkItems
from hub.domain.connectors.request_pages import AnswerFault
from hub.outbound.platform_client import PlatformFault
from hub.outbound.platform_hooks import make_hook
from tests.processing.harness import DAY, NOON
from tests.standins import shopify_graphql
from tests.standins.shopify import Shopify, denied
from tests.standins.shopify_bodies import order_node
from tests.standins.test_platform_apis import asked, case

(CONNECTOR,) = hub_connectors()
DOCUMENTS = {
    "SHOP": {}, "SCOPES_GIVEN": {}, "ORDERS": {"first": 250}, "ORDER": {}, "MORE_LINES": {"first": queries.LINES},
    "PRODUCTS": {"first": 250}, "PRODUCT": {}, "MORE_VARIANTS": {"first": 250}, "BEGIN_BULK": {}, "LOOK_AT_BULK": {},
    "WEBHOOKS": {"first": 100}, "MAKE_WEBHOOK": {}, "DELETE_WEBHOOK": {},
}  # fmt: skip
MIB = 1024 * 1024


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_is_in_the_schema_and_costs_what_one_may(name: str) -> None:
    question = shopify_graphql.asked(getattr(queries, name), DOCUMENTS[name])
    assert not isinstance(question, list), question
    assert 0 < question.cost <= shopify_graphql.MOST_COST


def test_control_a_document_that_is_not_in_the_schema_is_refused() -> None:
    """As is one that costs more than a query may, and a bulk operation with a connection in a list."""
    assert isinstance(shopify_graphql.asked("query { shop { sales } }", {}), list)
    greedy = shopify_graphql.asked(
        "query { orders(first: 250) { nodes { lineItems(first: 9) { nodes { id } } } } }", {}
    )
    assert not isinstance(greedy, list)
    assert greedy.cost > shopify_graphql.MOST_COST
    listed = "{ orders { edges { node { id refunds { refundLineItems { edges { node { quantity } } } } } } } }"
    assert "within a list" in str(shopify_graphql.bulk_fault(listed))


@pytest.mark.parametrize("document", [queries.ALL_ORDERS, queries.ALL_PRODUCTS])
def test_the_bulk_operations_are_ones_that_shopify_takes(document: str) -> None:
    assert shopify_graphql.bulk_fault(document.replace("{since_z}", "2026-03-01T10:00:00Z")) is None


@pytest.mark.parametrize("scene", ["created", "paid", "cancelled", "edited", "priced"])
def test_an_order_says_the_same_by_both_roads(scene: str) -> None:
    """Its webhook and the API state the same facts, to the last field."""
    body = json.loads(SCENES[scene](Play("450789469", "clk_1", "USD", NOON)).body)
    if scene == "paid":
        back = json.loads(SCENES["refunded"](Play("450789469", "clk_1", "USD", NOON)).body)
        body |= {"refunds": [back], "financial_status": "partially_refunded"}
    node = order_node(body)
    for name in ("lineItems", "discountApplications"):
        node[name] = {"nodes": node[name]}
    for refund in node["refunds"]:
        refund |= {name: {"nodes": refund[name]} for name in ("refundLineItems", "transactions")}
    assert stated("order", node) == stated("orders/updated", body)


def stated(topic: str, body: dict[str, Any]) -> list[Any]:
    (known,) = (each for each in CONNECTOR.topics if each.name == topic)
    context = Context("d-1", NOON + DAY, "USD", CONNECTOR.options())
    return list(known.translate(parse_body(json.dumps(body).encode()), context))


def test_a_refund_that_is_told_in_part_is_not_taken_for_a_whole_one() -> None:
    body = json.loads(SCENES["paid"](Play("1", None, "USD", NOON)).body)
    body["refunds"] = [json.loads(SCENES["refunded"](Play("1", None, "USD", NOON)).body)]
    node = order_node(body)
    node["refunds"][0]["refundLineItems"] = {"nodes": [], "pageInfo": {"hasNextPage": True}}
    with pytest.raises(Exception, match="more refundLineItems than are asked for"):
        stated("order", node)


async def test_an_error_beside_the_data_fails_the_answer() -> None:
    """Save for a field that can be spared: an app without a permission loses that field alone."""
    shop = case("shopify")
    assert isinstance(shop.standin, Shopify)
    assert REQUESTS.order is not None
    async with asked(shop) as client:
        shop.standin.errors.append(denied("customerJourneySummary"))
        assert (await client.whole(REQUESTS.order, "5000"))["legacyResourceId"] == "5000"
        shop.standin.errors.append(denied("lineItems"))
        with pytest.raises(PlatformFault, match="Access denied for lineItems") as raised:
            await client.whole(REQUESTS.order, "5000")
        assert raised.value.code == "refused"
        shop.standin.errors.append({"message": "Internal error", "extensions": {"code": "INTERNAL_SERVER_ERROR"}})
        assert (await client.whole(REQUESTS.order, "5000"))["legacyResourceId"] == "5000"
        shop.standin.errors.append({"message": "Something else"})
        with pytest.raises(PlatformFault, match="Something else"):
            await client.whole(REQUESTS.order, "5000")


async def test_an_order_that_is_not_there_is_missing_and_an_act_may_be_refused() -> None:
    shop = case("shopify")
    assert REQUESTS.order is not None
    async with asked(shop) as client:
        with pytest.raises(PlatformFault, match="there is no order 1") as raised:
            await client.whole(REQUESTS.order, "1")
        assert raised.value.code == "missing"
        await make_hook(client, "ORDERS_PAID", "https://hub.example/connect/con_1", "s")
        with pytest.raises(PlatformFault, match="refuses: Address for this topic has already been taken"):
            await make_hook(client, "ORDERS_PAID", "https://hub.example/connect/con_1", "s")


@pytest.mark.prove
def test_lines_become_items_in_the_memory_of_one() -> None:
    """Thirty thousand orders, and what belongs to each; the control holds them all."""
    assert REQUESTS.orders is not None
    bulk = REQUESTS.orders.bulk
    assert bulk is not None

    def lines() -> Any:
        for number in range(30_000):
            gid = f"gid://shopify/Order/{number}"
            yield json.dumps({"id": gid, "name": "x" * 200}).encode()
            yield json.dumps({"__typename": "LineItem", "id": f"l{number}", "__parentId": gid}).encode()

    def peak(*, holding: bool) -> int:
        items, held, count = BulkItems(bulk), [], 0
        tracemalloc.start()
        for line in lines():
            whole = items.take(line)
            if whole is not None:
                count += 1
                assert len(whole["lineItems"]["nodes"]) == 1
                held += [whole] if holding else []
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == 29_999
        assert items.last() is not None
        return most

    assert peak(holding=False) < MIB < peak(holding=True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "not JSON"),
        (b"[]", "no object"),
        (b'{"id": "l", "__typename": "LineItem", "__parentId": "gid://shopify/Order/2"}', "does not stand beside it"),
    ],
)
def test_a_line_that_cannot_be_right_is_a_fault(line: bytes, said: str) -> None:
    assert REQUESTS.orders is not None
    assert REQUESTS.orders.bulk is not None
    items = BulkItems(REQUESTS.orders.bulk)
    assert items.take(b'{"id": "gid://shopify/Order/1"}') is None
    with pytest.raises(AnswerFault, match=said):
        items.take(line)
