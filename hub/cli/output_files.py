"""The files that commands write: whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from hub.cli.invocation import Fault


def write_new(path: Path, text: str) -> None:
    """Write a new file; raise `Fault` if it exists, so that nobody's work is overwritten, or cannot be written."""
    try:
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:
        raise existing(path) from None
    except OSError as fault:
        raise unwritable(path, fault) from None


@contextmanager
def target(path: Path | None) -> Iterator[BinaryIO]:
    """Open the target of an export: standard output, or a file that gets its name once complete. Raise `Fault`."""
    if path is None:
        yield sys.stdout.buffer
        return
    try:
        if path.exists() and not path.is_file():  # /dev/null, a pipe
            with path.open("wb") as file:
                yield file
            return
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as file:
                yield file
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as fault:
        raise unwritable(path, fault) from None


def existing(path: Path) -> Fault:
    """Return the refusal of a path where a file is already."""
    return Fault(f"{path} exists already; name another file, or remove it first.")


def unwritable(path: Path, fault: OSError) -> Fault:
    """Return the refusal of a path that cannot be written."""
    return Fault(f"{path} cannot be written: {fault.strerror}.")
