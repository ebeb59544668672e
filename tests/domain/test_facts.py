"""The canonical facts and their keys; what the hub makes of ids and the time."""

from __future__ import annotations

from typing import get_args

import pytest
from attrs.exceptions import FrozenInstanceError

from hub.clock import system_clock
from hub.domain.orders.facts import (
    FACTS_OF_KIND,
    ORDER_STATUSES,
    Fact,
    FetchOrder,
    FetchProduct,
    OrderDelivered,
    OrderGone,
    OrderSnapshot,
    OrderStateUnknown,
    OrderStatus,
    OrderUnclear,
    refund_key,
    status_key,
)
from hub.ids import new_id


def test_each_webhook_kind_has_its_fact_and_no_kind_states_the_rest() -> None:
    others = {OrderSnapshot, OrderGone, OrderStateUnknown, OrderUnclear, OrderStatus, FetchOrder, FetchProduct}
    assert set(get_args(Fact)) == {*FACTS_OF_KIND.values(), *others}


def test_every_piece_of_order_news_names_a_status_of_the_contract() -> None:
    statuses = {kind: vars(fact)["status"] for kind, fact in FACTS_OF_KIND.items() if "status" in vars(fact)}
    assert statuses == {f"order-{status}": status for status in statuses.values()}
    assert set(statuses.values()) < set(ORDER_STATUSES)
    assert len(statuses) == 5


def test_a_status_is_known_by_its_name_and_by_its_moment_where_one_is_told() -> None:
    assert status_key("delivered", None) == "delivered"
    assert status_key("delivered", 1_700_000_000_000) == "delivered:1700000000000"


def test_a_refund_is_known_by_its_id_and_else_by_its_delivery() -> None:
    assert refund_key("r-1", "d-1") == refund_key("r-1", "d-2") == "refund:r-1"
    assert refund_key(None, "d-1") == "refund@d-1"
    assert refund_key("@d-1", "x") != refund_key(None, "d-1")


def test_facts_are_what_they_say_and_nobody_changes_them() -> None:
    fact = OrderDelivered("delivered", "A-1", None, None, None)
    assert {fact, OrderDelivered("delivered", "A-1", None, None, None)} == {fact}
    with pytest.raises(FrozenInstanceError):
        fact.order_id = "A-2"  # type: ignore[misc]  # the type checker refuses it as well


def test_an_id_names_its_kind_and_sorts_by_age() -> None:
    ids = [new_id("evt") for _ in range(1_000)]
    assert ids == sorted(set(ids))
    assert all(len(each) == 36 and each.startswith("evt_") and int(each[4:], 16) for each in ids)


def test_the_clock_returns_milliseconds() -> None:
    assert 1_700_000_000_000 < system_clock() < 10_000_000_000_000
