"""What is said of names that nobody knows, in every API: with the known one that was perhaps meant.

What is not refused is ignored, and said to be: a misspelt name costs somebody a commission.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache


def warnings_of(given: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return a sentence for each name that was ignored: "`click_id` is unknown and looks like `clickId`: ..."."""
    names = frozenset(known)
    return [
        f"`{name}` is unknown{f' and looks like `{meant}`' if meant else ''}: it was ignored"
        for name, meant in _with_meant(given, names)
    ]


def refusals_of(given: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return what is wrong with each name where none is ignored: "`emial` is unknown here; looks like `email`"."""
    names = frozenset(known)
    others = f"the names are {', '.join(sorted(names))}" if names else "nothing can be given"
    return [
        f"`{name}` is unknown here; {f'looks like `{meant}`' if meant else others}"
        for name, meant in _with_meant(given, names)
    ]


def _with_meant(given: Iterable[str], known: frozenset[str]) -> Iterator[tuple[str, str | None]]:
    """Yield each name, or path of one ("lines[0].amont"), with the known name that it looks like, if it does."""
    for name in given:
        yield name, _meant(name.rpartition(".")[2], known)


@lru_cache(maxsize=4_096)
def _meant(name: str, known: frozenset[str]) -> str | None:
    """Return the known name that an unknown one looks like, if it does.

    To look for it takes 0.1 ms, as long as to take an order in, and a shop sends the same names with each.
    """
    plain = {_plain(each): each for each in sorted(known)}
    near = get_close_matches(_plain(name), plain, 1)
    return plain[near[0]] if near else None


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
