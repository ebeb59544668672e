"""A rate that was tried, before it counts."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.domain.words import Mode, RateDraftStatus
from hub.records.orders import MERCHANT, NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant


@frozen(kw_only=True)
class DraftDocument:
    """A rate that was tried; what it is for is its `level` and, on that, its `subject`."""

    id: Annotated[str, Note("The hub's id.", "rat_01936f3e8c7a7b3e9d5a4c2b1f0e8d99")]
    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    merchant_name: Annotated[str, Note("The merchant's name.", "Fjord & Fern")]
    mode: Annotated[Mode, Note("The mode of the account.", "live")]
    level: Annotated[str, Note("MERCHANT, CAMPAIGN, NEW_CUSTOMER (of a campaign) or PRODUCT.", "CAMPAIGN")]
    subject: Annotated[str, Note("The campaign or product; empty for the merchant's own rate.")]
    commission: Annotated[str, Note("The rate.", "PERCENTAGE:12")]
    status: Annotated[RateDraftStatus, Note("What became of it.", "DRAFT")]
    created_by: Annotated[str, Note("Who tried it.")]
    created_at: Annotated[int, Instant("When it was tried.", NOON)]
    decided_by: Annotated[str | None, Note("Who published or dropped it; null until then.")]
    decided_at: Annotated[int | None, Instant("When that was; null until then.", "")]


def draft_document(row: Row) -> DraftDocument:
    """Return the rate of a row of the list `rate_drafts`."""
    return read_row(DraftDocument, row, id=row["draft_id"], commission=f"{row['type']}:{row['value']}")
