"""Product news from webhooks: an update of the fields present, or of the stock alone; older news never undoes newer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from hub.catalog.inventory_items import STALE, ProductNewsItem, resolve_items
from hub.catalog.product import Product, imported, patched
from hub.catalog.write_products import write_products
from hub.domain.orders.catalog import status_after_stock
from hub.domain.orders.product_facts import ProductStockUpdated, ProductUpdated
from hub.storage import Tx, pick_record
from hub.validation.inputs import MerchantTerms, ProductChange, ProductInput
from hub.validation.validate import Invalid, validate

__all__ = ["NewsResult", "ProductNewsItem", "apply_product_news"]

UNKNOWN_PRODUCT = "unknown_product"
REQUIRED_OF_A_NEW_PRODUCT = frozenset({"name", "productUrl", "price"})
"""With these fields a webhook may create a product that the hub does not know."""

Key = tuple[str, str]
"""(account id, external product id or campaign id)"""


@frozen
class ProductState:
    """One product while a batch works on it; the times are those of the last news applied, milliseconds UTC."""

    product: Product | None
    news_at: int | None
    stock_at: int | None


@frozen
class NewsResult:
    """What became of product news: None for applied, or why not; `failed` if the news cannot be kept at all."""

    skip_reason: str | None = None
    failed: bool = False


async def apply_product_news(
    tx: Tx, merchants: Mapping[str, MerchantTerms], news: Sequence[ProductNewsItem], now: int
) -> dict[str, NewsResult]:
    """Apply product news in order of receipt and write what changed; return each event's result by its id.

    `merchants` are the terms of the accounts' merchants, `now` is milliseconds UTC.
    """
    await tx.lock_catalogs({each.account_id for each in news})
    news, refused = await resolve_items(tx, news)
    states = await _load(tx, sorted({each.product_key for each in news}))
    before = dict(states)
    campaigns = await _known_campaigns(tx, news)
    results: dict[str, NewsResult] = {}
    for each, reason in refused:
        _note(results, each, NewsResult(reason))
    for each in sorted(news, key=lambda n: (n.received_at, n.event_id)):
        key = each.product_key
        states[key], result = _apply(each, states[key], merchants[each.account_id], campaigns, now)
        _note(results, each, result)
    changed = [(key, state) for key, state in states.items() if state != before[key] and state.product is not None]
    if changed:
        writes = [(s.product, before[key].product) for key, s in changed if s.product is not None]
        await write_products(tx, writes, "webhook")
        await tx.run("note_product_news", news=[(*key, s.news_at, s.stock_at) for key, s in changed])
    return results


def _note(results: dict[str, NewsResult], news: ProductNewsItem, result: NewsResult) -> None:
    """Of an event with several facts a failure counts first, then that something was applied."""
    known = results.setdefault(news.event_id, result)
    if not known.failed and (result.failed or result.skip_reason is None):
        results[news.event_id] = result


def _apply(
    news: ProductNewsItem, state: ProductState, terms: MerchantTerms, campaigns: frozenset[Key], now: int
) -> tuple[ProductState, NewsResult]:
    try:
        if isinstance(news.fact, ProductStockUpdated):
            return _restock(news.fact, state, news.stated_at, now)
        return _update(news, news.fact, state, terms, campaigns, now)
    except Invalid as invalid:
        return state, NewsResult("unmappable: " + "; ".join(invalid.faults), failed=True)


def _restock(fact: ProductStockUpdated, state: ProductState, at: int, now: int) -> tuple[ProductState, NewsResult]:
    if state.product is None:
        return state, NewsResult(UNKNOWN_PRODUCT)
    if state.stock_at is not None and at < state.stock_at:
        if fact.item_id is None:
            return state, NewsResult(STALE)
        at = state.stock_at  # the sum over all places is of now, however old this place's news
    word = fact.stock_status
    if word is None and fact.quantity is not None:
        word = "IN_STOCK" if fact.quantity > 0 else "OUT_OF_STOCK"
    status = status_after_stock(state.product.status, word)
    product = state.product._replace(stock_status=word, status=status, updated_at=now)
    return evolve(state, product=product, stock_at=at), NewsResult()


def _update(
    news: ProductNewsItem, fact: ProductUpdated, state: ProductState, terms: MerchantTerms, campaigns: frozenset[Key],
    now: int,
) -> tuple[ProductState, NewsResult]:  # fmt: skip
    body = {**fact.fields, "externalProductId": fact.external_product_id}
    if state.product is None and not all(body.get(name) for name in REQUIRED_OF_A_NEW_PRODUCT):
        return state, NewsResult(UNKNOWN_PRODUCT)
    if state.news_at is not None and news.stated_at < state.news_at:
        return state, NewsResult(STALE)
    if state.product is None:
        given = validate(ProductInput, body, terms).value
        product = imported(given, None, news.account_id, terms, now, keeps_omitted=False)
    else:
        product = patched(state.product, validate(ProductChange, body, terms).value, now)
    campaign_id = fact.fields.get("campaignId")
    if campaign_id is not None and (news.account_id, campaign_id) not in campaigns:
        raise Invalid(["`campaignId` must be a campaign of this account"])
    return evolve(state, product=product, news_at=news.stated_at), NewsResult()


async def _load(tx: Tx, keys: Sequence[Key]) -> dict[Key, ProductState]:
    rows = await tx.all("load_products", products=keys)
    stored = {
        (r["account_id"], r["external_product_id"]): ProductState(pick_record(Product, r), r["news_at"], r["stock_at"])
        for r in rows
    }
    return {key: stored.get(key, ProductState(None, None, None)) for key in keys}


async def _known_campaigns(tx: Tx, news: Iterable[ProductNewsItem]) -> frozenset[Key]:
    named = {
        (each.account_id, each.fact.fields["campaignId"])
        for each in news
        if isinstance(each.fact, ProductUpdated) and isinstance(each.fact.fields.get("campaignId"), str)
    }
    keys = sorted((account_id, campaign_id) for account_id, campaign_id in named if campaign_id is not None)
    rows = await tx.all("load_campaigns", campaigns=keys) if keys else []
    return frozenset((r["account_id"], r["campaign_id"]) for r in rows)
