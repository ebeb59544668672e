"""Product news from webhooks: an update of the fields present, or of the stock alone; older news never undoes newer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from hub.domain.catalog import status_after_stock
from hub.domain.facts import ProductNews, ProductStockUpdated, ProductUpdated
from hub.intake.inputs import MerchantTerms, ProductChange, ProductInput
from hub.intake.product_record import write_products
from hub.intake.products import Product, imported, patched
from hub.intake.validation import Invalid, validate
from hub.processing.items import STALE, resolve_items
from hub.processing.knowledge import Key, Merchant
from hub.processing.translate import Event
from hub.storage import Tx

UNKNOWN_PRODUCT = "unknown_product"
NAMES_A_PRODUCT = frozenset({"name", "productUrl", "price"})
"""With these fields a webhook may create a product that the hub does not know."""


@frozen
class Heard:
    """Product news and the event that told it."""

    event: Event
    fact: ProductNews


@frozen
class Shelf:
    """One product while a batch works on it; the times are those of the last news applied, milliseconds UTC."""

    product: Product | None
    news_at: int | None
    stock_at: int | None


@frozen
class Decision:
    """What became of product news: None for applied, or why not; `failed` where the news cannot be kept at all."""

    skip_reason: str | None = None
    failed: bool = False


async def apply_product_news(
    tx: Tx, merchants: Mapping[str, Merchant], heard: Sequence[Heard], now: int
) -> dict[str, Decision]:
    """Applies product news in order of receipt and writes what changed; returns each event's decision by its id."""
    await tx.lock_orders([(account_id, "catalog") for account_id in {h.event.account_id for h in heard}])
    heard, refused = await resolve_items(tx, heard)
    shelves = await _load(tx, sorted({(h.event.account_id, h.fact.external_product_id) for h in heard}))
    before = dict(shelves)
    campaigns = await _known_campaigns(tx, heard)
    decisions: dict[str, Decision] = {}
    for told, reason in refused:
        _note(decisions, told, Decision(reason))
    for told in sorted(heard, key=lambda h: (h.event.received_at, h.event.event_id)):
        key = (told.event.account_id, told.fact.external_product_id)
        terms = MerchantTerms(merchants[key[0]].currency, merchants[key[0]].domains)
        shelves[key], decision = _apply(told, shelves[key], terms, campaigns, now)
        _note(decisions, told, decision)
    changed = [(key, shelf) for key, shelf in shelves.items() if shelf != before[key] and shelf.product is not None]
    if changed:
        await write_products(tx, [(s.product, before[key].product) for key, s in changed if s.product is not None])
        await tx.run("note_product_news", news=[(*key, s.news_at, s.stock_at) for key, s in changed])
    return decisions


def _note(decisions: dict[str, Decision], told: Heard, decision: Decision) -> None:
    """Of an event with several facts a failure counts first, then that something was applied."""
    known = decisions.setdefault(told.event.event_id, decision)
    if not known.failed and (decision.failed or decision.skip_reason is None):
        decisions[told.event.event_id] = decision


def _apply(
    told: Heard, shelf: Shelf, terms: MerchantTerms, campaigns: frozenset[Key], now: int
) -> tuple[Shelf, Decision]:
    at = told.fact.updated_at if told.fact.updated_at is not None else told.event.received_at
    try:
        if isinstance(told.fact, ProductStockUpdated):
            return _restock(told.fact, shelf, at, now)
        return _update(told, told.fact, shelf, terms, campaigns, at, now)
    except Invalid as invalid:
        return shelf, Decision("unmappable: " + "; ".join(invalid.faults), failed=True)


def _restock(fact: ProductStockUpdated, shelf: Shelf, at: int, now: int) -> tuple[Shelf, Decision]:
    if shelf.product is None:
        return shelf, Decision(UNKNOWN_PRODUCT)
    if shelf.stock_at is not None and at < shelf.stock_at:
        if fact.item_id is None:
            return shelf, Decision(STALE)
        at = shelf.stock_at  # the sum over all places is of now, however old this place's news
    word = fact.stock_status
    if word is None and fact.quantity is not None:
        word = "IN_STOCK" if fact.quantity > 0 else "OUT_OF_STOCK"
    status = status_after_stock(shelf.product.status, word)
    product = shelf.product._replace(stock_status=word, status=status, updated_at=now)
    return evolve(shelf, product=product, stock_at=at), Decision()


def _update(
    told: Heard, fact: ProductUpdated, shelf: Shelf, terms: MerchantTerms, campaigns: frozenset[Key], at: int, now: int
) -> tuple[Shelf, Decision]:
    body = {**fact.fields, "externalProductId": fact.external_product_id}
    if shelf.product is None and not all(body.get(name) for name in NAMES_A_PRODUCT):
        return shelf, Decision(UNKNOWN_PRODUCT)
    if shelf.news_at is not None and at < shelf.news_at:
        return shelf, Decision(STALE)
    account_id = told.event.account_id
    if shelf.product is None:
        given = validate(ProductInput, body, terms).value
        product = imported(given, None, account_id, terms, now, keeps_omitted=False)
    else:
        product = patched(shelf.product, validate(ProductChange, body, terms).value, now)
    campaign_id = fact.fields.get("campaignId")
    if campaign_id is not None and (account_id, campaign_id) not in campaigns:
        raise Invalid(["`campaignId` must be a campaign of this account"])
    return evolve(shelf, product=product, news_at=at), Decision()


async def _load(tx: Tx, keys: Sequence[Key]) -> dict[Key, Shelf]:
    rows = await tx.all("load_products", products=keys)
    stored = {
        (r["account_id"], r["external_product_id"]): Shelf(Product.from_row(r), r["news_at"], r["stock_at"])
        for r in rows
    }
    return {key: stored.get(key, Shelf(None, None, None)) for key in keys}


async def _known_campaigns(tx: Tx, heard: Iterable[Heard]) -> frozenset[Key]:
    named = {
        (h.event.account_id, h.fact.fields["campaignId"])
        for h in heard
        if isinstance(h.fact, ProductUpdated) and isinstance(h.fact.fields.get("campaignId"), str)
    }
    keys = sorted((account_id, campaign_id) for account_id, campaign_id in named if campaign_id is not None)
    rows = await tx.all("load_campaigns", campaigns=keys) if keys else []
    return frozenset((r["account_id"], r["campaign_id"]) for r in rows)
