"""Long tables of which a commit tries a part: `make test` takes one in so many of their rows, `make prove` the rest.

Which rows have their turn the commit decides, so that it is the same wherever the commit is tested, and that the next
one tries others. A table belongs here if one row is like another: none is known to be the one that fails.

A table is the parameters of a test, or what one test goes through in a hub that it sets up once (`in_parts`).
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import pytest
from attrs import frozen

from tests.within import commit_of

TABLES: Final[Mapping[str, int]] = {
    "test_hostile_bodies": 16,
    "test_a_kill_keeps_nothing": 2,
    "test_a_lost_connection_keeps_nothing": 2,
    "test_is_tidied": 2,
    "test_lasts_for_the_window": 5,
    "test_the_worst_texts_take_no_longer_than_their_length_allows": 4,
    "test_what_the_target_spoils_is_found": 6,
}
"""By the name of a test with parameters: of how many rows that follow each other one is tried in `make test`."""
ROOT: Final = Path(__file__).parents[1]
T = TypeVar("T")


@frozen
class Part:
    """One row in so many of a table; all of them if that is 1."""

    one_in: int

    def of(self, rows: Iterable[T]) -> list[T]:
        """Return the rows that this commit tries, in their order."""
        return [row for place, row in enumerate(rows) if has_turn(place, self.one_in, _this_commit())]


def in_parts(one_in: int) -> pytest.MarkDecorator:
    """Give a test the `part` of its table: one row in so many, and in `make prove` all.

    An odd number tries a page and its form at different commits where these take turns in the table.
    """
    parts = [
        pytest.param(Part(one_in), id=f"one in {one_in}"),
        pytest.param(Part(1), id="whole", marks=pytest.mark.prove),
    ]
    return pytest.mark.parametrize("part", parts)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the rows that have no turn to `make prove`."""
    sampled = [item for item in items if isinstance(item, pytest.Function) and item.originalname in TABLES]
    commit, places = commit_of(config.rootpath) if sampled else "", Counter[str]()
    for item in sampled:
        table = item.nodeid.partition("[")[0]
        if not has_turn(places[table], TABLES[item.originalname], commit):
            item.add_marker(pytest.mark.prove)
        places[table] += 1


def has_turn(row: int, parts: int, commit: str) -> bool:
    """Return whether a commit tries a row of a table, of which it tries one in so many."""
    return (row + zlib.crc32(commit.encode())) % parts == 0


@cache
def _this_commit() -> str:
    return commit_of(ROOT)
