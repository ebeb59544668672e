"""Long tables of which a commit tries a part: `make test` takes one in so many of their rows, `make prove` the rest.

Which rows have their turn the commit decides, so that it is the same wherever the commit is tested, and that the next
one tries others. A table belongs here if one row is like another: none is known to be the one that fails.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping
from typing import Final

import pytest

from tests.within import commit_of

TABLES: Final[Mapping[str, int]] = {
    "test_hostile_bodies": 16,
    "test_the_worst_texts_take_no_longer_than_their_length_allows": 4,
}
"""By the name of a test with parameters: of how many rows that follow each other one is tried in `make test`."""


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
