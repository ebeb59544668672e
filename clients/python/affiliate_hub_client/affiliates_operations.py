"""A method for each operation. Generated from the hub's OpenAPI document: `python -m clients.generator`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal, Protocol, cast

from affiliate_hub_client import affiliates_models as models
from affiliate_hub_client.requests import Call, next_page, path_of, without_none


class AffiliatesOperations(Protocol):
    """The operations of the API, each returning its answer."""

    def send(self, call: Call) -> Any:
        """Send a call, and return the body of its answer."""
        ...

    def get_affiliate(self) -> models.AffiliateDocument:
        """Show who you are."""
        return cast("models.AffiliateDocument", self.send(Call("GET", "/affiliate/v1/affiliate", may_repeat=True)))

    def list_balances(self, *, mode: models.Mode | None = None) -> models.BalanceDocumentPage:
        """Show your balances, by currency."""
        return cast(
            "models.BalanceDocumentPage",
            self.send(Call("GET", "/affiliate/v1/balances", query=without_none({"mode": mode}), may_repeat=True)),
        )

    def list_campaigns(self, *, limit: int | None = None, cursor: str | None = None) -> models.OfferDocumentPage:
        """List the campaigns that you take part in."""
        return cast(
            "models.OfferDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/affiliate/v1/campaigns",
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_campaigns(self, *, limit: int = 200) -> Iterator[models.OfferDocument]:
        """List the campaigns that you take part in. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_campaigns(limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def list_public_campaigns(self, *, cursor: str | None = None) -> models.OfferDocumentPage:
        """List the campaigns that anybody may join."""
        return cast(
            "models.OfferDocumentPage",
            self.send(
                Call("GET", "/affiliate/v1/campaigns/public", query=without_none({"cursor": cursor}), may_repeat=True)
            ),
        )

    def iterate_public_campaigns(self) -> Iterator[models.OfferDocument]:
        """List the campaigns that anybody may join. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_public_campaigns(cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def join_campaign(
        self, campaign: str, body: models.JoinCampaignBody, *, idempotency_key: str | None = None
    ) -> models.MembershipDocument:
        """Join a campaign, or apply to it."""
        return cast(
            "models.MembershipDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/campaigns/{campaign}/join", campaign=campaign),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_changes(
        self, *, after: str | None = None, types: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> models.ChangesDocument:
        """Follow what changed of yours, from a cursor that never expires."""
        return cast(
            "models.ChangesDocument",
            self.send(
                Call(
                    "GET",
                    "/affiliate/v1/changes",
                    query=without_none({"after": after, "types": types, "limit": limit, "wait": wait}),
                    may_repeat=True,
                )
            ),
        )

    def list_commissions(
        self,
        *,
        mode: models.Mode | None = None,
        status: models.CommissionState | None = None,
        merchant_id: str | None = None,
        link_code: str | None = None,
        external_order_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.OwnCommissionDocumentPage:
        """List your commissions, newest first."""
        return cast(
            "models.OwnCommissionDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/affiliate/v1/commissions",
                    query=without_none(
                        {
                            "mode": mode,
                            "status": status,
                            "merchantId": merchant_id,
                            "linkCode": link_code,
                            "externalOrderId": external_order_id,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_commissions(
        self,
        *,
        mode: models.Mode | None = None,
        status: models.CommissionState | None = None,
        merchant_id: str | None = None,
        link_code: str | None = None,
        external_order_id: str | None = None,
        limit: int = 200,
    ) -> Iterator[models.OwnCommissionDocument]:
        """List your commissions, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_commissions(
                mode=mode,
                status=status,
                merchant_id=merchant_id,
                link_code=link_code,
                external_order_id=external_order_id,
                limit=limit,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_commission(self, commission: str) -> models.OwnOrder:
        """Show a commission with its order, and what it waits for."""
        return cast(
            "models.OwnOrder",
            self.send(
                Call("GET", path_of("/affiliate/v1/commissions/{commission}", commission=commission), may_repeat=True)
            ),
        )

    def list_messages(self, commission: str) -> models.MessageDocumentPage:
        """Read what you and the merchant wrote about an order."""
        return cast(
            "models.MessageDocumentPage",
            self.send(
                Call(
                    "GET",
                    path_of("/affiliate/v1/commissions/{commission}/messages", commission=commission),
                    may_repeat=True,
                )
            ),
        )

    def write_message(
        self, commission: str, body: models.WriteMessageBody, *, idempotency_key: str | None = None
    ) -> models.MessageDocumentPage:
        """Ask the merchant about an order, or answer it."""
        return cast(
            "models.MessageDocumentPage",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/commissions/{commission}/messages", commission=commission),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_event_types(self) -> models.EventTypeRecordPage:
        """List the kinds of messages that subscribers get."""
        return cast("models.EventTypeRecordPage", self.send(Call("GET", "/affiliate/v1/event-types", may_repeat=True)))

    def list_links(
        self, *, mode: models.Mode | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.OwnLinkDocumentPage:
        """List your tracking links, newest first."""
        return cast(
            "models.OwnLinkDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/affiliate/v1/links",
                    query=without_none({"mode": mode, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_links(self, *, mode: models.Mode | None = None, limit: int = 200) -> Iterator[models.OwnLinkDocument]:
        """List your tracking links, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_links(mode=mode, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_link(self, body: models.CreateLinkBody, *, idempotency_key: str | None = None) -> models.LinkCreated:
        """Create a tracking link of a campaign."""
        return cast(
            "models.LinkCreated",
            self.send(
                Call(
                    "POST",
                    "/affiliate/v1/links",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_link(self, link: str) -> models.LinkRecord:
        """Show a tracking link."""
        return cast(
            "models.LinkRecord",
            self.send(Call("GET", path_of("/affiliate/v1/links/{link}", link=link), may_repeat=True)),
        )

    def list_clicks(
        self,
        link: str,
        *,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ClickRecordPage:
        """List clicks on a link of yours, newest first."""
        return cast(
            "models.ClickRecordPage",
            self.send(
                Call(
                    "GET",
                    path_of("/affiliate/v1/links/{link}/clicks", link=link),
                    query=without_none(
                        {"createdFrom": created_from, "createdTo": created_to, "limit": limit, "cursor": cursor}
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_clicks(
        self, link: str, *, created_from: str | None = None, created_to: str | None = None, limit: int = 200
    ) -> Iterator[models.ClickRecord]:
        """List clicks on a link of yours, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_clicks(link, created_from=created_from, created_to=created_to, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def disable_link(self, link: str, *, idempotency_key: str | None = None) -> models.LinkRecord:
        """Switch a link off: buyers reach the shop, and nobody earns."""
        return cast(
            "models.LinkRecord",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/links/{link}/disable", link=link),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def enable_link(self, link: str, *, idempotency_key: str | None = None) -> models.LinkRecord:
        """Switch a link on again that you had switched off."""
        return cast(
            "models.LinkRecord",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/links/{link}/enable", link=link),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def rename_link(
        self, link: str, body: models.RenameLinkBody, *, idempotency_key: str | None = None
    ) -> models.LinkRecord:
        """Name a link."""
        return cast(
            "models.LinkRecord",
            self.send(
                Call(
                    "PUT",
                    path_of("/affiliate/v1/links/{link}/name", link=link),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def shorten_link(
        self, link: str, body: models.ShortenLinkBody, *, idempotency_key: str | None = None
    ) -> models.ShortLink:
        """Give a link a short address, which stays its own."""
        return cast(
            "models.ShortLink",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/links/{link}/short", link=link),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_threads(self, *, limit: int | None = None, cursor: str | None = None) -> models.ThreadDocumentPage:
        """List the orders that somebody wrote about, those with the newest first."""
        return cast(
            "models.ThreadDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/affiliate/v1/messages",
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_threads(self, *, limit: int = 200) -> Iterator[models.ThreadDocument]:
        """List the orders that somebody wrote about, those with the newest first.

        Pages are fetched as they are needed.
        """
        place: str | None = None
        while True:
            page = self.list_threads(limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_payee(self) -> models.PayeeDocument:
        """Show your payment details; of an account only the last digits."""
        return cast("models.PayeeDocument", self.send(Call("GET", "/affiliate/v1/payee", may_repeat=True)))

    def list_payouts(
        self, *, mode: models.Mode | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.OwnPayoutPage:
        """List what you were paid, newest first."""
        return cast(
            "models.OwnPayoutPage",
            self.send(
                Call(
                    "GET",
                    "/affiliate/v1/payouts",
                    query=without_none({"mode": mode, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_payouts(self, *, mode: models.Mode | None = None, limit: int = 200) -> Iterator[models.OwnPayout]:
        """List what you were paid, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_payouts(mode=mode, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def list_next_payouts(self) -> models.NextPayoutPage:
        """Show your next pay date, and what is missing for it."""
        return cast("models.NextPayoutPage", self.send(Call("GET", "/affiliate/v1/payouts/next", may_repeat=True)))

    def get_payout_terms(self) -> models.PayoutTerms:
        """Show how you chose to be paid."""
        return cast("models.PayoutTerms", self.send(Call("GET", "/affiliate/v1/payouts/terms", may_repeat=True)))

    def set_payout_terms(
        self, body: models.SetPayoutTermsBody, *, idempotency_key: str | None = None
    ) -> models.PayoutTerms:
        """Set your own minimum, in which currencies you are paid, or wait."""
        return cast(
            "models.PayoutTerms",
            self.send(
                Call(
                    "PUT",
                    "/affiliate/v1/payouts/terms",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_statement(self, payout: str) -> models.StatementDocument:
        """Show your statement of a payout that was released."""
        return cast(
            "models.StatementDocument",
            self.send(Call("GET", path_of("/affiliate/v1/payouts/{payout}/statement", payout=payout), may_repeat=True)),
        )

    def get_report(
        self,
        *,
        by: Literal["day", "campaign", "link", "sub1", "sub2", "sub3", "sub4", "sub5"] | None = None,
        mode: models.Mode | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> models.ReportLinePage:
        """Report clicks, orders and earnings."""
        return cast(
            "models.ReportLinePage",
            self.send(
                Call(
                    "GET",
                    "/affiliate/v1/reports",
                    query=without_none({"by": by, "mode": mode, "from": from_, "to": to}),
                    may_repeat=True,
                )
            ),
        )

    def list_subscriptions(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> models.SubscriptionDocumentPage:
        """List your subscriptions to webhooks and postbacks."""
        return cast(
            "models.SubscriptionDocumentPage",
            self.send(
                Call(
                    "GET",
                    "/affiliate/v1/subscriptions",
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_subscriptions(self, *, limit: int = 200) -> Iterator[models.SubscriptionDocument]:
        """List your subscriptions to webhooks and postbacks. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_subscriptions(limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_subscription(
        self, body: models.CreateSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.CreatedSubscription:
        """Subscribe; the secret is only in this answer."""
        return cast(
            "models.CreatedSubscription",
            self.send(
                Call(
                    "POST",
                    "/affiliate/v1/subscriptions",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def delete_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Delete a subscription and what waits for it."""
        return cast(
            "models.SubscriptionDocument",
            self.send(
                Call(
                    "DELETE",
                    path_of("/affiliate/v1/subscriptions/{subscription}", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def update_subscription(
        self, subscription: str, body: models.UpdateSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Change where messages go, which, or in which version."""
        return cast(
            "models.SubscriptionDocument",
            self.send(
                Call(
                    "PATCH",
                    path_of("/affiliate/v1/subscriptions/{subscription}", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_deliveries(
        self, subscription: str, *, limit: int | None = None, cursor: str | None = None
    ) -> models.DeliveryDocumentPage:
        """List messages with the receiver's answers."""
        return cast(
            "models.DeliveryDocumentPage",
            self.send(
                Call(
                    "GET",
                    path_of("/affiliate/v1/subscriptions/{subscription}/deliveries", subscription=subscription),
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_deliveries(self, subscription: str, *, limit: int = 200) -> Iterator[models.DeliveryDocument]:
        """List messages with the receiver's answers. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_deliveries(subscription, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def pause_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Pause a subscription; messages are kept."""
        return cast(
            "models.SubscriptionDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/pause", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def replay_deliveries(
        self, subscription: str, body: models.ReplayDeliveriesBody, *, idempotency_key: str | None = None
    ) -> models.Replayed:
        """Send messages again."""
        return cast(
            "models.Replayed",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/replay", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def resume_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Resume a subscription, beginning with what was kept."""
        return cast(
            "models.SubscriptionDocument",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/resume", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def retry_deliveries(
        self, subscription: str, body: models.RetryDeliveriesBody, *, idempotency_key: str | None = None
    ) -> models.Retried:
        """Retry now what waits."""
        return cast(
            "models.Retried",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/retry", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def rotate_subscription_secret(
        self, subscription: str, body: models.RotateSubscriptionSecretBody, *, idempotency_key: str | None = None
    ) -> models.CreatedSubscription:
        """Make a new secret."""
        return cast(
            "models.CreatedSubscription",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/rotate", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def test_subscription(
        self, subscription: str, body: models.TestSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.SampleQueued:
        """Send a test message of a kind."""
        return cast(
            "models.SampleQueued",
            self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/test", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )


class AsyncAffiliatesOperations(Protocol):
    """The operations of the API, awaited."""

    async def send(self, call: Call) -> Any:
        """Send a call, and return the body of its answer."""
        ...

    async def get_affiliate(self) -> models.AffiliateDocument:
        """Show who you are."""
        return cast(
            "models.AffiliateDocument", await self.send(Call("GET", "/affiliate/v1/affiliate", may_repeat=True))
        )

    async def list_balances(self, *, mode: models.Mode | None = None) -> models.BalanceDocumentPage:
        """Show your balances, by currency."""
        return cast(
            "models.BalanceDocumentPage",
            await self.send(Call("GET", "/affiliate/v1/balances", query=without_none({"mode": mode}), may_repeat=True)),
        )

    async def list_campaigns(self, *, limit: int | None = None, cursor: str | None = None) -> models.OfferDocumentPage:
        """List the campaigns that you take part in."""
        return cast(
            "models.OfferDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/affiliate/v1/campaigns",
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_campaigns(self, *, limit: int = 200) -> AsyncIterator[models.OfferDocument]:
        """List the campaigns that you take part in. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_campaigns(limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def list_public_campaigns(self, *, cursor: str | None = None) -> models.OfferDocumentPage:
        """List the campaigns that anybody may join."""
        return cast(
            "models.OfferDocumentPage",
            await self.send(
                Call("GET", "/affiliate/v1/campaigns/public", query=without_none({"cursor": cursor}), may_repeat=True)
            ),
        )

    async def iterate_public_campaigns(self) -> AsyncIterator[models.OfferDocument]:
        """List the campaigns that anybody may join. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_public_campaigns(cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def join_campaign(
        self, campaign: str, body: models.JoinCampaignBody, *, idempotency_key: str | None = None
    ) -> models.MembershipDocument:
        """Join a campaign, or apply to it."""
        return cast(
            "models.MembershipDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/campaigns/{campaign}/join", campaign=campaign),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_changes(
        self, *, after: str | None = None, types: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> models.ChangesDocument:
        """Follow what changed of yours, from a cursor that never expires."""
        return cast(
            "models.ChangesDocument",
            await self.send(
                Call(
                    "GET",
                    "/affiliate/v1/changes",
                    query=without_none({"after": after, "types": types, "limit": limit, "wait": wait}),
                    may_repeat=True,
                )
            ),
        )

    async def list_commissions(
        self,
        *,
        mode: models.Mode | None = None,
        status: models.CommissionState | None = None,
        merchant_id: str | None = None,
        link_code: str | None = None,
        external_order_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.OwnCommissionDocumentPage:
        """List your commissions, newest first."""
        return cast(
            "models.OwnCommissionDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/affiliate/v1/commissions",
                    query=without_none(
                        {
                            "mode": mode,
                            "status": status,
                            "merchantId": merchant_id,
                            "linkCode": link_code,
                            "externalOrderId": external_order_id,
                            "limit": limit,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_commissions(
        self,
        *,
        mode: models.Mode | None = None,
        status: models.CommissionState | None = None,
        merchant_id: str | None = None,
        link_code: str | None = None,
        external_order_id: str | None = None,
        limit: int = 200,
    ) -> AsyncIterator[models.OwnCommissionDocument]:
        """List your commissions, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_commissions(
                mode=mode,
                status=status,
                merchant_id=merchant_id,
                link_code=link_code,
                external_order_id=external_order_id,
                limit=limit,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_commission(self, commission: str) -> models.OwnOrder:
        """Show a commission with its order, and what it waits for."""
        return cast(
            "models.OwnOrder",
            await self.send(
                Call("GET", path_of("/affiliate/v1/commissions/{commission}", commission=commission), may_repeat=True)
            ),
        )

    async def list_messages(self, commission: str) -> models.MessageDocumentPage:
        """Read what you and the merchant wrote about an order."""
        return cast(
            "models.MessageDocumentPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/affiliate/v1/commissions/{commission}/messages", commission=commission),
                    may_repeat=True,
                )
            ),
        )

    async def write_message(
        self, commission: str, body: models.WriteMessageBody, *, idempotency_key: str | None = None
    ) -> models.MessageDocumentPage:
        """Ask the merchant about an order, or answer it."""
        return cast(
            "models.MessageDocumentPage",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/commissions/{commission}/messages", commission=commission),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_event_types(self) -> models.EventTypeRecordPage:
        """List the kinds of messages that subscribers get."""
        return cast(
            "models.EventTypeRecordPage", await self.send(Call("GET", "/affiliate/v1/event-types", may_repeat=True))
        )

    async def list_links(
        self, *, mode: models.Mode | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.OwnLinkDocumentPage:
        """List your tracking links, newest first."""
        return cast(
            "models.OwnLinkDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/affiliate/v1/links",
                    query=without_none({"mode": mode, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_links(
        self, *, mode: models.Mode | None = None, limit: int = 200
    ) -> AsyncIterator[models.OwnLinkDocument]:
        """List your tracking links, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_links(mode=mode, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_link(
        self, body: models.CreateLinkBody, *, idempotency_key: str | None = None
    ) -> models.LinkCreated:
        """Create a tracking link of a campaign."""
        return cast(
            "models.LinkCreated",
            await self.send(
                Call(
                    "POST",
                    "/affiliate/v1/links",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_link(self, link: str) -> models.LinkRecord:
        """Show a tracking link."""
        return cast(
            "models.LinkRecord",
            await self.send(Call("GET", path_of("/affiliate/v1/links/{link}", link=link), may_repeat=True)),
        )

    async def list_clicks(
        self,
        link: str,
        *,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ClickRecordPage:
        """List clicks on a link of yours, newest first."""
        return cast(
            "models.ClickRecordPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/affiliate/v1/links/{link}/clicks", link=link),
                    query=without_none(
                        {"createdFrom": created_from, "createdTo": created_to, "limit": limit, "cursor": cursor}
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_clicks(
        self, link: str, *, created_from: str | None = None, created_to: str | None = None, limit: int = 200
    ) -> AsyncIterator[models.ClickRecord]:
        """List clicks on a link of yours, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_clicks(
                link, created_from=created_from, created_to=created_to, limit=limit, cursor=place
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def disable_link(self, link: str, *, idempotency_key: str | None = None) -> models.LinkRecord:
        """Switch a link off: buyers reach the shop, and nobody earns."""
        return cast(
            "models.LinkRecord",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/links/{link}/disable", link=link),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def enable_link(self, link: str, *, idempotency_key: str | None = None) -> models.LinkRecord:
        """Switch a link on again that you had switched off."""
        return cast(
            "models.LinkRecord",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/links/{link}/enable", link=link),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def rename_link(
        self, link: str, body: models.RenameLinkBody, *, idempotency_key: str | None = None
    ) -> models.LinkRecord:
        """Name a link."""
        return cast(
            "models.LinkRecord",
            await self.send(
                Call(
                    "PUT",
                    path_of("/affiliate/v1/links/{link}/name", link=link),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def shorten_link(
        self, link: str, body: models.ShortenLinkBody, *, idempotency_key: str | None = None
    ) -> models.ShortLink:
        """Give a link a short address, which stays its own."""
        return cast(
            "models.ShortLink",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/links/{link}/short", link=link),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_threads(self, *, limit: int | None = None, cursor: str | None = None) -> models.ThreadDocumentPage:
        """List the orders that somebody wrote about, those with the newest first."""
        return cast(
            "models.ThreadDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/affiliate/v1/messages",
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_threads(self, *, limit: int = 200) -> AsyncIterator[models.ThreadDocument]:
        """List the orders that somebody wrote about, those with the newest first.

        Pages are fetched as they are needed.
        """
        place: str | None = None
        while True:
            page = await self.list_threads(limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_payee(self) -> models.PayeeDocument:
        """Show your payment details; of an account only the last digits."""
        return cast("models.PayeeDocument", await self.send(Call("GET", "/affiliate/v1/payee", may_repeat=True)))

    async def list_payouts(
        self, *, mode: models.Mode | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.OwnPayoutPage:
        """List what you were paid, newest first."""
        return cast(
            "models.OwnPayoutPage",
            await self.send(
                Call(
                    "GET",
                    "/affiliate/v1/payouts",
                    query=without_none({"mode": mode, "limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_payouts(
        self, *, mode: models.Mode | None = None, limit: int = 200
    ) -> AsyncIterator[models.OwnPayout]:
        """List what you were paid, newest first. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_payouts(mode=mode, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def list_next_payouts(self) -> models.NextPayoutPage:
        """Show your next pay date, and what is missing for it."""
        return cast(
            "models.NextPayoutPage", await self.send(Call("GET", "/affiliate/v1/payouts/next", may_repeat=True))
        )

    async def get_payout_terms(self) -> models.PayoutTerms:
        """Show how you chose to be paid."""
        return cast("models.PayoutTerms", await self.send(Call("GET", "/affiliate/v1/payouts/terms", may_repeat=True)))

    async def set_payout_terms(
        self, body: models.SetPayoutTermsBody, *, idempotency_key: str | None = None
    ) -> models.PayoutTerms:
        """Set your own minimum, in which currencies you are paid, or wait."""
        return cast(
            "models.PayoutTerms",
            await self.send(
                Call(
                    "PUT",
                    "/affiliate/v1/payouts/terms",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_statement(self, payout: str) -> models.StatementDocument:
        """Show your statement of a payout that was released."""
        return cast(
            "models.StatementDocument",
            await self.send(
                Call("GET", path_of("/affiliate/v1/payouts/{payout}/statement", payout=payout), may_repeat=True)
            ),
        )

    async def get_report(
        self,
        *,
        by: Literal["day", "campaign", "link", "sub1", "sub2", "sub3", "sub4", "sub5"] | None = None,
        mode: models.Mode | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> models.ReportLinePage:
        """Report clicks, orders and earnings."""
        return cast(
            "models.ReportLinePage",
            await self.send(
                Call(
                    "GET",
                    "/affiliate/v1/reports",
                    query=without_none({"by": by, "mode": mode, "from": from_, "to": to}),
                    may_repeat=True,
                )
            ),
        )

    async def list_subscriptions(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> models.SubscriptionDocumentPage:
        """List your subscriptions to webhooks and postbacks."""
        return cast(
            "models.SubscriptionDocumentPage",
            await self.send(
                Call(
                    "GET",
                    "/affiliate/v1/subscriptions",
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_subscriptions(self, *, limit: int = 200) -> AsyncIterator[models.SubscriptionDocument]:
        """List your subscriptions to webhooks and postbacks. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_subscriptions(limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_subscription(
        self, body: models.CreateSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.CreatedSubscription:
        """Subscribe; the secret is only in this answer."""
        return cast(
            "models.CreatedSubscription",
            await self.send(
                Call(
                    "POST",
                    "/affiliate/v1/subscriptions",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def delete_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Delete a subscription and what waits for it."""
        return cast(
            "models.SubscriptionDocument",
            await self.send(
                Call(
                    "DELETE",
                    path_of("/affiliate/v1/subscriptions/{subscription}", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def update_subscription(
        self, subscription: str, body: models.UpdateSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Change where messages go, which, or in which version."""
        return cast(
            "models.SubscriptionDocument",
            await self.send(
                Call(
                    "PATCH",
                    path_of("/affiliate/v1/subscriptions/{subscription}", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_deliveries(
        self, subscription: str, *, limit: int | None = None, cursor: str | None = None
    ) -> models.DeliveryDocumentPage:
        """List messages with the receiver's answers."""
        return cast(
            "models.DeliveryDocumentPage",
            await self.send(
                Call(
                    "GET",
                    path_of("/affiliate/v1/subscriptions/{subscription}/deliveries", subscription=subscription),
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_deliveries(
        self, subscription: str, *, limit: int = 200
    ) -> AsyncIterator[models.DeliveryDocument]:
        """List messages with the receiver's answers. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_deliveries(subscription, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def pause_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Pause a subscription; messages are kept."""
        return cast(
            "models.SubscriptionDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/pause", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def replay_deliveries(
        self, subscription: str, body: models.ReplayDeliveriesBody, *, idempotency_key: str | None = None
    ) -> models.Replayed:
        """Send messages again."""
        return cast(
            "models.Replayed",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/replay", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def resume_subscription(
        self, subscription: str, *, idempotency_key: str | None = None
    ) -> models.SubscriptionDocument:
        """Resume a subscription, beginning with what was kept."""
        return cast(
            "models.SubscriptionDocument",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/resume", subscription=subscription),
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def retry_deliveries(
        self, subscription: str, body: models.RetryDeliveriesBody, *, idempotency_key: str | None = None
    ) -> models.Retried:
        """Retry now what waits."""
        return cast(
            "models.Retried",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/retry", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def rotate_subscription_secret(
        self, subscription: str, body: models.RotateSubscriptionSecretBody, *, idempotency_key: str | None = None
    ) -> models.CreatedSubscription:
        """Make a new secret."""
        return cast(
            "models.CreatedSubscription",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/rotate", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def test_subscription(
        self, subscription: str, body: models.TestSubscriptionBody, *, idempotency_key: str | None = None
    ) -> models.SampleQueued:
        """Send a test message of a kind."""
        return cast(
            "models.SampleQueued",
            await self.send(
                Call(
                    "POST",
                    path_of("/affiliate/v1/subscriptions/{subscription}/test", subscription=subscription),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )
