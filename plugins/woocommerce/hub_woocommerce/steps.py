"""What the shop's owner does, sentence by sentence, in the words of WordPress's own screens."""

from __future__ import annotations

_KEY = (
    "So that orders that were lost are found, make a key under WooCommerce > Settings > Advanced > REST API > "
    "Add key, Permissions Read/Write, and type it on this connection's page in the hub."
)

STEPS = (
    "In WordPress open Plugins > Add New Plugin > Upload Plugin and choose the file that this hub makes for the store.",
    "Press Install Now, then Activate Plugin. The webhooks are made for you; a newer file is uploaded the same way.",
    "Open WooCommerce > Affiliate Hub, press Repair and check the connection, and stop once the secret is proved.",
    _KEY,
    "WordPress sends only to public addresses and the ports 80, 443 and 8080; if {url} has another, ask the operator.",
    "By hand, without the plugin: open WooCommerce > Settings > Advanced > Webhooks and press Add webhook.",
    "Name it Affiliate Hub, set Status to Active, and choose Order created as Topic.",
    "Paste {url} into Delivery URL and {secret} into Secret.",
    "Choose WP REST API Integration v3 as API Version and press Save webhook.",
    "Do the same for Order updated, Order deleted and Order restored, with the same URL and secret.",
    "Do the same for Product created, Product updated, Product deleted and Product restored.",
    "By hand only clicks of the same visit reach the order, and refunds come without dates and lines.",
)
