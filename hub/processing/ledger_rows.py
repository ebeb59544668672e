"""What deciding reads and writes, typed: orders, commissions and facts, and the terms that they are decided by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import orjson
from attrs import frozen

from hub.domain.orders.attribution import CampaignLife, Click
from hub.domain.orders.attribution_policy import DEFAULT_POLICY, AttributionPolicy, policy_from_json
from hub.domain.orders.commission import (
    OrderLine,
    Refund,
    Rule,
    RuleType,
    Terms,
    refund_from_json,
    refund_to_json,
    terms_from_json,
)
from hub.domain.orders.lifecycle import StatusFact
from hub.domain.orders.undone import NOTHING_SAID, LastWord, read_refund_set
from hub.ids import new_id
from hub.storage import Row, values_of

Key = tuple[str, str]


class Conversion(NamedTuple):
    """A recorded order; amounts in minor units of `currency`, times in milliseconds UTC.

    `snapshot_version` is that of the platform's snapshot that the amounts and lines are from, None for an order that
    was reported without one; `stands_at` is the last moment at which a snapshot said that it is not cancelled. `born`
    is what the platform says makes it this order and no other; `namesakes` is how many others came under its number.
    `refund_set` is JSON of what the newest snapshot says of which refunds there are (see `refund_set_text`).
    """

    account_id: str
    conversion_id: str
    event_id: str
    external_order_id: str
    order_minor: int
    paid_minor: int
    currency: str
    lines_json: str
    click_id: str | None
    coupon_code: str | None
    metadata: str | None
    ordered_at: int
    received_at: int
    confidence: str
    reason: str
    affiliate_id: str | None
    campaign_id: str | None
    candidate_id: str | None
    review: str | None
    created_at: int
    snapshot_version: int | None = None
    stands_at: int | None = None
    born: str | None = None
    namesakes: int | None = None
    refund_set: str | None = None

    @property
    def last_word(self) -> LastWord:
        """What the platform said last of whether the order stands and which refunds it has."""
        if self.refund_set is None and self.stands_at is None:
            return NOTHING_SAID
        return LastWord(self.stands_at, read_refund_set(self.refund_set))

    @property
    def lines(self) -> tuple[OrderLine, ...]:
        """The order's lines, read from their JSON."""
        return tuple(OrderLine(*line) for line in orjson.loads(self.lines_json))


class Commission(NamedTuple):
    """What an affiliate earns by a conversion, with the terms frozen when it was created."""

    account_id: str
    commission_id: str
    conversion_id: str
    affiliate_id: str
    state: str
    amount_minor: int
    base_minor: int
    currency: str
    source: str
    terms_json: str
    hold_ms: int
    hold_until: int | None
    paid_at: int | None
    payout_reference: str | None
    created_at: int
    updated_at: int
    awaits_platform: int | None = None
    """1 if its hold is over and its order was not seen in the shop since."""

    @property
    def terms(self) -> Terms:
        """The frozen decision, read from its JSON; few need it once the amount is known."""
        return terms_from_json(orjson.loads(self.terms_json))


class FactRow(NamedTuple):
    """A fact of an order; `refund` is JSON (see `refund_to_json`), `late` 1 for one that came after the payout."""

    account_id: str
    external_order_id: str
    fact_key: str
    event_id: str
    status: str
    happened_at: int
    received_at: int
    refund: str | None
    late: int

    @classmethod
    def of(cls, account_id: str, external_order_id: str, fact: StatusFact) -> FactRow:
        """Return the row of an order's fact."""
        refund = None if fact.refund is None else orjson.dumps(refund_to_json(fact.refund)).decode()
        return cls(account_id, external_order_id, fact.key, fact.sequence, fact.status, fact.happened_at,
                   fact.received_at, refund, int(fact.late))  # fmt: skip

    @property
    def fact(self) -> StatusFact:
        """The fact as the fold takes it."""
        refund: Refund | None = None if self.refund is None else refund_from_json(orjson.loads(self.refund))
        return StatusFact(
            self.fact_key, self.status, self.happened_at, self.received_at, refund, bool(self.late), self.event_id
        )


class RestatedConversion(NamedTuple):
    """A row of `restate_conversions`: what a newer snapshot makes of a recorded order."""

    account_id: str
    conversion_id: str
    order_minor: int
    paid_minor: int
    lines_json: str
    snapshot_version: int | None
    stands_at: int | None
    refund_set: str | None

    @classmethod
    def of(cls, conversion: Conversion) -> RestatedConversion:
        """Return the row of an order as it is by now."""
        return cls._make(getattr(conversion, name) for name in cls._fields)


class OrderReview(NamedTuple):
    """A row of `open_order_reviews`: something about an order that a person must look at.

    `review_key` tells one question about the order from another, `details` is a JSON object, `opened_at` ms UTC.
    """

    account_id: str
    conversion_id: str
    review_key: str
    event_id: str
    reason: str
    details: str
    opened_at: int


def review_key(reason: str, change: Mapping[str, Any] | None) -> str:
    """Return what tells one question about an order from another: the reason, and what was stated but its version."""
    stated = {name: value for name, value in (change or {}).items() if name != "version"}
    return f"{reason}:{sha256(orjson.dumps(stated)).hexdigest()[:16]}"


def rule_of(kind: RuleType | None, value: str | None) -> Rule | None:
    """Return a commission rule from its two columns, None if there is none."""
    return None if kind is None or value is None else Rule(kind, value)


@frozen
class Merchant:
    """The terms of the merchant behind an account, and whether the account is the live one."""

    currency: str
    domains: tuple[str, ...]
    rule: Rule | None
    hold_ms: int | None
    live: bool
    has_deposit: bool = False
    """Whether a deposit covers its commissions, or did."""
    needs_deposit: bool = False
    """Whether its commissions only become payable while the deposit covers them."""


@frozen
class Campaign:
    """A campaign's life and what it pays."""

    life: CampaignLife
    rule: Rule | None
    hold_ms: int | None
    policy: AttributionPolicy = DEFAULT_POLICY
    new_customer_rule: Rule | None = None


class RecordedClick(NamedTuple):
    """A recorded click, whether its affiliate may still earn, the values of its sub-ids, and its visitor's hash.

    `code` is its link, and `subs_json` its sub-ids by name.
    """

    click: Click
    affiliate_active: bool
    subs: frozenset[str] = frozenset()
    visitor: str | None = None
    code: str = ""
    subs_json: str | None = None


class VisitorSigns(NamedTuple):
    """How many orders came by clicks of a click's visitor, and whether its affiliate signed in as the same visitor."""

    orders: int
    affiliate_signed_in: bool


def clicks_of(rows: Sequence[Row]) -> dict[tuple[str, str], RecordedClick]:
    """Return the clicks of rows of `load_clicks`, by account and id."""
    return {
        (account_id, click_id): RecordedClick(
            Click(click_id, affiliate_id, campaign_id, clicked_at),
            status == "ACTIVE",
            frozenset() if subs is None else frozenset(orjson.loads(subs).values()),
            visitor,
            code,
            subs,
        )
        for account_id, click_id, affiliate_id, campaign_id, clicked_at, status, subs, visitor, code in values_of(rows)
    }


def campaigns_of(rows: Iterable[Row], change_rows: Iterable[Row]) -> dict[tuple[str, str], Campaign]:
    """Return campaigns from their rows and those of their changes, oldest first."""
    changes: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for r in change_rows:
        changes.setdefault((r["account_id"], r["campaign_id"]), []).append((r["changed_at"], r["status"]))
    return {
        (r["account_id"], r["campaign_id"]): Campaign(
            CampaignLife(
                r["campaign_id"],
                r["start_at"],
                r["end_at"],
                r["cookie_duration_days"],
                tuple(changes.get((r["account_id"], r["campaign_id"]), ())),
            ),
            rule_of(r["default_commission_type"], r["default_commission_value"]),
            r["hold_ms"],
            DEFAULT_POLICY if r["attribution"] is None else policy_from_json(orjson.loads(r["attribution"])),
            rule_of(r["new_customer_commission_type"], r["new_customer_commission_value"]),
        )
        for r in rows
    }


def changed_order(account_id: str, conversion_id: str) -> tuple[str, str, str]:
    """Return the row of `note_changed_orders`: write it in the transaction that changes an order or its commission."""
    return account_id, new_id("chg"), conversion_id


def lines_to_json(lines: Sequence[OrderLine]) -> str:
    """Return order lines as the conversions table keeps them: [[externalProductId or null, quantity, minor], ...]."""
    return orjson.dumps([[*line] for line in lines]).decode()


def own_rates_of(rows: Iterable[Row]) -> dict[tuple[str, str, str], Rule]:
    """Return the rates of rows of `load_own_rates`."""
    return {(r["account_id"], r["campaign_id"], r["affiliate_id"]): Rule(r["commission_type"], r["commission_value"])
            for r in rows}  # fmt: skip


def product_rules_of(rows: Iterable[Row]) -> tuple[dict[Key, Rule], dict[Key, Rule], dict[Key, str]]:
    """Return the rules of rows of `load_product_rules`, as `load_product_rules` does."""
    own: dict[Key, Rule] = {}
    inherited: dict[Key, Rule] = {}
    campaigns: dict[Key, str] = {}
    for r in rows:
        key = (r["account_id"], r["external_product_id"])
        if r["campaign_id"] is not None:
            campaigns[key] = r["campaign_id"]
        _put(own, key, rule_of(r["commission_type"], r["commission_value"]))
        _put(inherited, key, rule_of(r["default_commission_type"], r["default_commission_value"]))
    return own, inherited, campaigns


def _put(rules: dict[Key, Rule], key: Key, rule: Rule | None) -> None:
    if rule is not None:
        rules[key] = rule
