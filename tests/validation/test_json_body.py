"""Bodies as bytes: what is no JSON, what is no object, and what no database could keep."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.validation.inputs import ConversionInput, MerchantTerms
from hub.validation.json_body import check_content, path_of, read_object
from hub.validation.validate import Invalid, Malformed, validate

MERCHANT = MerchantTerms("USD", ("shop.example",))
GOOD = b'{"externalOrderId":"A-1","orderAmount":"49.90"'


def faults(raw: bytes) -> list[str]:
    with pytest.raises(Invalid) as caught:
        validate(ConversionInput, raw, MERCHANT)
    return caught.value.faults


def nested(levels: int, leaf: Any = 1) -> Any:
    value = leaf
    for level in range(levels):
        value = [value] if level % 2 else {"d": value}
    return value


class TestMalformed:
    @pytest.mark.parametrize(
        ("raw", "said"),
        [
            (b"", "it is empty"),
            (b" \n", "it is empty"),
            (b"{", "unexpected end of data at line 1, column 2"),
            (GOOD, "at line 1"),
            (GOOD + b"}}", "unexpected content after document"),
            (b"\xef\xbb\xbf" + GOOD + b"}", "without a byte order mark"),
            (GOOD + b',"couponCode":"\xff"}', f"UTF-8: byte {len(GOOD) + 16} is not valid UTF-8"),
            (GOOD + b',"couponCode":"\xed\xa0\x80"}', f"UTF-8: byte {len(GOOD) + 16} is not valid UTF-8"),
            (GOOD + b',"couponCode":"\\ud800"}', "surrogate"),
            (GOOD + b',"couponCode":"\\udc00x"}', "surrogate"),
            (GOOD + b',"couponCode":"\x00"}', "control character"),
            (GOOD + b',"metadata":{"n":NaN}}', "unexpected character"),
            (GOOD + b',"metadata":{"n":-Infinity}}', "at line 1"),
            (GOOD + b',"metadata":{"n":1e999}}', "infinity"),
            (GOOD + b',"metadata":{"n":' + b"9" * 5_000 + b"}}", "infinity"),
            ('{"externalOrderId":"A"}'.encode("utf-16"), "The body must be JSON in UTF-8"),
            (b"{'externalOrderId': 'A'}", "at line 1, column 2"),
        ],
    )
    def test_no_json(self, raw: bytes, said: str) -> None:
        """One sentence that says where reading stopped."""
        (fault,) = faults(raw)
        assert fault.startswith("The body must be ")
        assert said in fault
        with pytest.raises(Malformed):
            read_object(raw)

    @pytest.mark.parametrize("raw", [b"[]", b"1", b'"x"', b"null", b"true", b"[{}]"])
    def test_no_object(self, raw: bytes) -> None:
        """JSON of another kind is invalid, not malformed."""
        assert faults(raw) == ["The body must be a JSON object"]

    def test_equal_keys(self) -> None:
        """Of equal keys the last wins, as in every other parser of the hub."""
        assert validate(ConversionInput, GOOD + b',"orderAmount":"1"}', MERCHANT).value.order_amount == "1"


class TestDepth:
    def test_32_levels(self) -> None:
        """The body itself is the first level."""
        body = {"externalOrderId": "A", "orderAmount": "1", "metadata": nested(31)}
        assert validate(ConversionInput, orjson.dumps(body), MERCHANT).value.metadata == nested(31)

    @pytest.mark.parametrize("levels", [32, 33, 200])
    def test_more(self, levels: int) -> None:
        """Also where only an ignored field is that deep, and for a body that is parsed already."""
        body = {"externalOrderId": "A", "orderAmount": "1", "other": nested(levels, "x")}
        said = ["The body must not nest objects and arrays more than 32 deep"]
        assert faults(orjson.dumps(body)) == said
        with pytest.raises(Invalid) as caught:
            validate(ConversionInput, body, MERCHANT)
        assert caught.value.faults == said

    @pytest.mark.parametrize("before", [b',"a":"{[[{"', b',"a":[[]],"a":1', b',"a":"]]}}","]":"[{"', b',"a":[{},[]]'])
    @pytest.mark.parametrize(("levels", "fits"), [(31, True), (32, False)])
    def test_brackets_that_nest_nothing(self, before: bytes, levels: int, *, fits: bool) -> None:
        """In a text, in a value that a later one replaces, and beside what is deep."""
        raw = GOOD + before + b',"other":' + orjson.dumps(nested(levels)) + b"}"
        if fits:
            validate(ConversionInput, raw, MERCHANT)
        else:
            assert faults(raw) == ["The body must not nest objects and arrays more than 32 deep"]

    @pytest.mark.parametrize("raw", [b"[" * 40_000, b'{"a":' * 5_000 + b"1" + b"}" * 5_000])
    def test_a_bomb(self, raw: bytes) -> None:
        """Depth beyond the parser's own limit reads the same."""
        assert faults(raw) == ["The body must not nest objects and arrays more than 32 deep"]

    def test_many_shallow_arrays(self) -> None:
        """Brackets alone are no depth."""
        raw = GOOD + b',"metadata":{"a":' + orjson.dumps([[]] * 100) + b"}}"
        assert len(validate(ConversionInput, raw, MERCHANT).value.metadata["a"]) == 100  # type: ignore[index]  # it is given


class TestUnstorableText:
    def test_every_place_is_named(self) -> None:
        """In values, in names, in arrays, and in fields that are ignored otherwise."""
        raw = GOOD + rb',"couponCode":"a\u0000","metadata":{"k\u0000":1,"l":["x",{"m":"\u0000"}]},"o":"\u0000"}'
        assert faults(raw) == [
            "`couponCode` must not hold U+0000 or half a surrogate pair",
            r"`metadata.k\x00` must not hold U+0000 or half a surrogate pair in its name",
            "`metadata.l[1].m` must not hold U+0000 or half a surrogate pair",
            "`o` must not hold U+0000 or half a surrogate pair",
        ]

    def test_an_escaped_backslash_is_none(self) -> None:
        """The text backslash-u0000 is six harmless characters."""
        value = validate(ConversionInput, GOOD + rb',"couponCode":"\\u0000"}', MERCHANT).value
        assert value.coupon_code == r"\u0000"
        assert faults(GOOD + rb',"couponCode":"\\\u0000"}')

    def test_surrogates_of_a_parsed_body(self) -> None:
        """A CSV row or a form cannot bring in what a JSON body could not."""
        with pytest.raises(Invalid, match="`couponCode` must not hold"):
            check_content({"couponCode": "\ud800"})
        check_content({"couponCode": "\U0001f600 ü"})

    def test_the_list_ends(self) -> None:
        """A hostile body cannot make an endless answer."""
        raw = orjson.dumps({"a": ["\0"] * 10_000})
        found = faults(raw)
        assert len(found) == 101
        assert found[-1] == "The body has more faults than these 100"


class TestPaths:
    @pytest.mark.parametrize(
        ("steps", "path"),
        [
            ([], "body"),
            (["a", 3, "b"], "a[3].b"),
            (["x" * 100], "x" * 64 + "..."),
            (["a`b\n"], r"a\x60b\n"),
            (["Größe"], "Größe"),
        ],
    )
    def test_path(self, steps: list[str | int], path: str) -> None:
        """A stranger's names are shown, but cannot break out of the sentence."""
        assert path_of(steps) == path


@given(st.binary(max_size=80) | st.text(alphabet='{}[]":,0123456789.eE+-\\unltrfas ', max_size=60).map(str.encode))
def test_any_bytes(raw: bytes) -> None:
    """Whatever comes in, it is an object or `Invalid`."""
    try:
        assert type(read_object(raw)) is dict
    except Invalid as invalid:
        found = invalid.faults
        assert found
        assert all(found)


KEYS = st.text(alphabet=',["\\k', max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(alphabet=',[{}"\\ab', max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=30,
)


class TestNumberOfValues:
    @given(body=st.dictionaries(KEYS, JSON, min_size=1, max_size=5), indented=st.booleans())
    def test_a_body_is_refused_exactly_if_it_holds_more_values_than_allowed(
        self, body: dict[str, Any], *, indented: bool
    ) -> None:
        raw = orjson.dumps(body, option=orjson.OPT_INDENT_2 if indented else None)
        inside = len(every(body)) - 1
        empty = sum(each in ([], {}) for each in every(body))  # an empty array or object counts as two
        assert read_object(raw, inside + empty) == body
        with pytest.raises(Invalid, match=f"more than {inside + empty - 1:,} values"):
            read_object(raw, inside + empty - 1)

    def test_commas_in_strings_are_not_values(self) -> None:
        raw = orjson.dumps({"description": 'a, "b", {c}, [d], \\' * 20_000})
        assert len(read_object(raw)["description"]) > 300_000

    def test_a_megabyte_of_values_is_refused_in_milliseconds(self) -> None:
        """Before anything is parsed: the parser alone takes longer, and what walks its objects much longer."""
        raw = b'{"a":[' + b"{}," * 350_000 + b"{}]}"
        refusal, parsing = (min(timed(read, raw) for _ in range(5)) for read in (refused, orjson.loads))
        assert refusal < parsing


def every(parsed: Any) -> list[Any]:
    inner = parsed.values() if isinstance(parsed, dict) else parsed if isinstance(parsed, list) else ()
    return [parsed, *(each for value in inner for each in every(value))]


def refused(raw: bytes) -> None:
    with pytest.raises(Invalid, match="more than 50,000 values"):
        read_object(raw)


def timed(work: Callable[[bytes], object], raw: bytes) -> float:
    start = process_time()
    work(raw)
    return process_time() - start


def test_a_parser_without_memory_does_not_call_the_body_faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was answered with 400, which a shop takes for final; the pipeline makes a 503 of it."""

    def exhausted(raw: bytes) -> Any:
        raise orjson.JSONDecodeError("Not enough memory to allocate buffer for parsing", "", 0)

    monkeypatch.setattr(orjson, "loads", exhausted)
    with pytest.raises(MemoryError):
        read_object(GOOD + b"}")
