"""The figures of the whole network in a period, over all accounts of a mode: by day, merchant, campaign and so on."""

from __future__ import annotations

from typing import Final

from hub.operations.figures.figures import (
    ALL_LINES,
    MOST_LINES,
    Period,
    ProductSums,
    Sums,
    products_csv,
    sums_csv,
    sums_in,
)
from hub.storage import Store

NETWORK_DIMENSIONS: Final = ("merchant", "campaign", "affiliate", "product")
QUERIES: Final = {
    "merchant": "network_figures_by_merchant",
    "campaign": "network_figures_by_campaign",
    "affiliate": "network_figures_by_affiliate",
}


async def network_days(store: Store, mode: str, period: Period) -> list[Sums]:
    """Return the sums of each day that has any, by currency; `id` is the day since 1970."""
    return await sums_in(store, Sums, "network_figures_by_day", period, mode=mode)


async def network_breakdown(
    store: Store, mode: str, period: Period, dimension: str, limit: int = MOST_LINES
) -> list[Sums]:
    """Return the sums by "merchant", "campaign" or "affiliate", the most revenue first; raise KeyError for others."""
    return await sums_in(store, Sums, QUERIES[dimension], period, mode=mode, limit=limit)


async def network_products(store: Store, mode: str, period: Period, limit: int = MOST_LINES) -> list[ProductSums]:
    """Return the sums by product of each merchant, the most revenue first; the name has the merchant's, too."""
    return await sums_in(store, ProductSums, "network_figures_by_product", period, mode=mode, limit=limit)


async def network_csv(store: Store, mode: str, period: Period, dimension: str) -> str:
    """Return the figures as CSV, amounts as decimal text with their currency beside them; "day" is a dimension too."""
    if dimension == "product":
        return products_csv(await network_products(store, mode, period, ALL_LINES))
    if dimension == "day":
        return sums_csv(dimension, await network_days(store, mode, period))
    return sums_csv(dimension, await network_breakdown(store, mode, period, dimension, ALL_LINES))
