"""What rows come to in the store, by the rules of their endpoints: applied, or only foreseen for a dry run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import evolve, frozen

from hub.catalog.import_products import ProductImport
from hub.catalog.validate_items import RejectedProduct
from hub.clock import Clock
from hub.csv_import.row_index import RowIndex
from hub.csv_import.row_validation import JudgedRow
from hub.intake.submission import Accepted, RequestGuards, Submission, order_submission, status_submission
from hub.intake.write_batch import write_known_batch
from hub.storage import Tx
from hub.validation.inputs import MerchantTerms, ProductRow

CREATED, UPDATED, DUPLICATE, FAILED = "created", "updated", "duplicate", "failed"

Submit = Callable[[RequestGuards, Any, str, int], Submission]
_WORDS = {"created": CREATED, "updated": UPDATED, "unchanged": DUPLICATE, "failed": FAILED}
_SUBMITS: dict[str, Submit] = {"orders": order_submission, "statuses": status_submission}


@frozen
class RowVerdict:
    """What a row came to: created, updated, duplicate or failed; the event that holds its order or status."""

    row: JudgedRow
    word: str
    event_id: str = ""


class Judge(Protocol):
    """Brings rows into the store, or says what would come of them. `now` is milliseconds UTC.

    One that `surveys` sees the rows of the whole file before the first is applied.
    """

    surveys: bool

    def enter(self, value: Any, body: str) -> Any:
        """What enters the store for a valid row: made here, while the database is busy with the rows before."""

    def survey(self, rows: Sequence[JudgedRow]) -> None:
        """Sees the next rows of the file, ahead of their turn."""

    async def apply(self, tx: Tx, rows: Sequence[JudgedRow], now: int) -> list[RowVerdict]:
        """Applies the rows; the verdicts come in their order."""

    async def foresee(self, tx: Tx, rows: Sequence[JudgedRow], now: int) -> list[RowVerdict]:
        """Says what applying would come to; writes nothing."""


def judge_of(kind: str, account_id: str, merchant: MerchantTerms, index: RowIndex, clock: Clock) -> Judge:
    """The judge of a kind of file."""
    if kind == "products":
        return ProductRows(account_id, merchant, index)
    return ReportRows(_SUBMITS[kind], RequestGuards(account_id), index, clock)


class ReportRows:
    """Orders and statuses: each row is a submission at the desk, admitted by the upload rather than by a signature."""

    surveys = False

    def __init__(self, submit: Submit, guards: RequestGuards, index: RowIndex, clock: Clock) -> None:
        self._submit = submit
        self._guards = guards
        self._index = index
        self._clock = clock

    def enter(self, value: Any, body: str) -> Submission:
        """The submission that the endpoint would hand to the desk."""
        return self._submit(self._guards, value, body, self._clock())

    def survey(self, rows: Sequence[JudgedRow]) -> None:
        """Needs no look ahead: the first report of an order counts."""

    async def apply(self, tx: Tx, rows: Sequence[JudgedRow], now: int) -> list[RowVerdict]:
        """Files the rows as one batch, as the desk files what waits."""
        submissions = [row.entry for row in rows if not row.faults]
        outcomes = iter(await write_known_batch(tx, submissions, now, 0) if submissions else [])
        return [self._verdict(row, None if row.faults else next(outcomes)) for row in rows]

    async def foresee(self, tx: Tx, rows: Sequence[JudgedRow], now: int) -> list[RowVerdict]:  # noqa: ARG002 - the protocol's signature
        """Looks for the claims that are held already, in the store and further up in the file."""
        good = [row for row in rows if not row.faults]
        keys = sorted({row.entry.claim for row in good})
        held = {r["claim_key"]: r["event_id"] for r in await tx.all("claim_owners", keys=keys)} if keys else {}
        claims = {row.number: row.entry.claim_key for row in good}
        self._index.note_first((key, number) for number, key in claims.items())
        first = self._index.rows_of(list(claims.values()))
        return [_foreseen(row, claims.get(row.number, ""), held, first) for row in rows]

    def _verdict(self, row: JudgedRow, outcome: object) -> RowVerdict:
        if not isinstance(outcome, Accepted):
            return RowVerdict(row, FAILED)
        return RowVerdict(row, DUPLICATE if outcome.duplicate else CREATED, outcome.event_id)


def _foreseen(row: JudgedRow, claim: str, held: dict[str, str], first: dict[str, int]) -> RowVerdict:
    if row.faults:
        return RowVerdict(row, FAILED)
    if claim in held:
        return RowVerdict(row, DUPLICATE, held[claim])
    return RowVerdict(row, CREATED if first[claim] == row.number else DUPLICATE)


class ProductRows:
    """Products: an upsert in which, of an id given twice in the file, the last good row wins (decisions, Products)."""

    surveys = True

    def __init__(self, account_id: str, merchant: MerchantTerms, index: RowIndex) -> None:
        self._account_id = account_id
        self._merchant = merchant
        self._index = index

    def enter(self, value: ProductRow, body: str) -> ProductRow:  # noqa: ARG002 - products are kept as records, not as text
        """The item of the import."""
        return value

    def survey(self, rows: Sequence[JudgedRow]) -> None:
        """Notes which row is the last of its id."""
        self._index.note_last((row.entry.external_product_id, row.number) for row in rows if not row.faults)

    async def apply(self, tx: Tx, rows: Sequence[JudgedRow], now: int) -> list[RowVerdict]:
        """Writes the rows as one step of an import."""
        rows = self._without_overtaken(rows)
        items = await self._rule(now).write(tx, [_item(row) for row in rows])
        return [self._verdict(row, item.outcome, item.faults) for row, item in zip(rows, items, strict=True)]

    async def foresee(self, tx: Tx, rows: Sequence[JudgedRow], now: int) -> list[RowVerdict]:
        """Looks what a step of an import would write."""
        rows = self._without_overtaken(rows)
        _, items = await self._rule(now).foresee(tx, [_item(row) for row in rows])
        return [self._verdict(row, item.outcome, item.faults) for row, item in zip(rows, items, strict=True)]

    def _rule(self, now: int) -> ProductImport:
        return ProductImport(self._account_id, self._merchant, now, keeps_omitted=True)

    def _without_overtaken(self, rows: Sequence[JudgedRow]) -> list[JudgedRow]:
        last = self._index.rows_of([row.entry.external_product_id for row in rows if not row.faults])
        return [row if row.faults else _held_against(row, last[row.entry.external_product_id]) for row in rows]

    def _verdict(self, row: JudgedRow, outcome: str, faults: tuple[str, ...]) -> RowVerdict:
        return RowVerdict(evolve(row, faults=faults) if faults else row, _WORDS[outcome])


def _held_against(row: JudgedRow, winner: int) -> JudgedRow:
    if winner == row.number:
        return row
    return evolve(row, faults=(f"`externalProductId` is given again in row {winner}, which takes its place",))


def _item(row: JudgedRow) -> Any:
    return RejectedProduct(row.id, row.faults) if row.faults else row.entry
