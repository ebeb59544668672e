"""What an order's snapshot states: each trap of Shopify's order bodies by name."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import hub_shopify
import pytest
from attrs import evolve
from hub_shopify import hub_connectors
from hub_shopify.options import ShopifyOptions

from hub.api import (
    Context,
    Fact,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderGone,
    OrderPaid,
    OrderRefunded,
    OrderReturned,
    OrderSnapshot,
    OrderUnclear,
    Unmappable,
    parse_body,
)

(CONNECTOR,) = hub_connectors()
SAMPLES = Path(str(hub_shopify.__file__)).parent / "samples"
RECEIVED_AT = 1_893_456_000_000
CONTEXT = Context("d-1", RECEIVED_AT, "USD", ShopifyOptions())
DAY = 86_400_000
CLICK = "clk_0190f3a2b4c47d8e9fa0b1c2d3e4f506"


def sample(topic: str, name: str) -> dict[str, Any]:
    return parse_body((SAMPLES / topic.replace("/", "__") / f"{name}.json").read_bytes())


def stated(topic: str, body: dict[str, Any], context: Context = CONTEXT, **options: Any) -> tuple[Fact, ...]:
    """The facts of a body but what the order is by now, which `snapshot` returns."""
    facts = translated(topic, body, context, **options)
    return tuple(fact for fact in facts if not isinstance(fact, OrderSnapshot))


def translated(topic: str, body: dict[str, Any], context: Context = CONTEXT, **options: Any) -> tuple[Fact, ...]:
    (known,) = (each for each in CONNECTOR.topics if each.name == topic)
    return tuple(known.translate(body, evolve(context, options=ShopifyOptions(**options))))


def snapshot(topic: str, body: dict[str, Any]) -> OrderSnapshot:
    (fact,) = (fact for fact in translated(topic, body) if isinstance(fact, OrderSnapshot))
    return fact


def created(topic: str, name: str, **options: Any) -> OrderCreated:
    (fact,) = (each for each in stated(topic, sample(topic, name), **options) if isinstance(each, OrderCreated))
    return fact


def kinds(facts: tuple[Fact, ...]) -> list[type]:
    return [type(fact) for fact in facts]


class TestOrdersThatChange:
    def test_an_edit_is_a_newer_snapshot_of_what_is_left(self) -> None:
        """Pieces that an edit took out before they were paid for are in no refund."""
        body = sample("orders/create", "code_in_percent")
        (line, *others) = body["line_items"]
        edited = {
            **body,
            "line_items": [{**line, "current_quantity": 0}, *others],
            "updated_at": "2026-12-01T00:00:00Z",
        }
        placed, now = snapshot("orders/updated", body), snapshot("orders/updated", edited)
        assert now.version > placed.version
        assert now.amount == placed.amount - (placed.lines[0].amount or 0)

    def test_refunded_with_less_money_back_is_left_to_a_person(self) -> None:
        body = {**sample("orders/paid", "paid"), "financial_status": "refunded"}
        body["refunds"] = sample("orders/cancelled", "refund_inside")["refunds"]
        body |= {"total_price": "9000.00", "current_total_price": "8000.00"}
        assert [fact.key for fact in stated("orders/updated", body) if isinstance(fact, OrderUnclear)] == [
            "refunded_in_part"
        ]


class TestEverySnapshotStatesEverything:
    def test_a_create_body_that_is_paid_already(self) -> None:
        assert kinds(stated("orders/create", sample("orders/create", "code_in_percent"))) == [OrderCreated, OrderPaid]

    def test_paid_before_created(self) -> None:
        """The order is known from whatever topic comes first."""
        assert kinds(stated("orders/paid", sample("orders/paid", "paid"))) == [OrderCreated, OrderPaid]

    def test_cancelled_with_its_refund_inside(self) -> None:
        facts = stated("orders/cancelled", sample("orders/cancelled", "refund_inside"))
        assert kinds(facts) == [OrderCreated, OrderPaid, OrderCancelled, OrderRefunded]
        assert [fact.key for fact in facts] == ["created", "paid", "cancelled", "refund:9100000000002"]
        (alone,) = stated("refunds/create", sample("refunds/create", "full_with_shipping"))
        assert alone == facts[-1]

    def test_a_storm_of_updates_has_the_same_keys(self) -> None:
        body = sample("orders/updated", "delivered")
        later = {**body, "updated_at": "2026-10-01T00:00:00-04:00", "tags": "vip"}
        assert stated("orders/updated", body) == stated("orders/updated", later)

    def test_all_pieces_returned(self) -> None:
        facts = stated("orders/updated", sample("orders/updated", "everything_returned"))
        assert OrderReturned in kinds(facts)
        assert OrderReturned not in kinds(
            stated("orders/updated", sample("orders/updated", "everything_returned"), returned_on="never")
        )

    def test_one_piece_returned_is_not_the_order(self) -> None:
        assert OrderReturned not in kinds(stated("orders/updated", sample("orders/updated", "refund_inside")))

    def test_a_deleted_order_earns_nothing(self) -> None:
        (fact,) = stated("orders/delete", {"id": 5})
        assert isinstance(fact, OrderGone)

    def test_payment_by_hand_is_dated_by_its_snapshot(self) -> None:
        paid = [f for f in stated("orders/paid", sample("orders/paid", "cash_on_delivery")) if isinstance(f, OrderPaid)]
        assert [fact.occurred_at for fact in paid] == [1_789_912_800_000]


class TestWhatItIsWorth:
    @pytest.mark.parametrize(
        ("name", "amount"),
        [
            ("code_in_percent", "143.97"),
            ("automatic_discount", "45.00"),
            ("script_discount_and_excise_tax", "89.00"),
            ("gift_card", "30.00"),
            ("tip", "30.00"),
            ("code_for_shipping", "50.00"),
            ("taxes_included", "2085.71"),
            ("taxes_included_without_tax_lines", "100.00"),
            ("buyer_pays_in_euros", "50.00"),
            ("three_decimals", "12.345"),
            ("free_order", "0"),
            ("deleted_product_and_custom_line", "45.00"),
            ("old_version_without_sets", "189.00"),
        ],
    )
    def test_base(self, name: str, amount: str) -> None:
        fact = created("orders/create", name)
        assert fact.amount == Decimal(amount) == sum(line.amount or 0 for line in fact.lines)

    @pytest.mark.parametrize("title", ["Tip", "Trinkgeld"])
    def test_a_custom_line_that_costs_as_much_as_the_tip_is_goods(self, title: str) -> None:
        body = sample("orders/create", "tip")
        tip = body["line_items"][1]
        body["line_items"][1:] = [{**tip, "id": 99, "title": "Engraving", "name": "Engraving"}, {**tip, "title": title}]
        order = next(each for each in stated("orders/create", body) if isinstance(each, OrderCreated))
        assert order.amount == Decimal("34.00")

    def test_script_discount_is_not_taken_twice(self) -> None:
        body = sample("orders/create", "script_discount_and_excise_tax")
        body["line_items"][1]["title"] = "Surcharge"
        (fact, _) = stated("orders/create", body)
        assert isinstance(fact, OrderCreated)
        assert fact.amount == Decimal("89.00")

    def test_shipping_is_paid_but_earns_nothing(self) -> None:
        fact = created("orders/create", "unpaid")
        assert (fact.amount, fact.paid_total) == (Decimal("99.98"), Decimal("107.47"))

    def test_tax_can_be_part_of_the_base(self) -> None:
        assert created("orders/create", "taxes_included", tax="included").amount == Decimal("2190.00")
        assert created("orders/create", "taxes_on_top_added", tax="included").amount == Decimal("120.00")
        assert created("orders/create", "taxes_on_top_added").amount == Decimal("100.00")

    def test_what_the_store_excludes(self) -> None:
        assert created("orders/create", "excluded_package_protection", excluded=("ROUTEINS",)).amount == Decimal(60)

    def test_an_edit_before_the_first_sight(self) -> None:
        fact = created("orders/updated", "edited_before_first_sight")
        assert (fact.amount, fact.paid_total) == (Decimal("50.00"), Decimal("50.00"))

    def test_product_keys(self) -> None:
        keys = [
            created("orders/create", "products_by_sku", product_key=key).lines[0].external_product_id
            for key in ("id", "sku", "variant")
        ]
        assert keys == ["7800000000001", "TEA-1", "4300000000001"]

    def test_ids_beyond_two_to_the_53_keep_every_digit(self) -> None:
        assert created("orders/create", "test_notification").order_id == "820982911946154508"

    def test_without_lines_the_subtotal_counts(self) -> None:
        (fact,) = stated(
            "orders/updated", {"id": 1, "subtotal_price": "12.00", "total_tax": "2.00", "taxes_included": True}
        )
        assert isinstance(fact, OrderCreated)
        assert fact.amount == Decimal("10.00")
        with pytest.raises(Unmappable, match="subtotal_price"):
            stated("orders/updated", {"id": 1})


class TestWhoseOrderItIs:
    @pytest.mark.parametrize(
        ("name", "place"),
        [
            ("click_in_hidden_attribute", "note_attributes"),
            ("click_in_properties_object", "line_items.properties"),
            ("click_in_properties_list", "line_items.properties"),
            ("click_on_landing_site", "landing_site"),
            ("click_on_absolute_landing_site", "landing_site"),
        ],
    )
    def test_click(self, name: str, place: str) -> None:
        fact = created("orders/create", name)
        assert (fact.click_id, (fact.metadata or {})["clickIdFrom"]) == (CLICK, place)

    @pytest.mark.parametrize("name", ["point_of_sale", "subscription_renewal", "manual_draft_discount"])
    def test_orders_without_a_click_are_no_error(self, name: str) -> None:
        assert created("orders/create", name).click_id is None

    @pytest.mark.parametrize("properties", [[], {}, None, "x", [None], [{"name": 5, "value": 6}]])
    def test_properties_of_any_form(self, properties: Any) -> None:
        body = sample("orders/create", "click_in_properties_list")
        body["line_items"][0]["properties"] = properties
        (fact, _) = stated("orders/create", body)
        assert isinstance(fact, OrderCreated)
        assert fact.click_id is None

    @pytest.mark.parametrize(
        ("name", "code"),
        [
            ("code_in_percent", "TEA10"),
            ("manual_draft_discount", None),
            ("automatic_discount", None),
            ("code_for_shipping", "FREESHIP"),
            ("old_version_without_sets", "OLD"),
        ],
    )
    def test_coupon_only_where_the_buyer_entered_one(self, name: str, code: str | None) -> None:
        assert created("orders/create", name).coupon_code == code

    def test_text_that_cannot_be_stored_loses_no_order(self) -> None:
        body = sample("orders/create", "click_in_hidden_attribute")
        body["note_attributes"].insert(0, {"name": "engraving", "value": "\ud83d"})
        body["line_items"][0]["title"] = body["name"] = "a\0b"
        (fact, _) = stated("orders/create", body)
        assert isinstance(fact, OrderCreated)
        assert (fact.click_id, fact.amount) == (CLICK, Decimal("40.00"))

    def test_redacted_fields(self) -> None:
        assert created("orders/updated", "redacted_customer").amount == Decimal("40.00")


class TestDelivered:
    def delivered(self, topic: str, name: str, context: Context = CONTEXT, **options: Any) -> list[OrderDelivered]:
        return [f for f in stated(topic, sample(topic, name), context, **options) if isinstance(f, OrderDelivered)]

    def test_shipped_is_not_delivered(self) -> None:
        assert self.delivered("orders/fulfilled", "shipped_is_not_delivered") == []

    def test_all_parcels_must_be_there(self) -> None:
        assert self.delivered("orders/updated", "two_parcels_one_on_its_way") == []
        assert self.delivered("orders/partially_fulfilled", "one_parcel_of_two") == []
        assert len(self.delivered("orders/updated", "delivered")) == 1

    def test_a_store_may_count_shipping(self) -> None:
        assert len(self.delivered("orders/fulfilled", "counts_as_delivered", delivered="fulfilled")) == 1

    def test_after_days_never_states_the_future(self) -> None:
        shipped = 1_789_473_600_000
        options = {"delivered": "after_days", "delivered_after_days": 7}
        early, due = (evolve(CONTEXT, received_at=shipped + 7 * DAY + late) for late in (-1, 0))
        assert self.delivered("orders/fulfilled", "delivered_after_days", early, **options) == []
        (fact,) = self.delivered("orders/fulfilled", "delivered_after_days", due, **options)
        assert fact.occurred_at == shipped + 7 * DAY
