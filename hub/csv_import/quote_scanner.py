r"""A scanner for the ends of lines and quotes in a file with lines of any length, in the memory of one block.

Within quotes a quote is written twice, so whether a place is within quotes follows from the number of quotes before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO


def count_ends(block: bytes) -> int:
    r"""Return how many lines end in a block: with \n, \r\n or \r."""
    return block.count(b"\n") + block.count(b"\r") - block.count(b"\r\n")


def end_of_line(file: BinaryIO, offset: int, size: int) -> tuple[int, bool]:
    """Return the byte after the line that begins at byte `offset`, outside quotes, and whether it leaves one open."""
    opened = False
    for block in _blocks(file, offset, size):
        first = block.splitlines(keepends=True)[0]
        offset += len(first)
        opened ^= first.count(b'"') % 2 == 1
        if first.endswith((b"\n", b"\r")):
            break
    return offset, opened


def end_of_quote(file: BinaryIO, offset: int, size: int) -> tuple[int, int] | None:
    """Return the byte after the line that closes the quotes open at byte `offset`, and how many lines on that is.

    Return None if no line closes them.
    """
    count, closed = 0, False
    for block in _blocks(file, offset, size):
        if not closed and b'"' not in block:
            offset += len(block)
            count += count_ends(block)
            continue
        for line in block.splitlines(keepends=True):
            offset += len(line)
            closed ^= line.count(b'"') % 2 == 1
            if line.endswith((b"\n", b"\r")):
                count += 1
                if closed:
                    return offset, count
    return (offset, count + 1) if closed else None


def _blocks(file: BinaryIO, offset: int, size: int) -> Iterator[bytes]:
    r"""Yield the file from byte `offset` on, in blocks of about `size` bytes that never end within \r\n."""
    file.seek(offset)
    held = b""
    while block := file.read(size):
        block = held + block
        held = b"\r" if block.endswith(b"\r") else b""
        if whole := block.removesuffix(b"\r"):
            yield whole
    if held:
        yield held
