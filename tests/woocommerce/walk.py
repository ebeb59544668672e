"""A real WooCommerce and its hub: how the plugin is activated, and what is left of it afterwards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.store_walk import Figures, Walk, becomes, platforms_of
from tests.woocommerce.shop import RealShop

__all__ = ["ACTIVATE", "FIGURES", "FORGET", "Walk", "becomes", "connected", "platforms_of"]

FIGURES = Figures()
ACTIVATE = "return activate_plugin( 'affiliate-hub/affiliate-hub.php' );"
FORGET = (
    "deactivate_plugins( 'affiliate-hub/affiliate-hub.php' ); update_option( 'home', 'http://shop.example' );"
    "return uninstall_plugin( 'affiliate-hub/affiliate-hub.php' );"
)


@asynccontextmanager
async def connected(shop: RealShop, folder: Path) -> AsyncIterator[Walk]:
    """Give the shop a fresh hub, connected by command line without a user; audit what the hub has at the end."""
    made = Walk(shop, "woocommerce", FIGURES, f"sqlite:///{folder}/hub.db", shop.hub_port)
    await made.begin()
    await made.php(ACTIVATE)
    yield made
    await made.end()
    await made.php(FORGET)
    await made.stop()
