"""What there is to do before a merchant's first live commission, in the order in which its owner does it.

A step is done once its fact is there: nothing is ticked by hand, and nothing is remembered beside the data, so a step
whose data is gone (an emptied account) is open again. There are two ways of at most eight steps, one after the other:
the test way until live access is granted, then the live way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from hub.domain.words import ShopPlatform

CODE: Final[ShopPlatform] = "code"
PLATFORM_TITLES: Final[Mapping[ShopPlatform, str]] = {
    "shopify": "Shopify",
    "woocommerce": "WooCommerce",
    "bigcommerce": "BigCommerce",
    "prestashop": "PrestaShop",
    "shopware": "Shopware",
    "stripe": "Stripe",
    "squarespace": "Squarespace",
    "wix": "Wix",
    "magento": "Magento",
    "code": "my own code",
}


@frozen
class Step:
    """A step; `waits` says that somebody else has to do it, `missing` what is open, in a sentence."""

    name: str
    title: str
    is_done: bool
    missing: str
    waits: bool = False


@frozen
class Facts:
    """What happened in one account of a merchant."""

    has_key: bool
    has_connection: bool
    has_store: bool
    has_active: bool
    has_click: bool
    has_conversion: bool
    has_match: bool
    has_status: bool
    has_partner: bool
    has_commission: bool


@frozen
class Standing:
    """What a merchant said of itself, and what the operator decided; `missing` are words of what the profile lacks."""

    status: str
    platform: ShopPlatform | None
    domains: tuple[str, ...]
    missing: tuple[str, ...]
    live_access: str | None
    live_reason: str | None


def is_live(who: Standing, live: Facts) -> bool:
    """Return whether a merchant is past the test way: it has live access, or an operator made its live account work."""
    return who.live_access == "GRANTED" or live.has_commission or (live.has_key and live.has_active)


def test_steps(who: Standing, facts: Facts, live: Facts) -> list[Step]:
    """Return the steps until live access; `live` are the facts of the live account."""
    lacks = "Still missing: " + ", ".join(who.missing) + "."
    before = [
        Step("profile", "Say who you are", not who.missing, lacks),
        Step("domain", "Prove that the shop is yours", bool(who.domains), "Buyers are led to proved domains only."),
        _source(who, facts, "test"),
        Step("campaign", "Say what you pay", facts.has_active, "A rate to begin with; change it at any time."),
        Step("click", "Follow the test link", facts.has_click, "Click your test partner's link, as a buyer would."),
        Step("order", "Place a test order", facts.has_match, _order(facts)),
        Step("delivered", "Deliver it", facts.has_status, "The parcel arrives, and the commission waits out the hold."),
    ]
    return [*before, _live(who, [step for step in before if not step.is_done], is_live(who, live))]


def live_steps(who: Standing, live: Facts) -> list[Step]:
    """Return the steps from live access to the first live commission."""
    return [
        Step("take", "Take to live", live.has_active, "Campaigns, products, rates and holds are copied from test."),
        _source(who, live, "live"),
        Step("partner", "Invite a partner", live.has_partner or live.has_commission, "Someone has to sell for you."),
        Step("first", "Earn the first commission", live.has_commission,
             "This is ticked by the first order that comes through a partner's link.", waits=True),
    ]  # fmt: skip


def _source(who: Standing, facts: Facts, mode: str) -> Step:
    """Return the step that lets orders in: a store, or a key of one's own code."""
    if who.platform in (None, CODE):
        return Step("key", f"Make a {mode} key", facts.has_key, f"Your code signs its {mode} orders with it.")
    title = PLATFORM_TITLES[who.platform]
    missing = (
        "The store is connected here; its secret or its credentials are still missing."
        if facts.has_connection
        else "Orders then arrive on their own."
    )
    return Step("store", f"Connect {title}" if mode == "test" else f"Connect the live {title} store", facts.has_store,
                missing)  # fmt: skip


def _order(facts: Facts) -> str:
    if facts.has_conversion and facts.has_click:
        return "Orders arrived, but none of them names a click. Place one here, and compare."
    return "It arrives as your shop would send it, with the click of the test link."


def _live(who: Standing, open_steps: list[Step], works: bool) -> Step:
    waiting = {
        "ASKED": "The operator of this hub decides on your request. You will get an email.",
        "REFUSED": f"The operator refused it: {who.live_reason} You can ask again.",
    }
    missing = waiting.get(who.live_access or "", "")
    if not missing and who.status != "APPROVED":
        missing = _approval(who)
    if not missing and works:
        missing = "Your live account works already. With live access you also create its keys yourself."
    if not missing and open_steps:
        missing = f"{_many(len(open_steps))} open. Finish them, or say in a sentence why you ask now."
    waits = who.live_access == "ASKED" or (who.status == "IN_REVIEW")
    return Step("live", "Ask for live access", who.live_access == "GRANTED", missing or "All steps are done: ask.",
                waits=waits)  # fmt: skip


def _approval(who: Standing) -> str:
    return {
        "PENDING": "Fill in the profile first; the operator of this hub then reviews it.",
        "IN_REVIEW": "The operator of this hub reviews your profile first. You will get an email.",
        "REJECTED": "The operator rejected the profile. Change it, and it is reviewed again.",
    }.get(who.status, "The operator suspended this merchant; ask them.")


def _many(count: int) -> str:
    return "One step is" if count == 1 else f"{count} steps are"
