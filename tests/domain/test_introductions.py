"""Two people are two unless the same hand let them in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.orders.introductions import is_of_another_hand

NAMES = st.sampled_from("abcdef")
PAIRS = st.sets(st.tuples(NAMES, NAMES), max_size=8)


@pytest.mark.parametrize(
    ("introductions", "are_two"),
    [
        (set(), True),
        ({("bob", "alice")}, False),
        ({("alice", "bob")}, False),
        ({("bob", "eve"), ("eve", "alice")}, False),
        ({("bob", "una"), ("alice", "una")}, False),
        ({("bob", "una"), ("alice", "pat")}, True),
        ({("eve", "alice"), ("eve", "bob")}, True),
    ],
)
def test_alice_and_bob(introductions: set[tuple[str, str]], are_two: bool) -> None:
    """Not if one let the other in, by another's hands, or a third one both; whom they let in does not matter."""
    assert is_of_another_hand("alice", "bob", introductions) is are_two


@given(NAMES, NAMES, PAIRS, PAIRS)
def test_it_is_the_same_both_ways_and_more_hands_never_make_two(
    first: str, second: str, introductions: set[tuple[str, str]], more: set[tuple[str, str]]
) -> None:
    two = is_of_another_hand(first, second, introductions)
    assert two == is_of_another_hand(second, first, introductions)
    assert not is_of_another_hand(first, first, introductions)
    assert two or not is_of_another_hand(first, second, introductions | more)
