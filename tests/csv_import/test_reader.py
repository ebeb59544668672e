"""Reading rows: equal to what was written wherever blocks and chunks end, and whatever a hostile file holds."""

from __future__ import annotations

import csv
import io
import tracemalloc
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import BinaryIO, cast
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.csv_import import reader
from hub.csv_import.header import Layout
from hub.csv_import.reader import ROW_LIMIT, Chunk, RowReader

MIB = 1_048_576
LIMIT = ROW_LIMIT // 16
TWICE = 'a quote within a cell is written twice ("")'
OPEN = 'A quote (") that opens in this row is not closed'
LONG = "The row is longer than 1 MiB"

Row = tuple[int, list[str] | None]


def layout(width: int, delimiter: str = ",", start: int = 0, line: int = 1) -> Layout:
    return Layout(delimiter, tuple(str(n) for n in range(width)), (), start, line)


def sixteenth() -> AbstractContextManager[object]:
    """A reader with limits a sixteenth as large: what lies beyond them is found as well, and sooner."""
    return patch.multiple(
        reader, BLOCK=reader.BLOCK // 16, ROW_LIMIT=reader.ROW_LIMIT // 16, CHUNK_LIMIT=reader.CHUNK_LIMIT // 16
    )


def chunks(rows: RowReader, limit: int = 500) -> Iterator[Chunk]:
    while True:
        chunk = rows.read(limit)
        assert len(chunk.rows) == len(chunk.lines)
        if not chunk.rows and not chunk.faults:
            return
        yield chunk


def rows_in(chunk: Chunk) -> list[Row]:
    """Good and bad rows in the order of the file; a bad one is None."""
    good: list[Row] = [*zip(chunk.lines, chunk.rows, strict=True)]
    return sorted([*good, *((line, None) for line, _ in chunk.faults)], key=lambda row: row[0])


def rows_of(data: bytes, width: int, delimiter: str = ",", limit: int = 500) -> list[Row]:
    rows = RowReader(io.BytesIO(data), layout(width, delimiter))
    return [row for chunk in chunks(rows, limit) for row in rows_in(chunk)]


def faults_of(data: bytes, width: int = 2) -> list[tuple[int, str]]:
    return [fault for chunk in chunks(RowReader(io.BytesIO(data), layout(width))) for fault in chunk.faults]


class TooLong(Exception):
    """The row under trial is."""


def up_to(lines: list[bytes], limit: int) -> Iterator[str]:
    """Lines of no more than `limit` bytes together."""
    for line in lines:
        limit -= len(line)
        if limit < 0:
            raise TooLong
        yield line.decode()


def after_close(lines: list[bytes], first: int, tried: int) -> int:
    """The line after a row that is too long: one further where its quotes are never closed, by the number of them."""
    odd = [number for number, line in enumerate(lines) if line.count(b'"') % 2]
    if tried == first and first not in odd:
        return first + 1
    return next((number + 1 for number in odd if number >= max(tried, first + 1)), first + 1)


def plainly_read(data: bytes, width: int, limit: int) -> list[Row]:
    """What the rules mean, with the whole file in memory and each row tried from its first line."""
    lines = data.splitlines(keepends=True)
    at, found = 0, list[Row]()
    while at < len(lines):
        tried = csv.reader(up_to(lines[at:], limit), strict=True)
        try:
            row = next(tried)
        except (csv.Error, UnicodeDecodeError, TooLong) as error:
            found.append((at + 1, None))
            at = after_close(lines, at, at + tried.line_num) if isinstance(error, TooLong) else at + 1
            continue
        bad = len(row) != width or b"\0" in b"".join(lines[at : at + tried.line_num])
        blank = len(row) != width and not any(cell.strip() for cell in row)
        if not blank:
            found.append((at + 1, None if bad else row))
        at += tried.line_num
    return found


class Generated(io.RawIOBase):
    """A file of any size that is made while it is read: `begin`, `filler` over and over up to `size` bytes, `end`."""

    def __init__(self, begin: bytes, filler: bytes, size: int, end: bytes) -> None:
        self._begin = begin
        self._filler = filler * (65_536 // len(filler))
        self._size = size // len(self._filler) * len(self._filler)
        self._end = end
        self._at = 0
        #: How many bytes were read.
        self.bytes_read = 0

    def seek(self, at: int, whence: int = 0) -> int:
        assert whence == 0
        self._at = at
        return at

    def read(self, size: int = -1) -> bytes:
        at = self._at - len(self._begin)
        if at < 0:
            block = self._begin[at:]
        elif at < self._size:
            block = self._filler[at % len(self._filler) :]
        else:
            block = self._end[at - self._size :]
        block = block[:size]
        self._at += len(block)
        self.bytes_read += len(block)
        return block


def generated(filler: bytes, size: int, end: bytes = b"\na,b\n", *, begin: bytes = b"") -> BinaryIO:
    return cast("BinaryIO", Generated(begin, filler, size, end))


def peak_of(file: BinaryIO) -> tuple[int, list[Row]]:
    """The most memory that reading took, in bytes, and the last rows."""
    tracemalloc.start()
    try:
        last: list[Row] = []
        for chunk in chunks(RowReader(file, layout(2))):
            last = (last + rows_in(chunk))[-2:]
        return tracemalloc.get_traced_memory()[1], last
    finally:
        tracemalloc.stop()


CELLS = st.text(
    st.sampled_from('ab,;\t"\n\r é€😀\u2028\x0b\x1c=') | st.characters(exclude_characters="\0", codec="utf-8")
)


@st.composite
def files(draw: st.DrawFn) -> tuple[bytes, int, str, list[list[str]]]:
    """A table as some program writes it: bytes, number of columns, delimiter, rows."""
    width = draw(st.integers(2, 5))
    table = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=12))
    delimiter = draw(st.sampled_from(",;\t"))
    line_end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    # The standard writer leaves a cell bare whose only line end is not the file's own.
    foreign = any(end in cell for row in table for cell in row for end in "\r\n") and line_end != "\r\n"
    out = io.StringIO(newline="")
    if foreign or draw(st.booleans()):
        csv.writer(out, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL).writerows(table)
    else:
        csv.writer(out, delimiter=delimiter, lineterminator=line_end).writerows(table)
    text = out.getvalue()
    if draw(st.booleans()):
        text = text.removesuffix(line_end)
    return text.encode(), width, delimiter, table


HOSTILE = st.lists(
    st.sampled_from(
        [b'"', b'""', b",", b"\n", b"\r\n", b"\r", b" ", b"a", b"x,y", b'x",y,"z\n', b"\0", "é".encode(), b"\xe9"]
    )
).map(b"".join)


class TestEqual:
    @given(files(), st.integers(1, 40), st.integers(1, 5))
    def test_to_what_was_written(self, file: tuple[bytes, int, str, list[list[str]]], block: int, limit: int) -> None:
        """Any dialect, any size of block, any limit of a chunk."""
        data, width, delimiter, table = file
        with patch.object(reader, "BLOCK", block):
            assert [row for _, row in rows_of(data, width, delimiter, limit)] == table

    @given(HOSTILE, st.integers(1, 12), st.integers(1, 5), st.integers(0, 30), st.integers(1, 3))
    def test_to_the_rules(self, data: bytes, block: int, limit: int, more: int, width: int) -> None:
        """However a file is broken, each row is read as if it were tried on its own, and on the right line."""
        longest = 2 * block + more  # a row may always be longer than what is read at a time
        with patch.multiple(reader, BLOCK=block, ROW_LIMIT=longest, CHUNK_LIMIT=4 * longest, _KEPT_BEHIND=2):
            assert rows_of(data, width, limit=limit) == plainly_read(data, width, longest)

    @given(
        files() | HOSTILE.map(lambda data: (data, 2, ",", [])),
        st.integers(1, 40),
        st.integers(1, 5),
        st.integers(2, 60),
    )
    def test_from_the_end_of_any_chunk(
        self, file: tuple[bytes, int, str, list[list[str]]], block: int, limit: int, longest: int
    ) -> None:
        """Another reader that begins there, with other chunks, returns the same rows as reading on."""
        data, width, delimiter, _ = file
        with patch.multiple(reader, BLOCK=block, ROW_LIMIT=max(longest, 2 * block)):
            shape = layout(width, delimiter)
            parts = list(chunks(RowReader(io.BytesIO(data), shape), limit))
            for number, part in enumerate(parts, 1):
                again = RowReader(io.BytesIO(data), shape, offset=part.end, line=part.end_line)
                rest = [(row, chunk.end) for chunk in chunks(again, 1) for row in rows_in(chunk)]
                assert [row for row, _ in rest] == [row for later in parts[number:] for row in rows_in(later)]
                assert [end for _, end in rest] == sorted({end for _, end in rest})

    @given(
        st.lists(st.sampled_from(["a,b", '"a\n",b', '"a\r\n",b', '""""\r,b', "", "a", "é,\u2028"])), st.integers(1, 9)
    )
    def test_ends_are_those_of_rows(self, rows: list[str], block: int) -> None:
        """Byte and line after a row are where the next begins."""
        data = "".join(row + "\r\n" for row in rows).encode()
        with patch.object(reader, "BLOCK", block):
            parts = list(chunks(RowReader(io.BytesIO(data), layout(2)), 1))
        for part, following in pairwise(parts):
            between = data[part.end : following.end]
            assert following.end_line - part.end_line == len(between.splitlines())
            assert rows_in(following)[0][0] == part.end_line + (len(between) - len(between.lstrip(b"\r\n"))) // 2


class TestRows:
    def test_begins_where_the_layout_says(self) -> None:
        """A byte order mark and the header come before it."""
        data = b"\xef\xbb\xbfone,two\r\na,b\r\nc,d"
        rows = RowReader(io.BytesIO(data), layout(2, start=12, line=2))
        assert rows.read(1) == Chunk([["a", "b"]], [2], [], 17, 3)
        assert rows.read(9) == Chunk([["c", "d"]], [3], [], 20, 4)
        assert rows.read(9) == rows.read(9) == Chunk([], [], [], 20, 4)

    def test_every_kind_of_line_end_ends_a_row(self) -> None:
        """Within quotes they are text."""
        assert rows_of(b'a,b\nc,d\r\ne,f\r"g\r",h\n"i\r\n\n",j', 2) == [
            (1, ["a", "b"]),
            (2, ["c", "d"]),
            (3, ["e", "f"]),
            (4, ["g\r", "h"]),
            (6, ["i\r\n\n", "j"]),
        ]

    def test_blank_lines_are_skipped_and_counted(self) -> None:
        """There may be more of them than a chunk may hold."""
        assert rows_of(b"\n  \n\r\na,b\n\t\n", 2) == [(4, ["a", "b"])]
        assert rows_of(b",\n", 2) == [(1, ["", ""])]
        assert rows_of(b",,,\na,b\n , ,\n", 2) == [(2, ["a", "b"])]
        data = b"\r\n" * (5 * MIB) + b"a,b\n"
        assert rows_of(data, 2) == [(5 * MIB + 1, ["a", "b"])]

    def test_a_chunk_of_long_rows_is_short(self) -> None:
        data = b"a," + b"b" * 99_990 + b"\n"
        sizes = [len(chunk.rows) for chunk in chunks(RowReader(io.BytesIO(data * 100), layout(2)))]
        assert sum(sizes) == 100
        assert max(sizes) <= 60

    def test_the_longest_row_has_one_mib(self) -> None:
        """1 MiB with its line end, in one line or several."""
        longest = b"a," + b"b" * (ROW_LIMIT - 3) + b"\n"
        folded = b'a,"' + b"b" * (ROW_LIMIT // 2) + b"\n" + b"b" * (ROW_LIMIT // 2 - 6) + b'"\n'
        assert len(longest) == len(folded) == ROW_LIMIT
        assert [line for line, row in rows_of((longest + folded) * 2, 2) if row] == [1, 2, 4, 5]


class TestFaults:
    @pytest.mark.parametrize(
        ("data", "faults"),
        [
            (b"a,b,c\n", [(1, "The row has 3 cells, but the header has 2")]),
            (b"a\n", [(1, "The row has 1 cell, but the header has 2")]),
            (
                b'a,"b\nc,"\nd,e,"f\n"\n',
                [
                    (3, 'The row has 3 cells, but the header has 2; it goes on to line 4: is a quote (") missing?'),
                ],
            ),
            (
                b"a,b\0\n\0\n",
                [(1, "The row holds a NUL character (U+0000)"), (2, "The row holds a NUL character (U+0000)")],
            ),
            (
                b'a,"b" c\n',
                [(1, f"Text follows a closing quote, where the cell must end: {TWICE}")],
            ),
            (b'a,"b\nc,d\n', [(1, f"{OPEN} before the end of the file")]),
            (
                b'a,"b\nc,"d"\n',
                [(1, f"{OPEN} before line 2, which cannot be part of it: {TWICE}")],
            ),
            (b"a,\xe9\n", [(1, "The row is not UTF-8")]),
        ],
    )
    def test_alone(self, data: bytes, faults: list[tuple[int, str]]) -> None:
        """What was seen; the row after it is read."""
        assert faults_of(data) == faults
        assert rows_of(data + b"x,y\n", 2)[-1][1] == ["x", "y"]

    def test_a_row_too_long(self) -> None:
        """One byte over the limit, and far over it, with every end of a line where a block may end."""
        for size in (ROW_LIMIT - 2, 2 * ROW_LIMIT, *range(3 * ROW_LIMIT - 5, 3 * ROW_LIMIT + 5)):
            for end in (b"\n", b"\r\n", b"\r"):
                data = b"a," + b"b" * size + end + b"x,y" + end
                (chunk,) = chunks(RowReader(io.BytesIO(data), layout(2)))
                assert chunk == Chunk([["x", "y"]], [2], [(1, LONG)], len(data), 3)

    def test_a_quote_that_closes_too_late(self) -> None:
        """The row fails with all its lines, with every end of a line where a block may end; the next is a row again."""
        for size in (0, 1, *range(2 * ROW_LIMIT - 9, 2 * ROW_LIMIT + 1)):
            for end in (b"\n", b"\r\n", b"\r"):
                data = b'a,"' + b"b" * ROW_LIMIT + b'""' + end + b"c" * size + b'""' + end + b'"' + end + b"x,y" + end
                (chunk,) = chunks(RowReader(io.BytesIO(data), layout(2)))
                assert chunk == Chunk([["x", "y"]], [4], [(1, f"{LONG}; it ends on line 3")], len(data), 5)

    def test_a_quote_that_closes_at_the_end(self) -> None:
        """No line end need follow it."""
        for data in (b'a,"b' + b"\nc,d" * (ROW_LIMIT // 4) + b'"', b'a,"' + b"b" * ROW_LIMIT + b"\n" * 7 + b'"'):
            last = len(data.splitlines())
            (chunk,) = chunks(RowReader(io.BytesIO(data), layout(2)))
            assert chunk == Chunk([], [], [(1, f"{LONG}; it ends on line {last:,}")], len(data), last + 1)

    def test_a_quote_that_never_closes(self) -> None:
        """The row where it opens fails, and the next line is a row again."""
        many = LIMIT // 2
        for begin, said in ((b'a,"b\n', f"{OPEN} within 1 MiB"), (b'a,"' + b"b" * LIMIT + b"\n", LONG)):
            data = begin + b"c,d\n" * many + b'e,"f"\n'
            with sixteenth():
                assert faults_of(data) == [(1, said)]
                rows = rows_of(data, 2)
            assert rows[:2] == [(1, None), (2, ["c", "d"])]
            assert rows[-2:] == [(many + 1, ["c", "d"]), (many + 2, ["e", "f"])]

    def test_rows_within_a_quote_open_too_long(self) -> None:
        """What the row before has tried is not tried again, but the row is whole and its length is its own."""
        second = b'x",y,"z\n' + b"more\n" * 4 + b'end",w"\n'
        data = b'first,"\n' + second + b"a,b,c,d\n"
        whole = ['x"', "y", "z\n" + "more\n" * 4 + "end", 'w"']
        with patch.object(reader, "ROW_LIMIT", len(second)):
            assert rows_of(data, 4)[:2] == [(1, None), (2, whole)]
        with patch.object(reader, "ROW_LIMIT", len(second) - 1):
            assert [said for _, said in faults_of(data, 4)][:2] == [f"{OPEN} within 1 MiB"] * 2
            closed = data.replace(b'w"', b"w")
            assert faults_of(closed, 4) == [(1, f"{LONG}; it ends on line 7")]


FORGED = b"forged,row\r\n"


def shop_export(note: bytes, rest: bytes = b"honest,row\r\n") -> bytes:
    """A file in which a shop's customer wrote one cell, and the shop's program quoted it as it should."""
    return b'honest,row\r\nhonest,"' + note.replace(b'"', b'""') + b'"\r\n' + rest


class TestForgery:
    """Whoever writes a cell writes no rows."""

    @pytest.fixture(autouse=True)
    def small(self) -> Iterator[None]:
        with sixteenth():
            yield

    NOTES = (
        FORGED * (LIMIT // 6),
        b"x" * LIMIT + b"\r\n" + FORGED,
        b"\r\n" + FORGED + b"x" * LIMIT,
        b'"\r\n' + FORGED * (LIMIT // 6) + b'",",\r\n',
        b'"' + b"x" * LIMIT + b'"""\r\n' + FORGED + b'"\r\n' + FORGED * 9,
        b'"\r\n",""\n' * (LIMIT // 4) + b"\r\n" + FORGED,
        b"\r" * 2 * LIMIT + FORGED,
    )

    @pytest.mark.parametrize("note", NOTES, ids=range(len(NOTES)))
    def test_rows_inside_a_quoted_cell_of_more_than_1_mib_are_never_rows(self, note: bytes) -> None:
        """Wherever the row is found too long, it fails alone with all that is in it, and only honest rows are left."""
        data = shop_export(note)
        last = len(data.splitlines()) - 1
        rows = rows_of(data, 2)
        assert rows == [(1, ["honest", "row"]), (2, None), (last + 1, ["honest", "row"])]
        assert faults_of(data) == [(2, f"{LONG}; it ends on line {last:,}")]

    def test_nor_after_a_row_that_opens_a_quote_itself(self) -> None:
        """What an earlier row tried in vain does not make a later one begin within its cell."""
        data = b'stray,"x\r\nhonest,"y"z\r\n' + shop_export(FORGED * (LIMIT // 6))
        assert [row for _, row in rows_of(data, 2) if row] == [["honest", "row"]] * 2

    def test_control(self) -> None:
        """The same rows are read where no quotes are around them, or where the quote is a stray one."""
        assert len(rows_of(FORGED * (LIMIT // 6), 2)) == LIMIT // 6
        stray = b'honest,"\r\n' + FORGED * (LIMIT // 6)
        assert rows_of(stray, 2) == [(1, None), *((line, ["forged", "row"]) for line in range(2, LIMIT // 6 + 2))]


@pytest.mark.prove
class TestBounds:
    def test_a_row_of_200_mb_is_streamed(self) -> None:
        """It streams by, and the row after it is read."""
        peak, rows = peak_of(generated(b"x", 200 * MIB))
        assert rows == [(1, None), (2, ["a", "b"])]
        assert peak < 16 * MIB

    @pytest.mark.parametrize("filler", [b"\0", b",", b"\r", b"\n", b"a\0,b\n", b'"'])
    def test_memory_stays_flat_whatever_fills_a_row(self, filler: bytes) -> None:
        """Neither NULs nor cells nor blank lines nor quotes make it hold more."""
        peak, rows = peak_of(generated(filler, MIB * 5 // 4))
        assert rows[-1][1] == ["a", "b"]
        assert peak < 64 * MIB

    @pytest.mark.parametrize("filler", [b"x", b'"', b"c,d\r\n"])
    def test_a_quoted_cell_of_20_mb_is_read_once(self, filler: bytes) -> None:
        """It streams by too, and once is enough."""
        file = generated(filler, 20 * MIB, b'"\na,b\n', begin=b'a,"\n')
        peak, rows = peak_of(file)
        assert rows[0][1] is None
        assert rows[1][1] == ["a", "b"]
        assert peak < 32 * MIB
        assert cast("Generated", file).bytes_read < 24 * MIB

    def test_a_search_in_vain_is_made_once(self) -> None:
        """It is searched but once: for every line of these, the file would be read to its end."""
        for line in (b'x",y,"z\n', b'""x' * (MIB // 2) + b"\n", b'x",y,"' + b"z" * (MIB // 2) + b"\n"):
            file = generated(b"a,b\n", 4 * MIB, b"", begin=b'a,"b\n' + line * (3 * MIB // len(line)))
            parts = chunks(RowReader(file, layout(2)))
            assert sum(len(chunk.faults) for chunk in parts) == 1 + 3 * MIB // len(line)
            assert cast("Generated", file).bytes_read < 16 * MIB

    def test_a_quote_that_never_closes(self) -> None:
        """What is held while it is open is let go."""
        file = io.BytesIO(b'a,"b\n' + b"c,d\n" * (MIB * 5 // 16))
        peak, rows = peak_of(file)
        assert rows[-1][1] == ["c", "d"]
        assert peak < 64 * MIB

    def test_a_quote_that_opens_on_every_line(self) -> None:
        """Each row tries to its end what the rows before it tried already: the square of the lines would take hours."""
        data = b'x",y,"z\n' * (9 * MIB // 64)
        assert len(faults_of(data, 3)) == 9 * MIB // 64

    def test_control(self) -> None:
        """The measure sees a row that is held."""
        tracemalloc.start()
        try:
            assert len(b"x" * (32 * MIB)) == 32 * MIB
            file = generated(b"x", 32 * MIB)
            blocks = list(iter(lambda: file.read(65_536), b""))
            assert len(blocks) > 500
            assert tracemalloc.get_traced_memory()[1] > 16 * MIB
        finally:
            tracemalloc.stop()
