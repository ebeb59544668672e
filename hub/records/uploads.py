"""A CSV file that was sent, and how far it is."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.domain.words import UploadKind, UploadStatus
from hub.records.orders import NOON
from hub.records.record import Note
from hub.validation.constraints import Instant


@frozen(kw_only=True, slots=False)
class UploadDocument:
    """A CSV file on its way: it is applied in the background, and its counts grow as its rows are decided."""

    upload_id: Annotated[str, Note("Ask GET /v1/uploads/{id} for it.", "upl_01936f3e8c7a7b3e9d5a4c2b1f0e8d82")]
    kind: Annotated[UploadKind, Note("What its rows are.", "orders")]
    dry_run: Annotated[bool, Note("Whether its rows are only judged.", example=False)]
    status: Annotated[
        UploadStatus, Note("QUEUED, RUNNING, DONE, or REFUSED: the file as a whole cannot be read.", "QUEUED")
    ]
    bytes: Annotated[int, Note("The file's size.", 104)]
    bytes_read: Annotated[int, Note("How much of it is decided.", 0)]
    rows: Annotated[int, Note("Rows that are decided.", 0)]
    created: Annotated[int, Note("Rows that brought something new.", 0)]
    updated: Annotated[int, Note("Rows that changed a known product.", 0)]
    duplicate: Annotated[int, Note("Rows that said what was known.", 0)]
    failed: Annotated[int, Note("Rows that were left out; the verdicts say why.", 0)]
    ignored_columns: Annotated[tuple[str, ...], Note("Columns that mean nothing here.", ())]
    faults: Annotated[tuple[str, ...], Note("Why the file was refused.", ())]
    created_at: Annotated[int, Instant("When it came in.", NOON)]
    started_at: Annotated[int | None, Instant("When its turn came; null until then.", "")]
    finished_at: Annotated[int | None, Instant("When its last row was decided; null until then.", "")]


@frozen(kw_only=True, slots=False)
class NamedUpload(UploadDocument):
    """An upload as pages show it, with what whoever sent the file calls it."""

    file_name: Annotated[str, Note('The file\'s name; "" if that is not known.', "orders.csv")]
