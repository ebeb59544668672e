"""Writing validated products, whatever way they came: what becomes of each item, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from hub.catalog.product import Product, imported
from hub.catalog.validate_items import ValidatedItem
from hub.catalog.write_products import ProductWrite, write_products
from hub.storage import Tx
from hub.validation.inputs import MerchantTerms, ProductInput
from hub.validation.validate import Invalid


@frozen
class ImportedItem:
    """What became of one item; `faults` are sentences that name the item's own fields, empty unless it failed."""

    outcome: Literal["created", "updated", "unchanged", "failed"]
    faults: tuple[str, ...] = ()


CREATED, UPDATED, UNCHANGED = ImportedItem("created"), ImportedItem("updated"), ImportedItem("unchanged")


@frozen
class ProductImport:
    """How products are imported: `keeps_omitted` leaves what an item does not give as it is, else it is emptied.

    `now` is milliseconds UTC, `changed_by` who changes the rates.
    """

    account_id: str
    merchant: MerchantTerms
    now: int
    keeps_omitted: bool
    changed_by: str

    async def write(self, tx: Tx, validated: Sequence[ValidatedItem]) -> list[ImportedItem]:
        """Write the good items; return what became of each, in their order."""
        await tx.lock_catalogs([self.account_id])  # no other node may read what is about to be replaced
        writes, items = await self.foresee(tx, validated)
        await write_products(tx, writes, self.changed_by)
        return items

    async def foresee(
        self, tx: Tx, validated: Sequence[ValidatedItem]
    ) -> tuple[list[ProductWrite], list[ImportedItem]]:
        """Return what would be written, and what would become of each item; write nothing."""
        good = [item for item in validated if isinstance(item, ProductInput)]
        ids = [given.external_product_id for given in good]
        found = (
            await tx.records(Product, "products_of_account", account_id=self.account_id, external_ids=ids)
            if ids
            else []
        )
        stored = {product.external_product_id: product for product in found}
        campaigns = await known_campaigns(tx, self.account_id, {given.campaign_id for given in good})
        writes: list[ProductWrite] = []
        items = []
        for given in validated:
            if not isinstance(given, ProductInput):
                items.append(ImportedItem("failed", given.faults))
                continue
            before = stored.get(given.external_product_id)
            try:
                product = self._product(given, before, campaigns)
            except Invalid as invalid:
                items.append(ImportedItem("failed", tuple(invalid.faults)))
                continue
            differs = product.differs_from(before)
            if differs:
                writes.append((product, before))
            items.append(CREATED if before is None else UPDATED if differs else UNCHANGED)
        return writes, items

    def _product(self, given: ProductInput, before: Product | None, campaigns: set[str]) -> Product:
        faults = []
        if given.campaign_id is not None and given.campaign_id not in campaigns:
            faults.append("`campaignId` must be a campaign of this account")
        try:
            product = imported(
                given, before, self.account_id, self.merchant, self.now, keeps_omitted=self.keeps_omitted
            )
        except Invalid as invalid:
            raise Invalid([*invalid.faults, *faults]) from None
        if faults:
            raise Invalid(faults)
        return product


async def known_campaigns(tx: Tx, account_id: str, wanted: set[str | None]) -> set[str]:
    """Return which of these ids are campaigns of the account."""
    ids = sorted(each for each in wanted if each is not None)
    rows = await tx.all("campaigns_known", account_id=account_id, ids=ids) if ids else []
    return {row["campaign_id"] for row in rows}
