"""A click on a tracking link, as the operator, its merchant and its affiliate see it."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.domain.words import Mode
from hub.records.explanations import AFFILIATE, CAMPAIGN, CLICK
from hub.records.links import CODE, sub_ids_of
from hub.records.orders import MERCHANT, NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant


@frozen(kw_only=True, slots=False)
class ClickRecord:
    """A click on a tracking link; nothing of who clicked."""

    id: Annotated[str, Note("The click's id, which the shop sends with the order.", CLICK)]
    clicked_at: Annotated[int, Instant("When it happened.", NOON)]
    link_code: Annotated[str, Note("The link.", CODE)]
    affiliate_id: Annotated[str, Note("Whose link it is.", AFFILIATE)]
    campaign_id: Annotated[str | None, Note("The campaign that its orders count to; null without one.", CAMPAIGN)]
    sub_ids: Annotated[dict[str, str], Note("The affiliate's notes, sub1 to sub5.", {"sub1": "blog"})]
    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    mode: Annotated[Mode, Note("The mode of the account.", "test")]


def click_record(row: Row) -> ClickRecord:
    """Return the click of a row of `clicks`."""
    return read_row(ClickRecord, row, id=row["click_id"], link_code=row["code"], sub_ids=sub_ids_of(row))
