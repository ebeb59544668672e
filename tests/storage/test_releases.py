"""What each release stored is migrated to today's schema, and its books hold; the control is this commit's own data."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest

from hub.clock import system_clock
from hub.operations.audits.audit import audit
from hub.storage import Store
from hub.storage.migrations.files import migration_folder
from hub.testing.postgres import PostgresServer
from tests.storage.release_data import FOLDER, load_file, load_server, write
from tests.test_repository import ROOT

KEPT = sorted(FOLDER.glob("*.sql.gz"))
NONE_YET = pytest.param(FOLDER, marks=pytest.mark.skip(reason="no release is tagged yet, whose data could be migrated"))
NEXT = """
ALTER TABLE merchants ADD COLUMN shelf TEXT;
CREATE INDEX {concurrently} events_by_type ON events (account_id, type);
"""


async def proved(url: str, migrations: Path | None = None) -> int:
    """Migrate a database as an upgrade does, prove its books, and return how many entries they have."""
    async with await Store.open(url, migrate=True, serve=True, migrations=migrations) as store:
        await store.build_indexes(print, migrations)
        found = await audit(store, system_clock)
    assert found["violations"] == []
    return found["ledgerEntriesChecked"]


async def opened(file: Path, server: PostgresServer, place: Path) -> str:
    """Make a database of the data of a file; return its address."""
    if ".sqlite." in file.name:
        return load_file(file, place / "hub.db")
    url = server.create_empty()
    await load_server(await asyncio.to_thread(file.read_bytes), url)
    return url


@pytest.mark.parametrize("file", KEPT or [NONE_YET], ids=lambda file: file.name)
async def test_the_data_of_a_release_is_migrated(file: Path, postgres: PostgresServer, tmp_path: Path) -> None:
    assert await proved(await opened(file, postgres, tmp_path)) > 100


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_the_data_of_this_commit_is_migrated_by_a_later_one(
    database: str, written: dict[str, Path], postgres: PostgresServer, tmp_path: Path
) -> None:
    """As the release after this one will do, with a column and an index more."""
    later = tmp_path / "migrations"
    shutil.copytree(migration_folder(), later)
    number = len({file.name[:4] for file in later.glob("0*.sql")}) + 1
    (later / f"{number:04}_add_shelves.sql").write_text(NEXT)
    url = await opened(written[database], postgres, tmp_path)
    assert await proved(url, later) > 100
    async with await Store.open(url, migrations=later) as store:
        assert await store.schema_version() == number


@pytest.fixture(scope="module")
def written(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The data of this commit, written as a release's is, by database."""
    from concurrent.futures import ThreadPoolExecutor

    folder = tmp_path_factory.mktemp("releases")
    with ThreadPoolExecutor(1) as apart:
        files = apart.submit(write, folder, "9.9.9", postgres).result()
    return {file.name.split(".")[3]: file for file in files}


def test_each_release_left_its_data() -> None:
    """A tag without its two files is a release whose upgrade nobody tries."""
    tags = subprocess.run(["git", "tag", "--list", "v*"], cwd=ROOT, capture_output=True, text=True, check=True)
    missing = [
        f"{tag.removeprefix('v')}.{database}.sql.gz"
        for tag in tags.stdout.split()
        for database in ("sqlite", "postgresql")
        if not (FOLDER / f"{tag.removeprefix('v')}.{database}.sql.gz").exists()
    ]
    assert missing == []
