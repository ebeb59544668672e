"""Which database a test asks: SQLite in `make test` and PostgreSQL in `make prove`, or both at once.

What the databases might tell differently are statements, locks and turns. Every statement is asked on both in
tests/storage; locks and turns in tests/intake, tests/nodes and the tests that are `on_both`. Where a hub is asked
through its pages, its API or its messages, or a rule through its worker, a room's conftest, or a file, takes
`SQLITE_FIRST`, or this `database_url` in place of that of tests/conftest.py.
"""

from __future__ import annotations

from typing import Final

import pytest

__all__ = ["SQLITE_FIRST", "database_url", "on_both"]

SQLITE_FIRST: Final = ("sqlite", pytest.param("postgres", marks=pytest.mark.prove))
"""The kinds of a fixture: what is before `_url` in the name of the fixture of a fresh database."""


def on_both(fixture: str) -> pytest.MarkDecorator:
    """Ask both databases in `make test`, too: for a test whose matter are locks, turns or what a database answers."""
    return pytest.mark.parametrize(fixture, ["sqlite", "postgres"], indirect=True)


@pytest.fixture(params=SQLITE_FIRST)
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a fresh database with the hub's schema."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
