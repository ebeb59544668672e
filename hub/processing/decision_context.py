"""The read model of one batch: everything that deciding its events takes, loaded in sets inside its transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import orjson
from attrs import field, frozen

from hub.domain.orders.commission import Rule
from hub.domain.orders.facts import OrderCreated
from hub.domain.orders.lifecycle import StatusFact
from hub.domain.orders.rate_versions import RateChange, RateKey
from hub.domain.orders.renewals import RENEWAL
from hub.processing.customers import NO_CUSTOMERS, Customers, customers_of, named_by_customer
from hub.processing.events import EventFacts
from hub.processing.identity import Namesakes, namesakes_by_order, strangers
from hub.processing.ledger_rows import (
    Campaign,
    Commission,
    Conversion,
    FactRow,
    Merchant,
    RecordedClick,
    VisitorSigns,
    campaigns_of,
    clicks_of,
    own_rates_of,
    product_rules_of,
    rule_of,
)
from hub.processing.subscriptions import NO_SUBSCRIPTIONS, Subscriptions, renewals_of, subscriptions_of
from hub.storage import Row, Tx, read_records

Key = tuple[str, str]
"""(account id, id within the account)"""
Orders = Mapping[Key, Sequence[EventFacts]]
"""What a batch's events state, by order."""
Membership = tuple[str, str, str]
"""(account id, campaign id, affiliate id)"""
Queries = Mapping[str, Mapping[str, Sequence[Any]]]
"""Queries by their names, with the values of each."""


@frozen
class DecisionContext:
    """Everything loaded for one batch, by (account id, id).

    `awaited` are the orders whose conversion parked news wait for.
    """

    merchants: Mapping[str, Merchant]
    conversions: Mapping[Key, Conversion] = field(factory=dict)
    awaited: frozenset[Key] = frozenset()
    commissions: Mapping[Key, Commission] = field(factory=dict)
    facts: Mapping[Key, Sequence[StatusFact]] = field(factory=dict)
    namesakes: Mapping[Key, Namesakes] = field(factory=dict)
    """The other orders under the numbers of those that share one: nearly always none."""
    clicks: Mapping[Key, RecordedClick] = field(factory=dict)
    campaigns: Mapping[Key, Campaign] = field(factory=dict)
    product_rules: Mapping[Key, Rule] = field(factory=dict)
    product_campaign_rules: Mapping[Key, Rule] = field(factory=dict)
    product_campaigns: Mapping[Key, str] = field(factory=dict)
    rate_changes: Mapping[RateKey, Sequence[RateChange]] = field(factory=dict)
    """The changes of rates after the earliest order of the batch: nearly always none."""
    coupon_owners: Mapping[str, str] = field(factory=dict)
    coupon_campaigns: Mapping[Key, Sequence[str]] = field(factory=dict)
    """The campaigns that have a policy of their own and in which an owner of a coupon takes part."""
    visitor_signs: Mapping[Key, VisitorSigns] = field(factory=dict)
    own_rates: Mapping[Membership, Rule] = field(factory=dict)
    subscriptions: Subscriptions = NO_SUBSCRIPTIONS
    customers: Customers = NO_CUSTOMERS
    watched: frozenset[str] = frozenset()
    """The accounts for which somebody has a subscription."""


async def load_merchants(tx: Tx, accounts: Iterable[str]) -> dict[str, Merchant]:
    """Return the merchants behind these accounts, by account id."""
    wanted = sorted(set(accounts))
    return _merchants(await tx.all("load_merchants", accounts=wanted) if wanted else [])


async def load_context(tx: Tx, by_order: Orders, customer_key: bytes) -> DecisionContext:
    """Load what deciding the events of these orders takes; the orders must be locked.

    `customer_key` is that of the hashes by which customers are known again.
    """
    queries = _queries_of_facts(by_order, customer_key)
    rows, customers = await _ask(tx, queries), NO_CUSTOMERS
    begun = subscriptions_of(rows["load_subscriptions"]) if rows["load_subscriptions"] else NO_SUBSCRIPTIONS
    orders = read_records(Conversion, rows["load_conversions"], "load_conversions")
    conversions = {(c.account_id, c.external_order_id): c for c in orders}
    clicks = clicks_of(rows["load_clicks"])
    if nameless := queries["load_customers"]["customers"]:
        customers = customers_of(nameless, rows["load_customers"])
    if begun.clicks:
        clicks |= await load_clicks(tx, begun.clicks)
    restated = [conversions[key] for key, facts in by_order.items() if key in conversions and _restates(facts)]
    owners = {r["coupon_code"]: r["affiliate_id"] for r in rows["load_coupon_owners"]}
    by_coupon = _coupon_campaigns(rows["load_coupon_campaigns"])
    found = _queries_of_what_was_found(conversions, clicks, restated, by_coupon, begun.members | customers.members)
    shared = strangers(conversions, by_order) if conversions else []
    more = await _ask(tx, {**found, "namesakes_of": {"orders": shared}} if shared else found)
    earned = read_records(Commission, more["load_commissions"], "load_commissions")
    rules, campaign_rules, product_campaigns = product_rules_of(rows["load_product_rules"])
    later = {r["account_id"] for r in rows["accounts_with_later_rates"]}
    since = {a: at for a, at in queries["accounts_with_later_rates"]["accounts"] if a in later}
    return DecisionContext(
        merchants=_merchants(rows["load_merchants"]), conversions=conversions,
        watched=frozenset(r["account_id"] for r in rows["load_watched"]),
        awaited=frozenset((r["account_id"], r["external_order_id"]) for r in rows["orders_awaited"]),
        commissions={(c.account_id, c.conversion_id): c for c in earned},
        facts=_facts(more["load_facts"]),
        namesakes=namesakes_by_order(more["namesakes_of"]) if shared else {},
        clicks=clicks, campaigns=campaigns_of(more["load_campaigns"], more["load_campaign_changes"]),
        product_rules=rules, product_campaign_rules=campaign_rules, product_campaigns=product_campaigns,
        rate_changes=await load_rate_changes(tx, since, queries["load_product_rules"]["products"]) if since else {},
        coupon_owners=owners, coupon_campaigns=by_coupon,
        visitor_signs={(r["account_id"], r["click_id"]): VisitorSigns(r["orders"], bool(r["sessions"]))
                       for r in more["load_visitor_signs"]},
        own_rates=own_rates_of(more["load_own_rates"]), subscriptions=begun, customers=customers,
    )  # fmt: skip


async def load_campaigns(tx: Tx, keys: Iterable[Key]) -> dict[Key, Campaign]:
    """Return campaigns with the history of their status."""
    wanted = {"campaigns": sorted(set(keys))}
    rows = await _ask(tx, {"load_campaigns": wanted, "load_campaign_changes": wanted})
    return campaigns_of(rows["load_campaigns"], rows["load_campaign_changes"])


async def load_clicks(tx: Tx, keys: Iterable[tuple[str, str | None]]) -> dict[Key, RecordedClick]:
    """Return the clicks that exist among (account id, click id)."""
    wanted = sorted({(a, c) for a, c in keys if c is not None})
    return clicks_of(await tx.all("load_clicks", clicks=wanted) if wanted else [])


async def load_own_rates(tx: Tx, members: Iterable[Membership]) -> dict[Membership, Rule]:
    """Return the rates that merchants agreed with single affiliates of their campaigns."""
    wanted = sorted(set(members))
    return own_rates_of(await tx.all("load_own_rates", members=wanted) if wanted else [])


async def load_rate_changes(
    tx: Tx, since: Mapping[str, int], products: Iterable[tuple[str, str | None]]
) -> dict[RateKey, list[RateChange]]:
    """Return the changes of the accounts' and these products' rates after a moment (ms UTC) of each account."""
    if not since:
        return {}
    rows = await tx.all("load_rate_changes", accounts=sorted(since.items()))
    wanted = sorted({(a, p, since[a]) for a, p in products if p is not None and a in since})
    rows += await tx.all("load_product_rate_changes", products=wanted) if wanted else []
    found: dict[RateKey, list[RateChange]] = {}
    for r in rows:
        change = RateChange(r["changed_at"], r["change_id"], rule_of(r["before_type"], r["before_value"]))
        found.setdefault((r["account_id"], r["level"], r["subject"]), []).append(change)
    return found


async def load_product_rules(
    tx: Tx, keys: Iterable[tuple[str, str | None]]
) -> tuple[dict[Key, Rule], dict[Key, Rule], dict[Key, str]]:
    """Return the products' own rules, the defaults of the campaigns that they are attached to, and these campaigns."""
    wanted = sorted({(a, p) for a, p in keys if p is not None})
    return product_rules_of(await tx.all("load_product_rules", products=wanted) if wanted else [])


def _queries_of_facts(by_order: Orders, customer_key: bytes) -> Queries:
    """Return what the facts themselves name; rates count from the moment (ms UTC) of an account's earliest order."""
    clicks, products, coupons = set[Key](), set[Key](), set[Key]()
    earliest: dict[str, int] = {}
    renewals: list[tuple[str, OrderCreated]] = []
    has_customers = False
    for (account_id, _), facts in by_order.items():
        for each in facts:
            order, received_at = each.order, each.event.received_at
            if order is None:
                continue
            at = received_at if order.ordered_at is None else min(order.ordered_at, received_at)
            earliest[account_id] = min(at, earliest.get(account_id, at))
            products.update(
                [(account_id, line.external_product_id) for line in order.lines if line.external_product_id]
            )
            if order.click_id:
                clicks.add((account_id, order.click_id))
            if order.coupon_code:
                coupons.add((account_id, order.coupon_code.upper()))
            if order.metadata and order.metadata.get(RENEWAL) is True:
                renewals.append((account_id, order))
            has_customers |= order.customer is not None
    accounts = sorted({account_id for account_id, _ in by_order})
    return {
        "load_merchants": {"accounts": accounts},
        "load_watched": {"accounts": [(each,) for each in accounts]},
        "load_conversions": {"orders": list(by_order)},
        "orders_awaited": {"orders": list(by_order)},
        "load_clicks": {"clicks": sorted(clicks)},
        "load_product_rules": {"products": sorted(products)},
        "accounts_with_later_rates": {"accounts": sorted(earliest.items())},
        "load_subscriptions": {"renewals": renewals_of(renewals) if renewals else []},
        "load_customers": {"customers": named_by_customer(customer_key, by_order) if has_customers else []},
        "load_coupon_owners": {"codes": sorted({code for _, code in coupons})},
        "load_coupon_campaigns": {"coupons": sorted(coupons)},
    }


def _restates(facts: Iterable[EventFacts]) -> bool:
    return any(each.snapshot is not None for each in facts)


def _coupon_campaigns(rows: Iterable[Row]) -> dict[Key, list[str]]:
    """Return by (account id, owner of a coupon) the campaigns of which its policy may let the coupon decide."""
    found: dict[Key, list[str]] = {}
    for r in rows:
        found.setdefault((r["account_id"], r["affiliate_id"]), []).append(r["campaign_id"])
    return found


def _queries_of_what_was_found(
    conversions: Mapping[Key, Conversion], clicks: Mapping[Key, RecordedClick], restated: Iterable[Conversion],
    by_coupon: Mapping[Key, Sequence[str]], begun: AbstractSet[Membership],
) -> Queries:  # fmt: skip
    """Return what the conversions and clicks that were found lead to; restated orders are priced anew."""
    found = {
        (account_id, each.click.campaign_id, each.click.affiliate_id)
        for (account_id, _), each in clicks.items()
        if each.click.campaign_id is not None
    }
    found |= begun
    found |= {(c.account_id, c.campaign_id, c.affiliate_id or "") for c in restated if c.campaign_id is not None}
    found |= {(account_id, each, owner) for (account_id, owner), ids in by_coupon.items() for each in ids}
    members = sorted(found)
    campaigns = sorted({(account_id, campaign_id) for account_id, campaign_id, _ in members})
    return {
        "load_commissions": {"conversions": sorted((c.account_id, c.conversion_id) for c in conversions.values())},
        "load_facts": {"orders": list(conversions)},
        "load_campaigns": {"campaigns": campaigns},
        "load_campaign_changes": {"campaigns": campaigns},
        "load_own_rates": {"members": members},
        "load_visitor_signs": {
            "clicks": [(key[0], key[1], each.click.affiliate_id, each.visitor)
                       for key, each in sorted(clicks.items()) if each.visitor is not None]
        },
    }  # fmt: skip


async def _ask(tx: Tx, queries: Queries) -> Mapping[str, Sequence[Row]]:
    """Return the rows of each query; one that has nothing to look for is not run."""
    found = await tx.all_together({query: values for query, values in queries.items() if any(values.values())})
    return {query: found.get(query, ()) for query in queries}


def _merchants(rows: Iterable[Row]) -> dict[str, Merchant]:
    return {
        r["account_id"]: Merchant(
            r["currency"],
            tuple(orjson.loads(r["domains"])),
            rule_of(r["commission_type"], r["commission_value"]),
            r["hold_ms"],
            r["mode"] == "live",
            r["mode"] == "live" and r["deposit_required"] is not None,
            r["mode"] == "live" and r["deposit_required"] == 1,
        )
        for r in rows
    }


def _facts(rows: Sequence[Row]) -> dict[Key, list[StatusFact]]:
    facts: dict[Key, list[StatusFact]] = {}
    for row in read_records(FactRow, rows, "load_facts"):
        facts.setdefault((row.account_id, row.external_order_id), []).append(row.fact)
    return facts
