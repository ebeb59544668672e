"""Whether files changed: their times and sizes, compared with those of before."""

from __future__ import annotations

import os
from collections.abc import Sequence

from attrs import define, field

Stamps = dict[str, tuple[int, int]]
"""When each file that exists was changed (ns) and how long it is (bytes)."""


def stamps_of(paths: Sequence[str]) -> Stamps:
    """Return the stamps of the files and folders that exist."""
    stamps: Stamps = {}
    for path in paths:
        try:
            found = os.stat(path)  # noqa: PTH116 - several times faster than a Path, and it is done every few seconds
        except OSError:
            continue
        stamps[path] = (found.st_mtime_ns, found.st_size)
    return stamps


@define
class FileWatch:
    """Says that files changed once they have held still: an installation is not read while it is written."""

    paths: tuple[str, ...] = field(init=False, default=())
    _known: Stamps = field(init=False, factory=dict)
    _last: Stamps = field(init=False, factory=dict)

    def begin(self, paths: tuple[str, ...], stamps: Stamps) -> None:
        """Watch these files, which are as the stamps say."""
        self.paths, self._known, self._last = paths, stamps, stamps

    def changed(self, stamps: Stamps) -> bool:
        """Return whether the files differ from those of the beginning, and are as they were at the last question."""
        still = stamps == self._last
        self._last = stamps
        return still and stamps != self._known
