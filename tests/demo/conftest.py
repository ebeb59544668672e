"""A running demo: the hub and the shop on free ports, with a short hold."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hub.config.settings import load_settings
from hub.demo.run import demo
from hub.demo.walk import Places
from tests.served_hub import installed_plugins

HOLD_SECONDS = 2


@pytest.fixture(scope="module")
async def places(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Places]:
    """Where the demo is that the tests of a file share, each with orders of its own."""
    file = tmp_path_factory.mktemp("demo") / "demo.db"
    settings = load_settings(
        None,
        {},
        {"database.url": f"sqlite:///{file}", "server.port": 0, "commission.hold": f"{HOLD_SECONDS}s"},
    )
    async with demo(settings, 0, days=0, plugins=installed_plugins()) as running:
        yield running
