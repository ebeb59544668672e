"""Texts in the characters of SEPA: each character is spelled by itself, as a whole text would be."""

from __future__ import annotations

import unicodedata
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from hub.domain.payouts import sepa
from hub.domain.payouts.sepa import MOST_SPELLINGS, sepa_text

ALLOWED = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-?:().,'+ ")


def spelled_whole(text: str) -> str:
    """Return a text as it is spelled in one go, accents taken off after all of it was decomposed."""
    plain = unicodedata.normalize("NFKD", "".join(map(sepa._latin, text)).translate(sepa._PLAIN))
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    return "".join(char if char in ALLOWED else "." for char in "".join(map(sepa._latin, bare)))


@given(st.text(max_size=60))
def test_a_text_is_spelled_as_its_characters_are(text: str) -> None:
    """Whatever stands beside a letter, and whichever order its accents come in, the words are the same."""
    assert sepa_text(text, 1_000) == (spelled_whole(text).strip() or ".")


def test_names_of_both_alphabets() -> None:
    """Greek and Cyrillic names read as passports have them; accents may be letters of their own."""
    assert sepa_text("Γιώργος Παπαδόπουλος", 70) == "Giorgos Papadopoylos"
    assert sepa_text("Жълт Ярослав", 70) == "Zhalt Yaroslav"
    assert sepa_text("Zoe\u0308 N\u0303a", 70) == sepa_text("Zoë Ña", 70) == "Zoe Na"


def test_names_in_every_writing_fill_no_memory() -> None:
    """Beyond so many characters a spelling is worked out again each time, and is the same."""
    with patch.object(sepa, "_SPELLINGS", sepa._Spellings()) as spellings:
        writing = "".join(map(chr, range(0x4E00, 0x4E00 + MOST_SPELLINGS + 100)))
        assert sepa_text(writing, len(writing)) == "." * len(writing)
        assert len(spellings) == MOST_SPELLINGS
        assert sepa_text("Søn", 70) == "Son"
