"""A database of a commit before the first release: refused with the command that moves it, and moved by names."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from click.testing import CliRunner

from hub.cli import hub
from hub.storage import MigrationFault, Store, StoreBusy, TransferFault
from hub.storage.migrations.files import load_migrations
from hub.storage.transfer.move import Left, transfer
from hub.testing.postgres import PostgresServer
from tests.storage.former import make_former, rows_of, run_script

pytestmark = pytest.mark.prove  # a story that takes seconds


@pytest.fixture
def old_server_url(postgres: PostgresServer) -> Iterator[str]:
    """The address of a PostgreSQL database without any table, beside the one that is moved into."""
    url = postgres.create_empty()
    yield url
    postgres.drop(url)


MEND = r"another commit .* whose 0001_\w+\.sql differs: move it into a new one by `hub migrate --from OLD --to NEW`"


@pytest.mark.parametrize("migrate", [True, False])
async def test_it_is_refused_with_the_command_that_moves_it(empty_url: str, migrate: bool) -> None:
    """Asked to migrate or not: nothing is applied, and its higher number is not taken for that of a newer release."""
    await make_former(empty_url)
    with pytest.raises(MigrationFault, match=MEND):
        await Store.open(empty_url, migrate=migrate)
    assert await rows_of(empty_url, "SELECT count(*), max(version) FROM schema_migrations") == [(41, 41)]


@pytest.mark.parametrize("command", [["migrate"], ["merchant", "list"], ["serve", "--port", "0"]])
def test_every_command_says_it_in_one_sentence(tmp_path: Path, command: list[str]) -> None:
    """No traceback, and nothing on standard output."""
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    asyncio.run(make_former(url))
    result = CliRunner().invoke(hub, command, env={"HUB_DATABASE_URL": url}, prog_name="hub")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "`hub migrate --from OLD --to NEW`" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("old_kind", ["sqlite", "postgresql"])
async def test_it_moves_by_the_names_of_tables_and_columns(
    empty_url: str, old_kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """From either kind into either: what both have is the same, what only the former has is named with its values."""
    old = f"sqlite:///{tmp_path / 'old.db'}" if old_kind == "sqlite" else request.getfixturevalue("old_server_url")
    await make_former(old)
    moved = await transfer(old, empty_url, lambda *_: None)
    assert [comparison.table for comparison in moved.comparisons if not comparison.same] == []
    assert moved.left == [Left("merchants", "motto", 1), Left("wishes", None, 2)]
    rows = "SELECT merchant_id, status, live_reason, updated_at FROM merchants ORDER BY merchant_id"
    assert await rows_of(empty_url, rows) == [("m", "APPROVED", None, 2), ("o", "PENDING", None, 4)]
    accounts = "SELECT account_id, advanced_ms FROM accounts ORDER BY 1"
    assert await rows_of(empty_url, accounts) == [("a", 0), ("b", 0)]
    async with await Store.open(empty_url, serve=True) as store:
        assert await store.schema_version() == len(load_migrations(store.dialect))
    assert await rows_of(old, "SELECT count(*) FROM wishes") == [(2,)]
    with pytest.raises(TransferFault, match="has rows already, in accounts, merchants"):
        await transfer(old, empty_url, lambda *_: None)


async def test_a_row_that_lacks_what_is_now_required_is_refused(empty_url: str, tmp_path: Path) -> None:
    """Nothing is made up: the table and the column are named, and nothing is kept."""
    old = f"sqlite:///{tmp_path / 'old.db'}"
    await make_former(old)
    await run_script(old, "DROP INDEX merchants_by_email; ALTER TABLE merchants DROP COLUMN email")
    with pytest.raises(TransferFault, match=r"refuses a row of table merchants: .*email"):
        await transfer(old, empty_url, lambda *_: None)
    assert await rows_of(empty_url, "SELECT count(*) FROM merchants") == [(0,)]


async def test_a_row_that_refers_to_nothing_is_refused(empty_url: str, tmp_path: Path) -> None:
    """What a file could hold whose foreign keys were off."""
    old = f"sqlite:///{tmp_path / 'old.db'}"
    await make_former(old)
    await run_script(old, "INSERT INTO tracking_codes VALUES ('code', 'nobody')")
    with pytest.raises(TransferFault, match=r"tracking_codes"):
        await transfer(old, empty_url, lambda *_: None)
    assert await rows_of(empty_url, "SELECT count(*) FROM merchants") == [(0,)]


async def test_a_server_that_a_hub_serves_is_refused(old_server_url: str, tmp_path: Path) -> None:
    """What it would accept during the move would be left behind; a process that has long gone is none."""
    await make_former(old_server_url)
    node = (
        "INSERT INTO nodes (node_id, started_at, seen_at, master_keys, clock_jump_ms, clock_confirmed)"
        " SELECT '{}', 0, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) - {}, '[]', 0, 0"
    )
    await run_script(old_server_url, node.format("gone", 60_000))
    await run_script(old_server_url, node.format("there", 1_000))
    new = f"sqlite:///{tmp_path / 'new.db'}"
    with pytest.raises(TransferFault, match=r"stop the hubs that use it first.*The process there was there"):
        await transfer(old_server_url, new, lambda *_: None)
    assert not (tmp_path / "new.db").exists()
    await run_script(old_server_url, "DELETE FROM nodes WHERE node_id = 'there'")
    assert (await transfer(old_server_url, new, lambda *_: None)).comparisons


async def test_a_server_that_is_written_is_refused(old_server_url: str, tmp_path: Path) -> None:
    """Its rows are read as of one moment, once those who write have ended."""
    await make_former(old_server_url)
    connection = await asyncpg.connect(old_server_url)
    async with connection.transaction():
        await connection.execute("UPDATE merchants SET name = 'later'")
        with pytest.raises(TransferFault, match="stop the hubs that use it first"):
            await transfer(old_server_url, f"sqlite:///{tmp_path / 'new.db'}", lambda *_: None, wait_seconds=0.05)
    await connection.close()


async def test_a_server_without_a_hub_is_refused(old_server_url: str, tmp_path: Path) -> None:
    with pytest.raises(TransferFault, match="not the database of a hub"):
        await transfer(old_server_url, f"sqlite:///{tmp_path / 'new.db'}", lambda *_: None)


async def test_a_file_that_is_served_is_no_target(sqlite_url: str, tmp_path: Path) -> None:
    """A hub would write into what is being moved."""
    old = f"sqlite:///{tmp_path / 'old.db'}"
    await make_former(old)
    async with await Store.open(sqlite_url, serve=True):
        with pytest.raises(StoreBusy, match="a move goes into a file of its own"):
            await transfer(old, sqlite_url, lambda *_: None)
