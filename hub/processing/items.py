"""Stock that a platform tells by inventory item and place: items are learned from product news, places are summed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from hub.domain.facts import ProductStockUpdated, ProductUpdated
from hub.storage import Tx

if TYPE_CHECKING:
    from hub.processing.catalog import Heard

UNKNOWN_ITEM = "unknown_item"
STALE = "stale"

ItemKey = tuple[str, str, str]
"""account id, connection id ('' for the v1 webhooks), item id"""


async def resolve_items(tx: Tx, heard: Sequence[Heard]) -> tuple[list[Heard], list[tuple[Heard, str]]]:
    """Turns news of items into news of their products; returns all news that can be applied, and what cannot, and why.

    Learns first whose the items are that the batch's product news name. The catalogue must be locked.
    """
    await _learn(tx, heard)
    of_items = [h for h in heard if isinstance(h.fact, ProductStockUpdated) and not h.fact.external_product_id]
    if not of_items:
        return list(heard), []
    await _write_levels(tx, of_items)
    keys = sorted({_key(h) for h in of_items})
    owners = {
        (r["account_id"], r["connection_id"], r["item_id"]): r["external_product_id"]
        for r in await tx.all("owners_of_items", items=keys)
    }
    levels = await _levels(tx, owners)
    applied, refused = [], []
    for told in heard:
        fact = told.fact
        if not isinstance(fact, ProductStockUpdated) or fact.external_product_id:
            applied.append(told)
        elif _key(told) not in owners:
            refused.append((told, UNKNOWN_ITEM))
        elif fact.quantity is not None and _is_stale(told, levels[(*_key(told)[:2], owners[_key(told)])]):
            refused.append((told, STALE))
        else:
            product = owners[_key(told)]
            applied.append(evolve(told, fact=_of_product(fact, product, _key(told)[:2], levels)))
    return applied, refused


Levels = Mapping[tuple[str, str, str], Mapping[tuple[str, str], tuple[int, int]]]
"""By account, connection and product: by item and place: the quantity, and when it was told (ms UTC)."""


def _of_product(fact: ProductStockUpdated, product: str, where: tuple[str, str], levels: Levels) -> ProductStockUpdated:
    if fact.quantity is None:
        return evolve(fact, external_product_id=product)
    total = sum(quantity for quantity, _ in levels[(*where, product)].values())
    return evolve(fact, external_product_id=product, quantity=total)


def _is_stale(told: Heard, levels: Mapping[tuple[str, str], tuple[int, int]]) -> bool:
    """Whether the place was told of anew since; the newest news of every place is stored already."""
    place = (getattr(told.fact, "item_id", None) or "", getattr(told.fact, "location_id", None) or "")
    return place in levels and _at(told) < levels[place][1]


async def _learn(tx: Tx, heard: Sequence[Heard]) -> None:
    items = {
        (h.event.account_id, h.event.connection_id or "", item): h.fact.external_product_id
        for h in sorted(heard, key=_at)
        if isinstance(h.fact, ProductUpdated)
        for item in h.fact.items
    }
    if items:
        await tx.run("learn_items", items=sorted((*key, product) for key, product in items.items()))


async def _write_levels(tx: Tx, of_items: Sequence[Heard]) -> None:
    levels: dict[tuple[str, str, str, str], tuple[int, int]] = {}
    for told in sorted(of_items, key=_at):
        if isinstance(told.fact, ProductStockUpdated) and told.fact.quantity is not None:
            levels[(*_key(told), told.fact.location_id or "")] = (told.fact.quantity, _at(told))
    if levels:
        await tx.run("write_levels", levels=sorted((*key, *level) for key, level in levels.items()))


async def _levels(tx: Tx, owners: Mapping[ItemKey, str]) -> Levels:
    products = sorted(
        {(account_id, connection_id, product) for (account_id, connection_id, _), product in owners.items()}
    )
    levels: dict[tuple[str, str, str], dict[tuple[str, str], tuple[int, int]]] = {key: {} for key in products}
    for r in await tx.all("levels_of_products", products=products) if products else []:
        key = (r["account_id"], r["connection_id"], r["external_product_id"])
        levels[key][r["item_id"], r["location_id"]] = (r["quantity"], r["updated_at"])
    return levels


def _key(told: Heard) -> ItemKey:
    return told.event.account_id, told.event.connection_id or "", getattr(told.fact, "item_id", None) or ""


def _at(told: Heard) -> int:
    return told.event.received_at if told.fact.updated_at is None else told.fact.updated_at
