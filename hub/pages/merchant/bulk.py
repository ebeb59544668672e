"""Acts on many things at once: each by itself, so that one that is refused keeps no other back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from attrs import frozen

from hub.operations.errors import OperatorFault

MOST_AT_ONCE: Final = 100
TICK: Final = "tick."
"""The field of a box is this and the id of the thing: a form has each name once."""


@frozen
class Outcome:
    """How many things were done, and why each of the others was not, by its id."""

    done: int
    refused: Mapping[str, str]

    def words(self, done: str) -> str:
        """Return the outcome as a sentence; `done` is what was done, such as "dismissed"."""
        text = f"{self.done} {done}."
        if not self.refused:
            return text
        first = next(iter(self.refused.values()))
        return f"{text} {len(self.refused)} not done: {first}"


def ticked(form: Mapping[str, str]) -> list[str]:
    """Return the ids of the boxes that were ticked."""
    return [name.removeprefix(TICK) for name in form if name.startswith(TICK)][:MOST_AT_ONCE]


async def for_each(ids: list[str], act: Callable[[str], Awaitable[object]]) -> Outcome:
    """Await the act for each id and return what became of them."""
    done, refused = 0, {}
    for each in ids:
        try:
            await act(each)
        except OperatorFault as fault:
            refused[each] = str(fault)
        else:
            done += 1
    return Outcome(done, refused)
