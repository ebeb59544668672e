"""What a batch of statements needs to know, loaded set by set inside the batch's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import orjson
from attrs import field, frozen

from hub.domain.attribution import CampaignLife, Click
from hub.domain.commission import Rule, RuleType
from hub.domain.facts import OrderCreated
from hub.domain.lifecycle import StatusFact
from hub.processing.records import Commission, Conversion, fact_from_row
from hub.processing.translate import Statement
from hub.storage import Row, Tx

Key = tuple[str, str]
"""(account id, id within the account)"""


@frozen
class Merchant:
    """The terms of the merchant behind an account, and whether the account is the live one."""

    currency: str
    domains: tuple[str, ...]
    rule: Rule | None
    hold_ms: int | None
    live: bool


@frozen
class Campaign:
    """A campaign's life and what it pays."""

    life: CampaignLife
    rule: Rule | None
    hold_ms: int | None


@frozen
class ClickRecord:
    """A recorded click, and whether its affiliate may still earn."""

    click: Click
    affiliate_active: bool


@frozen
class Knowledge:
    """Everything loaded for one batch, by (account id, id)."""

    merchants: Mapping[str, Merchant]
    conversions: Mapping[Key, Conversion] = field(factory=dict)
    commissions: Mapping[Key, Commission] = field(factory=dict)
    facts: Mapping[Key, Sequence[StatusFact]] = field(factory=dict)
    clicks: Mapping[Key, ClickRecord] = field(factory=dict)
    campaigns: Mapping[Key, Campaign] = field(factory=dict)
    product_rules: Mapping[Key, Rule] = field(factory=dict)
    product_campaign_rules: Mapping[Key, Rule] = field(factory=dict)
    coupon_owners: Mapping[str, str] = field(factory=dict)


async def load_merchants(tx: Tx, accounts: Iterable[str]) -> dict[str, Merchant]:
    """The merchants behind these accounts, by account id."""
    rows = await tx.all("load_merchants", accounts=sorted(set(accounts)))
    return {
        r["account_id"]: Merchant(
            r["currency"],
            tuple(orjson.loads(r["domains"])),
            rule_of(r["commission_type"], r["commission_value"]),
            r["hold_ms"],
            r["mode"] == "live",
        )
        for r in rows
    }


async def load_knowledge(
    tx: Tx, merchants: Mapping[str, Merchant], by_order: Mapping[Key, Sequence[Statement]]
) -> Knowledge:
    """Loads what deciding about the statements of these orders takes; the orders must be locked."""
    created = [
        (key[0], fact) for key, told in by_order.items() for s in told for fact in s.facts
        if isinstance(fact, OrderCreated)
    ]  # fmt: skip
    conversions = await _conversions(tx, list(by_order))
    clicks = await load_clicks(tx, {(a, f.click_id) for a, f in created if f.click_id})
    rules, campaign_rules = await load_product_rules(
        tx, {(a, x.external_product_id) for a, f in created for x in f.lines if x.external_product_id}
    )
    return Knowledge(
        merchants=merchants,
        conversions=conversions,
        commissions=await _commissions(tx, conversions.values()),
        facts=await _facts(tx, list(conversions)),
        clicks=clicks,
        campaigns=await load_campaigns(
            tx, {(a, c.click.campaign_id) for (a, _), c in clicks.items() if c.click.campaign_id is not None}
        ),
        product_rules=rules,
        product_campaign_rules=campaign_rules,
        coupon_owners=await load_coupon_owners(tx, {f.coupon_code for _, f in created if f.coupon_code}),
    )


def rule_of(kind: RuleType | None, value: str | None) -> Rule | None:
    """A commission rule from its two columns; None where there is none."""
    return None if kind is None or value is None else Rule(kind, value)


async def load_campaigns(tx: Tx, keys: Iterable[Key]) -> dict[Key, Campaign]:
    """Campaigns with the history of their status."""
    wanted = sorted(set(keys))
    if not wanted:
        return {}
    changes: dict[Key, list[tuple[int, str]]] = {}
    for r in await tx.all("load_campaign_changes", campaigns=wanted):
        changes.setdefault((r["account_id"], r["campaign_id"]), []).append((r["changed_at"], r["status"]))
    return {
        (r["account_id"], r["campaign_id"]): Campaign(
            _campaign_life(r, changes.get((r["account_id"], r["campaign_id"]), ())),
            rule_of(r["default_commission_type"], r["default_commission_value"]),
            r["hold_ms"],
        )
        for r in await tx.all("load_campaigns", campaigns=wanted)
    }


async def load_clicks(tx: Tx, keys: Iterable[tuple[str, str | None]]) -> dict[Key, ClickRecord]:
    """The clicks that exist among (account id, click id)."""
    wanted = sorted({(a, c) for a, c in keys if c is not None})
    rows = await tx.all("load_clicks", clicks=wanted) if wanted else []
    return {
        (r["account_id"], r["click_id"]): ClickRecord(
            Click(r["click_id"], r["affiliate_id"], r["campaign_id"], r["clicked_at"]),
            r["affiliate_status"] == "ACTIVE",
        )
        for r in rows
    }


async def load_product_rules(tx: Tx, keys: Iterable[tuple[str, str | None]]) -> tuple[dict[Key, Rule], dict[Key, Rule]]:
    """The products' own rules, and the defaults of the campaigns that they are attached to."""
    wanted = sorted({(a, p) for a, p in keys if p is not None})
    own: dict[Key, Rule] = {}
    inherited: dict[Key, Rule] = {}
    for r in await tx.all("load_product_rules", products=wanted) if wanted else []:
        key = (r["account_id"], r["external_product_id"])
        _put(own, key, rule_of(r["commission_type"], r["commission_value"]))
        _put(inherited, key, rule_of(r["default_commission_type"], r["default_commission_value"]))
    return own, inherited


async def load_coupon_owners(tx: Tx, codes: Iterable[str]) -> dict[str, str]:
    """The active affiliates that own these coupons, by the code in upper case."""
    wanted = sorted({code.upper() for code in codes})
    rows = await tx.all("load_coupon_owners", codes=wanted) if wanted else []
    return {r["coupon_code"]: r["affiliate_id"] for r in rows}


async def _conversions(tx: Tx, orders: Sequence[Key]) -> dict[Key, Conversion]:
    rows = await tx.all("load_conversions", orders=orders) if orders else []
    return {(r["account_id"], r["external_order_id"]): Conversion.from_row(r) for r in rows}


async def _commissions(tx: Tx, conversions: Iterable[Conversion]) -> dict[Key, Commission]:
    wanted = sorted((c.account_id, c.conversion_id) for c in conversions)
    rows = await tx.all("load_commissions", conversions=wanted) if wanted else []
    return {(r["account_id"], r["conversion_id"]): Commission.from_row(r) for r in rows}


async def _facts(tx: Tx, orders: Sequence[Key]) -> dict[Key, list[StatusFact]]:
    facts: dict[Key, list[StatusFact]] = {}
    for r in await tx.all("load_facts", orders=orders) if orders else []:
        facts.setdefault((r["account_id"], r["external_order_id"]), []).append(fact_from_row(r))
    return facts


def _campaign_life(row: Row, changes: Sequence[tuple[int, str]]) -> CampaignLife:
    return CampaignLife(
        campaign_id=row["campaign_id"],
        start_at=row["start_at"],
        end_at=row["end_at"],
        cookie_duration_days=row["cookie_duration_days"],
        changes=tuple(changes),
    )


def _put(rules: dict[Key, Rule], key: Key, rule: Rule | None) -> None:
    if rule is not None:
        rules[key] = rule
