"""Merchants, affiliates, campaigns and links: the operators' acts on them."""

from __future__ import annotations

from typing import Any, Final

from hub.operations.affiliates.affiliates import (
    AffiliateChange,
    AffiliateDocument,
    create_affiliate,
    set_affiliate_status,
    show_affiliate,
    update_affiliate,
)
from hub.operations.affiliates.links import (
    CreatedLinkDocument,
    LinkDocument,
    NewLink,
    create_link,
    enable_link,
    list_links,
    show_link,
)
from hub.operations.affiliates.memberships import (
    Member,
    MembershipDocument,
    MembershipFilter,
    list_memberships,
    set_membership,
    set_own_rate,
)
from hub.operations.campaigns.campaign_changes import (
    CampaignDetails,
    CampaignForm,
    create_campaign,
    edit_campaign,
    set_campaign_status,
)
from hub.operations.campaigns.campaigns import CampaignApproval, CampaignDocument, approve_campaign, reject_campaign
from hub.operations.campaigns.campaigns import show_campaign as show_campaign_of_operator
from hub.operations.merchants.merchant_changes import (
    MerchantChange,
    close_merchant,
    set_merchant_status,
    update_merchant,
)
from hub.operations.merchants.merchant_profiles import ProfileDocument, decide_live_access, show_profile, update_profile
from hub.operations.merchants.merchants import MerchantDocument, NewMerchant, create_merchant, show_merchant
from hub.operations.system.operator_lists import (
    CampaignFilter,
    ListedAffiliate,
    ListedCampaign,
    ListedMerchant,
    PartyFilter,
    affiliates_page,
    campaigns_page,
    merchants_page,
)
from hub.token_api.act import (
    MODE,
    PAGED,
    Act,
    Fields,
    ListOfEntries,
    TokenCall,
    choice,
    flag,
    free,
    needed,
    newest,
    sliced,
    text,
    texts,
)

NAME: Final = text("The name.", "Fjord & Fern")
EMAIL: Final = text("The e-mail address.", "ann@shop.example")
REASON: Final = text("Why, for the other side to read.", "The domain is not theirs.", 1_000)
COMMISSION: Final = text("A rule like PERCENTAGE:8 or FIXED:5.00.", "PERCENTAGE:8")
HOLD: Final = text("How long commissions wait, like 14d.", "14d")
COUPONS: Final = texts("Coupon codes that are the affiliate's.", "ANNA10")
SEARCH: Final = text("What the name or the e-mail address contains, in any case.", "fjord")
PROFILE: Final = free("The members of the profile to change; an empty text clears one.", {"legalName": "Fjord GmbH"})
CAMPAIGN: Final = free("The campaign, with the members of the merchant API's campaign.", {"title": "Spring sale"})


def _status(path: str, operation: str, summary: str, status: str, doing: str, body: Fields) -> Act:
    async def run(c: TokenCall) -> MerchantDocument:
        return await set_merchant_status(c.store, c.clock, c.path["merchant"], status, c.body.get("reason"))

    return Act("POST", path, operation, summary, run, MerchantDocument, body=body, doing=(doing,))


async def _merchants(c: TokenCall) -> Any:
    part, status = c.query.get("search"), c.query.get("status")
    return await newest(
        c, lambda limit, before: merchants_page(c.store, PartyFilter(part, status, before), limit=limit)
    )


async def _affiliates(c: TokenCall) -> Any:
    part, status = c.query.get("search"), c.query.get("status")
    return await newest(
        c, lambda limit, before: affiliates_page(c.store, PartyFilter(part, status, before), limit=limit)
    )


async def _campaigns(c: TokenCall) -> Any:
    q = c.query
    return await newest(
        c,
        lambda limit, before: campaigns_page(
            c.store,
            c.clock,
            CampaignFilter(q.get("search"), q.get("merchant"), q.get("mode"), q.get("approval"), before),
            limit=limit,
        ),
    )


async def _links(c: TokenCall) -> Any:
    return sliced(c, await list_links(c.store, await c.root(), c.query.get("merchant")), "code")


async def _create_link(c: TokenCall) -> Any:
    b = c.body
    wanted = NewLink(
        b["merchant_id"], b["mode"], b["affiliate_id"], b.get("campaign_id"), b.get("external_product_id"),
        b.get("destination"), {name: str(value) for name, value in b.get("sub_ids", {}).items()},
    )  # fmt: skip
    return await create_link(c.store, c.clock, await c.root(), wanted)


def _switch(operation: str, summary: str, verb: str, *, enabled: bool) -> Act:
    async def run(c: TokenCall) -> Any:
        return await enable_link(c.store, c.clock, await c.root(), c.path["link"], enabled=enabled)

    return Act("POST", f"/links/{{link}}/{verb}", operation, summary, run, LinkDocument, doing=(f"link.{verb}d",))


def _affiliate_switch(operation: str, summary: str, verb: str, status: str) -> Act:
    async def run(c: TokenCall) -> Any:
        return await set_affiliate_status(c.store, c.clock, c.path["affiliate"], status)

    path = f"/affiliates/{{affiliate}}/{verb}"
    return Act("POST", path, operation, summary, run, AffiliateDocument, doing=(f"affiliate.{verb}d",))


def _campaign_switch(operation: str, summary: str, verb: str, status: str) -> Act:
    async def run(c: TokenCall) -> Any:
        return await set_campaign_status(c.store, c.clock, c.path["campaign"], status)

    path = f"/campaigns/{{campaign}}/{verb}"
    return Act("POST", path, operation, summary, run, CampaignDetails, doing=(f"campaign.{verb.rstrip('e')}ed",))


async def _update_profile(c: TokenCall) -> Any:
    given = {name: str(value) for name, value in c.body["fields"].items()}
    return await update_profile(c.store, c.clock, c.path["merchant"], given)


def _form(c: TokenCall) -> CampaignForm:
    b = c.body
    return CampaignForm(b.get("fields", {}), b.get("hold"), b.get("listed"), b.get("joining"))


async def _memberships(c: TokenCall) -> Any:
    q = c.query
    wanted = MembershipFilter(
        q.get("merchant"), q.get("mode"), q.get("campaign"), q.get("affiliate"), q.get("status")
    )  # fmt: skip
    return {"data": await list_memberships(c.store, wanted), "nextCursor": None}


async def _decide(c: TokenCall) -> Any:
    member = Member(c.path["campaign"], c.path["affiliate"])
    return await set_membership(c.store, c.clock, member, c.body["status"], c.body.get("reason"))


async def _shown_link(c: TokenCall) -> LinkDocument:
    return await show_link(c.store, await c.root(), c.path["link"])


FORM: Final[Fields] = {
    "fields": CAMPAIGN,
    "hold": HOLD,
    "listed": flag("Whether affiliates see it in the catalogue."),
    "joining": choice("Who may join.", "OPEN", "BY_APPROVAL"),
}
MEMBER_FILTERS: Final[Fields] = {
    "merchant": text("Of this merchant.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"),
    "mode": MODE,
    "campaign": text("Of this campaign.", "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f"),
    "affiliate": text("Of this affiliate.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80"),
    "status": choice("In this status.", "APPLIED", "APPROVED", "REJECTED", "REMOVED"),
}

PARTIES: Final[tuple[Act, ...]] = (
    Act("GET", "/merchants", "listMerchants", "List merchants, newest first", _merchants, ListOfEntries(ListedMerchant),
        query={"search": SEARCH, "status": choice("In this status.", "PENDING", "APPROVED", "SUSPENDED", "REJECTED",
                                                  "CLOSED"), **PAGED}),
    Act("POST", "/merchants", "createMerchant", "Create a merchant with its two accounts",
        lambda c: create_merchant(c.store, c.clock, NewMerchant(**c.body)), MerchantDocument,
        body={"name": needed(NAME), "email": needed(EMAIL), "domains": needed(texts("Its domains.", "shop.example")),
              "currency": text("ISO 4217; USD if it is left out.", "EUR", 3), "commission": COMMISSION, "hold": HOLD,
              "approve": flag("Approve it at once.")},
        doing=("merchant.created",), success=201),
    Act("GET", "/merchants/{merchant}", "getMerchant", "Show a merchant",
        lambda c: show_merchant(c.store, c.path["merchant"]), MerchantDocument),
    Act("PATCH", "/merchants/{merchant}", "updateMerchant", "Change a merchant's settings",
        lambda c: update_merchant(c.store, c.clock, c.path["merchant"], MerchantChange(**c.body)), MerchantDocument,
        body={"name": NAME, "email": EMAIL, "domains": texts("The domains, in place of all.", "shop.example"),
              "added": texts("Domains to add.", "shop.example"), "removed": texts("Domains to remove.", "old.example"),
              "commission": COMMISSION, "hold": HOLD},
        doing=("merchant.updated",)),
    _status("/merchants/{merchant}/approve", "approveMerchant", "Approve a merchant", "APPROVED", "merchant.approved",
            {}),
    _status("/merchants/{merchant}/reject", "rejectMerchant", "Reject a merchant", "REJECTED", "merchant.rejected",
            {"reason": REASON}),
    _status("/merchants/{merchant}/suspend", "suspendMerchant", "Suspend a merchant: its keys and links stop",
            "SUSPENDED", "merchant.suspended", {"reason": REASON}),
    Act("POST", "/merchants/{merchant}/close", "closeMerchant", "Close a merchant for good",
        lambda c: close_merchant(c.store, c.clock, c.path["merchant"], **c.body), MerchantDocument,
        body={"reason": REASON, "anyway": flag("Close it although commissions are open.")}, doing=("merchant.closed",)),
    Act("POST", "/merchants/{merchant}/live-access", "decideLiveAccess", "Grant or refuse live access",
        lambda c: decide_live_access(c.store, c.clock, c.path["merchant"], **c.body), ProfileDocument,
        body={"granted": needed(flag("Whether it is granted.")), "reason": REASON},
        doing=("merchant.live-granted", "merchant.live-refused")),
    Act("GET", "/merchants/{merchant}/profile", "getMerchantProfile", "Show a merchant's profile",
        lambda c: show_profile(c.store, c.path["merchant"]), ProfileDocument),
    Act("PATCH", "/merchants/{merchant}/profile", "updateMerchantProfile", "Change a merchant's profile",
        _update_profile, ProfileDocument, body={"fields": needed(PROFILE)}, doing=("merchant.profile-updated",)),
    Act("GET", "/affiliates", "listAffiliates", "List affiliates, newest first", _affiliates,
        ListOfEntries(ListedAffiliate), query={"search": SEARCH, "status": choice("In this status.", "ACTIVE",
                                                                                "INACTIVE"), **PAGED}),
    Act("POST", "/affiliates", "createAffiliate", "Create an affiliate",
        lambda c: create_affiliate(c.store, c.clock, **c.body), AffiliateDocument,
        body={"name": needed(NAME), "email": needed(EMAIL), "coupons": COUPONS}, doing=("affiliate.created",),
        success=201),
    Act("GET", "/affiliates/{affiliate}", "getAffiliate", "Show an affiliate",
        lambda c: show_affiliate(c.store, c.path["affiliate"]), AffiliateDocument),
    Act("PATCH", "/affiliates/{affiliate}", "updateAffiliate", "Change an affiliate",
        lambda c: update_affiliate(c.store, c.clock, c.path["affiliate"], AffiliateChange(**c.body)),
        AffiliateDocument, body={"name": NAME, "email": EMAIL, "added": COUPONS, "removed": COUPONS},
        doing=("affiliate.updated",)),
    _affiliate_switch("activateAffiliate", "Let an affiliate earn again", "activate", "ACTIVE"),
    _affiliate_switch("deactivateAffiliate", "Stop an affiliate from earning", "deactivate", "INACTIVE"),
    Act("GET", "/campaigns", "listCampaigns", "List campaigns, newest first", _campaigns, ListOfEntries(ListedCampaign),
        query={"search": SEARCH, "merchant": MEMBER_FILTERS["merchant"], "mode": MODE,
               "approval": choice("With this approval.", "NOT_REQUIRED", "PENDING", "APPROVED", "REJECTED"), **PAGED}),
    Act("POST", "/campaigns", "createCampaign", "Create a campaign of a merchant, as a draft",
        lambda c: create_campaign(c.store, c.clock, c.body["merchant_id"], c.body["mode"], _form(c)), CampaignDetails,
        body={"merchantId": needed(MEMBER_FILTERS["merchant"]), "mode": needed(MODE), **FORM},
        doing=("campaign.created",), success=201),
    Act("GET", "/campaigns/{campaign}", "getCampaign", "Show a campaign",
        lambda c: show_campaign_of_operator(c.store, c.clock, c.path["campaign"]), CampaignDocument),
    Act("PATCH", "/campaigns/{campaign}", "updateCampaign", "Change a campaign",
        lambda c: edit_campaign(c.store, c.clock, c.path["campaign"], _form(c)), CampaignDetails, body=FORM,
        doing=("campaign.updated",)),
    Act("POST", "/campaigns/{campaign}/approve", "approveCampaign", "Approve a campaign",
        lambda c: approve_campaign(c.store, c.clock, c.path["campaign"]), CampaignApproval,
        doing=("campaign.approved",)),
    Act("POST", "/campaigns/{campaign}/reject", "rejectCampaign", "Reject a campaign",
        lambda c: reject_campaign(c.store, c.clock, c.path["campaign"]), CampaignApproval,
        doing=("campaign.rejected",)),
    _campaign_switch("activateCampaign", "Activate a campaign", "activate", "ACTIVE"),
    _campaign_switch("pauseCampaign", "Pause a campaign", "pause", "PAUSED"),
    _campaign_switch("archiveCampaign", "Archive a campaign for good", "archive", "ARCHIVED"),
    Act("GET", "/memberships", "listMemberships", "List who promotes what", _memberships,
        ListOfEntries(MembershipDocument), query=MEMBER_FILTERS),
    Act("PUT", "/campaigns/{campaign}/members/{affiliate}", "decideMembership", "Decide on an affiliate's membership",
        _decide, MembershipDocument,
        body={"status": needed(choice("What it becomes.", "APPROVED", "REJECTED", "REMOVED")), "reason": REASON},
        doing=("membership.approved", "membership.rejected", "membership.removed")),
    Act("PUT", "/campaigns/{campaign}/members/{affiliate}/rate", "setMemberRate", "Give an affiliate a rate of its own",
        lambda c: set_own_rate(c.store, c.clock, Member(c.path["campaign"], c.path["affiliate"]), c.body["rate"]),
        MembershipDocument, body={"rate": needed(COMMISSION)}, doing=("membership.rated",)),
    Act("GET", "/links", "listLinks", "List tracking links", _links, ListOfEntries(LinkDocument),
        query={"merchant": MEMBER_FILTERS["merchant"], **PAGED}),
    Act("POST", "/links", "createLink", "Create a tracking link", _create_link, CreatedLinkDocument,
        body={"merchantId": needed(MEMBER_FILTERS["merchant"]), "mode": needed(MODE),
              "affiliateId": needed(MEMBER_FILTERS["affiliate"]), "campaignId": MEMBER_FILTERS["campaign"],
              "externalProductId": text("The product that it leads to.", "SKU-1"),
              "destination": text("Where it leads, on a domain of theirs.", "https://shop.example/p/1", 2_048),
              "subIds": free("sub1 to sub5.", {"sub1": "blog"})},
        doing=("link.created",), success=201),
    Act("GET", "/links/{link}", "getLink", "Show a tracking link", _shown_link, LinkDocument),
    _switch("disableLink", "Disable a tracking link", "disable", enabled=False),
    _switch("enableLink", "Enable a tracking link", "enable", enabled=True),
)  # fmt: skip
