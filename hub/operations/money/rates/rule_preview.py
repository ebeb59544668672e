"""A rate before it is published: the last orders priced with it, beside what they really earned.

The orders are read in pages and nothing of them is kept but sums by affiliate and product and the largest differences,
so any number takes the same memory. Rules are those of each order's time, but for the one that is tried; refunds
count on neither side.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypedDict

from attrs import define, field, frozen

from hub.clock import Clock
from hub.domain.durations import DAY
from hub.domain.money import format_money
from hub.domain.orders.commission import Rule, Terms, resolve
from hub.domain.words import DraftLevel
from hub.operations.campaigns.campaigns import campaign_named
from hub.operations.checks import checked_rule
from hub.operations.errors import OperatorFault, unknown
from hub.operations.money.rates.priced_orders import checked_days, each_page_since
from hub.operations.references import account_of, merchant_id_of
from hub.processing.commissions import Pricing, price, says_new_customer
from hub.processing.decision_context import (
    DecisionContext,
    load_campaigns,
    load_merchants,
    load_own_rates,
    load_product_rules,
    load_rate_changes,
)
from hub.processing.ledger_rows import Commission, Conversion
from hub.processing.policy import Policy
from hub.storage import Row, Store, Tx, pick_records

SHOWN_ORDERS: Final = 50
Key = tuple[str, str]


class Changed(TypedDict):
    """What commissions were, and would be with the rate, as decimal text; `difference` may be negative."""

    currency: str
    before: str
    after: str
    difference: str


class ChangedBy(Changed):
    """The same for an affiliate, a product or an order; `id` is empty for the rest of orders, which is no product."""

    id: str


class PreviewDocument(TypedDict):
    """A rate that was tried: how many orders were priced and how many would change, in all and by whom and what.

    `orders` has the largest differences only.
    """

    target: str
    commission: str
    days: int
    priced: int
    changed: int
    totals: list[Changed]
    affiliates: list[ChangedBy]
    products: list[ChangedBy]
    orders: list[ChangedBy]


@frozen
class Target:
    """The one level of the rules that is replaced: a campaign, a product (its external id), or the merchant.

    Of a campaign it is what it pays for all orders, or for those of `new_customers`.
    """

    account_id: str
    campaign_id: str | None = None
    product: str | None = None
    new_customers: bool = False

    @property
    def place(self) -> tuple[DraftLevel, str]:
        """The level and the subject of the rate, as its history has them."""
        if self.product is not None:
            return "PRODUCT", self.product
        if self.campaign_id is None:
            return "MERCHANT", ""
        return "NEW_CUSTOMER" if self.new_customers else "CAMPAIGN", self.campaign_id

    def tried(self, pricing: Pricing, conversion: Conversion, rule: Rule, *, has_own: bool) -> Pricing:
        """Return the rules for an order with the rate in its place; `has_own` if its affiliate has one of its own."""
        if self.product is not None:
            return pricing._replace(product_rules={**pricing.product_rules, self.product: rule})
        if self.campaign_id is None:
            return pricing._replace(merchant_rule=rule)
        if conversion.campaign_id != self.campaign_id:
            return pricing
        if self.new_customers:
            counts = says_new_customer(conversion) and not has_own
            return pricing._replace(new_customer_rule=rule) if counts else pricing
        return pricing._replace(campaign_rule=rule)


@define
class PreviewSums:
    """Sums of (before, after) by affiliate, product and currency, and the orders that change most."""

    priced: int = 0
    changed: int = 0
    affiliates: defaultdict[Key, list[int]] = field(factory=lambda: defaultdict(lambda: [0, 0]))
    products: defaultdict[Key, list[int]] = field(factory=lambda: defaultdict(lambda: [0, 0]))
    largest: list[tuple[int, str, str, int, int]] = field(factory=list)

    def add(self, conversion: Conversion, affiliate_id: str, before: Terms, after: Terms) -> None:
        """Add an order with its lines."""
        for terms, side in ((before, 0), (after, 1)):
            for line in terms.lines:
                self.products[line.external_product_id or "", conversion.currency][side] += line.amount_minor
        self.add_amounts(conversion.external_order_id, conversion.currency, affiliate_id,
                         before.amount_minor, after.amount_minor)  # fmt: skip

    def add_amounts(self, order_id: str, currency: str, affiliate_id: str, was: int, would: int) -> None:
        """Add an order of which only the sums are known, in minor units."""
        self.priced += 1
        _add(self.affiliates[affiliate_id, currency], was, would)
        if was != would:
            self.changed += 1
            order = (abs(would - was), order_id, currency, was, would)
            heapq.heappush(self.largest, order)
            if len(self.largest) > SHOWN_ORDERS:
                heapq.heappop(self.largest)


def _add(sums: list[int], before: int, after: int) -> None:
    sums[0] += before
    sums[1] += after


async def preview_rule(
    store: Store, clock: Clock, policy: Policy, *, commission: str, days: int, mode: str = "live",
    campaign: str | None = None, merchant: str | None = None, product: str | None = None, new_customers: bool = False,
    note: Callable[[int], None] | None = None,
) -> PreviewDocument:  # fmt: skip
    """Price the orders of the last days with a rate such as "PERCENTAGE:12" for a campaign, a merchant or a product.

    A product is named by the hub's id, or by the merchant's with `merchant` beside it. `note` is called with how many
    orders were looked at after each page of them. Raise `OperatorFault` for what
    is unknown, or if it is not said for which of them the rate is.
    """
    since = clock() - checked_days(days) * DAY
    async with store.read() as tx:
        target = await rate_target(tx, campaign, merchant, product, mode, new_customers=new_customers)
        currency = (await load_merchants(tx, [target.account_id]))[target.account_id].currency
    rule, sums = checked_rule(commission, currency), PreviewSums()

    async def priced(tx: Tx, rows: Sequence[Row]) -> None:
        await _price_page(tx, policy, rows, target, rule, sums)

    await each_page_since(store, target.account_id, since, priced, note)
    return preview_document(sums, target.product or target.campaign_id or "merchant", f"{rule.type}:{rule.value}", days)


async def rate_target(
    tx: Tx, campaign: str | None, merchant: str | None, product: str | None, mode: str, *, new_customers: bool = False
) -> Target:
    """Return what a rate is for; raise `OperatorFault` if it is unknown, or not said."""
    if campaign is not None:
        row = await campaign_named(tx, campaign)
        return Target(row["account_id"], campaign_id=row["campaign_id"], new_customers=new_customers)
    if new_customers:
        raise OperatorFault("A rate for new customers is a campaign's; name the campaign.")
    account_id = None
    if merchant is not None:
        account_id = (await account_of(tx, await merchant_id_of(tx, merchant), mode))["account_id"]
    if product is not None:
        rows = await tx.all("products_anywhere", reference=product, account_id=account_id)
        if len(rows) != 1:
            remedy = "Name it by the hub's id, or name its merchant beside it."
            raise (
                unknown("product", product, remedy)
                if not rows
                else OperatorFault(f"Several accounts have a product {product!r}. {remedy}")
            )
        return Target(rows[0]["account_id"], product=rows[0]["external_product_id"])
    if account_id is None:
        raise OperatorFault(
            "Say what the rate is for: a campaign, a merchant or a product.",
            command="At the terminal: --campaign, --merchant or --product.",
        )
    return Target(account_id)


async def _price_page(
    tx: Tx, policy: Policy, rows: Sequence[Row], target: Target, rule: Rule, sums: PreviewSums
) -> None:
    conversions = pick_records(Conversion, rows)
    if not conversions:
        return
    commissions = await tx.records(
        Commission, "load_commissions", conversions=[(c.account_id, c.conversion_id) for c in conversions]
    )
    earned = {each.conversion_id: each for each in commissions}
    context = await _context(tx, target.account_id, conversions)
    for conversion in conversions:
        commission = earned.get(conversion.conversion_id)
        if commission is not None:
            member = (conversion.account_id, conversion.campaign_id or "", conversion.affiliate_id or "")
            now = price(context, policy, conversion, conversion.lines)
            pricing = target.tried(now, conversion, rule, has_own=member in context.own_rates)
            terms = resolve(conversion.order_minor, conversion.currency, *pricing[:-1])
            sums.add(conversion, commission.affiliate_id, commission.terms, terms)


async def _context(tx: Tx, account_id: str, conversions: Sequence[Conversion]) -> DecisionContext:
    products = {(account_id, line.external_product_id) for each in conversions for line in each.lines}
    campaigns = {(account_id, each.campaign_id) for each in conversions if each.campaign_id is not None}
    members = {(account_id, each.campaign_id or "", each.affiliate_id or "") for each in conversions}
    since = {account_id: min((each.ordered_at for each in conversions), default=0)}
    own, inherited, attached = await load_product_rules(tx, products)
    return DecisionContext(
        merchants=await load_merchants(tx, [account_id]),
        campaigns=await load_campaigns(tx, campaigns) if campaigns else {},
        product_rules=own,
        product_campaign_rules=inherited,
        product_campaigns=attached,
        rate_changes=await load_rate_changes(tx, since, products),
        own_rates=await load_own_rates(tx, sorted(members)),
    )


def preview_document(sums: PreviewSums, target: str, commission: str, days: int) -> PreviewDocument:
    """Return the document of a preview of what `target` is for."""
    totals: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (_, currency), (before, after) in sums.affiliates.items():
        _add(totals[currency], before, after)
    return {
        "target": target,
        "commission": commission,
        "days": days,
        "priced": sums.priced,
        "changed": sums.changed,
        "totals": [_changed(currency, *totals[currency]) for currency in sorted(totals)],
        "affiliates": _listed(sums.affiliates),
        "products": _listed(sums.products),
        "orders": [
            {"id": order_id, **_changed(currency, before, after)}
            for _, order_id, currency, before, after in sorted(sums.largest, reverse=True)
        ],
    }


def _listed(sums: Mapping[Key, Sequence[int]]) -> list[ChangedBy]:
    return [
        {"id": id_, **_changed(currency, before, after)}
        for (id_, currency), (before, after) in sorted(sums.items())
        if before != after
    ]


def _changed(currency: str, before: int, after: int) -> Changed:
    return {
        "currency": currency,
        "before": format_money(before, currency),
        "after": format_money(after, currency),
        "difference": format_money(after - before, currency),
    }
