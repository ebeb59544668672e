"""Both databases against the one suite."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.storage import Store
from hub.testing.store_suite import SUITE_FOLDERS, StoreSuite

WRITTEN = sorted(set(re.findall(r"INSERT INTO (\w+)", (SUITE_FOLDERS[-1] / "suite.sql").read_text("utf-8"))))
"""The tables that the suite's queries write to."""


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def database_of_the_suite(
    request: pytest.FixtureRequest, migrated_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> str:
    """The address of a database for all tests, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{shutil.copyfile(migrated_file, tmp_path_factory.mktemp('suite') / 'hub.db')}"
    url: str = request.getfixturevalue("postgres_of_the_file")
    return url


@pytest.fixture
async def store(database_of_the_suite: str) -> AsyncIterator[Store]:
    """A store over it, without the rows of the test before."""
    async with await Store.open(database_of_the_suite, query_folders=SUITE_FOLDERS) as opened:
        async with opened.write() as tx:
            for table in WRITTEN:
                await tx._session.execute(f"DELETE FROM {table}", [])
        yield opened


class TestStore(StoreSuite):
    """Runs once for SQLite and once for PostgreSQL."""
