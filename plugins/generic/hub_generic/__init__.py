"""The connector for shops without one of their own: the hub's own webhook bodies, in snake_case or camelCase."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Body, Connector, hookimpl
from hub_generic.translate import translate

LAST = 1_000
"""The rank: every connector that knows a platform is asked before the one that takes anything."""


def takes_anything(_: Body) -> bool:
    """Recognise every body, since this connector is asked last."""
    return True


@hookimpl
def hub_connectors() -> Iterable[Connector]:
    """Give the one connector of this plugin."""
    return (
        Connector(
            name="generic",
            title="Generic webhooks",
            translate_webhook=translate,
            recognises=takes_anything,
            rank=LAST,
            api="1.0",
        ),
    )
