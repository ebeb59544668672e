"""The Shopware connector keeps the promises of every connector, and its own."""

from __future__ import annotations

import hashlib
import hmac
import io
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest
from hub_shopware import hub_connectors
from hub_shopware.app import EVENTS, package
from hub_shopware.options import ShopwareOptions
from hub_shopware.scenarios import SCENES
from hub_shopware.translate import of_webhook

from hub.api import (
    Context,
    OrderCancelled,
    OrderCreated,
    OrderPaid,
    OrderRefunded,
    OrderSnapshot,
    OrderStateUnknown,
    PackageContext,
    Play,
    Unmappable,
    parse_body,
)
from hub.domain.connectors.challenges import challenge_answer
from hub.testing.connector_suite import ConnectorSuite

PLAY = Play("10042", "clk_1", "EUR", 1_772_359_200_000)
(SHOPWARE,) = hub_connectors()
URL = "https://hub.example/connect/con_1"


class TestConformance(ConnectorSuite):
    """The hub's public suite over this plugin's samples."""

    connector_name = "shopware"


def order(step: str = "created", **changes: Any) -> dict[str, Any]:
    """A delivery's body with changes to its order."""
    body = parse_body(SCENES[step](PLAY).body)
    body["data"]["payload"]["order"].update(changes)
    return body


def facts(body: dict[str, Any]) -> list[Any]:
    """What a body states."""
    return list(of_webhook("order-created", body, Context("d-1", PLAY.placed_at, "EUR")))


class TestRegistration:
    def test_the_answer_is_as_documented(self) -> None:
        """The proof is over shop id, shop URL and the app's name."""
        query = "shop-id=S1&shop-url=https%3A%2F%2Fshop.example&timestamp=1772359200"
        given = hmac.new(b"secret", query.encode(), hashlib.sha256).hexdigest()
        assert SHOPWARE.challenge is not None
        answer = challenge_answer(SHOPWARE.challenge, [b"secret"], given, query, URL)
        proof = hmac.new(b"secret", b"S1https://shop.exampleAffiliateHub", hashlib.sha256).hexdigest()
        assert answer == {"proof": proof, "secret": "secret", "confirmation_url": URL}

    def test_the_keys_that_the_shop_hands_over_are_those_that_it_is_asked_with(self) -> None:
        assert SHOPWARE.challenge is not None
        assert SHOPWARE.requests is not None
        assert {name for name, _ in SHOPWARE.challenge.keys} == {each.name for each in SHOPWARE.requests.credentials}

    def test_the_manifest_has_url_secret_and_every_event(self) -> None:
        name, content = package(PackageContext(URL + "?a=1&b", "s<3", "https://hub.example/capture.js"))
        with ZipFile(io.BytesIO(content)) as archive:
            manifest = ET.fromstring(archive.read("AffiliateHub/manifest.xml"))
        assert name == "AffiliateHub.zip"
        assert manifest.findtext("setup/registrationUrl") == URL + "?a=1&b"
        assert manifest.findtext("setup/secret") == "s<3"
        assert tuple(hook.get("event") for hook in manifest.iter("webhook")) == EVENTS


class TestOrders:
    def test_an_object_that_is_empty_comes_as_an_array(self) -> None:
        """PHP does not tell them apart; what was bought is read all the same."""
        body = order(customFields=[], campaignCode="clk_1")
        body["data"]["payload"]["order"]["lineItems"][0]["payload"] = []
        created = facts(body)[0]
        assert isinstance(created, OrderCreated)
        assert (created.click_id, created.amount) == ("clk_1", facts(order())[0].amount)

    def test_promotions_are_spread(self) -> None:
        """To the last millionth, so that the lines add up to the amount."""
        body = order()
        lines = body["data"]["payload"]["order"]["lineItems"]
        lines.append({"type": "promotion", "price": {"totalPrice": -7}, "payload": {}})
        created, _ = facts(body)
        assert isinstance(created, OrderCreated)
        assert [line.amount for line in created.lines] == [Decimal("25.800000"), Decimal("17.200000")]
        assert created.amount == 43

    def test_a_promotion_larger_than_the_goods(self) -> None:
        body = order()
        lines = body["data"]["payload"]["order"]["lineItems"]
        lines.append({"type": "promotion", "price": {"totalPrice": -700}, "payload": {"code": "FREE"}})
        created, _ = facts(body)
        assert (created.amount, created.coupon_code) == (0, "FREE")

    @pytest.mark.parametrize(
        ("field", "campaign", "click"),
        [("clk_1", "clk_2", "clk_1"), (None, "clk_2", "clk_2"), (None, "summer", None), (None, None, None)],
    )
    def test_where_the_click_is(self, field: str | None, campaign: str | None, click: str | None) -> None:
        created, _ = facts(order(customFields={"affiliate_click_id": field}, campaignCode=campaign))
        assert created.click_id == click

    def test_an_order_is_as_old_as_the_last_change_of_anything_in_it(self) -> None:
        """An event that waited in the shop's queue is no newer than what it says."""
        body = order("paid", updatedAt="2026-03-01T10:00:00.000+00:00")
        body["data"]["payload"]["order"]["transactions"][0]["updatedAt"] = "2026-03-01T12:00:00.000+00:00"
        body["timestamp"] += 90_000
        (snapshot,) = (fact for fact in facts(body) if isinstance(fact, OrderSnapshot))
        assert snapshot.version == PLAY.placed_at + 2 * 3_600_000

    def test_an_order_that_was_opened_again_stands(self) -> None:
        (cancelled,) = (each for each in facts(order("cancelled")) if isinstance(each, OrderSnapshot))
        reopened = order(updatedAt="2026-03-02T10:00:00.000+00:00")
        (stands,) = (each for each in facts(reopened) if isinstance(each, OrderSnapshot))
        assert (cancelled.stands_at, stands.stands_at) == (None, PLAY.placed_at + 86_400_000)

    def test_a_pending_refund_is_none_yet(self) -> None:
        body = order("refunded")
        refund = body["data"]["payload"]["order"]["transactions"][0]["captures"][0]["refunds"][0]
        refund["stateMachineState"]["technicalName"] = "open"
        assert not [fact for fact in facts(body) if isinstance(fact, OrderRefunded)]

    @pytest.mark.parametrize("kind", ["promotion", "discount", "credit", "custom", "product", "a-plugins-own", None])
    def test_whatever_is_below_zero_takes_off_the_goods(self, kind: str | None) -> None:
        """Plugins add lines of types of their own, such as a deposit that is set off; the order counts all the same."""
        body = order()
        line: dict[str, Any] = {"type": kind, "price": {"totalPrice": -7}, "quantity": 1, "payload": []}
        body["data"]["payload"]["order"]["lineItems"].append(line)
        created = facts(body)[0]
        assert [each.amount for each in created.lines] == [Decimal("25.800000"), Decimal("17.200000")]
        assert created.amount == 43

    @pytest.mark.parametrize("missing", ["absent", None])
    def test_an_order_without_its_lines_is_refused(self, missing: str | None) -> None:
        """Rather than counted, or restated, as worth nothing; an order of no lines at all is free."""
        body = order(lineItems=missing)
        if missing is not None:
            del body["data"]["payload"]["order"]["lineItems"]
        with pytest.raises(Unmappable, match="no `lineItems`"):
            facts(body)
        assert facts(order(lineItems=[]))[0].amount == 0

    @pytest.mark.parametrize(("step", "news"), [("paid", OrderPaid), ("cancelled", OrderCancelled)])
    def test_an_event_without_the_lines_still_says_what_happened(self, step: str, news: type) -> None:
        """An event's order has the associations that it was loaded with; its state is there in any case."""
        body = order(step)
        del body["data"]["payload"]["order"]["lineItems"]
        found = facts(body)
        assert [type(each) for each in found if isinstance(each, news)] == [news]
        assert not [each for each in found if isinstance(each, OrderCreated | OrderSnapshot)]

    def test_an_order_in_a_state_of_a_plugin_is_there_and_waits(self) -> None:
        """Unless the owner names it among those that mean delivered."""
        body = order("paid", stateMachineState={"technicalName": "fraud_check"})
        found = facts(body)
        assert [each.state for each in found if isinstance(each, OrderStateUnknown)] == ["fraud_check"]
        assert [each.stands_at for each in found if isinstance(each, OrderSnapshot)] == [None]
        assert not [each for each in found if isinstance(each, OrderPaid)]
        named = Context("d-1", PLAY.placed_at, "EUR", ShopwareOptions(delivered_states=("fraud_check",)))
        assert not [each for each in of_webhook("order-created", body, named) if isinstance(each, OrderStateUnknown)]
