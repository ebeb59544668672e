r"""The reader of CSV rows: from the bytes of a file to chunks of rows, in bounded memory, resumable after any row.

A row that cannot be read fails alone, for whatever reason. Lines end with \n, \r\n or \r, within quotes too. A row
that is too long fails with all its lines: text within its quotes, which may be a buyer's note, is never read as rows.
Only a quote that is never closed, or is followed by what cannot be part of its row, counts as a stray one: then reading
goes on with the line after the one on which that row begins.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import accumulate, islice, pairwise
from typing import BinaryIO, Final

from attrs import evolve, frozen

from hub.csv_import.header import Layout
from hub.csv_import.quote_scanner import count_ends, end_of_line, end_of_quote

#: The longest row in bytes, with its line ends; `hub.csv_import.header` raises the csv module's own limit to it.
ROW_LIMIT: Final = 1_048_576
#: A chunk ends with the row that takes it over this many bytes.
CHUNK_LIMIT: Final = 4_194_304
BLOCK: Final = 65_536

_KEPT_BEHIND: Final = 1_000
_TWICE = 'a quote within a cell is written twice ("")'
_OPENED = 'A quote (") that opens in this row is not closed'
_TOO_LONG = "The row is longer than 1 MiB"


class _Overlong(Exception):
    """The row is longer than ROW_LIMIT."""


@frozen
class Chunk:
    """Some rows of a file, none at its end, and where the next chunk begins: byte `end`, on line `end_line`.

    `rows` have as many cells as the header and begin on `lines`; `faults` has the line where a row begins that could
    not be read, and what is wrong with it.
    """

    rows: list[list[str]]
    lines: list[int]
    faults: list[tuple[int, str]]
    end: int
    end_line: int


class RowReader:
    """Reads a file chunk by chunk from the first row, or from the end of an earlier chunk.

    It never holds much more of the file than ROW_LIMIT. A byte and its line are enough to resume from, as rows do not
    depend on where chunks ended.
    """

    def __init__(self, file: BinaryIO, layout: Layout, *, offset: int | None = None, line: int | None = None) -> None:
        self._file = file
        self._width = len(layout.columns)
        # In a table of one column a line of spaces is a row.
        self._blank = b"\r\n " if self._width > 1 else b"\r\n"
        # Made once, because making a dialect takes longer than reading a row.
        self._dialect = csv.reader((), delimiter=layout.delimiter, strict=True).dialect
        # The next row begins at byte `_offset`, on line `_line`, which is `_lines[_next]`.
        self._offset = layout.start if offset is None else offset
        self._line = layout.line if line is None else line
        self._lines: list[bytes] = []
        self._next = 0
        self._tail = b""
        self._loaded = self._offset
        self._ended = self._cut = False
        self._nul_until = 0
        # The line that was tried last, as index and offset; whether lines before it were skipped, or none followed it.
        self._tried = (0, 0)
        self._skipped = self._used_up = False
        # A quote that is open at the end of a line before line `_open_line` is still open there: it was tried.
        self._open_line = self._open_offset = 0
        # A quote that is open at this byte never closes, so each line from there on has an even number of quotes.
        self._never_closed: int | None = None
        file.seek(self._offset)

    def read(self, limit: int) -> Chunk:
        """Return at most `limit` rows, good and bad, of not much more than CHUNK_LIMIT bytes; raise `OSError`."""
        chunk = Chunk([], [], [], 0, 0)
        stop = self._offset + CHUNK_LIMIT
        while (room := limit - len(chunk.rows) - len(chunk.faults)) > 0 and (self._offset < stop or room == limit):
            self._drop()
            if not self._lines:
                self._skip_blank()
            while len(self._lines) < room and self._loaded - self._offset < ROW_LIMIT and self._load():
                pass
            if not self._lines:
                break
            if not self._read_many(chunk, room):
                self._read_each(chunk, room)
        return evolve(chunk, end=self._offset, end_line=self._line)

    def _read_many(self, chunk: Chunk, room: int) -> bool:
        """Read the rows of the loaded lines up to a bad or incomplete one; return False if that is the first.

        Almost all files consist of good rows only.
        """
        if self._offset < self._nul_until or self._line < self._open_line:
            return False
        rows: list[list[str]] = []
        ends = [0]
        reader = csv.reader(map(bytes.decode, self._lines), self._dialect)
        try:
            for row in islice(reader, room):
                rows.append(row)
                ends.append(reader.line_num)
        except (csv.Error, UnicodeDecodeError):
            pass
        sizes = list(accumulate(map(len, self._lines[: ends[-1]]), initial=0))
        if not rows or (sizes[-1] > ROW_LIMIT and any(sizes[b] - sizes[a] > ROW_LIMIT for a, b in pairwise(ends))):
            return False
        starts = [self._line + end for end in ends]
        self._advance(ends[-1], sizes[-1])
        if set(map(len, rows)) == {self._width}:
            chunk.rows.extend(rows)
            chunk.lines.extend(starts[:-1])
        else:
            for row, (first, following) in zip(rows, pairwise(starts), strict=True):
                self._add(chunk, row, first, following - 1)
        return True

    def _read_each(self, chunk: Chunk, room: int) -> None:
        """Read rows one by one, which finds the end of any row and the fault of each bad one."""
        full = len(chunk.rows) + len(chunk.faults) + room
        stop = self._offset + ROW_LIMIT
        while len(chunk.rows) + len(chunk.faults) < full and self._offset < stop:
            if self._next > _KEPT_BEHIND:
                self._drop()
            if self._next == len(self._lines) and not self._load():
                break
            self._read_one(chunk)

    def _read_one(self, chunk: Chunk) -> None:
        self._skipped = self._used_up = False
        first = self._line
        try:
            row = next(csv.reader(self._pull(jump=True), self._dialect))
            if self._skipped:
                row = next(csv.reader(self._pull(jump=False), self._dialect))
        except _Overlong:
            chunk.faults.append((first, self._skip_overlong()))
            return
        except (csv.Error, UnicodeDecodeError) as error:
            chunk.faults.append((first, self._unreadable_fault(error)))
            self._skip_line()
            return
        index, offset = self._tried
        taken = self._lines[self._next : index + 1]
        self._advance(len(taken), offset + len(taken[-1]) - self._offset)
        if any(b"\0" in line for line in taken):
            chunk.faults.append((first, "The row holds a NUL character (U+0000)"))
        else:
            self._add(chunk, row, first, self._line - 1)

    def _add(self, chunk: Chunk, row: list[str], first: int, last: int) -> None:
        """Add the row of the lines `first` to `last` to the chunk, as good or bad, unless its cells are all blank."""
        if len(row) == self._width:
            chunk.rows.append(row)
            chunk.lines.append(first)
        elif any(cell.strip() for cell in row):
            seen = f"The row has {len(row):,} cell{'s' * (len(row) != 1)}, but the header has {self._width}"
            more = "" if first == last else f'; it goes on to line {last:,}: is a quote (") missing?'
            chunk.faults.append((first, seen + more))

    def _pull(self, *, jump: bool) -> Iterator[str]:
        """Yield the lines of the next row: the CSV reader asks for one more only while it is within quotes.

        With `jump`, lines that are known to leave the quotes open are skipped, and the cells are not those of the row.
        Otherwise a file in which each line seems to open a quote would be read 1 MiB ahead for every line.
        """
        index, offset = self._next, self._offset
        while index < len(self._lines) or self._load():
            raw = self._lines[index]
            self._tried = (index, offset)
            offset += len(raw)
            if offset - self._offset > ROW_LIMIT:
                raise _Overlong
            yield raw.decode()
            index += 1
            known = self._open_line - (self._line + index - self._next)
            if jump and known > 0:
                self._skipped = True
                index, offset = index + known, self._open_offset
        self._used_up = True

    def _unreadable_fault(self, error: Exception) -> str:
        """Return why no row could be read, and remember up to where its quotes are open."""
        if self._tried[0] == self._next and not self._used_up:
            if isinstance(error, UnicodeDecodeError):
                return "The row is not UTF-8"
            return f"Text follows a closing quote, where the cell must end: {_TWICE}"
        self._keep_open()
        if self._used_up:
            return f"{_OPENED} before the end of the file"
        return f"{_OPENED} before line {self._open_line:,}, which cannot be part of it: {_TWICE}"

    def _skip_overlong(self) -> str:
        """Skip all lines of a row that is too long, only the first if its quotes never close, and return the fault."""
        index, offset = self._tried
        line = self._line + index - self._next
        if index > self._next:
            close = self._find_close(offset)
            if close is None:
                self._keep_open()
                self._skip_line()
                return f"{_OPENED} within 1 MiB"
        else:
            # Perhaps only the beginning of this line is loaded.
            offset, opened = end_of_line(self._file, offset, BLOCK)
            line += 1
            close = self._find_close(offset) if opened else None
            if close is None:
                self._go_to(offset, line)
                return _TOO_LONG
        end, count = close
        self._go_to(end, line + count)
        return f"{_TOO_LONG}; it ends on line {self._line - 1:,}"

    def _find_close(self, offset: int) -> tuple[int, int] | None:
        """Return the byte after the line that closes the quotes open at byte `offset`, and how many lines on that is.

        That no line does is found out once for a file, which would be searched to its end for every line otherwise.
        """
        if self._never_closed is not None and offset >= self._never_closed:
            return None
        close = end_of_quote(self._file, offset, BLOCK)
        if close is None:
            self._never_closed = offset
            self._file.seek(self._loaded + len(self._tail))
        return close

    def _keep_open(self) -> None:
        """Remember that the lines between the next row's first and the one tried last are within quotes."""
        index, self._open_offset = self._tried
        self._open_line = self._line + index - self._next

    def _advance(self, count: int, size: int) -> None:
        self._next += count
        self._line += count
        self._offset += size

    def _skip_line(self) -> None:
        self._advance(1, len(self._lines[self._next]))

    def _go_to(self, offset: int, line: int) -> None:
        """Drop the loaded lines and read on from byte `offset`, which is on line `line`."""
        self._offset = self._loaded = self._file.seek(offset)
        self._line = line
        self._lines, self._next, self._tail = [], 0, b""
        self._ended = self._cut = False

    def _skip_blank(self) -> None:
        """Skip blank lines a block at a time, as a file may have a billion of them between two rows."""
        while len(self._tail) < BLOCK and (block := self._file.read(BLOCK)):
            held = self._tail + block
            blank = len(held) - len(held.lstrip(self._blank))
            end = max(held.rfind(b"\n", 0, blank), held.rfind(b"\r", 0, blank)) + 1
            if end == len(held) and held.endswith(b"\r"):
                end -= 1  # it could be half of \r\n
            passed, self._tail = held[:end], held[end:]
            self._advance(0, end)
            self._line += count_ends(passed)
            self._loaded = self._offset
            if blank < len(held):
                break

    def _drop(self) -> None:
        del self._lines[: self._next]
        self._next = 0

    def _load(self) -> bool:
        """Load another line, or the beginning of one that is too long; return False at the end of the file."""
        while not self._ended and not self._cut:
            block = self._file.read(BLOCK)
            held = self._tail + block
            lines = held.splitlines(keepends=True)
            self._ended = not block
            # A \r at the end of these bytes may be half of \r\n.
            goes_on = bool(block) and not block.endswith(b"\n")
            self._tail = lines.pop() if goes_on else b""
            if len(self._tail) > ROW_LIMIT and not self._tail.endswith(b"\r"):
                lines.append(self._tail)
                self._tail = b""
                self._cut = True
            self._lines += lines
            self._loaded += sum(map(len, lines))
            if b"\0" in held:
                self._nul_until = self._loaded
            if lines:
                return True
        return False
