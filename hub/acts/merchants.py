"""Merchants, their profiles, live access and test accounts."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, patch, post
from hub.acts.authority import ADMINS, OPERATORS, OWNERS, PROVED_ADMINS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import HOLD, PAGED, REASON, RULE, Fields, choice, flag, free, needed, text, texts
from hub.operations.merchants.merchant_profiles import ProfileDocument, decide_live_access, show_profile, update_profile
from hub.operations.merchants.merchants import (
    MerchantChange,
    NewMerchant,
    close_merchant,
    create_merchant,
    set_merchant_status,
    show_merchant,
    update_merchant,
)
from hub.operations.merchants.test_accounts import AdvancedDocument, EmptiedDocument, advance_clock, empty_account
from hub.operations.system.party_lists import merchants_part
from hub.records.merchants import ListedMerchant, MerchantDocument

NAME: Final = text("The name.", "Fjord & Fern")
EMAIL: Final = text("The e-mail address.", "ann@shop.example")
SEARCH: Final = text("What the name or the e-mail address contains, in any case.", "fjord")
PROFILE: Final = free("The members of the profile to change; an empty text clears one.", {"legalName": "Fjord GmbH"})


def _status(verb: str, status: str, summary: str, body: Fields) -> Act:
    async def run(c: Call) -> MerchantDocument:
        return await set_merchant_status(c.store, c.clock, c.path["merchant"], status, c.body.get("reason"))

    return Act(
        post(f"/merchants/{{merchant}}/{verb}", f"{verb}Merchant"), summary, run, MerchantDocument, body=body,
        trail=(f"merchant.{status.lower()}",), commands=(f"merchant {verb}",),
        pages=(f"/operator/merchants/{{merchant}}/{verb}",),
    )  # fmt: skip


async def _merchants(c: Call) -> Any:
    return answer(await merchants_part(c.store, wanted_of(c, "search", "status")))


async def _update_profile(c: Call) -> Any:
    given = {name: str(value) for name, value in c.body["fields"].items()}
    return await update_profile(c.store, c.clock, c.path["merchant"], given)


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/merchants", "listMerchants"), "List merchants, newest first", _merchants, ListOfEntries(ListedMerchant),
        query={"search": SEARCH, "status": choice("In this status.", "PENDING", "APPROVED", "SUSPENDED", "REJECTED",
                                                  "CLOSED"), **PAGED}),
    Act(post("/merchants", "createMerchant", 201), "Create a merchant with its two accounts",
        lambda c: create_merchant(c.store, c.clock, NewMerchant(**c.body)), MerchantDocument,
        body={"name": needed(NAME), "email": needed(EMAIL), "domains": needed(texts("Its domains.", "shop.example")),
              "currency": text("ISO 4217; USD if omitted.", "EUR", 3), "commission": RULE, "hold": HOLD,
              "approve": flag("Approve it at once.")},
        trail=("merchant.created",),
        by=(PROVED_ADMINS,), commands=("merchant create",), pages=("/operator/merchants",)),
    Act(get("/merchants/{merchant}", "getMerchant"), "Show a merchant",
        lambda c: show_merchant(c.store, c.path["merchant"]), MerchantDocument),
    Act(patch("/merchants/{merchant}", "updateMerchant"), "Change a merchant's settings",
        lambda c: update_merchant(c.store, c.clock, c.path["merchant"], MerchantChange(**c.body)), MerchantDocument,
        body={"name": NAME, "email": EMAIL, "domains": texts("The domains, in place of all.", "shop.example"),
              "added": texts("Domains to add.", "shop.example"), "removed": texts("Domains to remove.", "old.example"),
              "commission": RULE, "hold": HOLD},
        trail=("merchant.updated",),
        by=(PROVED_ADMINS,), commands=("merchant update",), pages=("/operator/merchants/{merchant}/terms",)),
    _status("approve", "APPROVED", "Approve a merchant", {}),
    _status("reject", "REJECTED", "Reject a merchant", {"reason": REASON}),
    _status("suspend", "SUSPENDED", "Suspend a merchant: its keys and links stop", {"reason": REASON}),
    Act(post("/merchants/{merchant}/close", "closeMerchant"), "Close a merchant for good",
        lambda c: close_merchant(c.store, c.clock, c.path["merchant"], **c.body), MerchantDocument,
        body={"reason": REASON, "anyway": flag("Close it although commissions are open.")}, trail=("merchant.closed",),
        commands=("merchant close",), pages=("/operator/merchants/{merchant}/close",),
        asks=("/operator/merchants/{merchant}/close",)),
    Act(post("/merchants/{merchant}/live-access", "decideLiveAccess"), "Grant or refuse live access",
        lambda c: decide_live_access(c.store, c.clock, c.path["merchant"], **c.body), ProfileDocument,
        body={"granted": needed(flag("Whether it is granted.")), "reason": REASON},
        trail=("merchant.live-granted", "merchant.live-refused"),
        commands=("merchant live-access",), pages=("/operator/merchants/{merchant}/live-access",)),
    Act(get("/merchants/{merchant}/profile", "getMerchantProfile"), "Show a merchant's profile",
        lambda c: show_profile(c.store, c.path["merchant"]), ProfileDocument),
    Act(patch("/merchants/{merchant}/profile", "updateMerchantProfile"), "Change a merchant's profile",
        _update_profile, ProfileDocument, body={"fields": needed(PROFILE)}, trail=("merchant.profile-updated",),
        by=(OPERATORS, OWNERS), commands=("merchant profile",), pages=("/merchant/profile",)),
    Act(post("/merchants/{merchant}/test/clock", "advanceTestClock"), "Move the clock of a test account forward",
        lambda c: advance_clock(c.store, c.clock, c.path["merchant"], c.body["by"]), AdvancedDocument,
        body={"by": needed(text("How far, like 14d.", "14d"))}, trail=("account.clock-advanced",),
        by=(ADMINS, OWNERS), commands=("clock advance",), pages=("/merchant/test/clock",)),
    Act(post("/merchants/{merchant}/test/empty", "emptyTestAccount"), "Delete the orders of a test account",
        lambda c: empty_account(c.store, c.clock, c.path["merchant"], "test", **c.body), EmptiedDocument,
        body={"everything": flag("Products, campaigns and links as well.")}, trail=("account.emptied",),
        by=(ADMINS, OWNERS), commands=("account empty",), pages=("/merchant/test/empty",),
        asks=("/merchant/test/empty",)),
)  # fmt: skip
