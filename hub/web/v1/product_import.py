"""Import and upsert of products: judged one by one, written in sets, a step of 500 at a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from attrs import field, frozen

from hub.intake.bulk import RejectedProduct, Verdict, validate_products
from hub.intake.direct import Effect
from hub.intake.product_import import ImportedItem, ProductImport
from hub.intake.submission import Answer, Replayed
from hub.storage import Tx
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
    rule = ProductImport(call.caller.account_id, call.caller.merchant, call.received_at, keeps_omitted)
    job = Import(rule, judged.value)
    return await write_once(call, *job.steps())


@frozen(eq=False)
class Import:
    """One import or upsert on its way through the store; a step that runs again replaces its earlier outcome."""

    rule: ProductImport
    verdicts: Sequence[Verdict]
    outcomes: dict[int, list[ImportedItem]] = field(factory=dict)

    def steps(self) -> Iterator[Effect]:
        """The transactions to run, in order; the last answers with the summary."""
        starts = range(0, len(self.verdicts) or 1, STEP)
        for start in starts:
            yield self._step(start, last=start == starts[-1])

    def _step(self, start: int, *, last: bool) -> Effect:
        async def run(tx: Tx) -> Answer | None:
            self.outcomes[start] = await self.rule.write(tx, self.verdicts[start : start + STEP])
            return Answer(202, encode(self._summary())) if last else None

        return run

    def _summary(self) -> ImportSummary:
        items = [item for start in sorted(self.outcomes) for item in self.outcomes[start]]
        counts = Counter(item.outcome for item in items)
        faults = [
            ImportFault(place, item.external_product_id, "; ".join(self._sentences(place, item)))
            for place, item in enumerate(items)
            if item.faults
        ]
        return ImportSummary(
            received=len(self.verdicts),
            created=counts["created"],
            updated=counts["updated"] + counts["unchanged"],
            failed=counts["failed"],
            errors=faults[:FAULTS_SHOWN],
        )

    def _sentences(self, place: int, item: ImportedItem) -> Iterable[str]:
        """A rejected item's sentences name its place already."""
        if isinstance(self.verdicts[place], RejectedProduct):
            return item.faults
        return (f"`products[{place}].{fault[1:]}" for fault in item.faults)
