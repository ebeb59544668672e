"""Import and upsert of products: judged one by one, written in sets, a step of some hundreds at a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from time import monotonic

from attrs import field, frozen

from hub.intake.bulk import ProductsOnTrial, RejectedProduct, Verdict
from hub.intake.direct import Effect
from hub.intake.pace import Pace
from hub.intake.product_import import ImportedItem, ProductImport
from hub.intake.submission import Answer, Replayed
from hub.storage import Tx
from hub.web.endpoint import Call
from hub.web.responses import ImportFault, ImportSummary, encode
from hub.web.writes import write_once

STEP, BUSY_STEP = 400, 100
"""Items written in one transaction, and while requests come in: as many as may hold those up, a few milliseconds."""
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
    pace = call.services.pace
    trial = ProductsOnTrial.open(call.raw, call.caller.merchant, keeps_omitted=keeps_omitted)
    call.ignored = trial.unknown_fields()
    rule = ProductImport(call.caller.account_id, call.caller.merchant, call.received_at, keeps_omitted)
    busy = pace.busy
    coming = Import(rule, trial, BUSY_STEP if busy else STEP)
    if trial.repeats():
        await coming.judge_together(pace)
    await coming.judge(pace, coming.starts if busy else coming.starts[:1])
    ahead = asyncio.create_task(coming.judge(pace, coming.starts[1:]))
    try:
        return await write_once(call, *coming.steps())
    finally:
        ahead.cancel()
        await asyncio.gather(ahead, return_exceptions=True)


@frozen(eq=False)
class Import:
    """One import or upsert on its way through the store, `step` items at a time.

    The items of a step are judged while the commit of the one before waits for the disk, or all of them first while
    requests come in, so that there is one thing at a time to give way. A step that runs again replaces its earlier
    outcome.
    """

    rule: ProductImport
    trial: ProductsOnTrial
    step: int
    verdicts: dict[int, list[Verdict]] = field(factory=dict)
    outcomes: dict[int, list[ImportedItem]] = field(factory=dict)

    @property
    def starts(self) -> range:
        """The place of each step's first item; a payload without items has one step all the same."""
        return range(0, len(self.trial.items) or 1, self.step)

    async def judge(self, pace: Pace, starts: Iterable[int]) -> None:
        """Reaches the verdicts of these steps, unless they are there."""
        for start in starts:
            if start not in self.verdicts:
                self.verdicts[start] = await self._judged(pace, start, start + self.step)

    async def judge_together(self, pace: Pace) -> None:
        """Reaches all verdicts, since some depend on others."""
        verdicts = self.trial.conclude(await self._judged(pace, 0, len(self.trial.items)))
        self.verdicts.update({start: verdicts[start : start + self.step] for start in self.starts})

    async def _judged(self, pace: Pace, start: int, stop: int) -> list[Verdict]:
        verdicts: list[Verdict] = []
        for place in range(start, stop, SLICE):
            began = monotonic()
            verdicts += self.trial.judge(place, min(place + SLICE, stop))
            await pace.give_way(monotonic() - began)
        return verdicts

    def steps(self) -> Iterator[Effect]:
        """The transactions to run, in order; the last answers with the summary."""
        for start in self.starts:
            yield self._step(start, last=start == self.starts[-1])

    def _step(self, start: int, *, last: bool) -> Effect:
        async def run(tx: Tx) -> Answer | None:
            verdicts = self.verdicts.get(start)
            if verdicts is None:  # its turn came sooner than expected
                verdicts = self.verdicts[start] = self.trial.judge(start, start + self.step)
            self.outcomes[start] = await self.rule.write(tx, verdicts)
            return Answer(202, encode(self._summary())) if last else None

        return run

    def _summary(self) -> ImportSummary:
        items = [item for start in self.starts for item in self.outcomes[start]]
        counts = Counter([item.outcome for item in items])
        return ImportSummary(
            received=len(items),
            created=counts["created"],
            updated=counts["updated"] + counts["unchanged"],
            failed=counts["failed"],
            errors=list(islice(self._faults(items), FAULTS_SHOWN)) if counts["failed"] else [],
        )

    def _faults(self, items: Sequence[ImportedItem]) -> Iterator[ImportFault]:
        verdicts = chain.from_iterable(self.verdicts[start] for start in self.starts)
        for place, (verdict, item) in enumerate(zip(verdicts, items, strict=True)):
            if item.faults:
                yield ImportFault(place, verdict.external_product_id, "; ".join(_sentences(place, verdict, item)))


def _sentences(place: int, verdict: Verdict, item: ImportedItem) -> Iterable[str]:
    """A rejected item's sentences name its place already."""
    if isinstance(verdict, RejectedProduct):
        return item.faults
    return (f"`products[{place}].{fault[1:]}" for fault in item.faults)
