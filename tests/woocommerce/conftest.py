"""The shop that the walk's tests share, and the figures at the walk's end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from hub.testing.postgres import free_port
from tests.woocommerce.shop import RealShop, missing, real_shop, web_server
from tests.woocommerce.walk import FIGURES, Walk, connected

# Of the whole folder only test_the_walk.py is collected then: one skip that says why, instead of one for each test.
collect_ignore = [] if missing() is None else [
    "test_asking.py", "test_in_chromium.py", "test_orders.py", "test_refunds.py",
    "test_witnessed.py",
]  # fmt: skip


@pytest.fixture(scope="session", params=["orders in tables", "orders as posts"])
def real(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealShop]:
    """Set up a shop for all tests."""
    if (why := missing()) is not None:
        pytest.skip(f"NO REAL WOOCOMMERCE WAS TRIED: {why}")
    with real_shop(tmp_path_factory.mktemp("shop"), free_port(), hpos=request.param == "orders in tables") as shop:
        yield shop


@pytest.fixture(scope="session")
def web_port(real: RealShop) -> Iterator[int]:
    """Serve the shop's pages and its REST API."""
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
        outages = ", ".join(f"{length}: {orders} orders" for length, orders in FIGURES.outages.items())
        terminalreporter.write_line(
            f"The real WooCommerce: {FIGURES.orders} orders; outages: {outages or 'none'}; lost {FIGURES.lost}."
        )
