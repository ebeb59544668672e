"""The files that commands write: each is written beside its name, and gets it once it is whole and on the disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from hub.cli.invocation import Fault


@contextmanager
def target(path: Path | None, *, is_new: bool = False) -> Iterator[BinaryIO]:
    """Open the target of an export: standard output, or a file that gets its name once complete.

    Raise `Fault` if it cannot be written, and if there `is_new` to be none of this name and is one.
    """
    if path is None:
        yield sys.stdout.buffer
        return
    if is_new:
        refuse_existing(path)
    try:
        if path.exists() and not path.is_file():  # /dev/null, a pipe
            with path.open("wb") as file:
                yield file
            return
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if is_new:
                refuse_existing(path)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as fault:
        raise Fault(f"{path} cannot be written: {fault.strerror}.") from None


def write_whole(path: Path, content: bytes, *, is_new: bool = False) -> None:
    """Write a file whose content is there, as `target` does."""
    with target(path, is_new=is_new) as file:
        file.write(content)


def refuse_existing(path: Path) -> None:
    """Raise `Fault` if a file is there already, so that nobody's work is overwritten."""
    if path.is_file():
        raise Fault(f"{path} exists already; name another file, or remove it first.")
