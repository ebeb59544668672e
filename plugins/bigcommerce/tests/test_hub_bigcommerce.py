"""The BigCommerce connector keeps the promises of every connector, and its own."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hub_bigcommerce import hub_connectors
from hub_bigcommerce.clicks import click_of
from hub_bigcommerce.deliveries import TOPICS
from hub_bigcommerce.options import BigCommerceOptions
from hub_bigcommerce.orders import of_order
from hub_bigcommerce.requests import ORDER_SCOPES, PRODUCT_SCOPES, REQUESTS
from hub_bigcommerce.scenarios import order, refund
from hub_bigcommerce.values import moment

from hub.api import (
    Context,
    FetchOrder,
    FetchProduct,
    OrderCreated,
    OrderPaid,
    OrderRefunded,
    OrderSnapshot,
    OrderStateUnknown,
    OrderUnclear,
    Play,
    ProductStockUpdated,
    Unmappable,
)
from hub.testing.connector_suite import ConnectorSuite

PLAY = Play("10042", "clk_1", "USD", 1_772_359_200_000)
(BIGCOMMERCE,) = hub_connectors()
AWAITING_FULFILMENT, COMPLETED, CANCELLED, REFUNDED = 11, 10, 5, 4


class TestConformance(ConnectorSuite):
    """The hub's public suite over this plugin's samples and recorded exchanges."""

    connector_name = "bigcommerce"


def facts(body: dict[str, Any], **options: Any) -> list[Any]:
    """Return what an order states."""
    return list(of_order(body, Context("d-1", PLAY.placed_at, "USD", BigCommerceOptions(**options))))


def stated(scope: str, data: dict[str, Any]) -> list[Any]:
    """Return what a webhook states."""
    (topic,) = (each for each in TOPICS if each.name == scope)
    return list(topic.translate({"scope": scope, "data": data}, Context("d-1", 0, "USD", BigCommerceOptions())))


class TestThinWebhooks:
    @pytest.mark.parametrize("scope", ORDER_SCOPES)
    def test_news_of_an_order_name_what_to_ask_for(self, scope: str) -> None:
        assert stated(scope, {"type": "order", "id": 250}) == [FetchOrder("fetch", "250")]

    def test_news_of_a_variants_stock_name_its_product(self) -> None:
        data = {"type": "sku", "id": 461, "inventory": {"product_id": 206, "variant_id": 509}}
        assert stated("store/sku/inventory/updated", data) == [FetchProduct("fetch", "206")]

    def test_a_deleted_product_is_not_asked_for(self) -> None:
        (gone,) = stated("store/product/deleted", {"type": "product", "id": 205})
        assert gone == ProductStockUpdated("deleted", "205", "OUT_OF_STOCK", 0, None)

    def test_a_webhook_without_an_id_is_refused(self) -> None:
        with pytest.raises(Unmappable, match="does not name its order"):
            stated("store/order/updated", {"type": "order"})

    def test_the_hub_makes_a_webhook_for_every_scope_that_it_reads(self) -> None:
        assert REQUESTS.webhooks is not None
        assert set(REQUESTS.webhooks.topics) == {*ORDER_SCOPES, *PRODUCT_SCOPES} < {topic.name for topic in TOPICS}

    def test_the_hash_is_not_taken_for_a_delivery_id(self) -> None:
        """It is computed from the data, so every update of an order has the same one."""
        assert BIGCOMMERCE.delivery_id is None


class TestMoney:
    def test_goods_are_worth_what_they_cost_after_all_discounts(self) -> None:
        created = facts(order(PLAY, 0, AWAITING_FULFILMENT, "captured"))[0]
        assert isinstance(created, OrderCreated)
        assert (created.amount, created.paid_total, created.click_id) == (Decimal(50), Decimal("66.0000"), "clk_1")

    def test_an_authorisation_is_not_money(self) -> None:
        assert not any(isinstance(each, OrderPaid) for each in facts(order(PLAY, 0, AWAITING_FULFILMENT, "authorized")))
        assert any(isinstance(each, OrderPaid) for each in facts(order(PLAY, 0, AWAITING_FULFILMENT, "")))

    def test_shipping_is_beside_the_goods(self) -> None:
        back = refund(PLAY)
        back["total_amount"] = 24
        back["items"].append({"item_type": "SHIPPING", "item_id": 51, "requested_amount": 6})
        said = facts(order(PLAY, 3, COMPLETED, "partially refunded", [back]))[-1]
        assert isinstance(said, OrderRefunded)
        assert (said.amount, said.beside_goods) == (Decimal(24), Decimal(6))
        assert [(line.quantity, line.amount) for line in said.lines] == [(1, Decimal(15))]

    def test_refunded_with_less_money_back_is_left_to_a_person(self) -> None:
        said = facts(order(PLAY, 3, REFUNDED, "refunded", [refund(PLAY)]))
        assert any(isinstance(each, OrderUnclear) for each in said)
        assert not any(isinstance(each, OrderRefunded) and each.whole for each in said)

    def test_refunded_without_a_refund_takes_all_back(self) -> None:
        assert facts(order(PLAY, 3, REFUNDED, "refunded"))[-1].whole


class TestOrders:
    def test_a_status_that_is_on_takes_a_cancellation_back(self) -> None:
        for status, stands in ((CANCELLED, False), (AWAITING_FULFILMENT, True)):
            (snapshot,) = (
                each for each in facts(order(PLAY, 3, status, "captured")) if isinstance(each, OrderSnapshot)
            )
            assert (snapshot.stands_at is not None) is stands

    @pytest.mark.parametrize(("named", "waits"), [((), True), (("21",), False)])
    def test_a_status_that_bigcommerce_does_not_have_makes_the_order_wait(
        self, named: tuple[str, ...], waits: bool
    ) -> None:
        """Unless the owner says what it means."""
        said = facts(order(PLAY, 3, 21, "captured"), delivered_statuses=named)
        assert any(isinstance(each, OrderStateUnknown) for each in said) is waits
        assert any(isinstance(each, OrderPaid) for each in said) is not waits
        assert [each.stands_at is None for each in said if isinstance(each, OrderSnapshot)] == [waits]

    @pytest.mark.parametrize(
        ("comment", "click"),
        [
            ("affiliate_click_id=clk_7", "clk_7"),
            ("Ring twice.\nAffiliate_Click_Id: clk_7, thanks", "clk_7"),
            ("affiliate_click_id=" + "x" * 129, None),
            ("no click", None),
        ],
    )
    def test_the_click_is_read_from_a_comment(self, comment: str, click: str | None) -> None:
        assert click_of({"customer_message": comment})[0] == click

    def test_moments_of_both_apis_are_read(self) -> None:
        assert moment("Thu, 20 Jun 2024 16:07:08 +0000") == moment("2024-06-20T16:07:08+00:00") == 1_718_899_628_000
        assert moment("") is moment("not a day") is moment("Thu, 20 Jun 1024 16:07:08 +0000") is None
