"""How far a merchant has come on its way to live orders, read from what really happened in its test account.

The order of the steps is that of the API specification ("Merchant onboarding order"). Nothing is ticked off by hand,
and nothing is remembered beside the data, so a step whose data is gone (an emptied account) is open again.
"""

from __future__ import annotations

import json
from typing import Final, TypedDict

from hub.operations.merchants.merchant_profiles import ProfileDocument, show_profile
from hub.operations.merchants.merchants import require_merchant
from hub.storage import Row, Store

LOOKED_AT: Final = 2_000
"""How many of the newest requests are searched for a first signed call and for a duplicate."""

MOST_SEARCHED: Final = 10_000
"""How many orders are searched one by one for what happened to them; of the others the figures say it."""


class StepDocument(TypedDict):
    """A step; `missing` says what it waits for, null once it is done. `name` is stable, for links and tests."""

    name: str
    title: str
    done: bool
    missing: str | None


class OnboardingDocument(TypedDict):
    """All steps in order, and the name of the first that is open; null if all are done."""

    merchantId: str
    steps: list[StepDocument]
    next: str | None


async def show_onboarding(store: Store, merchant: str) -> OnboardingDocument:
    """Return the steps of a merchant; raise `OperatorFault` if it is unknown."""
    profile = await show_profile(store, merchant)
    async with store.read() as tx:
        account_id = (await require_merchant(tx, profile["merchantId"]))["accounts"]["test"]
        found = await tx.one("onboarding_of_account", account_id=account_id, limit=MOST_SEARCHED)
        requests = await tx.all("last_requests_of_account", account_id=account_id, limit=LOOKED_AT)
    if found is None:
        raise LookupError("a query that always has a row")
    steps = [*_of_business(profile), *_of_integration(found, requests), _live(profile)]
    open_steps = [step["name"] for step in steps if not step["done"]]
    return {"merchantId": profile["merchantId"], "steps": steps, "next": open_steps[0] if open_steps else None}


def _step(name: str, title: str, done: bool, missing: str) -> StepDocument:
    return {"name": name, "title": title, "done": done, "missing": None if done else missing}


def _of_business(profile: ProfileDocument) -> list[StepDocument]:
    waiting = {
        "PENDING": "Complete the profile; the operator then reviews it.",
        "IN_REVIEW": "The operator of this hub reviews your profile.",
        "REJECTED": "The operator rejected the profile. Change it, and it is reviewed again.",
        "SUSPENDED": "The operator suspended this merchant; ask them.",
    }
    wait = waiting.get(profile["status"], "Ask the operator.")
    missing = "Still missing: " + ", ".join(words_of(name) for name in profile["missing"]) + "."
    return [
        _step("profile", "Complete your business profile", not profile["missing"], missing),
        _step("approval", "Be approved", profile["status"] == "APPROVED", wait),
    ]


def _of_integration(found: Row, requests: list[Row]) -> list[StepDocument]:
    signed = found["has_event"] or any(row["key_id"] and row["status"] < 400 for row in requests)
    refused = next((row for row in requests if row["error_code"]), None)
    call = "Send any signed request with the test key."
    if refused is not None:
        call = f"The last request was refused: {refused['status']} {refused['error_code']}, {refused['request_id']}."
    campaign = "Activate the campaign." if found["has_campaign"] else "Create a campaign and activate it."
    click = "Open a link in a browser." if found["has_link"] else "Make a link of an affiliate, and open it."
    order = (
        "Orders arrive, but none named a click that matches: send affiliate_click_id as clickId."
        if found["has_conversion"]
        else "Report an order that names the click."
    )
    return [
        _step("key", "Make a test key", bool(found["has_key"]), "No test key was made yet."),
        _step("call", "Send the first signed call", bool(signed), call),
        _step("products", "Send your products", bool(found["has_product"]), "No product is here yet."),
        _step("campaign", "Run a campaign", bool(found["was_active"]), campaign),
        _step("click", "Capture a click", bool(found["has_click"]), click),
        _step("conversion", "Report an order with its click", bool(found["has_match"]), order),
        _step("status", "Report a status", bool(found["has_status"]), "Report that the order was paid or delivered."),
        _step("refund", "Report a refund", bool(found["has_refund"]), "Cancel, return or refund an order."),
        _step(
            "duplicate",
            "Repeat a request",
            any(_is_duplicate(row) for row in requests),
            "Send the same order again: it is answered DUPLICATE, and changes nothing.",
        ),
    ]


def _live(profile: ProfileDocument) -> StepDocument:
    waiting = {
        "ASKED": "The operator decides on your request.",
        "REFUSED": f"The operator refused it: {profile['liveReason']}",
    }
    missing = waiting.get(profile["liveAccess"] or "", "Ask for it once everything works in test mode.")
    return _step("live", "Request live access", profile["liveAccess"] == "GRANTED", missing)


def _is_duplicate(row: Row) -> bool:
    return row["detail"] is not None and "duplicateOf" in json.loads(row["detail"])


def words_of(name: str) -> str:
    """Return the words of a profile's field, as in "legal name"."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
