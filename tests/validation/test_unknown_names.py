"""What is said of unknown names: which known one each looks like, looked for once for each name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import pytest

from hub.validation import unknown_names
from hub.validation.unknown_names import refusals_of, warnings_of

KNOWN = ("amount", "externalProductId", "click_id")


def test_each_name_and_path_is_said_with_the_one_it_looks_like() -> None:
    assert warnings_of(["clickId", "lines[0].amont", "colour"], KNOWN) == [
        "`clickId` is unknown and looks like `click_id`: it was ignored",
        "`lines[0].amont` is unknown and looks like `amount`: it was ignored",
        "`colour` is unknown: it was ignored",
    ]
    assert refusals_of(["colour"], KNOWN) == [
        "`colour` is unknown here; the names are amount, click_id, externalProductId"
    ]
    assert refusals_of(["colour"], ()) == ["`colour` is unknown here; nothing can be given"]


def test_what_a_shop_sends_with_each_order_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand lines with a note were a thousand searches, and 5 ms of every answer."""
    searches: list[str] = []

    def counted(word: str, known: Iterable[str], most: int) -> list[str]:
        searches.append(word)
        return difflib.get_close_matches(word, known, most)

    monkeypatch.setattr(unknown_names, "get_close_matches", counted)
    for _ in range(3):
        assert len(warnings_of([f"lines[{place}].giftNote" for place in range(50)], KNOWN)) == 50
    assert searches == ["giftnote"]
    warnings_of(["giftNote"], (*KNOWN, "giftNotes"))  # elsewhere it may look like another
    assert searches == ["giftnote", "giftnote"]
