"""The customers of a batch's orders: by which earlier orders they are known, and what new orders keep of them.

A batch may hold an order that earned and a later one of the same customer: orders that only a customer can speak for
are decided after the others (see `in_turn`), and learn from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from attrs import define, field

from hub.domain.orders.attribution_policy import DEFAULT_POLICY, KnownBy, PolicyDecision
from hub.domain.orders.customers import Witness, customer_hash, kept_until
from hub.domain.orders.facts import OrderCreated
from hub.domain.orders.renewals import stated_renewal
from hub.processing.events import EventFacts
from hub.processing.ledger_rows import Campaign, Conversion
from hub.storage import Row

Key = tuple[str, str]
"""(account id, id within the account)"""
Placed = tuple[str, str, int]
"""(account id, hash of a customer, when the order was placed in ms UTC)"""


class CustomerOrder(NamedTuple):
    """A row of `insert_customer_orders`: an order that earned, whose customer is known by it until a moment (ms)."""

    account_id: str
    conversion_id: str
    customer: str
    ordered_at: int
    kept_until: int


class Earned(NamedTuple):
    """An order that earned, as it is stored."""

    order: KnownBy
    affiliate_id: str
    affiliate_active: bool
    campaign_id: str | None


@define
class Customers:
    """What is known of customers, by (account id, hash); `wanted` are those of orders that name no click.

    `members` are the campaigns of the orders by which they are known, and whose they are, as (account id, campaign id,
    affiliate id).
    """

    wanted: AbstractSet[Key] = frozenset()
    earned: dict[Key, list[Earned]] = field(factory=dict)
    members: AbstractSet[tuple[str, str, str]] = frozenset()

    def witness(
        self, key: bytes, account_id: str, order: OrderCreated, ordered_at: int, campaigns: Mapping[Key, Campaign]
    ) -> Witness | None:
        """Return the latest order of the same customer, placed by `ordered_at` (ms UTC); None if there is none.

        `key` is that of the hashes.
        """
        name = customer_hash(key, account_id, order.customer or "")
        before = [each for each in self.earned.get((account_id, name or ""), ()) if each.order.ordered_at <= ordered_at]
        if not before:
            return None
        found = max(before, key=lambda each: each.order.ordered_at)
        campaign = campaigns.get((account_id, found.campaign_id or ""))
        if campaign is None:
            return Witness(*found, campaign=None, policy=DEFAULT_POLICY)
        return Witness(*found, campaign=campaign.life, policy=campaign.policy)

    def learn(
        self, key: bytes, conversion: Conversion, order: OrderCreated, decided: PolicyDecision
    ) -> CustomerOrder | None:
        """Return what is stored of a new order's customer, and note it for orders that are decided after it."""
        if order.customer is None or conversion.affiliate_id is None:
            return None
        until = kept_until(decided, conversion.ordered_at)
        name = None if until is None else customer_hash(key, conversion.account_id, order.customer)
        if until is None or name is None:
            return None
        known = KnownBy(conversion.external_order_id, conversion.ordered_at)
        if (conversion.account_id, name) in self.wanted:
            earned = Earned(known, conversion.affiliate_id, True, conversion.campaign_id)
            self.earned.setdefault((conversion.account_id, name), []).append(earned)
        return CustomerOrder(conversion.account_id, conversion.conversion_id, name, conversion.ordered_at, until)


NO_CUSTOMERS: Final = Customers()
"""What most batches know of customers: no order needs them, so that nothing is ever noted in this one."""


def named_by_customer(key: bytes, by_order: Mapping[Key, Sequence[EventFacts]]) -> list[Placed]:
    """Return the customers of orders that name no click, each once."""
    found = set()
    for (account_id, _), facts in by_order.items():
        for each in facts:
            if each.order is not None and each.order.customer and not each.order.click_id:
                name = customer_hash(key, account_id, each.order.customer)
                placed_at = each.event.received_at if each.order.ordered_at is None else each.order.ordered_at
                found |= set() if name is None else {(account_id, name, placed_at)}
    return sorted(found)


def customers_of(named: Iterable[Any], rows: Sequence[Row]) -> Customers:
    """Return what is known of the customers that `named_by_customer` found, from the rows of `load_customers`."""
    found = Customers({(account_id, name) for account_id, name, _ in named})
    for r in rows:
        known = KnownBy(r["external_order_id"], r["ordered_at"])
        earned = Earned(known, r["affiliate_id"], r["affiliate_status"] == "ACTIVE", r["campaign_id"])
        found.earned.setdefault((r["account_id"], r["customer"]), []).append(earned)
    found.members = {(r["account_id"], r["campaign_id"], r["affiliate_id"]) for r in rows if r["campaign_id"]}
    return found


_CLICK, _CUSTOMER, _RENEWAL = range(3)


def in_turn(by_order: Mapping[Key, Sequence[EventFacts]]) -> Iterable[tuple[Key, Sequence[EventFacts]]]:
    """Return a batch's orders so that those which others speak for come last: customers' orders, then renewals.

    The oldest of them come first.
    """
    return sorted(by_order.items(), key=lambda item: _turn(item[1]))


def _turn(facts: Sequence[EventFacts]) -> tuple[int, int]:
    for order in _orders(facts):
        at = order.ordered_at or facts[0].event.received_at
        if stated_renewal(order.metadata).renews:
            return _RENEWAL, at
        if order.customer and not order.click_id:
            return _CUSTOMER, at
    return _CLICK, 0


def _orders(facts: Iterable[EventFacts]) -> Iterator[OrderCreated]:
    return (each.order for each in facts if each.order is not None)
