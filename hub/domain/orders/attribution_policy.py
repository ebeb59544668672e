"""Who earns by an order, as its campaign decides it: the click, as the API specification has it, or a coupon.

The specification's rule comes first and is the default. A policy may let an affiliate's coupon decide, and may leave
orders out; an order that is left out is LOW, so that a person sees it and nothing is lost silently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypedDict

from attrs import frozen

from hub.domain.orders.attribution import Attribution, Reason

PolicyRule = Literal["CLICK", "COUPON", "COUPON_WITHOUT_CLICK"]
DecidedBy = Literal["click", "coupon", "renewal", "customer"]
Renewals = Literal["WITHIN_WINDOW", "NEVER", "TIMES", "ALWAYS"]
RULES: Final[tuple[PolicyRule, ...]] = ("CLICK", "COUPON", "COUPON_WITHOUT_CLICK")
RENEWALS: Final[tuple[Renewals, ...]] = ("WITHIN_WINDOW", "NEVER", "TIMES", "ALWAYS")
"""When the renewals of a subscription earn (hub/domain/orders/renewals.py)."""
MOST_RENEWALS: Final = 999
"""The most renewals of one subscription that a campaign may count: more is always."""
MOST_CUSTOMER_DAYS: Final = 1_095
"""The longest, in days, that a campaign may know a customer again: three years."""
NEW_CUSTOMER: Final = ("newCustomer", "new_customer")
"""The members of an order's `metadata` by which a shop says whether the buyer is new."""
SUSPICIOUS_ORDERS: Final = 2
"""How many other orders from one visitor's clicks make the next one a question."""


@frozen
class AttributionPolicy:
    """A campaign's policy; coupons are in upper case, products are external product ids, subs are values of sub-ids.

    With `flags_visitors` clicks keep a keyed hash of address and agent for as long as they count, and an order of the
    affiliate itself, or one of many from one visitor, is shown to a person. `renewal_times` is how many renewals of one
    subscription earn under `TIMES`, and 0 under the others. `customer_days` is for how many days after an order that
    earned an order of the same customer earns without a click; with 0 nothing is kept of customers.
    """

    rule: PolicyRule = "CLICK"
    new_customers_only: bool = False
    excluded_coupons: tuple[str, ...] = ()
    excluded_products: tuple[str, ...] = ()
    excluded_subs: tuple[str, ...] = ()
    flags_visitors: bool = False
    renewals: Renewals = "WITHIN_WINDOW"
    renewal_times: int = 0
    customer_days: int = 0


DEFAULT_POLICY: Final = AttributionPolicy()


class CouponOffer(NamedTuple):
    """A campaign by which the owner of an order's coupon could earn: it is live, and the owner takes part in it."""

    campaign_id: str
    policy: AttributionPolicy


class OrderSigns(NamedTuple):
    """What an order says beside its click.

    `coupon_owner` is the active affiliate of the coupon, None without one; `coupon_offers` are its campaigns. `subs`
    are the values of the click's sub-ids, `is_new_customer` is None if the shop does not say.
    """

    coupon: str | None = None
    coupon_owner: str | None = None
    coupon_offers: Sequence[CouponOffer] = ()
    subs: frozenset[str] = frozenset()
    is_new_customer: bool | None = None


class KnownBy(NamedTuple):
    """The earlier order by which a customer is known: the shop's id of it, and when it was placed (ms UTC)."""

    order_id: str
    ordered_at: int


class PolicyDecision(NamedTuple):
    """An attribution with the policy that it follows, and what decided it; `known_by` if that was the customer."""

    attribution: Attribution
    policy: AttributionPolicy
    decided_by: DecidedBy
    known_by: KnownBy | None = None


def apply_policy(clicked: Attribution, policy: AttributionPolicy, signs: OrderSigns) -> PolicyDecision:
    """Return who earns by an order whose click was judged as `clicked`, in a campaign with this policy.

    Without a coupon, or in a campaign that asks for nothing else, the click's attribution stays as it is.
    """
    offer = _coupon_offer(clicked, policy, signs)
    if offer is None:
        found = PolicyDecision(clicked, policy, "click")
    else:
        by_coupon = Attribution(
            "HIGH", "coupon_owner", clicked.click_id, signs.coupon_owner, offer.campaign_id, None, None
        )
        found = PolicyDecision(by_coupon, offer.policy, "coupon")
    return leave_out(found, signs)


def leave_out(found: PolicyDecision, signs: OrderSigns) -> PolicyDecision:
    """Return a decision as it is, or as LOW if its policy leaves out an order that would earn."""
    reason = _left_out(found, signs) if found.attribution.confidence == "HIGH" else None
    if reason is None:
        return found
    return found._replace(attribution=found.attribution._replace(confidence="LOW", reason=reason))


def _coupon_offer(clicked: Attribution, policy: AttributionPolicy, signs: OrderSigns) -> CouponOffer | None:
    """Return the campaign whose coupon decides the order, None if its click does."""
    if signs.coupon_owner is None:
        return None
    offers = [each for each in signs.coupon_offers if each.policy.rule != "CLICK"]
    if clicked.confidence == "HIGH":
        own = [each for each in offers if each.campaign_id == clicked.campaign_id]
        return own[0] if own and policy.rule == "COUPON" else None
    if clicked.affiliate_id is not None:  # there is a click, if a bad one: only a coupon that decides goes before it
        offers = [each for each in offers if each.policy.rule == "COUPON"]
    return offers[0] if offers else None


def _left_out(found: PolicyDecision, signs: OrderSigns) -> Reason | None:
    """Return why an order that would earn is left out, None if it is not."""
    policy = found.policy
    if signs.coupon is not None and signs.coupon.upper() in policy.excluded_coupons:
        return "coupon_excluded"
    if found.decided_by == "click" and not signs.subs.isdisjoint(policy.excluded_subs):
        return "sub_affiliate_excluded"
    if policy.new_customers_only and signs.is_new_customer is not True:
        return "customer_unknown" if signs.is_new_customer is None else "customer_not_new"
    return None


def stated_new_customer(metadata: Mapping[str, Any] | None) -> bool | None:
    """Return whether an order's metadata says that its buyer is new; None if it does not say."""
    stated = [metadata[name] for name in NEW_CUSTOMER if name in metadata] if metadata else []
    return stated[0] if stated and isinstance(stated[0], bool) else None


class PolicyJson(TypedDict):
    """A policy as it is stored and shown."""

    rule: str
    newCustomersOnly: bool
    excludedCoupons: list[str]
    excludedProducts: list[str]
    excludedSubAffiliates: list[str]
    flagsVisitors: bool
    renewals: str
    renewalTimes: int
    customerDays: int


def policy_to_json(policy: AttributionPolicy) -> PolicyJson:
    """Return a policy as it is stored and shown."""
    return {
        "rule": policy.rule,
        "newCustomersOnly": policy.new_customers_only,
        "excludedCoupons": list(policy.excluded_coupons),
        "excludedProducts": list(policy.excluded_products),
        "excludedSubAffiliates": list(policy.excluded_subs),
        "flagsVisitors": policy.flags_visitors,
        "renewals": policy.renewals,
        "renewalTimes": policy.renewal_times,
        "customerDays": policy.customer_days,
    }


def policy_from_json(data: Mapping[str, Any]) -> AttributionPolicy:
    """Read back what `policy_to_json` returned; raise KeyError for anything else."""
    return AttributionPolicy(
        data["rule"],
        data["newCustomersOnly"],
        tuple(data["excludedCoupons"]),
        tuple(data["excludedProducts"]),
        tuple(data["excludedSubAffiliates"]),
        data["flagsVisitors"],
        data["renewals"],
        data["renewalTimes"],
        data["customerDays"],
    )


_WHO: Final[Mapping[PolicyRule, str]] = {
    "CLICK": "The last click before the order earns; coupons do not count",
    "COUPON": "An affiliate's own coupon earns, even if the click is another's; without a coupon the last click earns",
    "COUPON_WITHOUT_CLICK": "The last click earns; without a click, the affiliate whose coupon the buyer used",
}


_RENEWALS: Final[Mapping[Renewals, str]] = {
    "WITHIN_WINDOW": "",
    "NEVER": "renewals of a subscription earn nothing",
    "ALWAYS": "every renewal of a subscription that a click began earns, too",
}


def policy_sentence(policy: AttributionPolicy) -> str:
    """Return a policy in one sentence, as affiliates read it."""
    limits = [
        "for new customers only" if policy.new_customers_only else "",
        _without("orders with the coupons", policy.excluded_coupons),
        _without("the products", policy.excluded_products),
        _without("clicks of the sub-affiliates", policy.excluded_subs),
        _renewals(policy),
        _customers(policy),
    ]
    return "; ".join([_WHO[policy.rule], *(each for each in limits if each)]) + "."


def _renewals(policy: AttributionPolicy) -> str:
    if policy.renewals == "TIMES":
        many = "renewal" if policy.renewal_times == 1 else f"{policy.renewal_times} renewals"
        return f"the first {many} of a subscription that a click began earn, too"
    return _RENEWALS[policy.renewals]


def _customers(policy: AttributionPolicy) -> str:
    if not policy.customer_days:
        return ""
    days = "a day" if policy.customer_days == 1 else f"{policy.customer_days} days"
    return f"an order without a click earns, too, if its customer's order earned within {days} before"


def _without(what: str, names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"not for {what} {listed}" if listed else ""
