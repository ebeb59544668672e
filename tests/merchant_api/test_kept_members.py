"""No answer of the last release loses a member, no parameter its name, and nothing more is asked for."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.merchant_api.kept_members import KEPT, broken, lines_of, now
from tests.openapi_documents import document_of

PROMISED = KEPT.read_text("utf-8").splitlines()


def test_everything_that_was_promised_is_kept() -> None:
    assert broken(PROMISED, now()) == [], "see docs/api.md, Deprecations"


def test_what_is_new_is_promised_from_now_on() -> None:
    """`make generate` adds it."""
    assert sorted(now() - set(PROMISED)) == []


def lose_a_member(document: Any) -> None:
    del document["components"]["schemas"]["ConversionRecord"]["properties"]["awaits"]


def let_a_member_be_missing(document: Any) -> None:
    document["components"]["schemas"]["ConversionRecord"]["required"].remove("awaits")


def let_a_member_be_null(document: Any) -> None:
    document["components"]["schemas"]["CommissionRecord"]["properties"]["currency"]["nullable"] = True


def ask_for_more(document: Any) -> None:
    document["components"]["schemas"]["ConversionInput"]["required"].append("clickId")


def rename_a_parameter(document: Any) -> None:
    document["components"]["parameters"]["Cursor"]["name"] = "after"


def forget_a_word(document: Any) -> None:
    document["components"]["schemas"]["OrderStatus"]["enum"].remove("delivered")


def end_an_operation(document: Any) -> None:
    del document["paths"]["/v1/balances"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lose_a_member, "merchant shows ConversionRecord.awaits "),
        (let_a_member_be_missing, "merchant shows ConversionRecord.awaits "),
        (let_a_member_be_null, "merchant shows CommissionRecord.currency "),
        (ask_for_more, "merchant needs ConversionInput clickId"),
        (rename_a_parameter, "merchant takes "),
        (forget_a_word, "merchant words OrderStatus delivered"),
        (end_an_operation, "merchant answers listBalances 200 "),
    ],
)
def test_what_breaks_a_client_is_named(change: Callable[[Any], None], said: str) -> None:
    """The control: each kind of break in a copy of the document."""
    document = copy.deepcopy(document_of("merchant"))
    before = lines_of("merchant", document)
    change(document)
    found = broken(before, lines_of("merchant", document))
    assert found, change
    assert found[0].startswith(said), found


def test_an_addition_breaks_nothing() -> None:
    document = copy.deepcopy(document_of("merchant"))
    before = lines_of("merchant", document)
    shown = document["components"]["schemas"]["ConversionRecord"]
    shown["properties"]["more"] = {"type": "string"}
    assert broken(before, lines_of("merchant", document)) == []


def test_any_text_may_become_closed_words_but_closed_words_not_any_text() -> None:
    document = copy.deepcopy(document_of("admin"))
    said = lines_of("admin", document)
    status = document["components"]["schemas"]["AffiliateDocument"]["properties"]["status"]
    assert status.pop("allOf") == [{"$ref": "#/components/schemas/AffiliateStatus"}]
    status["type"] = "string"
    any_text = lines_of("admin", document)
    assert broken(any_text, said) == []
    assert broken(said, any_text) == ["admin shows AffiliateDocument.status AffiliateStatus"]
