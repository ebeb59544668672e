"""The stores that can be played in a test account: the API, and each of its open connections."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from hub.operations.connections.connections import ConnectionAdmin, list_connections
from hub.operations.orders.played_orders import API, Stage, usable_key
from hub.pages.merchant.access import MerchantVisit
from hub.plugin_host.translation import HostUnavailable

SENT: Final = "Deliveries as the platform sends them, signed with the connection's secret."
READ: Final = "Orders as the platform answers them, taken in as a reading takes them in."


@frozen
class PlayedStore:
    """A sender of deliveries: its id in the form, its words, and whether there is a secret that it can sign with."""

    sender: str
    title: str
    about: str
    can_sign: bool = True


def stage_of(shown: MerchantVisit) -> Stage:
    """Return what a play works with."""
    services = shown.services
    return Stage(
        services.store, services.sealer, services.plugins, services.own_server, services.clock, services.submissions
    )


async def stores_of(shown: MerchantVisit) -> tuple[list[PlayedStore], list[tuple[str, str]]]:
    """Return the stores of a merchant's test account, and the name and title of each connector that has none there."""
    services = shown.services
    admin = ConnectionAdmin(services.store, services.sealer, services.plugins, services.clock, await services.root())
    try:
        connectors = [each for each in (await services.plugins.catalog()).connectors if each.connects]
    except HostUnavailable:
        connectors = []
    titles = {each.name: each.title for each in connectors}
    played = {each.name for each in connectors if each.can_be_played}
    has_key = await usable_key(stage_of(shown), shown.merchant_id) is not None
    stores = [PlayedStore(API, "Your own code", "API requests, signed with your newest test key.", has_key)]
    connected = set()
    for each in await list_connections(admin, shown.merchant_id):
        if each.mode == "test" and each.status == "ACTIVE" and each.connector in titles:
            connected.add(each.connector)
            title = titles[each.connector]
            name = f"{title}: {each.title}" if each.title else title
            stores.append(PlayedStore(each.id, name, SENT if each.connector in played else READ))
    return stores, [(name, title) for name, title in titles.items() if name not in connected]
