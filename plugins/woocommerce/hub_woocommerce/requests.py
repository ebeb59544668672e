"""WooCommerce's REST API (v3) as the hub asks it: https://woocommerce.github.io/woocommerce-rest-api-docs/.

Lists are ordered by id, so that an order that changes meanwhile moves nothing to a page that was read already. With
`affiliate_hub=1` the hub's own WordPress plugin, if it is there, adds what it adds to its deliveries.
"""

from __future__ import annotations

from typing import Final

from hub.api import BasicLogin, Call, Credential, Identity, KeyConsent, Listing, RateLimit, Requests, Single, Webhooks

TOPICS: Final = tuple(
    f"{what}.{act}" for what in ("order", "product") for act in ("created", "updated", "deleted", "restored")
)
MEND: Final = (
    "WooCommerce takes its keys over https alone: give the shop's address with https://. If a proxy ends TLS, "
    "tell WordPress so in wp-config.php ($_SERVER['HTTPS'] = 'on' where X-Forwarded-Proto is https), and agree again."
)
CHANGED: Final = "?modified_after={since}&dates_are_gmt=true&orderby=id&order=asc&per_page={size}&page={page}"

REQUESTS: Final = Requests(
    root="{site}/wp-json/wc/v3",
    login=BasicLogin("{key}", "{secret}"),
    credentials=(
        Credential(
            "site", "The shop's address", is_secret=False, pattern=r"https?://[^\s?#]+", hint="https://shop.example"
        ),
        Credential("key", "Consumer key", pattern="ck_[0-9a-zA-Z]{8,80}", hint="ck_…"),
        Credential("secret", "Consumer secret", pattern="cs_[0-9a-zA-Z]{8,80}", hint="cs_…"),
    ),
    identity=Identity(Call("/data/currencies/current"), currency="code"),
    rate=RateLimit(per_second=5, burst=10),
    orders=Listing(Call(f"/orders{CHANGED}&status=any&affiliate_hub=1"), "order.updated"),
    order=Single(Call("/orders/{id}?affiliate_hub=1"), "order.updated"),
    several=Listing(
        Call("/orders?include={ids}&orderby=id&order=asc&per_page={size}&page={page}&status=any&affiliate_hub=1"),
        "order.updated",
    ),
    products=Listing(Call(f"/products{CHANGED}&status=any"), "product.updated"),
    product=Single(Call("/products/{id}"), "product.updated"),
    webhooks=Webhooks(
        topics=TOPICS,
        listing=Listing(Call("/webhooks?orderby=id&order=asc&per_page={size}&page={page}"), ""),
        create=Call(
            "/webhooks",
            "POST",
            '{"name": "Affiliate hub {topic}", "topic": "{topic}", "delivery_url": "{url}", '
            '"secret": "{webhook_secret}", "status": "active"}',
        ),
        delete=Call("/webhooks/{webhook_id}?force=true", "DELETE"),
        revive=Call(
            "/webhooks/{webhook_id}",
            "PUT",
            '{"delivery_url": "{url}", "secret": "{webhook_secret}", "status": "active"}',
        ),
        url="delivery_url",
        state="status",
    ),
    consent=KeyConsent(
        "{site}/wc-auth/v1/authorize?app_name=Affiliate%20hub&scope=read_write&user_id={state}"
        "&return_url={returns}&callback_url={callback}",
        grants=(("key", "consumer_key"), ("secret", "consumer_secret")),
        mend=MEND,
    ),
)
