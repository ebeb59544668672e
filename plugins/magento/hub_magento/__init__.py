"""The connector for Magento 2 and Adobe Commerce, whose orders are read by the REST API: nothing is sent by itself."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Connector, Topic, hookimpl
from hub_magento.options import MagentoOptions
from hub_magento.requests import ORDER, REQUESTS
from hub_magento.translate import of_order, of_webhook, order_of, recognises

_BEARER = (
    "From 2.4.4 on, set Stores > Configuration > Services > OAuth > Consumer Settings > Allow OAuth Access Tokens to "
    "be used as standalone Bearer tokens to Yes."
)
STEPS = (
    "In the Magento admin open System > Extensions > Integrations, add an integration and name it Affiliate Hub.",
    "On its tab API choose Custom and tick Sales > Operations > Orders, Credit Memos, and Stores > Settings.",
    "Save, press Activate, then Allow, and copy the Access Token.",
    _BEARER,
    "Type the store's address and the token on this connection's page in the hub, which reads the orders every hour.",
)


@hookimpl
def hub_connectors() -> Iterable[Connector]:
    """Return the one connector of this plugin."""
    return (
        Connector(
            name="magento",
            title="Magento",
            translate_webhook=of_webhook,
            recognises=recognises,
            rank=150,
            topics=(Topic(ORDER, dict, of_order),),
            options=MagentoOptions,
            steps=STEPS,
            requests=REQUESTS,
            order_of=order_of,
            api="1.1",
        ),
    )
