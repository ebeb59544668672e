"""Confirmation words: whatever is tried with them, an act happens at most once, and only after it was shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.agents import words as module
from hub.agents.words import LIFE_MS, Words
from hub.testing.clock import FakeClock

TOKENS, ACTS = ("tok_a", "tok_b"), ("pay", "cancel")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.sampled_from(TOKENS), st.sampled_from(ACTS)),
        st.tuples(st.just("say"), st.sampled_from(TOKENS), st.sampled_from(ACTS), st.integers(0, 5)),
        st.tuples(st.just("wait"), st.sampled_from((0, 1, LIFE_MS))),
    ),
    max_size=12,
)


@given(steps=STEPS)
def test_a_word_counts_once_for_its_act_its_token_and_its_time(steps: list[tuple[object, ...]]) -> None:
    clock = FakeClock()
    words, asked, given_words = Words(clock), set[tuple[object, object, str]](), ["", "0-", "1-0"]
    for kind, *rest in steps:
        if kind == "wait":
            clock.advance(int(str(rest[0])))
        elif kind == "ask":
            token, act = str(rest[0]), str(rest[1])
            given_words.append(words.new(token, act))
            asked.add((token, act, given_words[-1]))
        else:
            token, act, word = str(rest[0]), str(rest[1]), given_words[-1 - int(str(rest[2])) % len(given_words)]
            taken = words.take(token, act, word)
            assert not taken or (token, act, word) in asked
            asked = {each for each in asked if each[:2] != (token, act)}  # right or wrong, its words have ended


def test_another_process_knows_the_word_and_nobody_can_make_one() -> None:
    clock = FakeClock()
    word = Words(clock).new("tok_a", "pay")
    assert Words(clock).take("tok_a", "pay", word)
    forged = word[:-1] + ("0" if word[-1] != "0" else "1")
    assert not Words(clock).take("tok_a", "pay", forged)
    for odd in ("", "-", "zz-0", "f" * 13 + "-0", "\ud800-\udfff", f"{word}0", word.upper()):
        assert not Words(clock).take("tok_a", "pay", odd)
    clock.advance(LIFE_MS + 1)
    assert not Words(clock).take("tok_a", "pay", word)


def test_what_is_remembered_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    words = Words(FakeClock())
    for number in range(10):
        words.take("tok_a", f"act {number}", words.new("tok_a", f"act {number}"))
    assert len(words._newest) == len(words._ended) == 3
