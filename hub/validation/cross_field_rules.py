"""The rules that hold between fields, or between a field and its merchant; each gives (wire name, text) per fault.

They read the attributes of a whole input, or of what could be read of a bad one: there a field that is missing or bad
is `UNREADABLE`, and a rule that needs it stays silent, because that fault is reported already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from hub.domain.money import CURRENCIES, MoneyError, parse_money
from hub.domain.orders.rule_kinds import RuleType, kind_of
from hub.domain.orders.volume_rates import volume_faults, volume_from_json
from hub.validation.input_reader import UNREADABLE, Problem
from hub.validation.inputs import (
    CampaignInput,
    CampaignPatch,
    ConversionInput,
    MerchantTerms,
    ProductChange,
    ProductInput,
    ProductPatch,
    wire_name,
)
from hub.validation.product_urls import picture_url_fault, product_url_fault

Problems = tuple[Problem, ...]
CrossFieldRule = Callable[[Any, MerchantTerms], Problems]

_LONGEST = len("123456789012.1234") + 1
_COMMISSION = frozenset({"commission_type", "commission_value"})


def check_conversion(order: Any, merchant: MerchantTerms) -> Problems:
    """Check that the order's amount has no more decimals than its currency."""
    return _money("orderAmount", order.order_amount, order.currency or merchant.currency)


def check_product(product: Any, merchant: MerchantTerms) -> Problems:
    """Check a whole product: prices, addresses and the commission pair."""
    prices = price_problems(product, product.currency or merchant.currency)
    return prices + _check_addresses(product, merchant) + _check_commission(product, merchant)


def check_product_change(product: Any, merchant: MerchantTerms) -> Problems:
    """Check some fields of a product; without a currency beside them, prices wait until the stored one is known."""
    prices = () if product.currency is None else price_problems(product, product.currency)
    return prices + _check_addresses(product, merchant) + _check_commission(product, merchant)


def price_problems(product: Any, currency: Any) -> Problems:
    """Return what is wrong with the prices of a product, or of a change to it, once its currency is known."""
    price, discount = _money("price", product.price, currency), product.discount_price
    return price if discount is None else price + _money("discountPrice", discount, currency)


def date_problems(start_date: Any, end_date: Any) -> Problems:
    """Check that a campaign ends after it starts; both are milliseconds UTC, or None if open."""
    if isinstance(start_date, int) and isinstance(end_date, int) and end_date <= start_date:
        return (("endDate", "must be after startDate"),)
    return ()


def _check_campaign(campaign: Any, merchant: MerchantTerms) -> Problems:
    kind, value = campaign.default_commission_type, campaign.default_commission_value
    pair = _pair("defaultCommission", kind, value, merchant) or _half_cleared(campaign, "default_commission")
    kind, value = campaign.new_customer_commission_type, campaign.new_customer_commission_value
    new = _pair("newCustomerCommission", kind, value, merchant) or _half_cleared(campaign, "new_customer_commission")
    return date_problems(campaign.start_date, campaign.end_date) + pair + new + _volume(campaign.volume_rates, merchant)


def _volume(stated: Any, merchant: MerchantTerms) -> Problems:
    if not isinstance(stated, dict):
        return ()
    return tuple(("volumeRates", fault) for fault in volume_faults(volume_from_json(stated), merchant.currency))


def _check_commission(product: Any, merchant: MerchantTerms) -> Problems:
    kind, value = product.commission_type, product.commission_value
    if kind is value is None and _COMMISSION.isdisjoint(product.present):
        return ()
    return _pair("commission", kind, value, merchant) or (() if kind else _half_cleared(product, "commission"))


def _check_addresses(product: Any, merchant: MerchantTerms) -> Problems:
    page, picture = product.product_url, product.image_url
    page_fault = product_url_fault(page, merchant.domains) if type(page) is str else None
    picture_fault = picture_url_fault(picture) if type(picture) is str else None
    if page_fault is picture_fault is None:
        return ()
    return tuple((wire, fault) for wire, fault in (("productUrl", page_fault), ("imageUrl", picture_fault)) if fault)


def _money(wire: str, text: Any, currency: Any) -> Problems:
    if text is None or text is UNREADABLE or currency is UNREADABLE:
        return ()
    # The pattern held already, so only the decimals can be too many; the sentence is the domain's.
    if "." not in text[: -1 - CURRENCIES.get(currency, -_LONGEST)]:
        return ()
    fault = _money_fault(text, currency)
    return ((wire, fault),) if fault else ()


def _pair(stem: str, kind: Any, value: Any, merchant: MerchantTerms) -> Problems:
    """Check that a commission's type and value come together or not at all, and fit each other."""
    if kind is value is None or kind is UNREADABLE or value is UNREADABLE:
        return ()
    if kind is None or value is None:
        return ((f"{stem}Type", f"must come together with {stem}Value or not at all"),)
    fault = _rule_fault(kind, value, merchant.currency)
    return ((f"{stem}Value", fault),) if fault else ()


def _half_cleared(holder: Any, name: str) -> Problems:
    """Refuse a null that clears one half of a pair whose other half is left out."""
    kind, value = f"{name}_type", f"{name}_value"
    if getattr(holder, kind) is not None or getattr(holder, value) is not None:
        return ()
    given = getattr(holder, "present", ())
    if (kind in given) == (value in given):
        return ()
    return ((wire_name(kind), f"must be cleared together with {wire_name(value)}"),)


@lru_cache(maxsize=4_096)
def _money_fault(text: str, currency: str) -> str | None:
    try:
        parse_money(text, currency)
    except MoneyError as error:
        return str(error)
    return None


@lru_cache(maxsize=4_096)
def _rule_fault(kind: RuleType, value: str, currency: str) -> str | None:
    try:
        kind_of(kind).check(value, currency)
    except MoneyError as error:
        return str(error)
    return None


RULES: Mapping[type, CrossFieldRule] = {
    ConversionInput: check_conversion,
    ProductInput: check_product,
    ProductChange: check_product_change,
    ProductPatch: _check_commission,
    CampaignInput: _check_campaign,
    CampaignPatch: _check_campaign,
}
"""What is checked of each input class beyond its single fields."""
