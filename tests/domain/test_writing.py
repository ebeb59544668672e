"""What may stand in a name: every script, and nothing that hides."""

from __future__ import annotations

import pytest

from hub.domain.writing import hidden_in, tidied
from hub.operations.checks import checked_name, checked_text
from hub.operations.errors import OperatorFault
from hub.operations.orders.order_messages import checked_message

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
"""One emoji of three people, whom joiners hold together."""
PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
"""A word that is spelt with a non-joiner in it."""


@pytest.mark.parametrize("name", [FAMILY, PERSIAN, "Bäckerei 🥐", "مخبز", "東京屋", "क्\u200dष", "O\u2019Neill"])
def test_every_script_is_a_name(name: str) -> None:
    assert checked_name(name) == name
    assert checked_text(f"{name}\n{name}", "A note") == f"{name}\n{name}"
    assert checked_message(f"{name}\r\n{name}") == f"{name}\n{name}"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("\u200fمخبز\u200f ", "مخبز"),
        ("Caf\u00e9\u00a0M\u00fcller", "Caf\u00e9 M\u00fcller"),
        ("\ufeffFjord\u00ad & Fern\u200b", "Fjord & Fern"),
        (" \u200d ", ""),
    ],
)
def test_what_a_copy_brings_along_is_tidied(typed: str, kept: str) -> None:
    assert tidied(typed) == kept


def test_what_turns_or_controls_a_text_is_refused_by_name() -> None:
    """A name with an override in it could be read as another, and its owner could not see why it is refused."""
    assert hidden_in("ann\u202egnp.exe") == "U+202E"
    assert hidden_in("a\tb") == "U+0009"
    assert hidden_in("a\tb", "\t") is None
    with pytest.raises(OperatorFault, match=r"holds U\+202E, which cannot be seen"):
        checked_name("ann\u202egnp.exe")
    with pytest.raises(OperatorFault, match=r"1 to 2,000 printable characters; this one holds U\+0000"):
        checked_text("a\0b", "A note")
    with pytest.raises(OperatorFault, match="has 0"):
        checked_name(" \u200d ")
