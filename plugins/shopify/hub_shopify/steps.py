"""What the store owner does in the Shopify admin, step by step."""

from __future__ import annotations

EVENTS = (
    "Order payment, Order update, Order cancellation, Order fulfillment, Refund create, Fulfillment update, "
    "Product creation, Product update, Product deletion, Inventory level update"
)
_APP = (
    "If the network has an app of its own, choose Connect in the store on this connection's page, and go on where the "
    "theme is edited. Otherwise the quick way: in Shopify's Dev Dashboard create an app with the permissions "
    "read_orders, read_products, read_fulfillments and read_inventory, install it on this store, and type its client "
    "ID and secret on this connection's page in the hub. The webhooks are made for you, and orders that are lost are "
    "found; go on where the theme is edited."
)
_BY_HAND = "By hand instead: in the Shopify admin open Settings > Notifications > Webhooks."
_FIRST = (
    "Choose Create webhook: event Order creation, format JSON, URL {url}, and the newest webhook API version that is "
    "neither a release candidate nor unstable. Save."
)
_OTHERS = f"Create a webhook with the same format, URL and version for each of these events: {EVENTS}."
_KEY = (
    'Below the webhooks the page says "Your webhooks will be signed with" and shows a key: that is the secret of this '
    "connection. If an app of yours makes webhooks too, add its client secret as a second one."
)
_CAPTURE = (
    "Open Online Store > Themes, at the live theme the three dots > Edit code, then layout/theme.liquid, and paste the "
    "line that this hub shows at /capture just before </head>; a theme app embed that adds it to every page does as "
    "well. It writes the click into the cart attribute affiliate_click_id, which comes back on the order."
)
_EMBED = (
    "Without editing the theme: download the package here, and deploy it with Shopify's command line as a part of the "
    "app (shopify app config link, then shopify app deploy). It sets the privacy topics, too. Then turn on Affiliate "
    "clicks at Online Store > Themes > Edit theme > App embeds; it waits for the consent that the store asks for."
)
_BUY_NOW = (
    "Buy it now can pass the cart by: in the theme's product form add "
    "data-affiliate-click: 'properties[_affiliate_click_id]', as /capture shows."
)
_TRY = (
    "Choose Send test notification beside a webhook: it must arrive, and a live connection counts nothing of it. "
    "Then place a real order through an affiliate's link."
)

STEPS = (
    _APP,
    _BY_HAND,
    _FIRST,
    _OTHERS,
    _KEY,
    _CAPTURE,
    _EMBED,
    _BUY_NOW,
    _TRY,
)
