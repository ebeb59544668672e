"""Stock that a platform states by inventory item and place: items are learned from product news, places are summed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from attrs import evolve, frozen

from hub.domain.orders.facts import ProductNews
from hub.domain.orders.product_facts import ProductStockUpdated, ProductUpdated
from hub.storage import Tx

UNKNOWN_ITEM = "unknown_item"
STALE = "stale"

ItemKey = tuple[str, str, str]
"""account id, connection id ('' for the v1 webhooks), item id"""
Levels = Mapping[tuple[str, str, str], Mapping[tuple[str, str], tuple[int, int]]]
"""By account, connection and product: by item and place: the quantity, and when it was stated (ms UTC)."""


@frozen
class ProductNewsItem:
    """One fact about a product, and the event that stated it; `connection_id` is '' for the v1 webhooks."""

    account_id: str
    connection_id: str
    event_id: str
    received_at: int
    fact: ProductNews

    @property
    def product_key(self) -> tuple[str, str]:
        """(account id, external product id)"""
        return self.account_id, self.fact.external_product_id

    @property
    def item_key(self) -> ItemKey:
        """Which inventory item the fact is about."""
        return self.account_id, self.connection_id, getattr(self.fact, "item_id", None) or ""

    @property
    def stated_at(self) -> int:
        """When the platform stated it, else when it came; milliseconds UTC."""
        return self.received_at if self.fact.updated_at is None else self.fact.updated_at


class StockLevel(NamedTuple):
    """A row of `write_levels`; `updated_at` is milliseconds UTC."""

    account_id: str
    connection_id: str
    item_id: str
    location_id: str
    quantity: int
    updated_at: int


async def resolve_items(
    tx: Tx, news: Sequence[ProductNewsItem]
) -> tuple[list[ProductNewsItem], list[tuple[ProductNewsItem, str]]]:
    """Turn news of items into news of their products; return what can be applied, and what cannot, with the reason.

    Learns first whose the items are that the batch's product news name. The catalogue must be locked.
    """
    await _learn(tx, news)
    of_items = [n for n in news if isinstance(n.fact, ProductStockUpdated) and not n.fact.external_product_id]
    if not of_items:
        return list(news), []
    await _write_levels(tx, of_items)
    keys = sorted({each.item_key for each in of_items})
    owners = {
        (r["account_id"], r["connection_id"], r["item_id"]): r["external_product_id"]
        for r in await tx.all("owners_of_items", items=keys)
    }
    levels = await _levels(tx, owners)
    applied, refused = [], []
    for each in news:
        fact = each.fact
        if not isinstance(fact, ProductStockUpdated) or fact.external_product_id:
            applied.append(each)
        elif each.item_key not in owners:
            refused.append((each, UNKNOWN_ITEM))
        elif fact.quantity is not None and _is_stale(each, levels[(*each.item_key[:2], owners[each.item_key])]):
            refused.append((each, STALE))
        else:
            product = owners[each.item_key]
            applied.append(evolve(each, fact=_of_product(fact, product, each.item_key[:2], levels)))
    return applied, refused


def _of_product(fact: ProductStockUpdated, product: str, where: tuple[str, str], levels: Levels) -> ProductStockUpdated:
    if fact.quantity is None:
        return evolve(fact, external_product_id=product)
    total = sum(quantity for quantity, _ in levels[(*where, product)].values())
    return evolve(fact, external_product_id=product, quantity=total)


def _is_stale(news: ProductNewsItem, levels: Mapping[tuple[str, str], tuple[int, int]]) -> bool:
    """Return whether newer news of the place is stored; the newest of every place is stored already."""
    place = (getattr(news.fact, "item_id", None) or "", getattr(news.fact, "location_id", None) or "")
    return place in levels and news.stated_at < levels[place][1]


async def _learn(tx: Tx, news: Sequence[ProductNewsItem]) -> None:
    items = {
        (each.account_id, each.connection_id, item): each.fact.external_product_id
        for each in sorted(news, key=lambda n: n.stated_at)
        if isinstance(each.fact, ProductUpdated)
        for item in each.fact.items
    }
    if items:
        await tx.run("learn_items", items=sorted((*key, product) for key, product in items.items()))


async def _write_levels(tx: Tx, of_items: Sequence[ProductNewsItem]) -> None:
    levels: dict[tuple[str, str, str, str], StockLevel] = {}
    for each in sorted(of_items, key=lambda n: n.stated_at):
        if isinstance(each.fact, ProductStockUpdated) and each.fact.quantity is not None:
            key = (*each.item_key, each.fact.location_id or "")
            levels[key] = StockLevel(*key, each.fact.quantity, each.stated_at)
    if levels:
        await tx.run("write_levels", levels=sorted(levels.values()))


async def _levels(tx: Tx, owners: Mapping[ItemKey, str]) -> Levels:
    products = sorted(
        {(account_id, connection_id, product) for (account_id, connection_id, _), product in owners.items()}
    )
    levels: dict[tuple[str, str, str], dict[tuple[str, str], tuple[int, int]]] = {key: {} for key in products}
    for r in await tx.all("levels_of_products", products=products) if products else []:
        key = (r["account_id"], r["connection_id"], r["external_product_id"])
        levels[key][r["item_id"], r["location_id"]] = (r["quantity"], r["updated_at"])
    return levels
