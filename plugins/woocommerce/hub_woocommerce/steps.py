"""What the shop's owner does, sentence by sentence, in the words of WordPress's own screens."""

from __future__ import annotations

STEPS = (
    "The quick way: in WordPress open Plugins > Add New Plugin > Upload Plugin, choose the file that the hub made for "
    "this connection, press Install Now, then Activate Plugin.",
    "Open WooCommerce > Affiliate Hub: it must say that the hub answers. The webhooks are made for you, so stop here.",
    "By hand instead: open WooCommerce > Settings > Advanced > Webhooks and press Add webhook.",
    "Name it Affiliate Hub, set Status to Active, and choose Order created as Topic.",
    "Paste {url} into Delivery URL and {secret} into Secret.",
    "Choose WP REST API Integration v3 as API version and press Save webhook.",
    "Do the same for Order updated, Order deleted, Order restored, Product created, Product updated, Product deleted "
    "and Product restored, with the same URL and secret.",
    "By hand the click's id reaches orders only through WooCommerce's order attribution, and refunds come without dates "
    "and lines; the plugin adds both.",
)
