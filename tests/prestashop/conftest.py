"""The shop that the walk's tests share, and the figures at the walk's end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from hub.testing.postgres import free_port
from tests.prestashop.shop import RealShop, missing, real_shop, web_server
from tests.prestashop.walk import FIGURES, connected
from tests.store_walk import Walk

# Of the shop's tests only test_the_walk.py is collected then: one skip that says why, instead of one for each.
collect_ignore = [] if missing() is None else ["test_asking.py", "test_orders.py"]


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealShop]:
    """Set up a shop for all tests."""
    with real_shop(tmp_path_factory.mktemp("shop"), free_port()) as shop:
        yield shop


@pytest.fixture(scope="session")
def web_port(real: RealShop) -> Iterator[int]:
    """Serve the shop's pages and its webservice."""
    port = free_port()
    with web_server(real, port):
        yield port


@pytest.fixture
async def walk(real: RealShop, tmp_path: Path) -> AsyncIterator[Walk]:
    """Connect the shop with a fresh hub."""
    async with connected(real, tmp_path) as made:
        yield made


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what the walk did."""
    if FIGURES.orders:
        outages = ", ".join(f"{what}: {orders} orders" for what, orders in FIGURES.outages.items())
        terminalreporter.write_line(f"The real PrestaShop: {FIGURES.orders} orders; outages: {outages or 'none'}.")
