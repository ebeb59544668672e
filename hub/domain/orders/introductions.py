"""Who let whom in, and whether two people are two: one who made the other's account or link is both of them."""

from __future__ import annotations

from collections.abc import Collection


def is_of_another_hand(first: str, second: str, introductions: Collection[tuple[str, str]]) -> bool:
    """Return whether two actors are two people, as far as who let them in tells.

    They are not if they are the same, if one let the other in, at first or at second hand, or if a third one let both
    in. `introductions` are pairs of a person and who let them in, those that still count (issue 27, "Provenance").
    """
    return not (_hands(first, introductions) & _hands(second, introductions))


def _hands(actor: str, introductions: Collection[tuple[str, str]]) -> set[str]:
    """Return an actor and everybody through whose hands they came in."""
    found, left = {actor}, [actor]
    while left:
        person = left.pop()
        new = {by for who, by in introductions if who == person} - found
        found |= new
        left += new
    return found
