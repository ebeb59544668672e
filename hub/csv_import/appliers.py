"""The effect of rows on the store, by the rules of their endpoints: applied, or only predicted for a dry run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import evolve, frozen

from hub.catalog.import_products import ProductImport
from hub.catalog.validate_items import RejectedProduct
from hub.clock import Clock
from hub.csv_import.row_index import RowIndex
from hub.csv_import.row_validation import ValidatedRow
from hub.intake.submission import Accepted, RequestGuards, Submission, order_submission, status_submission
from hub.intake.write_batch import write_known_batch
from hub.storage import Tx
from hub.validation.inputs import MerchantTerms, ProductRow

CREATED, UPDATED, DUPLICATE, FAILED = "created", "updated", "duplicate", "failed"

Submit = Callable[[RequestGuards, Any, str, int], Submission]
_VERDICTS = {"created": CREATED, "updated": UPDATED, "unchanged": DUPLICATE, "failed": FAILED}
_SUBMITS: dict[str, Submit] = {"orders": order_submission, "statuses": status_submission}


@frozen
class RowVerdict:
    """What became of a row: created, updated, duplicate or failed; the event that holds its order or status."""

    row: ValidatedRow
    verdict: str
    event_id: str = ""


class Applier(Protocol):
    """Applies the rows of one kind of file, or predicts their verdicts; `now` is milliseconds UTC.

    One that `needs_first_pass` sees the rows of the whole file before the first is applied.
    """

    needs_first_pass: bool

    def entry_of(self, value: Any, body: str) -> Any:
        """Return what is to be stored for a valid row; called while the database is busy with the rows before."""

    def first_pass(self, rows: Sequence[ValidatedRow]) -> None:
        """Look at the next rows of the file, before any is applied."""

    async def apply(self, tx: Tx, rows: Sequence[ValidatedRow], now: int) -> list[RowVerdict]:
        """Apply the rows and return their verdicts in order."""

    async def predict(self, tx: Tx, rows: Sequence[ValidatedRow], now: int) -> list[RowVerdict]:
        """Return the verdicts that applying would give; write nothing."""


def applier_of(kind: str, account_id: str, merchant: MerchantTerms, index: RowIndex, clock: Clock) -> Applier:
    """Return the applier of a kind of file."""
    if kind == "products":
        return ProductApplier(account_id, merchant, index)
    return SubmissionApplier(_SUBMITS[kind], RequestGuards(account_id), index, clock)


class SubmissionApplier:
    """Orders and statuses: each row is a submission, authorised by its upload rather than by a signature of its own."""

    needs_first_pass = False

    def __init__(self, submit: Submit, guards: RequestGuards, index: RowIndex, clock: Clock) -> None:
        self._submit = submit
        self._guards = guards
        self._index = index
        self._clock = clock

    def entry_of(self, value: Any, body: str) -> Submission:
        """Return the submission that the endpoint would make."""
        return self._submit(self._guards, value, body, self._clock())

    def first_pass(self, rows: Sequence[ValidatedRow]) -> None:
        """Do nothing: the first report of an order counts, whatever follows."""

    async def apply(self, tx: Tx, rows: Sequence[ValidatedRow], now: int) -> list[RowVerdict]:
        """Store the rows as one batch of submissions."""
        submissions = [row.entry for row in rows if not row.faults]
        outcomes = iter(await write_known_batch(tx, submissions, now, 0) if submissions else [])
        return [self._verdict(row, None if row.faults else next(outcomes)) for row in rows]

    async def predict(self, tx: Tx, rows: Sequence[ValidatedRow], now: int) -> list[RowVerdict]:  # noqa: ARG002 - the protocol's signature
        """Look up which claims are taken already, in the store and further up in the file."""
        good = [row for row in rows if not row.faults]
        keys = sorted({row.entry.claim for row in good})
        owners = {r["claim_key"]: r["event_id"] for r in await tx.all("claim_owners", keys=keys)} if keys else {}
        claims = {row.number: row.entry.claim_key for row in good}
        self._index.add_first((key, number) for number, key in claims.items())
        first = self._index.rows_of(list(claims.values()))
        return [_predicted(row, claims.get(row.number, ""), owners, first) for row in rows]

    def _verdict(self, row: ValidatedRow, outcome: object) -> RowVerdict:
        if not isinstance(outcome, Accepted):
            return RowVerdict(row, FAILED)
        return RowVerdict(row, DUPLICATE if outcome.duplicate else CREATED, outcome.event_id)


def _predicted(row: ValidatedRow, claim: str, owners: dict[str, str], first: dict[str, int]) -> RowVerdict:
    if row.faults:
        return RowVerdict(row, FAILED)
    if claim in owners:
        return RowVerdict(row, DUPLICATE, owners[claim])
    return RowVerdict(row, CREATED if first[claim] == row.number else DUPLICATE)


class ProductApplier:
    """Products: an upsert in which the last good row of an id wins if the file holds several (decisions, Products)."""

    needs_first_pass = True

    def __init__(self, account_id: str, merchant: MerchantTerms, index: RowIndex) -> None:
        self._account_id = account_id
        self._merchant = merchant
        self._index = index

    def entry_of(self, value: ProductRow, body: str) -> ProductRow:  # noqa: ARG002 - products are kept as records, not as text
        """Return the item of the import."""
        return value

    def first_pass(self, rows: Sequence[ValidatedRow]) -> None:
        """Record which row is the last of its id."""
        self._index.add_last((row.entry.external_product_id, row.number) for row in rows if not row.faults)

    async def apply(self, tx: Tx, rows: Sequence[ValidatedRow], now: int) -> list[RowVerdict]:
        """Write the rows as one step of a product import."""
        rows = self._without_superseded(rows)
        items = await self._import(now).write(tx, [_item(row) for row in rows])
        return [self._verdict(row, item.outcome, item.faults) for row, item in zip(rows, items, strict=True)]

    async def predict(self, tx: Tx, rows: Sequence[ValidatedRow], now: int) -> list[RowVerdict]:
        """Look what a step of a product import would write."""
        rows = self._without_superseded(rows)
        _, items = await self._import(now).foresee(tx, [_item(row) for row in rows])
        return [self._verdict(row, item.outcome, item.faults) for row, item in zip(rows, items, strict=True)]

    def _import(self, now: int) -> ProductImport:
        return ProductImport(self._account_id, self._merchant, now, keeps_omitted=True, changed_by="csv file")

    def _without_superseded(self, rows: Sequence[ValidatedRow]) -> list[ValidatedRow]:
        last = self._index.rows_of([row.entry.external_product_id for row in rows if not row.faults])
        return [row if row.faults else _unless_superseded(row, last[row.entry.external_product_id]) for row in rows]

    def _verdict(self, row: ValidatedRow, outcome: str, faults: tuple[str, ...]) -> RowVerdict:
        return RowVerdict(evolve(row, faults=faults) if faults else row, _VERDICTS[outcome])


def _unless_superseded(row: ValidatedRow, winner: int) -> ValidatedRow:
    if winner == row.number:
        return row
    return evolve(row, faults=(f"`externalProductId` is given again in row {winner}, which takes its place",))


def _item(row: ValidatedRow) -> Any:
    return RejectedProduct(row.id, row.faults) if row.faults else row.entry
