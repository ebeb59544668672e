"""A file from the command line, and the person who looks on while it is judged or applied."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from attrs import field, frozen

from hub.csv_import.job import COMMAND, Upload, new_upload
from hub.operations.faults import OperatorFault

POLL_SECONDS: Final = 0.5
"""How often it is looked whether what is waited for has come."""


class Stop:
    """The wish of a person to stop, told to whatever is at work then."""

    def __init__(self) -> None:
        self.wished = False
        self._acts: list[Callable[[], None]] = []

    def wish(self) -> None:
        """Lets the work end at the next clean place."""
        self.wished = True
        for act in self._acts:
            act()

    def then(self, act: Callable[[], None]) -> None:
        """Has `act` called once a stop is wished, at once where it is already."""
        self._acts.append(act)
        if self.wished:
            act()


@frozen(eq=False)
class Watch:
    """Who looks on: is told of the progress and of what has to be waited for, and may wish to stop."""

    progress: Callable[[Upload], None] = field(default=lambda _: None)
    say: Callable[[str], None] = field(default=lambda _: None)
    stop: Stop = field(factory=Stop)


@frozen
class FileJob:
    """A file that was surveyed, whose account it is for, and where its verdicts go."""

    account_id: str
    kind: str
    source: Path
    verdicts: Path
    size: int
    sha256: str

    def upload(self, now: int, *, dry_run: bool = False) -> Upload:
        """The upload of a command that begins."""
        return new_upload(
            self.account_id, self.kind, dry_run=dry_run, source=COMMAND, size=self.size, sha256=self.sha256, now=now
        )

    def draft(self, upload: Upload) -> Path:
        """Where verdicts are written while they are not complete; no other run writes there."""
        return self.verdicts.with_name(f"{self.verdicts.name}.{upload.upload_id}.part")


@frozen
class Taken:
    """How an upload stands when its command ends, and whether a server goes on with it."""

    upload: Upload
    by_server: bool = False


def stuck(fault: OSError) -> OperatorFault:
    """The refusal to go on where a file or the disk fails."""
    where = "" if fault.filename is None else f" {fault.filename}"
    return OperatorFault(
        f"The file{where} cannot be read or written: {fault.strerror}. Mend that and run the command again; "
        "what was applied stays, and it goes on from there."
    )
