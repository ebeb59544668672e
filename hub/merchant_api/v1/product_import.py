"""Import and upsert products: validated one by one, written in sets, a few hundred in each step."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from time import monotonic

from attrs import field, frozen

from hub.catalog.import_products import ImportedItem, ProductImport
from hub.catalog.validate_items import ItemValidation, RejectedProduct, ValidatedItem
from hub.intake.idempotent_writes import WriteStep
from hub.intake.submission import Answer, Replayed
from hub.intake.throttle import Throttle
from hub.merchant_api.endpoint import Call
from hub.merchant_api.responses import ImportFault, ImportSummary
from hub.merchant_api.writes import write_once
from hub.records.wire import encode
from hub.storage import Tx

STEP, BUSY_STEP = 400, 100
"""Items written in one transaction; fewer while requests come in, because a step delays them by milliseconds."""
SLICE = 50
"""Items validated before other requests get their turn; a thread would hold the interpreter lock for longer."""
FAULTS_SHOWN = 100
"""The answer explains at most this many failed items."""


async def import_products(call: Call) -> Answer | Replayed:
    """Insert or replace whole products."""
    return await _run(call, keeps_omitted=False)


async def upsert_products(call: Call) -> Answer | Replayed:
    """Insert products or change the fields given."""
    return await _run(call, keeps_omitted=True)


async def _run(call: Call, *, keeps_omitted: bool) -> Answer | Replayed:
    throttle = call.services.throttle
    validation = ItemValidation.open(call.raw, call.caller.merchant, keeps_omitted=keeps_omitted)
    call.ignored = validation.unknown_fields()
    rule = ProductImport(
        call.caller.account_id, call.caller.merchant, call.received_at, keeps_omitted, call.caller.key_id or ""
    )
    busy = throttle.busy
    steps = ImportSteps(rule, validation, BUSY_STEP if busy else STEP)
    if validation.repeats():
        await steps.validate_together(throttle)
    await steps.validate(throttle, steps.starts if busy else steps.starts[:1])
    ahead = asyncio.create_task(steps.validate(throttle, steps.starts[1:]))
    try:
        return await write_once(call, *steps.write_steps())
    finally:
        ahead.cancel()
        await asyncio.gather(ahead, return_exceptions=True)


@frozen(eq=False)
class ImportSteps:
    """The steps of one import or upsert, `step` items each.

    The items of a step are validated while the commit of the step before waits for the disk. While requests come in,
    all items are validated first, so that only one activity at a time is throttled. A step that runs again replaces its
    earlier outcome.
    """

    rule: ProductImport
    validation: ItemValidation
    step: int
    validated: dict[int, list[ValidatedItem]] = field(factory=dict)
    outcomes: dict[int, list[ImportedItem]] = field(factory=dict)

    @property
    def starts(self) -> range:
        """The index of each step's first item; a payload without items has one step, too."""
        return range(0, len(self.validation.items) or 1, self.step)

    async def validate(self, throttle: Throttle, starts: Iterable[int]) -> None:
        """Validate the items of these steps that are not validated yet."""
        for start in starts:
            if start not in self.validated:
                self.validated[start] = await self._validated(throttle, start, start + self.step)

    async def validate_together(self, throttle: Throttle) -> None:
        """Validate all items at once, because some depend on others."""
        items = self.validation.conclude(await self._validated(throttle, 0, len(self.validation.items)))
        self.validated.update({start: items[start : start + self.step] for start in self.starts})

    async def _validated(self, throttle: Throttle, start: int, stop: int) -> list[ValidatedItem]:
        items: list[ValidatedItem] = []
        for place in range(start, stop, SLICE):
            began = monotonic()
            items += self.validation.validate(place, min(place + SLICE, stop))
            await throttle.pause(monotonic() - began)
        return items

    def write_steps(self) -> Iterator[WriteStep]:
        """Yield the transactions to run, in order; the last answers with the summary."""
        for start in self.starts:
            yield self._step(start, last=start == self.starts[-1])

    def _step(self, start: int, *, last: bool) -> WriteStep:
        async def run(tx: Tx) -> Answer | None:
            items = self.validated.get(start)
            if items is None:  # the step began before its items were validated
                items = self.validated[start] = self.validation.validate(start, start + self.step)
            self.outcomes[start] = await self.rule.write(tx, items)
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

    def _faults(self, imported: Sequence[ImportedItem]) -> Iterator[ImportFault]:
        validated = chain.from_iterable(self.validated[start] for start in self.starts)
        for place, (validated_item, item) in enumerate(zip(validated, imported, strict=True)):
            if item.faults:
                yield ImportFault(
                    place, validated_item.external_product_id, "; ".join(_sentences(place, validated_item, item))
                )


def _sentences(place: int, validated: ValidatedItem, item: ImportedItem) -> Iterable[str]:
    """Return an item's faults with its place in front; those of a rejected item name it already."""
    if isinstance(validated, RejectedProduct):
        return item.faults
    return (f"`products[{place}].{fault[1:]}" for fault in item.faults)
