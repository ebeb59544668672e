"""The pages of webhooks and postbacks in each area: whose subscriptions are shown there."""

from __future__ import annotations

from aiohttp import web

from hub.pages.affiliate.access import AffiliateHandler, AffiliateVisit, affiliate_page
from hub.pages.merchant.access import MerchantHandler, MerchantVisit, NotInAccount, merchant_page
from hub.pages.operator.parts import operator_page
from hub.pages.subscription_messages import replay, retry, show_message
from hub.pages.subscriptions import (
    NoSubscription,
    Subscriber,
    SubscriberHandler,
    change,
    create,
    delete,
    pause,
    resume,
    rotate,
    show,
    show_one,
    test,
)
from hub.pages.visit import Page, PageHandler, Visit


def subscription_pages() -> list[Page]:
    """Return the pages of all three areas."""
    return [
        *(
            merchant_page(method, f"/merchant/webhooks{path}", _of_merchant(handler))
            for method, path, handler in handlers("webhook")
        ),
        *(
            affiliate_page(method, f"/affiliate/webhooks{path}", _of_affiliate(handler))
            for method, path, handler in handlers("subscription")
        ),
        *(
            operator_page(method, f"/operator/webhooks{path}", _of_operator(handler))
            for method, path, handler in handlers("subscription")
        ),
    ]


def _of_merchant(handler: SubscriberHandler) -> MerchantHandler:
    async def serve(shown: MerchantVisit) -> web.StreamResponse:
        subscriber = Subscriber(
            shown.visit, "/merchant/webhooks", shown.page, merchant_id=shown.merchant_id, mode=shown.mode,
            form_account=shown.account_id, may_act=shown.is_owner,
        )  # fmt: skip
        try:
            return await handler(subscriber)
        except NoSubscription:
            raise NotInAccount from None

    return serve


def _of_affiliate(handler: SubscriberHandler) -> AffiliateHandler:
    async def serve(shown: AffiliateVisit) -> web.StreamResponse:
        own = Subscriber(shown.visit, "/affiliate/webhooks", shown.page, affiliate_id=shown.affiliate_id)
        try:
            return await handler(own)
        except NoSubscription:
            return shown.not_found()

    return serve


def _of_operator(handler: SubscriberHandler) -> PageHandler:
    async def serve(visit: Visit) -> web.StreamResponse:
        try:
            return await handler(Subscriber(visit, "/operator/webhooks", visit.page))
        except NoSubscription:
            return visit.page("not_found.html", 404)

    return serve


def handlers(one: str) -> list[tuple[str, str, SubscriberHandler]]:
    """Return the method, the path behind the area's own and the handler of each page; `one` names a subscription."""
    return [
        ("GET", "", show),
        ("POST", "", create),
        ("GET", f"/{{{one}}}", show_one),
        ("GET", f"/{{{one}}}/messages/{{{one}_message}}", show_message),
        ("POST", f"/{{{one}}}/change", change),
        ("POST", f"/{{{one}}}/test", test),
        ("POST", f"/{{{one}}}/retry", retry),
        ("POST", f"/{{{one}}}/pause", pause),
        ("POST", f"/{{{one}}}/resume", resume),
        ("POST", f"/{{{one}}}/rotate", rotate),
        ("POST", f"/{{{one}}}/replay", replay),
        ("POST", f"/{{{one}}}/delete", delete),
    ]
