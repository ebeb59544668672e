"""A fresh database: SQLite in `make test`, and PostgreSQL in `make prove`.

A room's conftest, or a file, imports this in place of the fixture of tests/conftest.py where a hub is asked through its
pages, its API or its messages: what the databases might tell differently are statements, and every one of them is asked
on both in tests/storage, locks and turns in tests/processing and tests/nodes.
"""

from __future__ import annotations

import pytest

__all__ = ["database_url"]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.prove)])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a fresh database with the hub's schema."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url
