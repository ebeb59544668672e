"""The door for plugins: what it promises of a parsed body."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pytest

import hub.api
from hub.api import API_VERSION, Unmappable, parse_body, plain_json
from hub.domain.connectors.connector import api_fault
from hub.testing import api_reference


def test_everything_named_is_there() -> None:
    """An import of * gets what the list promises."""
    assert all(hasattr(hub.api, name) for name in hub.api.__all__)


class TestReference:
    def test_it_is_as_the_source_says(self) -> None:
        """`python -m hub.testing.api_reference > docs/connector-api.md` writes it anew."""
        page = Path(__file__).resolve().parents[1] / "docs" / "connector-api.md"
        assert page.read_text("utf-8") == api_reference.render()

    def test_every_name_and_field_is_described(self) -> None:
        assert list(api_reference.undescribed()) == []

    def test_control_what_is_missing_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A field that no docstring names, and a name that is in no group."""
        monkeypatch.setattr(hub.api.Line, "__doc__", "A line.")
        monkeypatch.setattr(hub.api, "__all__", [*hub.api.__all__, "brand_new"])
        assert list(api_reference.undescribed()) == [
            "brand_new", "Line.external_product_id", "Line.quantity", "Line.amount",
        ]  # fmt: skip


class TestVersion:
    @pytest.mark.parametrize("version", ["1.0", API_VERSION])
    def test_what_fits(self, version: str) -> None:
        assert api_fault(version) is None

    @pytest.mark.parametrize(
        ("version", "sentence"),
        [
            ("2.0", "and this hub has 1.1: install a newer hub"),
            ("1.7", "and this hub has 1.1: install a newer hub"),
            ("0.9", "install a release of the plugin for hub.api 1"),
            ("one", "which is not"),
        ],
    )
    def test_what_does_not(self, version: str, sentence: str) -> None:
        fault = api_fault(version)
        assert fault is not None
        assert sentence in fault


class TestParseBody:
    def test_numbers_are_exact(self) -> None:
        """Money never passes through a float, and of equal keys the last wins."""
        body = parse_body(b'{"a": 1, "a": 49.90, "b": 123456789012345678901234567890, "c": 1e-7}')
        assert body == {"a": Decimal("49.90"), "b": 123456789012345678901234567890, "c": Decimal("1e-7")}

    @pytest.mark.parametrize(
        "raw",
        [
            b"", b"[]", b"1", b"null", b"{", b'{"a":NaN}', b'{"a":-Infinity}', b"\xef\xbb\xbf{}", b'{"a":"\xff"}',
            '{"a":1}'.encode("utf-16"), b'{"a":1}x', b"[" * 100_000, b'{"a":' + b"9" * 5_000 + b"}",
            b'{"a":1e99999999999999999999}',
        ],
    )  # fmt: skip
    def test_what_is_not_a_json_object_is_unmappable(self, raw: bytes) -> None:
        """Whatever is no JSON object is unmappable, and nothing else is raised."""
        with pytest.raises(Unmappable, match="the body"):
            parse_body(raw)


class TestPlainJson:
    def test_plain_json_can_be_written_by_any_encoder(self) -> None:
        """What no double can hold is kept as text."""
        value = parse_body(b'{"a":[1.50,{"b":1e400}],"c":18446744073709551616,"d":true,"e":null,"f":"x"}')
        plain = plain_json(value)
        assert plain == {"a": [1.5, {"b": "1E+400"}], "c": "18446744073709551616", "d": True, "e": None, "f": "x"}
        assert orjson.loads(orjson.dumps(plain)) == plain

    @pytest.mark.parametrize("value", [{"a": "x\0"}, {"a\0": 1}, ["\ud800"]])
    def test_text_that_no_database_keeps_is_unmappable(self, value: Any) -> None:
        """U+0000 and halves of pairs would make the event fail at each attempt to store it."""
        with pytest.raises(Unmappable, match=r"U\+0000"):
            plain_json(value)

    def test_a_value_deeper_than_32_levels_is_unmappable(self) -> None:
        """33 levels are one too many."""
        value: Any = 1
        for _ in range(32):
            value = [value]
        assert plain_json(value) == value
        with pytest.raises(Unmappable, match="deeper than 32"):
            plain_json([value])
