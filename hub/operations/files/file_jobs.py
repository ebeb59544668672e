"""A CSV file that a command checks or applies, and the observer of its progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from attrs import field, frozen

from hub.csv_import.job import COMMAND, Upload, new_upload
from hub.operations.errors import OperatorFault

POLL_SECONDS: Final = 0.5
"""How often a command looks whether what it waits for has happened."""


class StopRequest:
    """A person's request to stop, passed on to whatever is running then."""

    def __init__(self) -> None:
        self.requested = False
        self._callbacks: list[Callable[[], None]] = []

    def request(self) -> None:
        """Let the work end at the next clean place."""
        self.requested = True
        for callback in self._callbacks:
            callback()

    def on_request(self, callback: Callable[[], None]) -> None:
        """Call `callback` once a stop is requested, at once if it is already."""
        self._callbacks.append(callback)
        if self.requested:
            callback()


@frozen(eq=False)
class Observer:
    """Receives the progress of an upload and sentences about what has to be waited for, and may request a stop."""

    progress: Callable[[Upload], None] = field(default=lambda _: None)
    say: Callable[[str], None] = field(default=lambda _: None)
    stop: StopRequest = field(factory=StopRequest)


@frozen
class FileJob:
    """A file that was surveyed, the account that it is for, and the path of its verdict file; `size` in bytes."""

    account_id: str
    kind: str
    source: Path
    verdicts: Path
    size: int
    sha256: str

    def upload(self, now: int, *, dry_run: bool = False) -> Upload:
        """Return the upload of a command that begins at `now` (ms UTC)."""
        return new_upload(
            self.account_id, self.kind, dry_run=dry_run, source=COMMAND, size=self.size, sha256=self.sha256, now=now,
            file_name=self.source.name,
        )  # fmt: skip

    def draft(self, upload: Upload) -> Path:
        """Return the path of the verdict file while it is not complete; no other run writes there."""
        return self.verdicts.with_name(f"{self.verdicts.name}.{upload.upload_id}.part")


@frozen
class FileResult:
    """The state of an upload when its command ends, and whether a server goes on with it."""

    upload: Upload
    by_server: bool = False


def file_fault(error: OSError) -> OperatorFault:
    """Return the refusal to go on after a file or the disk failed."""
    where = "" if error.filename is None else f" {error.filename}"
    return OperatorFault(
        f"The file{where} cannot be read or written: {error.strerror}. Fix that and run the command again;"
        "what was applied stays, and it goes on from there."
    )
