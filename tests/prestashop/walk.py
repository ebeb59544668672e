"""A real PrestaShop and its hub: how the module is installed, and what is left of it afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.prestashop.shop import RealShop
from tests.store_walk import Figures, Walk

FIGURES = Figures()


@asynccontextmanager
async def connected(shop: RealShop, folder: Path) -> AsyncIterator[Walk]:
    """Give the shop a fresh hub and its module; audit what the hub has at the end.

    PrestaShop takes half a minute to install a module, so it stays from test to test, and forgets what it had.
    """
    made = Walk(shop, "prestashop", FIGURES, f"sqlite:///{folder}/hub.db", shop.hub_port)
    await made.begin()
    if not await made.php("return Module::isInstalled('affiliatehub');"):
        await module(shop, "install")
    yield made
    await made.end()
    await made.php("act_forget(); return true;")
    await made.stop()


async def module(shop: RealShop, act: str) -> None:
    """Install the module or uninstall it, as the module manager's page does."""
    await asyncio.to_thread(shop.console, "prestashop:module", act, "affiliatehub")
