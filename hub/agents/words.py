"""Confirmation words: an act happens once, and only after somebody was shown what it would do.

A word is signed with the token that asked for it, so that any process of the hub knows it again, and it stands for one
act with its arguments, for a while. That it counts once is remembered by the process that took it: by another it could
be taken a second time, so the acts are such as do no harm twice.
"""

from __future__ import annotations

import hmac
from typing import Final

from attrs import define, field

from hub.clock import Clock, system_clock

LIFE_MS: Final = 10 * 60_000
MOST: Final = 10_000
"""Acts of which is remembered when their words ended; the oldest are forgotten first."""
DIGITS: Final = 16


@define(eq=False)
class Words:
    """Makes words and takes them back; times are ms UTC."""

    clock: Clock = system_clock
    _newest: dict[str, int] = field(init=False, factory=dict)
    """By act, when the newest word was made."""
    _ended: dict[str, int] = field(init=False, factory=dict)
    """By act, the moment up to which its words have ended."""

    def new(self, token: str, act: str) -> str:
        """Return a word for an act."""
        named = _digest(token, act)
        made = max(self.clock(), self._ended.get(named, -1) + 1)
        _note(self._newest, named, made)
        return f"{made:x}-{_digest(token, f'{made}.{act}')[:DIGITS]}"

    def take(self, token: str, act: str, word: str) -> bool:
        """Return whether a word is that of the act; right or wrong, it ends every word that the act had so far."""
        named, now = _digest(token, act), self.clock()
        made = _number(word.partition("-")[0])
        expected = f"{made:x}-{_digest(token, f'{made}.{act}')[:DIGITS]}"
        genuine = hmac.compare_digest(expected.encode(), word.encode("utf-8", "replace"))
        lives = self._ended.get(named, -1) < made and now - made <= LIFE_MS
        _note(self._ended, named, max(now, self._newest.get(named, 0)))
        return genuine and lives


def _note(moments: dict[str, int], named: str, moment: int) -> None:
    moments.pop(named, None)
    moments[named] = moment
    if len(moments) > MOST:
        del moments[next(iter(moments))]


def _digest(token: str, text: str) -> str:
    return hmac.digest(token.encode("utf-8", "replace"), text.encode("utf-8", "replace"), "sha256").hex()


def _number(text: str) -> int:
    """Return the number of up to twelve hex digits, 0 for anything else."""
    try:
        return int(text, 16) if len(text) <= 12 and text.isalnum() else 0
    except ValueError:
        return 0
