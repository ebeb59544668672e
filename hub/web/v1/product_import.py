"""Import and upsert of products: judged one by one, written in sets, a step of 100 at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from time import monotonic

from attrs import field, frozen

from hub.intake.bulk import ProductsOnTrial, RejectedProduct, Verdict
from hub.intake.direct import Effect
from hub.intake.product_import import ImportedItem, ProductImport
from hub.intake.submission import Answer, Replayed
from hub.storage import Tx
from hub.web.endpoint import Call
from hub.web.responses import ImportFault, ImportSummary, encode
from hub.web.writes import write_once

STEP = 100
"""Items written in one transaction: as many as may hold up the other requests, which is a few milliseconds."""
SLICE = 50
"""Items judged before other requests get their turn. A thread would not give way: it would keep the interpreter."""
FAULTS_SHOWN = 100


async def import_products(call: Call) -> Answer | Replayed:
    """Inserts or replaces whole products."""
    return await _run(call, keeps_omitted=False)


async def upsert_products(call: Call) -> Answer | Replayed:
    """Inserts products or changes the fields given."""
    return await _run(call, keeps_omitted=True)


async def _run(call: Call, *, keeps_omitted: bool) -> Answer | Replayed:
    trial = ProductsOnTrial.open(call.raw, call.caller.merchant, keeps_omitted=keeps_omitted)
    verdicts: list[Verdict] = []
    for start in range(0, len(trial.items), SLICE):
        began = monotonic()
        verdicts += trial.judge(start, start + SLICE)
        await call.services.pace.give_way(monotonic() - began)
    judged = trial.conclude(verdicts)
    call.ignored = judged.unknown_fields
    rule = ProductImport(call.caller.account_id, call.caller.merchant, call.received_at, keeps_omitted)
    return await write_once(call, *Import(rule, judged.value).steps())


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
