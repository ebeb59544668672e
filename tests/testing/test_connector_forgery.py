"""The rule over forged topics: what it finds, what it lets pass, and that the hub believes only a topic's own shape."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from hub.api import (
    Connector,
    Context,
    Erasure,
    Fact,
    FieldPlace,
    HeaderPlace,
    OrderCancelled,
    OrderPaid,
    ProductStockUpdated,
    Topic,
    Unmappable,
)
from hub.domain.connectors.deliveries import erasure_of, known_topic
from hub.plugin_host.registry import load_registry
from hub.testing.connector_forgery import check_forged_topics
from hub.testing.samples import samples_of

INSTALLED = [connector for connector in load_registry().connectors if connector.auth is not None]


def of_order(body: dict[str, Any], _: Context) -> Iterable[Fact]:
    yield OrderPaid("paid", str(body["id"]), None, None, None)


def of_deletion(body: dict[str, Any], _: Context) -> Iterable[Fact]:
    yield OrderCancelled("cancelled", str(body["id"]), None, None, None)


def of_product_deletion(body: dict[str, Any], _: Context) -> Iterable[Fact]:
    yield ProductStockUpdated("deleted", str(body["id"]), "OUT_OF_STOCK", 0, None)


def redact(topic: str, _: dict[str, Any]) -> Erasure | None:
    return Erasure("redact", None, "the shop") if topic == "shop/redact" else None


ORDER = Topic("order", dict, of_order)


def shop(*topics: Topic, **changes: Any) -> Connector:
    plain = Connector(
        "shop", "Shop", lambda kind, body, context: (), lambda body: True, 1, topic=HeaderPlace("X-T"),
        topics=(ORDER, *topics), erasure=redact,
    )  # fmt: skip
    return evolve(plain, **changes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sample of an order and one of a deletion."""
    for topic, body in (("order", '{"id":7,"total":"5.00"}'), ("gone", '{"id":8}')):
        (tmp_path / topic).mkdir()
        (tmp_path / topic / "plain.json").write_text(body)
    return tmp_path


def found(connector: Connector, folder: Path) -> str:
    return "\n".join(check_forged_topics(connector, samples_of(connector, folder)))


class TestRule:
    def test_a_deletion_that_takes_any_body(self, folder: Path) -> None:
        assert "order plain: the same bytes under the topic gone cancels the order 7" in found(
            shop(Topic("gone", dict, of_deletion)), folder
        )

    @pytest.mark.parametrize("shape", [{"allowed": ("id",)}, {"required": ("id", "deleted_at")}])
    def test_a_deletion_of_its_own_shape(self, shape: dict[str, Any], folder: Path) -> None:
        assert found(shop(Topic("gone", dict, of_deletion, **shape)), folder) == ""

    def test_an_erasure_that_takes_any_body(self, folder: Path) -> None:
        slip = shop(Topic("shop/redact", dict, of_order, required=("id",)))
        assert "under the topic shop/redact erases the whole connection" in found(slip, folder)
        fine = shop(Topic("shop/redact", dict, of_order, required=("shop_id",)))
        assert found(fine, folder) == ""

    def test_two_deletions_that_look_alike(self, folder: Path) -> None:
        """They need a family, in which the same bytes count once."""
        bare: dict[str, Any] = {"required": ("id",), "allowed": ("id",)}
        pair = (Topic("gone", dict, of_deletion, **bare), Topic("product gone", dict, of_product_deletion, **bare))
        assert "sells out 8" in found(shop(*pair), folder)
        assert found(shop(*(evolve(topic, family="deletions") for topic in pair)), folder) == ""

    def test_a_topic_in_the_body_is_signed_with_it(self, folder: Path) -> None:
        assert found(shop(Topic("gone", dict, of_deletion), topic=FieldPlace("topic")), folder) == ""


class TestShape:
    def test_an_erasure_without_required_fields_is_none(self) -> None:
        """Even a connector that forgot to say what a request has erases nothing."""
        assert erasure_of(shop(Topic("shop/redact", dict, of_order)), "shop/redact", {"id": 1}) is None
        assert erasure_of(shop(), "shop/redact", {"shop_id": 1}) is None

    def test_the_sentence_names_the_field(self) -> None:
        bare = shop(Topic("gone", dict, of_deletion, ("id",), ("id",)))
        with pytest.raises(Unmappable, match="shape of the topic gone: it has no `id`"):
            known_topic(bare, "gone", {})
        with pytest.raises(Unmappable, match="it has `line_items`"):
            known_topic(bare, "gone", {"id": 1, "line_items": []})


@pytest.mark.parametrize("connector", INSTALLED, ids=lambda connector: connector.name)
def test_control_of_the_installed_ones_without_shapes_and_families(connector: Connector) -> None:
    """The declared shapes and families are what the rule holds by: without them it fails for every unsigned topic."""
    bare = tuple(evolve(topic, required=(), allowed=None, family=None) for topic in connector.topics)
    faults = check_forged_topics(evolve(connector, topics=bare), samples_of(connector))
    assert bool(faults) is isinstance(connector.topic, HeaderPlace)
