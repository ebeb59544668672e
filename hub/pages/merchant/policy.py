"""/merchant/campaigns/{campaign}/policy: which affiliate earns by an order of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.domain.orders.attribution_policy import MOST_CUSTOMER_DAYS, RENEWALS, RULES
from hub.operations.campaigns.attribution_policies import (
    PolicyDocument,
    PolicyForm,
    set_attribution_policy,
    show_attribution_policy,
)
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.merchant.campaigns import HERE, found_campaign
from hub.pages.route_table import RouteTable

LISTS: Final = ("coupons", "products", "subs")
LONGEST_NUMBER: Final = 10
EMPTY: Final[Mapping[str, str]] = {
    "rule": "CLICK",
    "renewals": "WITHIN_WINDOW",
    **dict.fromkeys((*LISTS, "new", "flags", "renewal_times", "customer_days"), ""),
}
ONE: Final = f"{HERE}/{{campaign}}/policy"
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(ONE, viewers=False)
async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show the policy of a campaign as a form."""
    campaign = await found_campaign(shown)
    policy = await show_attribution_policy(shown.services.store, campaign.id, shown.account_id)
    return _page(shown, 200, campaign.title, _values(policy), {})


@PAGES.post(ONE)
async def save(shown: MerchantVisit) -> web.StreamResponse:
    """Store the policy of a campaign."""
    campaign, typed, services = await found_campaign(shown), shown.form, shown.services
    rule, renewals = (typed.get(name, "") for name in ("rule", "renewals"))

    async def again(faults: Mapping[str, str]) -> web.Response:
        return _page(shown, 422, campaign.title, {**EMPTY, **typed}, faults)

    lists = {name: typed.get(name, "").splitlines() for name in LISTS}
    form = PolicyForm(
        rule=rule if rule in RULES else None,
        new_customers_only=typed.get("new") == "1",
        excluded_coupons=lists["coupons"],
        excluded_products=lists["products"],
        excluded_subs=lists["subs"],
        flags_visitors=typed.get("flags") == "1",
        renewals=next((each for each in RENEWALS if each == renewals), None),
        renewal_times=_number(typed.get("renewal_times", "")),
        customer_days=_days(typed.get("customer_days", "")),
    )
    act = set_attribution_policy(services.store, services.clock, campaign.id, form, shown.account_id)
    return await done_or_refused(act, f"{HERE}/{campaign.id}?done=policy", again)


def _number(typed: str) -> int | None:
    return int(typed) if typed.isdecimal() and len(typed) < LONGEST_NUMBER else None


def _days(typed: str) -> int:
    """Return a number of days: none typed is 0, and what is no number is refused as too many."""
    number = _number(typed.strip() or "0")
    return MOST_CUSTOMER_DAYS + 1 if number is None else number


def _values(policy: PolicyDocument) -> dict[str, str]:
    return {
        "rule": policy["rule"],
        "new": "1" if policy["newCustomersOnly"] else "",
        "coupons": "\n".join(policy["excludedCoupons"]),
        "products": "\n".join(policy["excludedProducts"]),
        "subs": "\n".join(policy["excludedSubAffiliates"]),
        "flags": "1" if policy["flagsVisitors"] else "",
        "renewals": policy["renewals"],
        "renewal_times": str(policy["renewalTimes"] or ""),
        "customer_days": str(policy["customerDays"] or ""),
    }


def _page(
    shown: MerchantVisit, status: int, title: str, values: Mapping[str, str], faults: Mapping[str, str]
) -> web.Response:
    address = f"{HERE}/{shown.path['campaign']}"
    return shown.page("merchant/policy.html", status, title=title, values=values, faults=faults, back=address)
