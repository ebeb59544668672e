"""An upload as it is stored and told."""

from __future__ import annotations

from typing import Any

import orjson
from attrs import frozen

from hub.domain.instants import format_instant
from hub.ids import new_id
from hub.storage import Row

QUEUED, RUNNING, DONE, REFUSED = "QUEUED", "RUNNING", "DONE", "REFUSED"
SPOOL, COMMAND = "spool", "command"


@frozen
class Upload:
    """A CSV file on its way; what lies before byte `position` (line `line`) is decided.

    `source` says who applies it: a server from its spool, or the command that entered it. Times are milliseconds UTC.
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

    @classmethod
    def from_row(cls, row: Row) -> Upload:
        """Reads a row of the uploads table."""
        names = ("account_id", "upload_id", "kind", "source", "status", "sha256", "created_at", "created", "updated",
                 "duplicate", "failed", "verdict_bytes", "started_at", "finished_at")  # fmt: skip
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
        """Whether nothing more will happen to it."""
        return self.status in (DONE, REFUSED)

    def document(self) -> dict[str, Any]:
        """What the API and the command tell of it; times are RFC 3339 or None."""
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
            "startedAt": None if self.started_at is None else format_instant(self.started_at),
            "finishedAt": None if self.finished_at is None else format_instant(self.finished_at),
        }


def new_upload(
    account_id: str, kind: str, *, dry_run: bool, source: str, size: int, sha256: str, now: int, upload_id: str = ""
) -> Upload:
    """An upload that has not begun; `size` in bytes, `now` in milliseconds UTC."""
    return Upload(account_id, upload_id or new_id("upl"), kind, dry_run, source, QUEUED, sha256, size, now)
