"""Keys, connections, domains and subscriptions: the operators' acts on how stores and receivers are connected."""

from __future__ import annotations

from typing import Any, Final

from hub.operations.connections.connection_documents import (
    AddedSecret,
    ConnectionDocument,
    ConnectionWithSteps,
    CreatedConnection,
    ExpiredSecret,
)
from hub.operations.connections.connections import (
    NewConnection,
    add_secret,
    change_site,
    close_connection,
    create_connection,
    expire_secret,
    keep_connection,
    list_connections,
    show_connection,
)
from hub.operations.merchants.domains import DomainDocument, add_domain, list_domains, remove_domain
from hub.operations.merchants.keys import (
    IssuedKeyDocument,
    KeyChange,
    KeyDocument,
    issue_key,
    list_keys,
    revoke_key,
    rotate_key,
    update_key,
)
from hub.operations.system.erasures import KeptConnection
from hub.operations.webhooks.subscription_deliveries import DeliveryDocument
from hub.operations.webhooks.subscriptions import (
    CreatedSubscription,
    NewSubscription,
    SubscriptionDocument,
    create_subscription,
    list_subscriptions,
)
from hub.token_api.act import MODE, PAGED, Act, ListOfEntries, TokenCall, needed, number, sliced, text, texts
from hub.token_api.subscription_acts import Replayed, deliveries, remove, replay, rotate, switch

MERCHANT: Final = text("The merchant's id.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84")
ADDRESSES: Final = texts("Address ranges that it is accepted from; an empty list allows any.", "203.0.113.0/24")
LIFE: Final = text("Its life, like 90d.", "90d")
OVERLAP: Final = text("How long the old secret goes on, like 24h.", "24h")
URL: Final = text("Where to send; with placeholders it is a postback.", "https://shop.example/hook", 2_048)
EVENTS: Final = texts("Events or patterns.", "commission.*", "conversion.review")
SUBSCRIPTION: Final = "/subscriptions/{subscription}"


async def _issue(c: TokenCall) -> Any:
    b = c.body
    return await issue_key(
        c.store, c.services.sealer, c.clock, merchant_id=c.path["merchant"], mode=b["mode"],
        allowed=b.get("allowed_ips", ()), expires_in=b.get("expires_in"),
        signature_version=b.get("signature_version", 1),
    )  # fmt: skip


async def _rotate_key(c: TokenCall) -> Any:
    overlap = c.body.get("overlap", "24h")
    return await rotate_key(c.store, c.services.sealer, c.clock, c.path["key"], overlap=overlap)


async def _keys(c: TokenCall) -> Any:
    return sliced(c, await list_keys(c.store, c.path["merchant"]), "keyId")


async def _connections(c: TokenCall) -> Any:
    return sliced(c, await list_connections(await c.connections(), c.query.get("merchant")))


async def _create_connection(c: TokenCall) -> Any:
    b = c.body
    wanted = NewConnection(
        b["merchant_id"], b["mode"], b["connector"], b.get("secrets", ()), b.get("options", ()), b.get("title")
    )
    return await create_connection(await c.connections(), wanted)


async def _show_connection(c: TokenCall) -> Any:
    return await show_connection(await c.connections(), c.path["connection"])


async def _close(c: TokenCall) -> Any:
    return await close_connection(await c.connections(), c.path["connection"])


async def _keep(c: TokenCall) -> Any:
    return await keep_connection(await c.connections(), c.path["connection"])


async def _site(c: TokenCall) -> Any:
    return await change_site(await c.connections(), c.path["connection"], c.body.get("site"))


async def _add_secret(c: TokenCall) -> Any:
    return await add_secret(await c.connections(), c.path["connection"], c.body.get("secret"))


async def _expire(c: TokenCall) -> Any:
    admin, path = await c.connections(), c.path
    return await expire_secret(admin, path["connection"], path["secret"], c.body.get("after"))


async def _domains(c: TokenCall) -> Any:
    return {"data": await list_domains(c.store, c.path["merchant"]), "nextCursor": None}


async def _remove_domain(c: TokenCall) -> Any:
    left = await remove_domain(c.store, c.clock, c.path["merchant"], c.path["domain"])
    return {"data": left, "nextCursor": None}


async def _subscriptions(c: TokenCall) -> Any:
    q = c.query
    found = await list_subscriptions(c.store, merchant=q.get("merchant"), affiliate=q.get("affiliate"))
    return sliced(c, found)


async def _subscribe(c: TokenCall) -> Any:
    b = c.body
    wanted = NewSubscription(b["url"], b["events"], b.get("merchant_id"), b.get("mode"), b.get("affiliate_id"))
    return await create_subscription(c.store, c.services.sealer, c.clock, wanted)


STORES: Final[tuple[Act, ...]] = (
    Act("GET", "/merchants/{merchant}/keys", "listKeys", "List a merchant's keys", _keys, ListOfEntries(KeyDocument),
        query=PAGED),
    Act("POST", "/merchants/{merchant}/keys", "createKey", "Issue a key; its secret is in this answer alone", _issue,
        IssuedKeyDocument,
        body={"mode": needed(MODE), "allowedIps": ADDRESSES, "expiresIn": LIFE,
              "signatureVersion": number("The lowest version of the signature that it takes.", 1, 2)},
        doing=("key.issued",), success=201),
    Act("PATCH", "/keys/{key}", "updateKey", "Change from where and until when a key is accepted",
        lambda c: update_key(c.store, c.clock, c.path["key"], KeyChange(c.body.get("allowed_ips"),
                                                                        c.body.get("expires_in"))),
        KeyDocument, body={"allowedIps": ADDRESSES, "expiresIn": LIFE}, doing=("key.updated",)),
    Act("POST", "/keys/{key}/rotate", "rotateKey", "Issue a key like this one, which ends after a while", _rotate_key,
        IssuedKeyDocument, body={"overlap": OVERLAP}, doing=("key.issued",)),
    Act("POST", "/keys/{key}/revoke", "revokeKey", "Revoke a key",
        lambda c: revoke_key(c.store, c.clock, c.path["key"]), KeyDocument, doing=("key.revoked",)),
    Act("GET", "/connections", "listConnections", "List connections of stores", _connections,
        ListOfEntries(ConnectionDocument), query={"merchant": MERCHANT, **PAGED}),
    Act("POST", "/connections", "createConnection", "Connect a store", _create_connection, CreatedConnection,
        body={"merchantId": needed(MERCHANT), "mode": needed(MODE),
              "connector": needed(text("The platform's connector.", "woocommerce")),
              "secrets": texts("The platform's secrets; without one the hub makes it.", "s3cret"),
              "options": texts("Options of the connector, name=value.", "shop=a.example"),
              "title": text("What people call it.", "Our shop")},
        doing=("connection.created",), success=201),
    Act("GET", "/connections/{connection}", "getConnection", "Show a connection", _show_connection,
        ConnectionWithSteps),
    Act("POST", "/connections/{connection}/close", "closeConnection", "Close a connection", _close, ConnectionDocument,
        doing=("connection.closed",)),
    Act("POST", "/connections/{connection}/keep", "keepConnection", "Keep what was to be erased",
        _keep, KeptConnection, doing=("connection.erasure_revoked",)),
    Act("PUT", "/connections/{connection}/site", "setConnectionSite", "Bind a connection to a site, or to none", _site,
        ConnectionDocument, body={"site": text("The site; left out, the next message names it.", "shop.example")},
        doing=("connection.site_changed",)),
    Act("POST", "/connections/{connection}/secrets", "addConnectionSecret", "Add a secret to a connection", _add_secret,
        AddedSecret, body={"secret": text("The platform's secret; without one the hub makes it.", "s3cret")},
        doing=("connection.secret-added",), success=201),
    Act("POST", "/connections/{connection}/secrets/{secret}/expire", "expireConnectionSecret",
        "End a secret of a connection", _expire, ExpiredSecret,
        body={"after": text("How long it goes on, like 24h.", "24h")}, doing=("connection.secret-expired",)),
    Act("GET", "/merchants/{merchant}/domains", "listDomains", "List a merchant's domains", _domains,
        ListOfEntries(DomainDocument)),
    Act("POST", "/merchants/{merchant}/domains", "addDomain", "Add a domain to a merchant",
        lambda c: add_domain(c.store, c.clock, c.path["merchant"], c.body["domain"]), DomainDocument,
        body={"domain": needed(text("The domain.", "shop.example"))}, doing=("domain.added",), success=201),
    Act("DELETE", "/merchants/{merchant}/domains/{domain}", "removeDomain", "Remove a domain from a merchant",
        _remove_domain, ListOfEntries(DomainDocument), doing=("domain.removed",)),
    Act("GET", "/subscriptions", "listSubscriptions", "List subscriptions to webhooks and postbacks", _subscriptions,
        ListOfEntries(SubscriptionDocument), query={"merchant": MERCHANT,
        "affiliate": text("Of this affiliate.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80"), **PAGED}),
    Act("POST", "/subscriptions", "createSubscription", "Subscribe; the secret is in this answer alone", _subscribe,
        CreatedSubscription,
        body={"url": needed(URL), "events": needed(EVENTS), "merchantId": MERCHANT, "mode": MODE,
              "affiliateId": text("Of this affiliate, over all merchants.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")},
        doing=("subscription.created",), success=201),
    Act("POST", f"{SUBSCRIPTION}/pause", "pauseSubscription", "Send nothing more for now; messages are kept",
        switch("PAUSED"), SubscriptionDocument, doing=("subscription.paused",)),
    Act("POST", f"{SUBSCRIPTION}/resume", "resumeSubscription", "Send again, beginning with what was kept",
        switch("ACTIVE"), SubscriptionDocument, doing=("subscription.resumed",)),
    Act("POST", f"{SUBSCRIPTION}/rotate", "rotateSubscriptionSecret", "Make a new secret", rotate, CreatedSubscription,
        body={"overlap": OVERLAP}, doing=("subscription.rotated",)),
    Act("DELETE", SUBSCRIPTION, "deleteSubscription", "Delete a subscription and what waits for it", remove,
        SubscriptionDocument, doing=("subscription.deleted",)),
    Act("GET", f"{SUBSCRIPTION}/deliveries", "listDeliveries", "List messages with the receiver's answers", deliveries,
        ListOfEntries(DeliveryDocument), query=PAGED),
    Act("POST", f"{SUBSCRIPTION}/replay", "replayDeliveries", "Send messages again", replay, Replayed,
        body={"messageId": text("This message alone.", "msg_01936f3e8c7a7b3e9d5a4c2b1f0e8d90"),
              "since": text("Everything of the last while, like 2d.", "2d")},
        doing=("subscription.replayed",)),
)  # fmt: skip
