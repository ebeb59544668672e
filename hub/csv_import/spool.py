"""The spool: the directory in which uploaded files are received, hashed, kept under the upload's own id, and removed.

Reads and writes block, so servers make them in threads. A draft has a lock because a cancelled request closes its draft
while a thread may still be writing to it; the spool has one because drafts are opened and closed in several threads.
"""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Final, Self

from hub.ids import id_at, new_id

AT_ONCE: Final = 4
"""Files that one account may send at the same time."""
UNPROVED_AT_ONCE: Final = 2
"""The same for senders that have not proved the account's key lately: they may know no more than the key's id."""
UNPROVED_IN_ALL: Final = 16
"""The same for all accounts together."""
UNPROVED_BYTES: Final = 256 * 1024 * 1024
"""The bytes that such senders may have on the disk for one account; a larger file takes a signed request before it."""
UNPROVED_BYTES_IN_ALL: Final = 1024 * 1024 * 1024
"""The same for all accounts together."""
RESERVE_BYTES: Final = 64 * 1024 * 1024
"""Free bytes that uploads leave on their disk, which may be the database's too."""
SYNC_BYTES: Final = 16 * 1024 * 1024
"""At most this much is written without a sync: the database's next commit would have to wait for more."""
ABANDONED_MS: Final = 86_400_000
_PART = ".part"


class Crowded(Exception):
    """As many files or bytes are being sent as may be: of the account, or of senders who have not proved their key."""


class Draft:
    """A file that is being received. `close` removes it unless it was kept; without a directory it is only hashed."""

    def __init__(
        self,
        directory: Path | None,
        on_write: Callable[[int], None] = lambda _: None,
        on_close: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Create the file; `on_write` is called before bytes are kept, `on_close` with how many there were."""
        self.upload_id = new_id("upl")
        self.size = 0
        self._synced = 0
        self._digest = sha256()
        self._directory = directory
        self._on_write = on_write
        self._on_close = on_close
        self._path = None if directory is None else directory / f"{self.upload_id}{_PART}"
        self._descriptor = -1 if self._path is None else _create(self._path)
        # Without it a thread could write to a closed descriptor, whose number may belong to another file by then.
        self._lock = Lock()

    @property
    def sha256(self) -> str:
        """The digest of the bytes received so far, as 64 hex digits."""
        return self._digest.hexdigest()

    def write(self, block: bytes) -> None:
        """Append the next bytes; raise `OSError` if the disk has no room for them, `Crowded` if the sender has none."""
        self._on_write(len(block))
        self.size += len(block)
        self._digest.update(block)
        with self._lock:
            if self._path is not None:
                _leave_reserve(self._descriptor, len(block))
                _write_all(self._descriptor, block)
                if self.size - self._synced >= SYNC_BYTES:
                    os.fdatasync(self._descriptor)
                    self._synced = self.size

    def settle(self) -> None:
        """Make the file durable under the name of its upload; raise `OSError` if the disk fails."""
        with self._lock:
            if self._directory is None or self._path is None:
                raise TypeError("a draft without a directory cannot be kept")
            os.fsync(self._descriptor)
            self._path = self._path.rename(source_in(self._directory, self.upload_id))
            _sync_directory(self._directory)

    def keep(self) -> None:
        """Keep the file when the draft is closed."""
        self._path = None

    def close(self) -> None:
        """Remove the file unless it is kept; closing twice is fine."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1
                self._on_close(self.size)
            if self._path is not None:
                self._path.unlink(missing_ok=True)
                self._path = None

    def __enter__(self) -> Self:
        """Return the draft."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


class Spool:
    """A directory of uploaded files, created for the first one."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._receiving: Counter[tuple[str, bool]] = Counter()
        self._unproved_bytes: Counter[str] = Counter()
        self._lock = Lock()

    def draft(self, account_id: str, *, proved: bool = True) -> Draft:
        """Return a draft for a file of an account; raise `Crowded`, or `OSError` if it cannot be created.

        Senders that are not `proved` have an allowance of their own, so that they keep nobody else out.
        """
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        sender = account_id, proved
        self._enter(sender)
        try:
            return Draft(self._directory, partial(self._take, sender), partial(self._leave, sender))
        except BaseException:
            self._leave(sender, 0)
            raise

    def source(self, upload_id: str) -> Path:
        """Return the path of an upload's file, which exists until every row is applied."""
        return source_in(self._directory, upload_id)

    def verdicts(self, upload_id: str) -> Path:
        """Return the path of an upload's verdict file."""
        return self._directory / f"{upload_id}.verdicts.csv"

    def remove(self, upload_id: str) -> None:
        """Remove the file of an upload that has ended; its verdict file stays."""
        self.source(upload_id).unlink(missing_ok=True)

    def sweep(self, now: int, keep_ms: int, waiting: Collection[str]) -> None:
        """Remove files of uploads from more than `keep_ms` before `now` (ms UTC), and abandoned drafts after a day.

        Those of uploads that are `waiting` stay: they were accepted, and a hub may stand still for longer than that.
        """
        oldest, abandoned = id_at("upl", now - keep_ms), id_at("upl", now - ABANDONED_MS)
        for path in self._directory.glob("upl_*"):
            is_old = path.name < (abandoned if path.suffix == _PART else oldest)
            if is_old and path.name.partition(".")[0] not in waiting:
                path.unlink(missing_ok=True)

    def _enter(self, sender: tuple[str, bool]) -> None:
        account_id, proved = sender
        with self._lock:
            unproved = sum(count for (_, known), count in self._receiving.items() if not known)
            crowded = self._receiving[sender] >= (AT_ONCE if proved else UNPROVED_AT_ONCE)
            if crowded or (not proved and unproved >= UNPROVED_IN_ALL):
                raise Crowded(account_id)
            self._receiving[sender] += 1

    def _take(self, sender: tuple[str, bool], size: int) -> None:
        """Count bytes that a sender is about to have on the disk; raise `Crowded` if it may not."""
        account_id, proved = sender
        if proved:
            return
        with self._lock:
            held = self._unproved_bytes
            if held[account_id] + size > UNPROVED_BYTES or held.total() + size > UNPROVED_BYTES_IN_ALL:
                raise Crowded(account_id)
            held[account_id] += size

    def _leave(self, sender: tuple[str, bool], size: int) -> None:
        account_id, proved = sender
        with self._lock:
            self._receiving[sender] -= 1
            if not self._receiving[sender]:
                del self._receiving[sender]
            if not proved:
                self._unproved_bytes[account_id] -= size
                self._unproved_bytes += Counter()  # accounts without any are dropped


def source_in(directory: Path, upload_id: str) -> Path:
    """Return the path of an upload's file, which no sender can influence."""
    return directory / f"{upload_id}.csv"


def _create(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def _write_all(descriptor: int, block: bytes) -> None:
    rest = memoryview(block)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _leave_reserve(descriptor: int, size: int) -> None:
    disk = os.fstatvfs(descriptor)
    if disk.f_bavail * disk.f_frsize - size < RESERVE_BYTES:
        raise OSError(errno.ENOSPC, "uploads leave the rest of this disk to the database")


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
