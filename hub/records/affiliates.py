"""An affiliate, as the operator, itself and the merchants that it promotes see it, and a hold of its payments."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.domain.words import AffiliateStatus
from hub.records.explanations import AFFILIATE
from hub.records.orders import NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant
from hub.validation.inputs import AffiliateTexts, leading


@frozen(kw_only=True, slots=False, field_transformer=leading("id", "name", "status"))
class AffiliateRecord(AffiliateTexts):
    """An affiliate that has a link of this account or is a member of one of its campaigns."""

    id: Annotated[str, Note("The hub's id.", AFFILIATE)]
    name: Annotated[str, Note("The affiliate's name.", "Anna's blog")]
    status: Annotated[AffiliateStatus, Note("INACTIVE ones earn nothing.", "ACTIVE")]


@frozen(kw_only=True, slots=False, field_transformer=leading("id", "name", "email", "status"))
class ListedAffiliate(AffiliateRecord):
    """An affiliate in a list."""

    email: Annotated[str, Note("Where mails to it go.", "anna@blog.example")]
    created_at: Annotated[int, Instant("When it was created.", NOON)]


@frozen(kw_only=True, slots=False, field_transformer=leading("id", "name", "email", "status", "coupons"))
class AffiliateDocument(ListedAffiliate):
    """An affiliate; `status` is ACTIVE or INACTIVE."""

    coupons: Annotated[tuple[str, ...], Note("The coupons that are its own.", ("ANNA10",))]


@frozen(kw_only=True)
class HoldDocument:
    """A hold of an affiliate's payments."""

    affiliate_id: Annotated[str, Note("Whose payments are held.", AFFILIATE)]
    reason: Annotated[str, Note("Why.", "A payment is disputed.")]
    set_by: Annotated[str, Note("Who put it, as the trail names people.", "usr_01936f3e8c7a7b3e9d5a4c2b1f0e8d97")]
    set_at: Annotated[int, Instant("When it was put.", NOON)]
    until: Annotated[int | None, Instant("When it ends by itself; null if somebody has to end it.", "")]


def hold_document(row: Row) -> HoldDocument:
    """Return the hold of a row of `payment_hold`."""
    return read_row(HoldDocument, row, until=row["ends_at"])
