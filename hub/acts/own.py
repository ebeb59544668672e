"""What an affiliate does with what is its own."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from hub.acts import subscription_runs
from hub.acts.act import Act, ListOfEntries, get, post, put
from hub.acts.authority import AFFILIATES, PROVED_AFFILIATES
from hub.acts.call import Call, answer, wanted_of, whole
from hub.acts.fields import MODE, OF_MERCHANT, PAGED, choice, free, needed, text, texts_as_fields
from hub.acts.own_documents import (
    OFFER_DOCUMENT,
    OWN_LINK,
    OwnCommissionDocument,
    ReportLine,
    commission_document,
    line_document,
)
from hub.acts.payees import TERMS
from hub.acts.reports import CLICKED
from hub.acts.subscriptions import AT_FIRST, SUBSCRIPTION_MODE, WANTED, acts_on_own
from hub.domain.orders.sub_ids import SUB_NAMES
from hub.domain.words import COMMISSION_STATES
from hub.operations.affiliates.affiliates import show_affiliate
from hub.operations.affiliates.link_lists import clicks_of_link
from hub.operations.affiliates.links import (
    NewLink,
    create_link,
    enable_link,
    rename_link,
    show_link,
)
from hub.operations.affiliates.memberships import Member, apply_to_campaign
from hub.operations.affiliates.short_links import ShortLink, shorten_link
from hub.operations.campaigns.offers import every_own_offer, own_offers, public_offers, show_public
from hub.operations.errors import unknown
from hub.operations.figures.affiliate_figures import report
from hub.operations.figures.figures import chosen_period
from hub.operations.money.books.balances import BalanceDocument, affiliate_balances
from hub.operations.money.invoices.own_payouts import OwnPayout, own_payouts
from hub.operations.money.payees.payout_terms import PayoutTerms, set_terms, show_terms
from hub.operations.money.payouts.pay_dates import NextPayout, next_payouts
from hub.operations.orders.affiliate_reports import list_own_links, own_commissions, own_commissions_of_order
from hub.operations.webhooks.subscriptions import (
    NewSubscription,
    subscriptions_part,
)
from hub.records.affiliates import AffiliateDocument
from hub.records.clicks import ClickRecord
from hub.records.links import LinkCreated, LinkRecord
from hub.records.memberships import MembershipDocument
from hub.records.messages import EventTypeRecord
from hub.records.subscriptions import CREATED_SUBSCRIPTION, SubscriptionDocument
from hub.validation.inputs import LinkTexts

USUAL_DAYS: Final = 30
LINK_TEXTS: Final = texts_as_fields(LinkTexts)
MAY_LINK: Final = (None, "APPROVED")
BY: Final = ("day", "campaign", "link", *SUB_NAMES)
FIRST: Final = text("The first day, UTC, like 2026-11-01.", "2026-11-01", 10)
LAST: Final = text("The last day, UTC, like 2026-11-30.", "2026-11-30", 10)


async def _commissions(c: Call) -> Any:
    mode, order = c.query.get("mode", "live"), c.query.get("external_order_id")
    if order is not None:
        found = await own_commissions_of_order(c.store, c.own, mode, order)
    else:
        wanted = wanted_of(c, "state", merchant_id="merchant", code="link_code")
        found = await own_commissions(c.store, c.own, mode, wanted)
    return answer(found.of(commission_document))


async def _campaigns(c: Call) -> Any:
    return answer(await own_offers(c.store, c.clock, c.services.policy, c.own, wanted_of(c)))


async def _public(c: Call) -> Any:
    return answer(await public_offers(c.store, c.clock, c.services.policy, wanted_of(c)))


async def _join(c: Call) -> Any:
    policy, campaign = c.services.policy, c.path["campaign"]
    if not await every_own_offer(c.store, c.clock, policy, c.own, campaign):
        await show_public(c.store, c.clock, policy, campaign)
    return await apply_to_campaign(c.store, c.clock, Member(campaign, c.own), c.body.get("message"))


async def _links(c: Call) -> Any:
    mode = c.query.get("mode", "live")
    return answer(await list_own_links(c.store, c.clock, c.own, mode, wanted_of(c)))


async def _create_link(c: Call) -> Any:
    b = c.body
    own = await every_own_offer(c.store, c.clock, c.services.policy, c.own, b["campaign_id"])
    usable = [each for each in own if each.membership in MAY_LINK and each.status in ("ACTIVE", "PAUSED")]
    if not usable:
        raise unknown("campaign of yours", b["campaign_id"], "Join it first.")
    offer = usable[0]
    whose = {"merchant_id": offer.merchant_id, "mode": offer.mode, "affiliate_id": c.own, "campaign_id": offer.id}
    return await create_link(c.store, c.clock, await c.root(), NewLink(**{**b, **whose}))


async def _rename(c: Call) -> Any:
    return await rename_link(c.store, c.clock, await c.root(), c.path["link"], c.body.get("name"), c.own)


async def _shorten(c: Call) -> Any:
    return await shorten_link(c.store, c.clock, await c.root(), c.path["link"], c.body["short"], c.own)


def _switch(verb: str, summary: str, *, enabled: bool) -> Act:
    async def run(c: Call) -> Any:
        code, root = c.path["link"], await c.root()
        await show_link(c.store, root, code, c.own)
        return await enable_link(c.store, c.clock, root, code, enabled=enabled, affiliate_id=c.own)

    return Act(
        post(f"/links/{{link}}/{verb}", f"{verb}Link"), summary, run, LinkRecord, trail=(f"link.{verb}d",),
        by=(AFFILIATES,), pages=(f"/affiliate/links/{{link}}/{verb}",),
    )  # fmt: skip


async def _clicks(c: Call) -> Any:
    wanted = wanted_of(c, "created_from", "created_to")
    return answer(await clicks_of_link(c.store, c.path["link"], c.own, wanted))


async def _link(c: Call) -> Any:
    return await show_link(c.store, await c.root(), c.path["link"], c.own)


async def _report(c: Call) -> Any:
    q = c.query
    period = chosen_period(q.get("from", ""), q.get("to", ""), USUAL_DAYS, c.clock())
    by = q.get("by", "day")
    found = await report(c.store, c.own, q.get("mode", "live"), by, period)
    return {"data": [line_document(each, by) for each in found.lines], "nextCursor": None}


async def _balances(c: Call) -> Any:
    return {"data": await affiliate_balances(c.store, c.own, c.query.get("mode", "live")), "nextCursor": None}


async def _next_payouts(c: Call) -> Any:
    return whole(await next_payouts(c.store, c.clock, c.services.settings.payouts, c.own))


async def _payouts(c: Call) -> Any:
    mode = c.query.get("mode", "live")
    return answer(await own_payouts(c.store, c.own, mode, wanted_of(c)))


async def _subscriptions(c: Call) -> Any:
    wanted = evolve(wanted_of(c), filters={"affiliate_id": c.own})
    return answer(await subscriptions_part(c.store, wanted))


async def _subscribe(c: Call) -> Any:
    return await subscription_runs.subscribe(c, NewSubscription(**c.body, affiliate_id=c.own))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/affiliate", "getAffiliate"), "Show who you are", lambda c: show_affiliate(c.store, c.own),
        AffiliateDocument,
        by=(AFFILIATES,)),
    Act(get("/balances", "listBalances"), "Show your balances, by currency", _balances,
        ListOfEntries(BalanceDocument), query={"mode": MODE},
        by=(AFFILIATES,)),
    Act(get("/commissions", "listCommissions"), "List your commissions, newest first", _commissions,
        ListOfEntries(OwnCommissionDocument),
        query={"mode": MODE, "state": choice("In this state.", *COMMISSION_STATES),
               "merchant": OF_MERCHANT,
               "linkCode": text("By this link.", "x7Qp2mKd91Za"),
               "externalOrderId": text("Of this order.", "ORDER-1042", 160), **PAGED},
        by=(AFFILIATES,)),
    Act(get("/payouts", "listPayouts"), "List what you were paid, newest first", _payouts, ListOfEntries(OwnPayout),
        query={"mode": MODE, **PAGED},
        by=(AFFILIATES,)),
    Act(get("/payouts/next", "listNextPayouts"), "Show your next pay date, and what is missing for it", _next_payouts,
        ListOfEntries(NextPayout),
        by=(AFFILIATES,)),
    Act(get("/payouts/terms", "getPayoutTerms"), "Show how you chose to be paid",
        lambda c: show_terms(c.store, c.own), PayoutTerms, by=(AFFILIATES,)),
    Act(put("/payouts/terms", "setPayoutTerms"), "Set your own minimum, in which currencies you are paid, or wait",
        lambda c: set_terms(c.store, c.clock, c.own, **c.body), PayoutTerms, body=TERMS,
        trail=("affiliate.payments-chosen",), by=(AFFILIATES,), commands=("payee terms",),
        pages=("/affiliate/payouts/terms",)),
    Act(get("/reports", "getReport"), "Report clicks, orders and earnings", _report, ListOfEntries(ReportLine),
        query={"by": choice("A line for each of these.", *BY), "mode": MODE, "from": FIRST, "to": LAST},
        by=(AFFILIATES,)),
    Act(get("/campaigns", "listCampaigns"), "List the campaigns that you take part in", _campaigns,
        ListOfEntries(OFFER_DOCUMENT), query=PAGED,
        by=(AFFILIATES,)),
    Act(get("/campaigns/public", "listPublicCampaigns"), "List the campaigns that anybody may join", _public,
        ListOfEntries(OFFER_DOCUMENT), query={"cursor": PAGED["cursor"]},
        by=(AFFILIATES,)),
    Act(post("/campaigns/{campaign}/join", "joinCampaign"), "Join a campaign, or apply to it", _join,
        MembershipDocument, body={"message": text("To the merchant.", "I write about shoes.", 1_000)},
        trail=("membership.applied", "membership.joined"),
        by=(AFFILIATES,), commands=("campaign member apply",),
        pages=("/affiliate/campaigns/{campaign}/join", "/affiliate/join/{name}")),
    Act(get("/links", "listLinks"), "List your tracking links, newest first", _links, ListOfEntries(OWN_LINK),
        query={"mode": MODE, **PAGED},
        by=(AFFILIATES,)),
    Act(get("/links/{link}", "getLink"), "Show a tracking link", _link, LinkRecord,
        by=(AFFILIATES,)),
    Act(get("/links/{link}/clicks", "listClicks"), "List clicks on a link of yours, newest first", _clicks,
        ListOfEntries(ClickRecord), query={**CLICKED, **PAGED}, by=(AFFILIATES,)),
    Act(post("/links", "createLink", 201), "Create a tracking link of a campaign", _create_link, LinkCreated,
        body={"campaignId": needed(text("The campaign.", "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f")),
              "destination": text("Where it leads, on a domain of theirs.", "https://shop.example/p/1", 2_048),
              **LINK_TEXTS, "subIds": free("sub1 to sub5.", {"sub1": "blog"})},
        trail=("link.created",),
        by=(AFFILIATES,), pages=("/affiliate/links",)),
    Act(put("/links/{link}/name", "renameLink"), "Name a link", _rename, LinkRecord,
        body={"name": LINK_TEXTS["name"]}, trail=("link.renamed",), by=(AFFILIATES,),
        pages=("/affiliate/links/{link}/name",),
        without={"command": "a name is its affiliate's own, who has no terminal"}),
    Act(post("/links/{link}/short", "shortenLink"), "Give a link a short address, which stays its own", _shorten,
        ShortLink, body={"short": needed(text("What follows /s/ in the address.", "oak-lamp", 32))},
        trail=("link.shortened",), by=(AFFILIATES,), pages=("/affiliate/links/{link}/short",),
        without={"command": "a short address is its affiliate's own, who has no terminal"}),
    _switch("disable", "Switch a link off: buyers reach the shop, and nobody earns", enabled=False),
    _switch("enable", "Switch a link on again that you had switched off", enabled=True),
    Act(get("/event-types", "listEventTypes"), "List the kinds of messages that subscribers get",
        subscription_runs.event_types,
        ListOfEntries(EventTypeRecord), by=(AFFILIATES,)),
    Act(get("/subscriptions", "listSubscriptions"), "List your subscriptions to webhooks and postbacks",
        _subscriptions, ListOfEntries(SubscriptionDocument), query=PAGED,
        by=(AFFILIATES,)),
    Act(post("/subscriptions", "createSubscription", 201), "Subscribe; the secret is only in this answer", _subscribe,
        CREATED_SUBSCRIPTION, body={**WANTED, "mode": SUBSCRIPTION_MODE, **AT_FIRST},
        trail=("subscription.created",),
        by=(PROVED_AFFILIATES,), pages=("/affiliate/webhooks",)),
    *acts_on_own(),
)  # fmt: skip
