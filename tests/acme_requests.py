"""The API of Acme, the platform that does not exist, as its connector declares it."""

from __future__ import annotations

from hub.api import (
    BasicLogin,
    Call,
    Credential,
    Identity,
    KeyConsent,
    Listing,
    RateLimit,
    Requests,
    Scopes,
    Single,
    Webhooks,
)

ACME_REQUESTS = Requests(
    root="{site}/api",
    login=BasicLogin("{key}", "{secret}"),
    credentials=(
        Credential(
            "site", "The shop's address", is_secret=False, pattern=r"https?://[^/]+", hint="https://shop.example"
        ),
        Credential("key", "The key", is_secret=False),
        Credential("secret", "Its secret"),
    ),
    identity=Identity(Call("/shop"), currency="currency", site="site", name="name"),
    rate=RateLimit(per_second=1_000, burst=1_000),
    scopes=Scopes(Call("/scopes"), ("orders",), items="scopes"),
    orders=Listing(
        Call("/orders?since={since}&page={page}&size={size}"), "order", items="orders", item_id="number", page_size=2
    ),
    order=Single(Call("/orders/{id}"), "order"),
    several=Listing(Call("/orders?ids={ids}&page={page}&size={size}"), "order", items="orders", item_id="number"),
    products=Listing(Call("/products?since={since}&page={page}&size={size}"), "product", items="products", page_size=2),
    product=Single(Call("/products/{id}"), "product"),
    webhooks=Webhooks(
        topics=("order", "product"),
        listing=Listing(Call("/hooks?page={page}&size={size}"), "", items="hooks", page_size=2),
        create=Call("/hooks", "POST", '{"topic": "{topic}", "url": "{url}", "secret": "{webhook_secret}"}'),
        delete=Call("/hooks/{webhook_id}", "DELETE"),
        state="status",
    ),
    consent=KeyConsent(
        "{site}/consent?callback={callback}&returns={returns}&state={state}",
        (("key", "consumer_key"), ("secret", "consumer_secret")),
        state="user_id",
    ),
)
