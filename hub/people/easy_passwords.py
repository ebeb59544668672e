"""Which passwords are too easy to guess: those that are made of often used ones.

A guesser tries used passwords, alone and in pairs, with digits, repetitions and rows of letters beside them. So a
password is read as the fewest pieces that it can be: used passwords, words of the person's own, runs of digits, and
rows such as "abcd" or "9876". Any other letter is a piece by itself; a sign alone between two pieces is none. Two
pieces are too easy. The list is zxcvbn's 30,000 passwords that breaches show most (Dan Wheeler and Dropbox, MIT).
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("used_passwords.txt.gz")
OWN: Final = ("affiliate", "affiliates", "partner", "network", "operator", "merchant", "admin", "login")
"""Words of a hub, which are as easy as a person's name in it."""
FEWEST_PIECES: Final = 3
SHORTEST_WORD: Final = 3
LONGEST_WORD: Final = 32
SHORTEST_ROW: Final = 3
LETTERS_FOR: Final = str.maketrans("4@310$57", "aaeiosst")
"""What stands for a letter, as in "p4ssw0rd"."""


def is_easy(password: str, own: Iterable[str] = ()) -> bool:
    """Return whether a guesser has it soon; `own` are texts whose words are the person's or the network's."""
    plain = _once(password.casefold())
    if len(set(plain)) < SHORTEST_WORD:
        return True
    return _pieces(plain, _words_of((*own, *OWN))) < FEWEST_PIECES


@cache
def used_passwords() -> frozenset[str]:
    """Return the passwords of the list, in lower case."""
    return frozenset(gzip.decompress(FILE.read_bytes()).decode("ascii").split())


def _words_of(texts: Iterable[str]) -> frozenset[str]:
    found = {word for text in texts for word in (text.casefold(), *re.split(r"[\W_]+", text.casefold()))}
    return frozenset(word for word in found if SHORTEST_WORD <= len(word) <= LONGEST_WORD)


def _once(text: str) -> str:
    """Return the text once that this one repeats, itself if it repeats none."""
    found = (text + text).find(text, 1)
    return text[:found] if found < len(text) else text


def _pieces(text: str, own: frozenset[str]) -> int:
    """Return of how few pieces a text is made, which is as long as a password at most."""
    fewest = [0] * (len(text) + 1)
    for end in range(1, len(text) + 1):
        last = text[end - 1]
        before = text[end - 2] if end > 1 else last
        best = fewest[end - 1] + (last.isalnum() or not (before.isalnum() or before == last))
        for start in range(max(0, end - LONGEST_WORD), end - SHORTEST_WORD + 1):
            if fewest[start] + 1 < best and _is_word(text[start:end], own):
                best = fewest[start] + 1
        start = _row_before(text, end)
        fewest[end] = min(best, fewest[start] + 1) if end - start >= 2 else best
    return fewest[-1]


def _is_word(piece: str, own: frozenset[str]) -> bool:
    return any(each in used_passwords() or each in own for each in (piece, piece.translate(LETTERS_FOR)))


def _row_before(text: str, end: int) -> int:
    """Return where the longest row begins that ends there: digits alone, or letters at one distance; else the end."""
    digits = end
    while digits and text[digits - 1].isdigit():
        digits -= 1
    steps = [ord(after) - ord(before) for before, after in pairwise(text[:end])]
    row = end - 1
    while row and steps and steps[row - 1] == steps[-1] and abs(steps[-1]) <= 1:
        row -= 1
    return min(digits, row if end - row >= SHORTEST_ROW else end)
