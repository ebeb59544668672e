"""The header of a file: whether the file can be read at all, its delimiter, and which column is which."""

from __future__ import annotations

import codecs
import csv
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import BinaryIO, Final

from attrs import frozen

from hub.csv_import.kinds import KINDS, Kind
from hub.validation.json_body import shown_name

HEADER_LIMIT: Final = 1_048_576
MOST_COLUMNS: Final = 500
MOST_IGNORED: Final = 50
DELIMITERS: Final = (",", ";", "\t")

# Small enough that decoding a block holds the interpreter lock for a fraction of a millisecond only.
_BLOCK: Final = 262_144
# More than the longest header with a byte order mark and the beginning of a character.
_HEAD: Final = HEADER_LIMIT + 8
_SAMPLE: Final = 4_096
_LONGEST_GUESS: Final = 64
_AS_UTF8 = 'save it as "CSV UTF-8"'
_ENDLESS: Final = "The header does not end within the first 1 MiB of the file"
_BLANK: Final = "The file has blank lines only: it must begin with a header that names the columns"
_UNREADABLE: Final = (
    "The header cannot be read with commas, semicolons or tabs between its columns: "
    'a quote (") is not closed, or something else divides them'
)
_BINARY: Final = (
    (b"\xff\xfe\0\0", f"UTF-32: {_AS_UTF8}"),
    (b"\0\0\xfe\xff", f"UTF-32: {_AS_UTF8}"),
    (b"\xff\xfe", f"UTF-16: {_AS_UTF8}"),
    (b"\xfe\xff", f"UTF-16: {_AS_UTF8}"),
    (b"PK\x03\x04", f"a spreadsheet (xlsx, ods) or another zip archive, no CSV: {_AS_UTF8}"),
    (b"\xd0\xcf\x11\xe0", f"a spreadsheet (xls), no CSV: {_AS_UTF8}"),
    (b"\x1f\x8b", "compressed by gzip: unpack it"),
)
_SEPARATOR: Final = re.compile(r'sep=[^"]', re.IGNORECASE).fullmatch
"""Matches the line in which spreadsheets are told what divides the columns; what does is seen by the header itself."""
_dividers = re.compile(r"[\s_-]+")

# The default of 128 KiB would refuse allowed rows, as an ignored column may hold a picture.
csv.field_size_limit(max(csv.field_size_limit(), HEADER_LIMIT))


class Refused(Exception):
    """The file cannot be read as it is, and none of it was applied; `faults` says what is wrong and how to mend it."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


@frozen
class Layout:
    """How to read the rows: `columns` has the API's name for each cell, None for one that is ignored.

    The first row begins at byte `start`, which is on line `line` (the file's first line is 1). `ignored` has the names
    of the unknown columns as the file has them, without control characters.
    """

    delimiter: str
    columns: tuple[str | None, ...]
    ignored: tuple[str, ...]
    start: int
    line: int


@frozen
class Survey:
    """The result of one pass over the whole file; `size` in bytes, `sha256` as 64 hex digits."""

    layout: Layout
    size: int
    sha256: str


@frozen
class _Reading:
    """The header as one delimiter reads it; it ends at character `end`, before line `line`."""

    delimiter: str
    names: list[str]
    end: int
    line: int


def survey(path: Path, kind: Kind) -> Survey:
    """Check a file's encoding and header and return its digest, in bounded memory; raise `Refused` or `OSError`.

    It reads the whole file and blocks, so servers call it in a thread.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
        _refuse_binary(head)
        try:
            text, used = codecs.utf_8_decode(head, "strict", False)
            layout = read_header(text, kind)
            digest, size = _check_rest(file, head, used)
        except UnicodeDecodeError as error:
            raise Refused([_encoding_fault(file, error.start)]) from None
    return Survey(layout, size, digest)


def read_header(text: str, kind: Kind) -> Layout:
    """Return the layout of a file that begins with this text: all of it, or more than `HEADER_LIMIT` bytes.

    Raise `Refused` if there is no header of this kind of file.
    """
    start = len("\ufeff".encode()) if text.startswith("\ufeff") else 0
    text = text.removeprefix("\ufeff")
    reading = _best_reading(text, kind)
    size = len(text[: reading.end].encode())
    if size > HEADER_LIMIT:
        raise Refused([_ENDLESS])
    if len(reading.names) > MOST_COLUMNS:
        raise Refused([f"The header has {len(reading.names):,} columns: it must have at most {MOST_COLUMNS}"])
    columns = _columns(reading.names, kind)
    if not any(columns):
        raise Refused([_no_column_fault(reading.names, kind), *_kind_hint(reading.names, kind)])
    faults = [*_duplicate_faults(reading.names, columns), *_missing_faults(reading.names, columns, kind)]
    if faults:
        raise Refused(faults)
    pairs = enumerate(zip(reading.names, columns, strict=True), 1)
    ignored = [shown_name(name.strip()) or f"column {at}" for at, (name, column) in pairs if column is None]
    return Layout(reading.delimiter, columns, tuple(ignored[:MOST_IGNORED]), start + size, reading.line)


def _refuse_binary(head: bytes) -> None:
    if not head:
        raise Refused(["The file is empty: it must begin with a header that names the columns"])
    for signature, seen in _BINARY:
        if head.startswith(signature):
            raise Refused([f"The file is {seen}"])
    sample = head[:_SAMPLE]
    if sample.count(0) * 4 >= len(sample):
        seen = f"{sample.count(0):,} of the first {len(sample):,} bytes are zero"
        raise Refused([f"The file looks like UTF-16 or is no text, as {seen}: {_AS_UTF8}"])


def _check_rest(file: BinaryIO, head: bytes, used: int) -> tuple[str, int]:
    """Return the digest and size of the whole file; `head` was read, and `used` bytes of it are known to be UTF-8.

    Raise UnicodeDecodeError whose `start` counts from the beginning of the file.
    """
    digest = hashlib.sha256(head)
    size, pending = len(head), head[used:]
    while block := file.read(_BLOCK):
        digest.update(block)
        size += len(block)
        if pending or not block.isascii():
            pending = _incomplete(pending + block, size)
    _incomplete(pending, size, final=True)
    return digest.hexdigest(), size


def _incomplete(data: bytes, end: int, *, final: bool = False) -> bytes:
    """Return the bytes of an incomplete character at the end of the data, which is byte `end` of the file."""
    try:
        return data[codecs.utf_8_decode(data, "strict", final)[1] :]
    except UnicodeDecodeError as error:
        error.start += end - len(data)
        raise


def _encoding_fault(file: BinaryIO, at: int) -> str:
    file.seek(max(at - 12, 0))
    before, rest = file.read(min(at, 12)), file.read(12)
    place = f"byte {at + 1:,} (line {_line_at(file, at):,})"
    if len(rest) < 4 and rest[0] >= 0xC2 and all(0x80 <= byte < 0xC0 for byte in rest[1:]):
        return f"The file ends in the midst of a UTF-8 character, at {place}: is it complete?"
    family = "Windows-1252" if rest[0] < 0xA0 else "Latin-1 or Windows-1252"
    words = re.split(r"[\r\n]", before.decode("cp1252", "replace"))[-1], rest.decode("cp1252", "replace")
    shown = shown_name(words[0] + re.split(r"[\r\n]", words[1])[0])
    return f"The file is not UTF-8 at {place}; it looks like {family} (`{shown}`): {_AS_UTF8}"


def _line_at(file: BinaryIO, at: int) -> int:
    file.seek(0)
    line, after_return = 1, False
    while at > 0 and (block := file.read(min(_BLOCK, at))):
        at -= len(block)
        # \r\n ends one line, even if a block ends between the two.
        line += block.count(b"\n") + block.count(b"\r") - block.count(b"\r\n")
        line -= after_return and block.startswith(b"\n")
        after_return = block.endswith(b"\r")
    return line


def _best_reading(text: str, kind: Kind) -> _Reading:
    """Return the reading with the most known columns; ties go to the one with the most cells."""
    readings: list[_Reading] = []
    trouble: Refused | None = None
    for delimiter in DELIMITERS:
        try:
            readings += _first_record(text, delimiter)
        except Refused as refused:
            trouble = trouble or refused
    ranks = {(sum(map(bool, _columns(one.names, kind))), len(one.names)): one for one in reversed(readings)}
    best = max(ranks, default=(0, 0))
    if best[0] or (ranks and trouble is None):
        return ranks[best]
    if trouble is not None:
        raise trouble
    raise Refused([_ENDLESS if len(text.encode()) > HEADER_LIMIT else _BLANK])


def _first_record(text: str, delimiter: str) -> Iterator[_Reading]:
    file = StringIO(text, newline="")
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    try:
        for names in reader:
            if "".join(names).strip() and not (reader.line_num == 1 and _SEPARATOR(delimiter.join(names))):
                yield _Reading(delimiter, names, file.tell(), reader.line_num + 1)
                return
    except csv.Error:
        endless = not file.read(1) and len(text.encode()) > HEADER_LIMIT
        raise Refused([_ENDLESS if endless else _UNREADABLE]) from None


def _columns(names: Sequence[str], kind: Kind) -> tuple[str | None, ...]:
    known = {_normalized(wire): wire for wire in kind.columns}
    return tuple(known.get(_normalized(name)) for name in names)


def _normalized(name: str) -> str:
    """Return a column's name without what does not matter: `External Order-ID` equals external_order_id."""
    return _dividers.sub("", name).casefold()


def _no_column_fault(names: Sequence[str], kind: Kind) -> str:
    seen = ", ".join(f"`{shown_name(name)}`" for name in names[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return (
        f"The first line names no column of `{kind.name}`, it has {seen}{more}: it must name the columns, "
        f"divided by commas, semicolons or tabs; these are known: {', '.join(kind.columns)}"
    )


def _duplicate_faults(names: Sequence[str], columns: Sequence[str | None]) -> Iterator[str]:
    for column in dict.fromkeys(columns):
        if column is not None and columns.count(column) > 1:
            given = [shown_name(name) for name, one in zip(names, columns, strict=True) if one == column]
            yield f"The column `{column}` must be given once, not as {' and '.join(f'`{name}`' for name in given[:5])}"


def _missing_faults(names: Sequence[str], columns: Sequence[str | None], kind: Kind) -> Iterator[str]:
    missing = [wire for wire in kind.columns if wire in kind.required and wire not in columns]
    unknown = [name for name, column in zip(names, columns, strict=True) if column is None]
    guesses = {_normalized(name): name for name in unknown if len(name) <= _LONGEST_GUESS}
    for wire in missing:
        near = get_close_matches(_normalized(wire), guesses, 1)
        hint = f": did you mean it by `{shown_name(guesses[near[0]])}`?" if near else ""
        yield f"The column `{wire}` is missing{hint}"
    if missing:
        yield from _kind_hint(names, kind)


def _kind_hint(names: Sequence[str], kind: Kind) -> Iterator[str]:
    for other in KINDS.values():
        if other is not kind and other.required <= set(_columns(names, other)):
            yield f"A file of `{other.name}` could have these columns: was that kind meant?"
