"""An upload as it is stored, and as the API and `--json` show it."""

from __future__ import annotations

import re
from typing import Final, TypeVar

import orjson
from attrs import frozen

from hub.domain.words import UPLOAD_SOURCES, UPLOAD_STATUSES
from hub.ids import new_id
from hub.records.rows import shared_values
from hub.records.uploads import NamedUpload, UploadDocument
from hub.storage import Row

QUEUED, RUNNING, DONE, REFUSED = UPLOAD_STATUSES
SPOOL, COMMAND = UPLOAD_SOURCES
LONGEST_NAME: Final = 200
Shown = TypeVar("Shown", bound=UploadDocument)


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
        return self._as(UploadDocument)

    def named(self) -> NamedUpload:
        """Return what pages show of it."""
        return self._as(NamedUpload)

    def _as(self, cls: type[Shown]) -> Shown:
        return cls(**shared_values(cls, self), bytes=self.size, bytes_read=self.position)


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
