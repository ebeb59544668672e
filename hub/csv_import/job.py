"""An upload as it is stored, and as the API and `--json` show it."""

from __future__ import annotations

import re
from typing import Final, TypedDict

import orjson
from attrs import frozen

from hub.domain.instants import format_instant, instant_or_none
from hub.domain.words import UPLOAD_SOURCES, UPLOAD_STATUSES
from hub.ids import new_id
from hub.storage import Row

QUEUED, RUNNING, DONE, REFUSED = UPLOAD_STATUSES
SPOOL, COMMAND = UPLOAD_SOURCES
LONGEST_NAME: Final = 200


class UploadDocument(TypedDict):
    """An upload in JSON; `bytesRead` of `bytes` are done, the counts are rows, times are RFC 3339 in UTC."""

    uploadId: str
    kind: str
    dryRun: bool
    status: str
    bytes: int
    bytesRead: int
    rows: int
    created: int
    updated: int
    duplicate: int
    failed: int
    ignoredColumns: list[str]
    faults: list[str]
    createdAt: str
    startedAt: str | None
    finishedAt: str | None


class NamedUpload(UploadDocument):
    """An upload as pages show it, with what whoever sent the file calls it; "" if that is not known."""

    fileName: str


@frozen
class Upload:
    """A CSV file and its progress; every row before byte `position` (line `line`) has its verdict.

    `source` says who applies it: a server from its spool, or the command that stored it. `size` and `verdict_bytes` are
    bytes, times are milliseconds UTC.
    """

    account_id: str
    upload_id: str
    kind: str
    dry_run: bool
    source: str
    status: str
    sha256: str
    size: int
    created_at: int
    position: int = 0
    line: int = 0
    rows: int = 0
    created: int = 0
    updated: int = 0
    duplicate: int = 0
    failed: int = 0
    verdict_bytes: int = 0
    ignored_columns: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    started_at: int | None = None
    finished_at: int | None = None
    file_name: str = ""

    @classmethod
    def from_row(cls, row: Row) -> Upload:
        """Return the upload of a row of the uploads table."""
        names = ("account_id", "upload_id", "kind", "source", "status", "sha256", "created_at", "created", "updated",
                 "duplicate", "failed", "verdict_bytes", "started_at", "finished_at",
                 "file_name")  # fmt: skip
        return cls(
            **{name: row[name] for name in names},
            dry_run=bool(row["dry_run"]),
            size=row["file_bytes"],
            position=row["read_bytes"],
            line=row["read_lines"],
            rows=row["row_count"],
            ignored_columns=tuple(orjson.loads(row["ignored_columns"])),
            faults=tuple(orjson.loads(row["faults"])),
        )

    @property
    def ended(self) -> bool:
        """Whether it is DONE or REFUSED, so that nothing more will happen to it."""
        return self.status in (DONE, REFUSED)

    @property
    def has_verdicts(self) -> bool:
        """Whether it has ended with verdicts: DONE, or REFUSED after some of its rows were decided."""
        return self.status == DONE or (self.ended and self.rows > 0)

    def document(self) -> UploadDocument:
        """Return what the API and `--json` show of it."""
        return {
            "uploadId": self.upload_id,
            "kind": self.kind,
            "dryRun": self.dry_run,
            "status": self.status,
            "bytes": self.size,
            "bytesRead": self.position,
            "rows": self.rows,
            "created": self.created,
            "updated": self.updated,
            "duplicate": self.duplicate,
            "failed": self.failed,
            "ignoredColumns": list(self.ignored_columns),
            "faults": list(self.faults),
            "createdAt": format_instant(self.created_at),
            "startedAt": instant_or_none(self.started_at),
            "finishedAt": instant_or_none(self.finished_at),
        }

    def named(self) -> NamedUpload:
        """Return what pages show of it."""
        return {**self.document(), "fileName": self.file_name}


def new_upload(
    account_id: str,
    kind: str,
    *,
    dry_run: bool,
    source: str,
    size: int,
    sha256: str,
    now: int,
    upload_id: str = "",
    file_name: str = "",
) -> Upload:
    """Return an upload that has not begun; `size` in bytes, `now` in milliseconds UTC."""
    identity, name = upload_id or new_id("upl"), _shown_name(file_name)
    return Upload(account_id, identity, kind, dry_run, source, QUEUED, sha256, size, now, file_name=name)


def _shown_name(name: str) -> str:
    """Return a file's name as it is kept: without folders, and what cannot be printed."""
    last = re.split(r"[/\\]", name)[-1]
    return "".join([each for each in last if each.isprintable()])[:LONGEST_NAME]
