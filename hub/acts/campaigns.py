"""Campaigns."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, patch, post
from hub.acts.authority import OPERATORS, OWNERS, PROVED_ADMINS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import HOLD, MODE, OF_MERCHANT, PAGED, Fields, choice, flag, free, needed, number, text, texts
from hub.domain.orders.attribution_policy import MOST_CUSTOMER_DAYS, MOST_RENEWALS, RENEWALS, RULES
from hub.domain.words import APPROVAL_STATUSES, JOININGS
from hub.operations.campaigns.attribution_policies import (
    PolicyDocument,
    PolicyForm,
    set_attribution_policy,
    show_attribution_policy,
)
from hub.operations.campaigns.campaign_changes import (
    CampaignForm,
    create_campaign,
    edit_campaign,
    set_campaign_status,
)
from hub.operations.campaigns.campaigns import approve_campaign, reject_campaign
from hub.operations.campaigns.campaigns import show_campaign as show_campaign_of_operator
from hub.operations.system.party_lists import campaigns_part
from hub.records.campaigns import LISTED_CAMPAIGN, CampaignDetails

SEARCH: Final = text("What the name or the e-mail address contains, in any case.", "fjord")
CAMPAIGN: Final = free("The campaign, with the members of the merchant API's campaign.", {"title": "Spring sale"})
FORM: Final[Fields] = {
    "fields": CAMPAIGN,
    "hold": HOLD,
    "listed": flag("Whether affiliates see it in the catalogue."),
    "joining": choice("Who may join.", *JOININGS),
}


POLICY: Final[Fields] = {
    "rule": choice("What decides an order.", *RULES),
    "newCustomersOnly": flag("Whether only orders of new customers earn."),
    "excludedCoupons": texts("Coupons whose orders earn nothing.", "SALE"),
    "excludedProducts": texts("Your ids of products that earn nothing.", "GIFT-1"),
    "excludedSubAffiliates": texts("Values of sub-ids whose clicks earn nothing.", "deals"),
    "flagsVisitors": flag("Whether suspicious visitors are shown to a person."),
    "renewals": choice("When the renewals of a subscription earn.", *RENEWALS),
    "renewalTimes": number("How many renewals of a subscription earn, with TIMES.", 1, MOST_RENEWALS),
    "customerDays": number("For how many days an order's customer is known again; 0: never.", 0, MOST_CUSTOMER_DAYS),
}


async def _campaigns(c: Call) -> Any:
    wanted = wanted_of(c, "search", "mode", "approval", "merchant")
    return answer(await campaigns_part(c.store, c.clock, wanted))


def _campaign_switch(verb: str, status: str, summary: str) -> Act:
    async def run(c: Call) -> Any:
        return await set_campaign_status(c.store, c.clock, c.path["campaign"], status)

    return Act(
        post(f"/campaigns/{{campaign}}/{verb}", f"{verb}Campaign"), summary, run, CampaignDetails,
        trail=(f"campaign.{verb.rstrip('e')}ed",), by=(OPERATORS, OWNERS), commands=(f"campaign {verb}",),
        pages=("/merchant/campaigns/{campaign}/status",),
    )  # fmt: skip


def _form(c: Call) -> CampaignForm:
    b = c.body
    return CampaignForm(b.get("fields", {}), b.get("hold"), b.get("listed"), b.get("joining"))


def _policy(c: Call) -> PolicyForm:
    typed = dict(c.body)
    return PolicyForm(excluded_subs=typed.pop("excluded_sub_affiliates", None), **typed)


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/campaigns", "listCampaigns"), "List campaigns, newest first", _campaigns,
        ListOfEntries(LISTED_CAMPAIGN), query={"search": SEARCH, "merchant": OF_MERCHANT, "mode": MODE,
               "approval": choice("With this approval.", *APPROVAL_STATUSES), **PAGED}),
    Act(post("/campaigns", "createCampaign", 201), "Create a campaign of a merchant, as a draft",
        lambda c: create_campaign(c.store, c.clock, c.body["merchant_id"], c.body["mode"], _form(c)), CampaignDetails,
        body={"merchantId": needed(OF_MERCHANT), "mode": needed(MODE), **FORM},
        trail=("campaign.created",),
        by=(OPERATORS, OWNERS), commands=("campaign create",),
        pages=("/merchant/campaigns", "/merchant/onboarding/campaign")),
    Act(get("/campaigns/{campaign}", "getCampaign"), "Show a campaign",
        lambda c: show_campaign_of_operator(c.store, c.clock, c.path["campaign"]), CampaignDetails),
    Act(patch("/campaigns/{campaign}", "updateCampaign"), "Change a campaign",
        lambda c: edit_campaign(c.store, c.clock, c.path["campaign"], _form(c)), CampaignDetails, body=FORM,
        trail=("campaign.updated",),
        by=(PROVED_ADMINS, OWNERS), commands=("campaign update",),
        pages=("/operator/campaigns/{campaign}", "/merchant/campaigns/{campaign}/edit")),
    Act(get("/campaigns/{campaign}/policy", "getCampaignPolicy"), "Show who earns from a campaign's orders",
        lambda c: show_attribution_policy(c.store, c.path["campaign"]), PolicyDocument),
    Act(patch("/campaigns/{campaign}/policy", "setCampaignPolicy"), "Change who earns from a campaign's orders",
        lambda c: set_attribution_policy(c.store, c.clock, c.path["campaign"], _policy(c)), PolicyDocument,
        body=POLICY, trail=("campaign.updated",), by=(PROVED_ADMINS, OWNERS), commands=("campaign policy",),
        pages=("/merchant/campaigns/{campaign}/policy",)),
    Act(post("/campaigns/{campaign}/approve", "approveCampaign"), "Approve a campaign",
        lambda c: approve_campaign(c.store, c.clock, c.path["campaign"]), CampaignDetails,
        trail=("campaign.approved",),
        commands=("campaign approve",), pages=("/operator/campaigns/{campaign}/approve",)),
    Act(post("/campaigns/{campaign}/reject", "rejectCampaign"), "Reject a campaign",
        lambda c: reject_campaign(c.store, c.clock, c.path["campaign"]), CampaignDetails,
        trail=("campaign.rejected",),
        commands=("campaign reject",), pages=("/operator/campaigns/{campaign}/reject",)),
    _campaign_switch("activate", "ACTIVE", "Activate a campaign"),
    _campaign_switch("pause", "PAUSED", "Pause a campaign"),
    _campaign_switch("archive", "ARCHIVED", "Archive a campaign for good"),
)  # fmt: skip
