"""What people write in names and notes: the letters of every script, and nothing that cannot be seen."""

from __future__ import annotations

import unicodedata
from typing import Final

JOINERS: Final = "\u200c\u200d\u200e\u200f"
"""Persian, Indic scripts and emoji are written with the joiners, and what runs from right to left with the marks."""
STRAYS: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
"""What a page or a word processor leaves in copied text, where nobody sees it: soft hyphens and empty spaces."""


def tidied(text: str) -> str:
    """Return a text as it is kept: every kind of blank is a space, strays are gone, and so is what surrounds it."""
    spaced = "".join(" " if unicodedata.category(char) == "Zs" else char for char in text.translate(STRAYS))
    return spaced.strip().strip(JOINERS).strip()


def hidden_in(text: str, allowed: str = "") -> str | None:
    """Return the first character that no one sees, like "U+202E"; None if all of them are printable or `allowed`.

    Controls are, and so is what turns the direction of text that follows it: with it a name could pose as another.
    """
    for char in text:
        if not char.isprintable() and char not in JOINERS and char not in allowed:
            return f"U+{ord(char):04X}"
    return None
