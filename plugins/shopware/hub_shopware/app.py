"""The app that a store installs: a manifest with the connection's URL and secret, and the webhooks it subscribes to."""

from __future__ import annotations

import io
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hub.api import PackageContext

NAME = "AffiliateHub"
EVENTS = (
    "checkout.order.placed",
    "state_enter.order_transaction.state.paid",
    "state_enter.order_transaction.state.refunded",
    "state_enter.order_transaction.state.refunded_partially",
    "state_enter.order.state.completed",
    "state_enter.order.state.cancelled",
    "state_enter.order_delivery.state.returned",
)
READS = (
    "order", "order_customer", "order_line_item", "order_transaction", "order_transaction_capture",
    "order_transaction_capture_refund", "order_delivery", "currency", "state_machine_state",
)  # fmt: skip
MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:noNamespaceSchemaLocation="https://raw.githubusercontent.com/shopware/shopware/trunk/src/Core/Framework/App/Manifest/Schema/manifest-2.0.xsd">
    <meta>
        <name>{name}</name>
        <label>Affiliate hub</label>
        <description>Tells the affiliate hub of orders, payments and refunds.</description>
        <author>affiliate hub</author>
        <copyright>(c) the maintainers of the affiliate hub</copyright>
        <version>1.0.0</version>
        <license>Apache-2.0</license>
    </meta>
    <setup>
        <registrationUrl>{url}</registrationUrl>
        <secret>{secret}</secret>
    </setup>
    <permissions>
{permissions}
    </permissions>
    <webhooks>
{webhooks}
    </webhooks>
</manifest>
"""


def package(context: PackageContext) -> tuple[str, bytes]:
    """Make AffiliateHub.zip, the same bytes for the same connection."""
    url = escape(context.url, {'"': "&quot;"})
    manifest = MANIFEST.format(
        name=NAME,
        url=url,
        secret=escape(context.secret),
        permissions="\n".join(f"        <read>{entity}</read>" for entity in READS),
        webhooks="\n".join(
            f'        <webhook name="event{number}" url="{url}" event="{event}"/>'
            for number, event in enumerate(EVENTS, 1)
        ),
    )
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        archive.writestr(ZipInfo(f"{NAME}/manifest.xml", (2020, 1, 1, 0, 0, 0)), manifest)
    return f"{NAME}.zip", packed.getvalue()
