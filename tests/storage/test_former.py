"""A database of a commit before the first release: refused with the command that moves it, and moved by names."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

from hub.cli import hub
from hub.storage import MigrationFault, Store, TransferFault
from hub.storage.transfer.move import Left, transfer
from tests.storage.former import make_former, rows_of, run_script

MEND = r"not made by this 0001_\w+\.sql: .* by `hub migrate --from OLD --to NEW`\."


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


async def test_it_moves_by_the_names_of_tables_and_columns(postgres_url: str, tmp_path: Path) -> None:
    """What both schemas have is the same afterwards; what only the former has is named unless it is empty."""
    old = tmp_path / "old.db"
    await make_former(f"sqlite:///{old}")
    before = old.read_bytes()
    moved = await transfer(old, postgres_url, lambda *_: None)
    assert [comparison.table for comparison in moved.comparisons if not comparison.same] == []
    assert moved.left == [Left("merchants", "motto", 1), Left("wishes", None, 2)]
    assert old.read_bytes() == before
    rows = "SELECT merchant_id, status, live_reason, updated_at FROM merchants ORDER BY merchant_id"
    assert await rows_of(postgres_url, rows) == [("m", "APPROVED", None, 2), ("o", "PENDING", None, 4)]
    accounts = "SELECT account_id, advanced_ms FROM accounts ORDER BY 1"
    assert await rows_of(postgres_url, accounts) == [("a", 0), ("b", 0)]
    async with await Store.open(postgres_url) as store:
        assert await store.schema_version() == 9


async def test_a_row_that_lacks_what_is_now_required_is_refused(postgres_url: str, tmp_path: Path) -> None:
    """Nothing is made up: the table and the column are named, and nothing is kept."""
    old = tmp_path / "old.db"
    await make_former(f"sqlite:///{old}")
    await run_script(f"sqlite:///{old}", "ALTER TABLE merchants DROP COLUMN email")
    with pytest.raises(TransferFault, match=r'refuses a row of table merchants: null value in column "email"'):
        await transfer(old, postgres_url, lambda *_: None)
    assert await rows_of(postgres_url, "SELECT count(*) FROM merchants") == [(0,)]
