"""Writing judged products, whatever way they came: what each item comes to, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from hub.intake.bulk import Verdict
from hub.intake.inputs import MerchantTerms, ProductInput
from hub.intake.product_record import Change, write_products
from hub.intake.products import Product, imported
from hub.intake.validation import Invalid
from hub.storage import Tx


@frozen
class ImportedItem:
    """What one item came to; `faults` are sentences that name the item's own fields, empty unless it failed."""

    outcome: Literal["created", "updated", "unchanged", "failed"]
    faults: tuple[str, ...] = ()


CREATED, UPDATED, UNCHANGED = ImportedItem("created"), ImportedItem("updated"), ImportedItem("unchanged")


@frozen
class ProductImport:
    """How products are imported: `keeps_omitted` leaves what an item does not give as it is, else it is emptied.

    `now` is milliseconds UTC.
    """

    account_id: str
    merchant: MerchantTerms
    now: int
    keeps_omitted: bool

    async def write(self, tx: Tx, verdicts: Sequence[Verdict]) -> list[ImportedItem]:
        """Writes the good items; the outcomes come in the order of the verdicts."""
        await tx.lock_orders([(self.account_id, "catalog")])  # no other node may read what is about to be replaced
        changes, items = await self.foresee(tx, verdicts)
        await write_products(tx, changes)
        return items

    async def foresee(self, tx: Tx, verdicts: Sequence[Verdict]) -> tuple[list[Change], list[ImportedItem]]:
        """What would change, and what each item would come to; writes nothing."""
        good = [verdict for verdict in verdicts if isinstance(verdict, ProductInput)]
        ids = [given.external_product_id for given in good]
        rows = await tx.all_values("products_of_account", account_id=self.account_id, external_ids=ids) if ids else []
        stored = {product.external_product_id: product for product in map(Product._make, rows)}
        campaigns = await known_campaigns(tx, self.account_id, {given.campaign_id for given in good})
        changes: list[Change] = []
        items = []
        for verdict in verdicts:
            if not isinstance(verdict, ProductInput):
                items.append(ImportedItem("failed", verdict.faults))
                continue
            before = stored.get(verdict.external_product_id)
            try:
                product = self._product(verdict, before, campaigns)
            except Invalid as invalid:
                items.append(ImportedItem("failed", tuple(invalid.faults)))
                continue
            differs = product.differs_from(before)
            if differs:
                changes.append((product, before))
            items.append(CREATED if before is None else UPDATED if differs else UNCHANGED)
        return changes, items

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
    """Which of these ids are campaigns of the account."""
    ids = sorted(each for each in wanted if each is not None)
    rows = await tx.all("campaigns_known", account_id=account_id, ids=ids) if ids else []
    return {row["campaign_id"] for row in rows}
