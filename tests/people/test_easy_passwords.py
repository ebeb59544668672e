"""A password that is made of often used ones is refused, and one of a few words of one's own is taken."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.people.easy_passwords import is_easy, used_passwords
from hub.people.passwords import LONGEST, SHORTEST, password_fault

ANN = ("ann@flowers.example", "Ann Gardener", "Green Network")


def test_no_used_password_that_is_long_enough_is_taken() -> None:
    """The list has 30,000; of those of twelve characters and more none is left, alone or with another behind it."""
    used = used_passwords()
    long = [each for each in used if len(each) >= SHORTEST]
    assert len(used) > 29_000
    assert len(long) > 200
    assert [each for each in long if password_fault(each, ()) is None] == []
    ordered = sorted(used)
    pairs = [first + second for first, second in zip(ordered[::29], ordered[3::29], strict=False)]
    assert len(pairs) > 900
    assert [each for each in pairs if len(each) >= SHORTEST and not is_easy(each)] == []


@pytest.mark.parametrize(
    "password",
    [
        "password1234",
        "P4ssw0rd-2024",
        "LetMeIn monkey",
        "qwertyuiop12",
        "iloveyou!!2019",
        "abcdefghijkl",
        "987654321098",
        "aaaaaaaaaaaab",
        "monkeymonkeymonkey",
        "ann@flowers.example",
        "flowers-2026",
        "Gardener 1987",
        "green network",
        "affiliate123",
        "operator-admin",
    ],
)
def test_what_guessers_try_soon_is_refused_with_a_way_out(password: str) -> None:
    fault = password_fault(password.ljust(SHORTEST, "1"), ANN)
    assert fault is not None
    assert "hree words or more" in fault


@pytest.mark.parametrize(
    "password",
    [
        "three quiet herons",
        "four loud geese",
        "correct horse battery staple",
        "пчела под дождём",
        "七匹の静かな青いさぎ達よ飛べ",
        "x9$Kq!vT2@pLw",
        "^&%)(*~{}|?><",
        "a" * 20 + " " + "z9" * 20 + " heron",
        "word " * 12 + "heron geese owl",
    ],
)
def test_any_characters_make_a_good_one(password: str) -> None:
    """There is no rule of composition: letters alone will do, and signs alone, of any script."""
    assert password_fault(password, ANN) is None


def test_a_password_has_twelve_to_256_characters() -> None:
    drawn, lengths = "".join(Random(7).choices(ascii_lowercase, k=LONGEST + 1)), (1, 11, 12, 64, 256, 257)
    assert [length for length in lengths if password_fault(drawn[:length], ()) is None] == [12, 64, 256]


def test_control_words_of_ones_own_count_for_oneself_alone() -> None:
    assert password_fault("Gardener 1987", ANN)
    assert password_fault("zzyqfrtk 1987", ANN) is None
    assert password_fault("zzyqfrtk 1987", (*ANN, "Zzyqfrtk Ltd")) is not None


@given(st.text(min_size=SHORTEST, max_size=LONGEST))
def test_said_twice_a_text_is_no_better(password: str) -> None:
    assert is_easy(password + password) == is_easy(password)
