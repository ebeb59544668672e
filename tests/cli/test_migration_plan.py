"""`hub migrate --check`: what an upgrade locks, and how large that is, before it is done."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from attrs import evolve

from hub.storage.migrations import plan
from hub.storage.migrations.files import Migration, migration_folder
from hub.storage.migrations.plan import LOCKS, Touch, plan_of, touches
from hub.testing.postgres import PostgresServer
from tests.cli.conftest import Operator

NEXT = """
CREATE TABLE shelves (shelf_id TEXT NOT NULL PRIMARY KEY) {clustered};
CREATE INDEX shelves_by_id ON shelves (shelf_id);
-- ALTER TABLE events is only spoken of here.
ALTER TABLE merchants ADD COLUMN shelf TEXT;
CREATE INDEX merchants_by_shelf ON merchants (shelf);
UPDATE merchants SET shelf = 'A';
"""


(CHANGED,) = (lock for lock in LOCKS if lock.what.startswith("has rows changed"))


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The migrations of a release with one more."""
    folder = tmp_path / "migrations"
    shutil.copytree(migration_folder(), folder)
    number = len({file.name[:4] for file in folder.glob("0*.sql")}) + 1
    (folder / f"{number:04}_add_shelves.sql").write_text(NEXT)
    return folder


async def test_it_names_what_is_locked_and_how_many_rows_that_has(database_url: str, later: Path) -> None:
    """A table that the step itself makes is nobody's yet, and a comment does nothing."""
    steps, touched = await plan_of(database_url, later)
    assert [step.partition("_")[2] for step in steps] == ["add_shelves.sql"]
    assert [(each.table, each.lock.what.split(":")[0].split(",")[0]) for each in touched] == [
        ("merchants", "is changed"), ("merchants", "gets an index"), ("merchants", "has rows changed")
    ]  # fmt: skip
    if database_url.startswith("sqlite"):
        assert [each.rows for each in touched] == [0, 0, 0]


@pytest.mark.parametrize(
    ("statement", "rows", "seconds"),
    [
        ("ALTER TABLE merchants ADD COLUMN shelf TEXT", 90_000_000, 0),
        ("ALTER TABLE merchants ALTER COLUMN name TYPE TEXT", 90_000_000, 600),
        ("CREATE UNIQUE INDEX a ON merchants (name)", 90_000_000, 180),
        ("UPDATE merchants SET name = 'A'", 10_000_000, 500),
        ("UPDATE merchants SET name = 'A'", 7, 0),
        ("DELETE FROM merchants", None, None),
    ],
)
def test_it_says_how_long_by_what_is_done_and_to_how_many_rows(
    statement: str, rows: int | None, seconds: int | None
) -> None:
    (touch,) = touches([Migration(2, "0002_a.sql", "", "", f"{statement};")])
    assert evolve(touch, rows=rows).seconds == seconds


def test_the_command_says_it(operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
    async def planned(_url: str) -> tuple[list[str], list[Touch]]:
        return ["0002_a.sql"], [Touch("0002_a.sql", "orders", CHANGED, rows) for rows in (10_000_000, None)]

    monkeypatch.setattr(plan, "plan_of", planned)
    lines = operator.run("migrate", "--check").stdout.splitlines()
    assert "(10,000,000 rows) has rows changed, which nobody else changes meanwhile, for about 500 s." in lines[1]
    assert "(an unknown number of rows)" in lines[2]
    assert lines[2].endswith("for as long as its rows take.")


async def test_a_database_that_is_up_to_date_lacks_nothing(database_url: str) -> None:
    assert await plan_of(database_url) == ([], [])


def test_the_command_changes_nothing(operator: Operator) -> None:
    operator.merchant()
    before = Path(operator.url.removeprefix("sqlite:///")).read_bytes()
    assert operator.do("migrate", "--check") == {"missing": [], "touches": []}
    assert "up to date" in operator.run("migrate", "--check").stdout
    assert Path(operator.url.removeprefix("sqlite:///")).read_bytes() == before


def test_tables_are_partitioned_by_command_or_from_their_start(postgres: PostgresServer, operator: Operator) -> None:
    """`partitions` in the settings does it as the schema is made, `--partition` at any time, and twice is once."""
    url = postgres.create_empty()
    try:
        made = operator.run("migrate", "--json", HUB_DATABASE_URL=url, HUB_DATABASE_PARTITIONS="true")
        tables = [each["table"] for each in json.loads(made.stdout)["partitioned"]]
        assert tables == ["payloads", "request_log", "signatures"]
        again = operator.run("migrate", "--partition", HUB_DATABASE_URL=url)
        assert "Everything that can be partitioned by time already is." in again.stdout
    finally:
        postgres.drop(url)


def test_sqlite_has_no_partitions(operator: Operator) -> None:
    assert "SQLite has no partitions" in operator.refused("migrate", "--partition")
