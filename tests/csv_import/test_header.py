"""The pass before the first row: what is refused and how that is said, and the layout of every file that is not."""

from __future__ import annotations

import hashlib
import io
import tracemalloc
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hub.csv_import import header
from hub.csv_import.header import HEADER_LIMIT, Layout, Refused, read_header, survey
from hub.csv_import.kinds import KINDS
from hub.csv_import.reader import RowReader

MIB = 1_048_576
ORDERS, STATUSES, PRODUCTS = KINDS["orders"], KINDS["statuses"], KINDS["products"]
PAIR = ("externalOrderId", "orderAmount")
UTF8 = 'save it as "CSV UTF-8"'
ENDLESS = "The header does not end within the first 1 MiB of the file"
UNREADABLE = (
    "The header cannot be read with commas, semicolons or tabs between its columns: "
    'a quote (") is not closed, or something else divides them'
)
BLANK = "The file has blank lines only: it must begin with a header that names the columns"
PIECES = st.lists(
    st.sampled_from([b"a", b"\r", b"\n", "é".encode(), "€".encode(), "😀".encode(), b"\xe9", b"\x80"])
).map(b"".join)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "orders.csv"


def refused(file: Path, data: bytes) -> tuple[str, ...]:
    file.write_bytes(data)
    with pytest.raises(Refused) as caught:
        survey(file, ORDERS)
    assert str(caught.value) == "; ".join(caught.value.faults)
    return caught.value.faults


def first_bad_byte(data: bytes) -> int | None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


class TestLayout:
    @pytest.mark.parametrize("delimiter", [",", ";", "\t"])
    @pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_the_delimiter_is_the_one_that_gives_the_most_columns(
        self, file: Path, delimiter: str, line_end: str, mark: str
    ) -> None:
        """The rows begin after the header, whatever ends a line."""
        head = mark + delimiter.join(PAIR) + line_end
        file.write_bytes((head + f"A-1{delimiter}5").encode())
        layout = survey(file, ORDERS).layout
        assert layout == Layout(delimiter, PAIR, (), len(head.encode()), 2)
        with file.open("rb") as opened:
            assert RowReader(opened, layout).read(9).rows == [["A-1", "5"]]

    @pytest.mark.parametrize(
        "name", ["orderAmount", "order_amount", "Order Amount", " ORDER-AMOUNT ", "order\u00a0amount", "order\namount"]
    )
    def test_spellings_of_a_column_do_not_matter(self, name: str) -> None:
        """Case, blanks, _ and - do not matter."""
        assert read_header(f'externalOrderId,"{name}"\n', ORDERS).columns == PAIR

    def test_columns_may_have_any_order_and_unknown_ones_are_ignored(self) -> None:
        """An unknown column is listed as the file names it, without control characters."""
        head = 'Note,Order Amount,,"a`\x07",external_order_id,Größe,' + "x" * 90 + ","
        layout = read_header(head, ORDERS)
        assert layout.columns == (None, "orderAmount", None, None, "externalOrderId", None, None, None)
        assert layout.ignored == ("Note", "column 3", "a\\x60\\x07", "Größe", "x" * 64 + "...", "column 8")

    def test_at_most_fifty_unknown_columns_are_listed(self) -> None:
        head = ",".join([*PAIR, *(f"c{number}" for number in range(498))])
        layout = read_header(head, ORDERS)
        assert len(layout.columns) == 500
        assert layout.ignored == tuple(f"c{number}" for number in range(50))

    def test_an_unknown_column_may_be_given_twice(self) -> None:
        """What is ignored may have any name."""
        assert read_header("externalOrderId,orderAmount,x,x", ORDERS).ignored == ("x", "x")

    def test_a_quoted_header_may_follow_blank_lines(self, file: Path) -> None:
        """Lines are counted as they stand in the file; the other delimiters may stand in quotes."""
        head = '\ufeff\r\n  \r\n"External\r\nOrder;Id";"order, amount";"externalOrderId";"orderAmount"\r\n'.encode()
        file.write_bytes(head + b"\r\na;b;A-1;5")
        layout = survey(file, ORDERS).layout
        assert layout == Layout(";", (None, None, *PAIR), ("External\\r\\nOrder;Id", "order, amount"), len(head), 5)
        with file.open("rb") as opened:
            assert RowReader(opened, layout).read(9).lines == [6]

    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    @pytest.mark.parametrize("said", ["sep=;", "SEP=,", '"sep=;"', "sep=\t"])
    def test_excels_line_about_the_delimiter_is_no_header(self, file: Path, mark: str, said: str) -> None:
        """Nor is it believed: the header shows what divides its columns."""
        head = f"{mark}{said}\r\nexternalOrderId;orderAmount\r\n"
        file.write_bytes(head.encode() + b"A-1;5")
        assert survey(file, ORDERS).layout == Layout(";", PAIR, (), len(head.encode()), 3)
        file.write_bytes(b"externalOrderId;orderAmount\nsep=;\n")
        layout = survey(file, ORDERS).layout
        with file.open("rb") as opened:
            assert RowReader(opened, layout).read(9).rows == [["sep=", ""]]

    def test_a_header_alone_is_a_file(self, file: Path) -> None:
        """A file without rows is a file."""
        data = ",".join(PAIR).encode()
        file.write_bytes(data)
        found = survey(file, ORDERS)
        assert (found.size, found.sha256, found.layout.start) == (
            len(data),
            hashlib.sha256(data).hexdigest(),
            len(data),
        )

    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    def test_the_longest_header_has_one_mib(self, file: Path, mark: bytes) -> None:
        """1 MiB with its line end passes, a byte more does not."""
        longest = ",".join(PAIR).encode() + b"," + b"x" * (HEADER_LIMIT - 30) + b"\r\n"
        assert len(longest) == HEADER_LIMIT
        file.write_bytes(mark + longest + b"A-1,5,\n")
        assert survey(file, ORDERS).layout.start == len(mark) + HEADER_LIMIT
        assert refused(file, mark + b"x" + longest) == (ENDLESS,)


class TestRefused:
    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"", "The file is empty: it must begin with a header that names the columns"),
            (b"\r\n \n", BLANK),
            (b"\xef\xbb\xbf\n", BLANK),
            ("externalOrderId,orderAmount\n".encode("utf-16"), f"The file is UTF-16: {UTF8}"),
            ("\ufeffexternalOrderId".encode("utf-16-be"), f"The file is UTF-16: {UTF8}"),
            ("externalOrderId".encode("utf-32"), f"The file is UTF-32: {UTF8}"),
            (
                "externalOrderId".encode("utf-16-le"),
                f"The file looks like UTF-16 or is no text, as 15 of the first 30 bytes are zero: {UTF8}",
            ),
            (b"PK\x03\x04...", f"The file is a spreadsheet (xlsx, ods) or another zip archive, no CSV: {UTF8}"),
            (b"\x1f\x8b\x08", "The file is compressed by gzip: unpack it"),
            (
                b'externalOrderId,"orderAmount\nA-1,5',
                UNREADABLE,
            ),
            (b'"externalOrderId"|"orderAmount"\n' + b"x" * (3 * MIB), UNREADABLE),
            (b"x" * (3 * MIB), ENDLESS),
            (b'externalOrderId,"' + b"x\n" * (2 * MIB), ENDLESS),
            (b"\n" * (2 * MIB), ENDLESS),
            (",".join([*PAIR, *["x"] * 9_998]).encode(), "The header has 10,000 columns: it must have at most 500"),
            (
                b"externalOrderId,orderAmount,OrderAmount",
                "The column `orderAmount` must be given once, not as `orderAmount` and `OrderAmount`",
            ),
        ],
    )
    def test_with_one_sentence_that_says_how_to_correct_it(self, file: Path, data: bytes, said: str) -> None:
        assert refused(file, data) == (said,)

    def test_without_a_header_the_first_line_is_shown(self, file: Path) -> None:
        """The first line is shown, so that a file without header or with another delimiter is understood."""
        known = "it must name the columns, divided by commas, semicolons or tabs; these are known: externalOrderId, "
        (said,) = refused(file, b"A-1,49.90,EUR,x,y,z,\n")
        assert said.startswith(
            "The first line names no column of `orders`, it has `A-1`, `49.90`, `EUR`, `x`, `y` and 2 "
        )
        assert known in said
        (said,) = refused(file, b"externalOrderId|orderAmount\n")
        assert "it has `externalOrderId|orderAmount`: " in said

    def test_all_missing_columns_are_named(self, file: Path) -> None:
        """Each comes with the unknown column that is nearest."""
        assert refused(file, b"Order ID;currency;order_amuont\n") == (
            "The column `externalOrderId` is missing: did you mean it by `Order ID`?",
            "The column `orderAmount` is missing: did you mean it by `order_amuont`?",
        )
        assert refused(file, b"currency,sku\n") == (
            "The column `externalOrderId` is missing",
            "The column `orderAmount` is missing",
        )

    def test_a_file_of_another_kind_is_recognised(self, file: Path) -> None:
        assert refused(file, ",".join(PRODUCTS.columns).encode())[-1] == (
            "A file of `products` could have these columns: was that kind meant?"
        )
        with pytest.raises(Refused, match="A file of `products` could have these columns"):
            read_header(",".join(PRODUCTS.columns), STATUSES)

    @pytest.mark.parametrize(
        ("bad", "said"),
        [
            ("Café,5\n".encode("latin-1"), "Latin-1 or Windows-1252 (`Café,5`)"),
            ("€5,5\n".encode("cp1252"), "Windows-1252 (`€5,5`)"),
            (b"\xed\xa0\x80,5\n", "Latin-1 or Windows-1252 (`\\xed\\xa0\\u20ac,5`)"),
        ],
    )
    @pytest.mark.parametrize("rows", [0, 1, 50_000, 400_000])
    def test_the_first_byte_that_is_not_utf8_is_named(self, file: Path, rows: int, bad: bytes, said: str) -> None:
        """Its place is right wherever a block ends."""
        before = b"externalOrderId,orderAmount\r\n" + "Aé1,5\r\n".encode() * rows
        at = len(before) + bad.index(bad.lstrip(b"Caf"))
        place = f"byte {at + 1:,} (line {rows + 2:,})"
        assert refused(file, before + bad * 3) == (f"The file is not UTF-8 at {place}; it looks like {said}: {UTF8}",)

    def test_a_file_that_ends_within_a_character_is_cut_off(self, file: Path) -> None:
        """A copy that broke off within a character is not taken for another encoding."""
        (said,) = refused(file, b"externalOrderId,orderAmount\nA-1,\xe2\x82")
        assert said == "The file ends in the midst of a UTF-8 character, at byte 33 (line 2): is it complete?"

    @given(PIECES, st.integers(1, 8))
    @example(b"\r\n\xe9", 1)
    def test_any_bytes_are_utf8_if_python_says_so(self, data: bytes, block: int) -> None:
        """The result does not depend on the size of a block."""
        file = io.BytesIO(data)
        bad = first_bad_byte(data)
        with patch.object(header, "_BLOCK", block):
            if bad is None:
                assert header._check_rest(file, b"", 0) == (hashlib.sha256(data).hexdigest(), len(data))
                return
            with pytest.raises(UnicodeDecodeError) as caught:
                header._check_rest(file, b"", 0)
            assert caught.value.start == bad
            assert header._line_at(file, bad) == len((data[:bad] + b"x").splitlines())


class TestBounds:
    @pytest.mark.parametrize("filler", ["x", "é", "\n", '"', ",", "A-1,5\n"])
    def test_memory_does_not_grow_with_the_file(self, file: Path, filler: str) -> None:
        """A file of any kind takes the memory of its first MiB and a block, not of all of it."""
        with file.open("wb") as out:
            out.write(b"externalOrderId,orderAmount\n")
            block = (filler * MIB).encode()[: MIB // 2 * 2]
            for _ in range(64):
                out.write(block)
        tracemalloc.start()
        try:
            survey(file, ORDERS)
            assert tracemalloc.get_traced_memory()[1] < 16 * MIB
        finally:
            tracemalloc.stop()
