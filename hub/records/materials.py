"""What a merchant gives its partners to publish."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.domain.words import MaterialKind
from hub.records.orders import NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant


@frozen(kw_only=True)
class MaterialDocument:
    """A material: a TEXT has `text`, a PICTURE `picture`, a PAGE `destination`, which a picture may have, too."""

    id: Annotated[str, Note("The hub's id.", "mat_01936f3e8c7a7b3e9d5a4c2b1f0e8d99")]
    kind: Annotated[MaterialKind, Note("What it is.", "TEXT")]
    title: Annotated[str, Note("What the merchant calls it.", "For your newsletter")]
    campaign_id: Annotated[str | None, Note("The campaign that it is for; null for all.")]
    campaign_title: Annotated[str | None, Note("The campaign's title; null for all.")]
    text: Annotated[str | None, Note("The words of a text.")]
    destination: Annotated[str | None, Note("Where it leads; null for where the affiliate's link does.")]
    picture: Annotated[str | None, Note("The picture's id.")]
    width: Annotated[int | None, Note("How wide the picture is, in pixels.")]
    height: Annotated[int | None, Note("How high the picture is, in pixels.")]
    created_at: Annotated[int, Instant("When it was added.", NOON)]


def material_document(row: Row) -> MaterialDocument:
    """Return the material of a row of `materials` or `material`."""
    return read_row(MaterialDocument, row, id=row["material_id"], text=row["body"], picture=row["picture_id"])
