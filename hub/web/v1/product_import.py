"""Import and upsert of products: judged one by one, written in sets, a step of 500 at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from attrs import field, frozen

from hub.intake.bulk import RejectedProduct, Verdict, validate_products
from hub.intake.direct import Effect
from hub.intake.inputs import ProductInput
from hub.intake.products import Product, imported
from hub.intake.submission import Answer, Replayed
from hub.intake.validation import Invalid
from hub.storage import Tx
from hub.web.callers import Caller
from hub.web.endpoint import Call
from hub.web.responses import ImportFault, ImportSummary, encode
from hub.web.writes import write_once

STEP = 500
FAULTS_SHOWN = 100
INLINE_BYTES = 65_536
"""A larger payload is judged in a thread: thousands of items would hold up every other request."""


async def import_products(call: Call) -> Answer | Replayed:
    """Inserts or replaces whole products."""
    return await _run(call, keeps_omitted=False)


async def upsert_products(call: Call) -> Answer | Replayed:
    """Inserts products or changes the fields given."""
    return await _run(call, keeps_omitted=True)


async def _run(call: Call, *, keeps_omitted: bool) -> Answer | Replayed:
    if len(call.raw) <= INLINE_BYTES:
        judged = validate_products(call.raw, call.caller.merchant, keeps_omitted=keeps_omitted)
    else:
        judged = await asyncio.to_thread(validate_products, call.raw, call.caller.merchant, keeps_omitted=keeps_omitted)
    call.ignored = judged.unknown_fields
    job = Import(call.caller, call.received_at, keeps_omitted, judged.value)
    return await write_once(call, *job.steps())


@frozen
class Outcome:
    """What one step came to."""

    created: int
    updated: int
    faults: tuple[ImportFault, ...]


@frozen(eq=False)
class Import:
    """One import or upsert on its way through the store; a step that runs again replaces its earlier outcome."""

    caller: Caller
    now: int
    keeps_omitted: bool
    verdicts: Sequence[Verdict]
    outcomes: dict[int, Outcome] = field(factory=dict)

    def steps(self) -> Iterator[Effect]:
        """The transactions to run, in order; the last answers with the summary."""
        starts = range(0, len(self.verdicts) or 1, STEP)
        for start in starts:
            yield self._step(start, last=start == starts[-1])

    def _step(self, start: int, *, last: bool) -> Effect:
        async def run(tx: Tx) -> Answer | None:
            self.outcomes[start] = await self._write(tx, start, self.verdicts[start : start + STEP])
            return Answer(202, encode(self._summary())) if last else None

        return run

    async def _write(self, tx: Tx, start: int, verdicts: Sequence[Verdict]) -> Outcome:
        account_id = self.caller.account_id
        await tx.lock_orders([(account_id, "catalog")])  # no other node may read what is about to be replaced
        good = [verdict for verdict in verdicts if isinstance(verdict, ProductInput)]
        keys = [(account_id, given.external_product_id) for given in good]
        rows = await tx.all("load_products", products=keys) if keys else []
        stored = {row["external_product_id"]: Product.from_row(row) for row in rows}
        campaigns = await known_campaigns(tx, account_id, {given.campaign_id for given in good})
        written: list[Product] = []
        faults: list[ImportFault] = []
        for place, verdict in enumerate(verdicts, start):
            try:
                written.append(self._product(verdict, place, stored, campaigns))
            except Invalid as invalid:
                faults.append(ImportFault(place, verdict.external_product_id, "; ".join(invalid.faults)))
        changed = [p.to_row() for p in written if p.differs_from(stored.get(p.external_product_id))]
        if changed:
            await tx.run("write_products", products=changed)
        updated = sum(product.external_product_id in stored for product in written)
        return Outcome(len(written) - updated, updated, tuple(faults))

    def _product(self, verdict: Verdict, place: int, stored: dict[str, Product], campaigns: set[str]) -> Product:
        if isinstance(verdict, RejectedProduct):
            raise Invalid(list(verdict.faults))
        known = verdict.campaign_id is None or verdict.campaign_id in campaigns
        faults = [] if known else ["`campaignId` must be a campaign of this account"]
        try:
            product = imported(
                verdict,
                stored.get(verdict.external_product_id),
                self.caller.account_id,
                self.caller.merchant,
                self.now,
                keeps_omitted=self.keeps_omitted,
            )
        except Invalid as invalid:
            faults = [*invalid.faults, *faults]
        else:
            if not faults:
                return product
        raise Invalid([f"`products[{place}].{fault[1:]}" for fault in faults])

    def _summary(self) -> ImportSummary:
        faults = [fault for outcome in self.outcomes.values() for fault in outcome.faults]
        return ImportSummary(
            received=len(self.verdicts),
            created=sum(outcome.created for outcome in self.outcomes.values()),
            updated=sum(outcome.updated for outcome in self.outcomes.values()),
            failed=len(faults),
            errors=faults[:FAULTS_SHOWN],
        )


async def known_campaigns(tx: Tx, account_id: str, wanted: set[str | None]) -> set[str]:
    """Which of these ids are campaigns of the account."""
    ids = sorted(each for each in wanted if each is not None)
    rows = await tx.all("campaigns_known", account_id=account_id, ids=ids) if ids else []
    return {row["campaign_id"] for row in rows}
