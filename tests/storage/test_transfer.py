"""The move from SQLite to PostgreSQL: everything, proved the same, or nothing."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from hub.storage import SchemaTooNew, Store, StoreBusy, StoreError, StoreUnavailable, TransferFault
from hub.storage.migrations.files import load_migrations, migration_folder
from hub.storage.sqlite.server_lock import ServerLock
from hub.storage.transfer.move import Comparison, transfer
from hub.storage.transfer.sqlite_source import open_source
from hub.storage.transfer.sqlite_target import SqliteTarget
from hub.storage.transfer.tables import INTEGER, TEXT, Table, parents_first
from hub.testing.postgres import PostgresServer

# By name the child comes before its parent, and names and columns are ones that need quotes.
SCHEMA = """
CREATE TABLE "zone" (id TEXT NOT NULL PRIMARY KEY, above TEXT REFERENCES "zone" (id));
CREATE TABLE "item" (
    id      BIGINT NOT NULL PRIMARY KEY,
    zone    TEXT   NOT NULL REFERENCES "zone" (id),
    "order" TEXT,
    number  BIGINT
);
CREATE TABLE empty (a TEXT NOT NULL, b TEXT NOT NULL, PRIMARY KEY (b, a)) {clustered};
"""
ODD_TEXTS = [
    "",
    None,
    "-",
    "1:a",
    "it's",
    'a"b',
    "back\\slash",
    "two\nlines\t",
    "żółć 漢字 🙂",
    "\\N",
    "%s {} $1",
    "e\u0301",
]
ODD_NUMBERS = [0, None, -1, 2**63 - 1, -(2**63), 1_700_000_000_000, 2**32, -(2**32) - 1]
MANY = 3_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one migration."""
    place = tmp_path / "migrations"
    place.mkdir()
    (place / "0001_create_all.sql").write_text(SCHEMA, "utf-8")
    return place


@pytest.fixture
async def file(tmp_path: Path, folder: Path) -> Path:
    """An SQLite file with odd values and enough rows for several reports of progress."""
    path = tmp_path / "old" / "hub.db"
    await (await Store.open(f"sqlite:///{path}", migrate=True, migrations=folder)).close()
    with write(path) as raw:
        raw.execute("INSERT INTO zone VALUES ('low', 'top'), ('top', NULL)")
        odd: list[tuple[object, ...]] = [
            ("top", text, ODD_NUMBERS[n % len(ODD_NUMBERS)]) for n, text in enumerate(ODD_TEXTS)
        ]
        many: list[tuple[object, ...]] = [
            ("low", f"text {n}", 2**62 + n) for n in range(MANY)
        ]  # whose sum exceeds 64 bits
        raw.executemany("INSERT INTO item VALUES (?, ?, ?, ?)", [(n, *row) for n, row in enumerate(odd + many)])
    raw.close()
    return path


@pytest.fixture
def target(postgres: PostgresServer) -> Iterator[str]:
    """The address of a PostgreSQL database without any table."""
    url = postgres.create_empty()
    yield url
    postgres.drop(url)


def write(path: Path, *, wait: float = 5) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=wait)


def content(path: Path) -> Any:
    """Return what a file, or a folder, holds."""
    return sorted(path.iterdir()) if path.is_dir() else path.read_bytes()


def unwatched(*_: object) -> None:
    """Watch nothing."""


async def move(file: Path, target: str, folder: Path | None, watch: Any = unwatched) -> dict[str, Comparison]:
    moved = await transfer(f"sqlite:///{file}", target, watch, folder)
    assert moved.left == []
    return {comparison.table: comparison for comparison in moved.comparisons}


async def ask(url: str, sql: str) -> list[tuple[Any, ...]]:
    """Ask PostgreSQL past the store; wait for no lock."""
    connection = await asyncpg.connect(url, server_settings={"lock_timeout": "100ms"})
    try:
        return [tuple(row) for row in await connection.fetch(sql)]
    finally:
        await connection.close()


def apart(url: str, sql: str) -> list[tuple[Any, ...]]:
    """The same from inside a watch, which cannot wait."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, ask(url, sql)).result()


async def tables_of(url: str) -> list[str]:
    return [name for (name,) in await ask(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]


class TestEverything:
    async def test_every_row_arrives(self, file: Path, target: str, folder: Path) -> None:
        """Every value of every row, and the file stays as it is; the children come after their parents."""
        before = content(file)
        found = await move(file, target, folder)
        assert [(name, c.source.rows, c.same) for name, c in found.items()] == [
            ("empty", 0, True), ("zone", 2, True), ("item", MANY + len(ODD_TEXTS), True),
        ]  # fmt: skip
        with write(file) as raw:
            for table in found:
                rows = raw.execute(f'SELECT * FROM "{table}"').fetchall()
                assert sorted(await ask(target, f'SELECT * FROM "{table}"')) == sorted(rows)
            (total,) = raw.execute("SELECT sum(CAST(number AS REAL)) FROM item").fetchone()
        raw.close()
        assert found["item"].target.sums["number"] > 2**63
        assert found["item"].target.sums["number"] == pytest.approx(total)
        assert content(file) == before
        async with await Store.open(target, migrations=folder) as store:
            assert await store.schema_version() == 1

    async def test_no_table_of_the_hub_is_forgotten(self, sqlite_url: str) -> None:
        """The tables are those that the migrations create, and hold nothing but what a move knows."""
        texts = "".join(step.written for step in load_migrations("sqlite"))
        created = set(re.findall(r"^CREATE (?:\{\w+\} )?TABLE (\w+)", texts, re.MULTILINE))
        async with open_source(Path(sqlite_url.removeprefix("sqlite:///"))) as source:
            tables = {table.name: table for table in await source.tables()}
        assert created == tables.keys()
        assert {"merchants", "claims", "connection_stock"} <= tables.keys()
        assert {kind for table in tables.values() for kind in table.columns.values()} == {INTEGER, TEXT}
        assert all(table.key for table in tables.values())
        assert tables["links"].parents == {"accounts", "affiliates", "campaigns", "products"}

    async def test_a_table_added_later_moves_too(
        self, sqlite_url: str, postgres_url: str, target: str, tmp_path: Path
    ) -> None:
        """Nobody has to name a new table anywhere: a migration is enough."""
        folder = tmp_path / "more"
        folder.mkdir()
        for path in migration_folder().glob("*.sql"):
            (folder / path.name).write_bytes(path.read_bytes())
        last = len(load_migrations("sqlite"))
        later = "CREATE TABLE a_later (id TEXT NOT NULL PRIMARY KEY REFERENCES merchants (merchant_id), n BIGINT);"
        (folder / f"{last + 1:04}_create_later.sql").write_text(later, "utf-8")
        file = Path(sqlite_url.removeprefix("sqlite:///"))
        await (await Store.open(sqlite_url, migrate=True, serve=True, migrations=folder)).close()
        with write(file) as raw:
            columns = "merchant_id, name, email, domains, currency, hold_ms, status, created_at, updated_at"
            values = "'mer_1', 'n', 'e', '[]', 'USD', 1, 'PENDING', 2, 3"
            raw.execute(f"INSERT INTO merchants ({columns}) VALUES ({values})")
            raw.execute("INSERT INTO a_later VALUES ('mer_1', 7)")
        raw.close()
        found = await move(file, target, folder)
        assert found["a_later"].same
        assert found["a_later"].target.sums == {"n": 7}
        assert await ask(target, "SELECT id, n FROM a_later") == [("mer_1", 7)]

    async def test_an_empty_hub_moves_into_a_migrated_database(self, sqlite_url: str, postgres_url: str) -> None:
        """An empty hub into a migrated database: the schemas are the same on both sides."""
        found = await move(Path(sqlite_url.removeprefix("sqlite:///")), postgres_url, None)
        assert len(found) > 20
        assert all(comparison.same for comparison in found.values())

    def test_tables_that_refer_to_each_other_in_a_circle_are_named(self) -> None:
        """No order satisfies tables that refer to each other."""
        tables = [Table("a", {}, (), frozenset({"b"})), Table("b", {}, (), frozenset({"a"}))]
        with pytest.raises(TransferFault, match="in a circle: "):
            parents_first(tables)


class TestAlone:
    async def test_nobody_writes_to_the_file(self, file: Path, target: str, folder: Path) -> None:
        """Neither a server nor a command beside it gets in while the move lasts; both may after it."""
        refused = []

        def watch(stage: str, table: str, done: int, total: int) -> None:
            with pytest.raises(StoreBusy) as busy:
                ServerLock(file).acquire()
            assert busy.value.transient
            raw = write(file, wait=0)
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                raw.execute("DELETE FROM item")
            raw.close()
            refused.append(stage)

        await move(file, target, folder, watch)
        assert set(refused) == {"count", "copy", "verify"}
        async with await Store.open(f"sqlite:///{file}", serve=True, migrations=folder) as store, store.write():
            pass

    async def test_nobody_writes_to_the_target(self, file: Path, target: str, folder: Path) -> None:
        """A hub that already looks at the target sees it empty, and its writes wait."""
        seen = []

        def watch(stage: str, table: str, done: int, total: int) -> None:
            if stage == "verify":
                seen.append(apart(target, "SELECT count(*) FROM item"))
                with pytest.raises(asyncpg.LockNotAvailableError):
                    apart(target, "INSERT INTO zone VALUES ('x', NULL)")

        await move(file, target, folder, watch)
        assert seen == [[(0,)]] * 3

    async def test_a_served_file_is_refused(self, file: Path, target: str, folder: Path) -> None:
        """The server would go on accepting into the file that is being left."""
        async with await Store.open(f"sqlite:///{file}", serve=True, migrations=folder):
            with pytest.raises(StoreBusy, match=r"already serves .*hub\.db.* Stop it first: what it accepts"):
                await move(file, target, folder)
        assert await tables_of(target) == []

    async def test_a_file_that_is_written_is_refused(self, file: Path, target: str, folder: Path) -> None:
        raw = write(file)
        raw.execute("DELETE FROM item")
        with pytest.raises(StoreUnavailable, match="locked"):
            await transfer(f"sqlite:///{file}", target, unwatched, folder, wait_seconds=0.02)
        raw.close()

    async def test_a_target_in_use_is_refused(self, file: Path, target: str, folder: Path) -> None:
        await (await Store.open(target, migrate=True, migrations=folder)).close()
        connection = await asyncpg.connect(target)
        async with connection.transaction():
            await connection.execute("LOCK TABLE zone IN SHARE MODE")
            with pytest.raises(TransferFault, match="stop the hubs that use it"):
                await transfer(f"sqlite:///{file}", target, unwatched, folder, wait_seconds=0.05)
        await connection.close()


class TestInterrupted:
    async def test_a_fault_keeps_nothing(self, file: Path, target: str, folder: Path) -> None:
        """Whatever breaks it off leaves the target empty, and the same command does it again."""

        def watch(stage: str, table: str, done: int, total: int) -> None:
            if table == "item" and done >= 2_000:
                raise RuntimeError("the plug")

        with pytest.raises(RuntimeError, match="the plug"):
            await move(file, target, folder, watch)
        assert await ask(target, "SELECT count(*) FROM zone") == [(0,)]
        assert all(comparison.same for comparison in (await move(file, target, folder)).values())

    @pytest.mark.parametrize("at", ["copy", "verify"])
    async def test_a_kill_keeps_nothing(self, file: Path, target: str, folder: Path, at: str) -> None:
        """The server undoes what a killed move had sent; nothing stands in the way of the next one."""
        program = (
            "import asyncio, os, pathlib, sys\nfrom hub.storage.transfer.move import transfer\n"
            "def watch(stage, table, done, total):\n"
            f"    if (stage, table) == ({at!r}, 'item') and done >= 2000: os.kill(os.getpid(), 9)\n"
            "asyncio.run(transfer(sys.argv[1], sys.argv[2], watch, pathlib.Path(sys.argv[3])))\n"
        )
        root = Path(__file__).parents[2]
        arguments = ["-c", program, f"sqlite:///{file}", target, str(folder)]
        killed = await asyncio.create_subprocess_exec(sys.executable, *arguments, cwd=root)
        assert await killed.wait() == -9
        assert await ask(target, "SELECT count(*) FROM zone") == [(0,)]
        assert all(comparison.same for comparison in (await move(file, target, folder)).values())

    @pytest.mark.parametrize("at", ["copy", "verify"])
    async def test_a_lost_connection_keeps_nothing(self, file: Path, target: str, folder: Path, at: str) -> None:
        """PostgreSQL goes away in the middle: it is reported as that, not as the fault of a row."""
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

        def watch(stage: str, table: str, done: int, total: int) -> None:
            if (stage, table) == (at, "item") and done >= 2_000:
                apart(target, f"SELECT pg_terminate_backend(pid) {others}")

        with pytest.raises(StoreUnavailable, match="cannot"):
            await move(file, target, folder, watch)
        assert await ask(target, "SELECT count(*) FROM zone") == [(0,)]
        assert all(comparison.same for comparison in (await move(file, target, folder)).values())

    async def test_a_cancelled_move_lets_everything_go(self, file: Path, target: str, folder: Path) -> None:
        """Ctrl-C cancels the task."""
        task: asyncio.Task[Any] | None = None

        def watch(stage: str, table: str, done: int, total: int) -> None:
            if stage == "verify":
                assert task is not None
                task.cancel()

        task = asyncio.ensure_future(move(file, target, folder, watch))
        with pytest.raises(asyncio.CancelledError):
            await task
        assert all(comparison.same for comparison in (await move(file, target, folder)).values())

    async def test_a_commit_without_an_answer_is_reported_as_uncertain(
        self, file: Path, target: str, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whether a commit that got no answer was kept, the target shows."""

        def watch(stage: str, table: str, done: int, total: int) -> None:
            if (stage, table) == ("verify", "item"):
                monkeypatch.setattr(asyncpg.Connection, "execute", execute)

        async def execute(self: Any, sql: str, *arguments: Any) -> str:
            if sql == "COMMIT":
                raise ConnectionResetError("reset")
            return "ANALYZE"

        with pytest.raises(StoreUnavailable, match="may or may not have reached the target"):
            await move(file, target, folder, watch)


class NoRoom(sqlite3.Connection):
    """A file whose disk takes no more once the commit is in the log."""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if "wal_checkpoint" in sql:
            raise sqlite3.OperationalError("database or disk is full")
        return super().execute(sql, *values)


async def test_what_is_committed_is_moved_although_its_log_stays(tmp_path: Path) -> None:
    """Told as a fault, with "try again", it left a whole target, into which no second move goes."""
    with closing(sqlite3.connect(tmp_path / "new.db", isolation_level=None, factory=NoRoom)) as connection:
        connection.executescript("PRAGMA journal_mode = WAL; CREATE TABLE zone (id INTEGER);")
        target = SqliteTarget(tmp_path / "new.db", connection)
        await target.begin(["zone"], 1.0)
        connection.execute("INSERT INTO zone VALUES (1)")
        await target.commit(["zone"])
        with closing(sqlite3.connect(tmp_path / "new.db")) as reader:
            assert reader.execute("SELECT id FROM zone").fetchall() == [(1,)]


SPOILS = {
    "a text": ("IF NEW.id = 5 THEN NEW.\"order\" := 'a''b'; END IF; RETURN NEW;", 0, ()),
    "a blank for null": ('NEW."order" := coalesce(NEW."order", \'\'); RETURN NEW;', 0, ()),
    "a parent": ("IF NEW.id = 100 THEN NEW.zone := 'top'; END IF; RETURN NEW;", 0, ()),
    "an amount": ("IF NEW.id = 4 THEN NEW.number := NEW.number + 1; END IF; RETURN NEW;", 0, ("number",)),
    "amounts that add up": (
        "IF NEW.id > 99 THEN NEW.number := NEW.number + 1 - 2 * (NEW.id % 2); END IF; RETURN NEW;",
        0,
        (),
    ),
    "a lost row": ("IF NEW.id = 0 THEN RETURN NULL; END IF; RETURN NEW;", -1, ()),
}


class TestControl:
    @pytest.mark.parametrize("spoil", SPOILS)
    async def test_what_the_target_spoils_is_found(self, file: Path, target: str, folder: Path, spoil: str) -> None:
        """A trigger changes one row on its way in; the comparison says so and nothing is kept."""
        body, rows, sums = SPOILS[spoil]
        await (await Store.open(target, migrate=True, migrations=folder)).close()
        await ask(target, f"CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$")
        await ask(target, "CREATE TRIGGER spoil BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION spoil()")
        found = await move(file, target, folder)
        item = found["item"]
        assert [name for name, comparison in found.items() if not comparison.same] == ["item"]
        assert item.target.rows - item.source.rows == rows
        assert tuple(n for n, total in item.source.sums.items() if total != item.target.sums[n] and not rows) == sums
        assert item.source.digest != item.target.digest
        assert await ask(target, "SELECT count(*) FROM zone") == [(0,)]


class TestRefused:
    async def test_a_missing_file_is_refused(self, tmp_path: Path, target: str) -> None:
        with pytest.raises(TransferFault, match=r"There is no database .*typo\.db"):
            await move(tmp_path / "typo.db", target, None)
        assert content(tmp_path) == []

    @pytest.mark.parametrize(
        ("held", "error", "sentence"),
        [(b"", TransferFault, "is not the database of a hub"), (b"text " * 200, StoreUnavailable, "not a database")],
    )
    async def test_the_file_of_another_program_is_refused(
        self, tmp_path: Path, target: str, held: bytes, error: type[StoreError], sentence: str
    ) -> None:
        (tmp_path / "other.db").write_bytes(held)
        with pytest.raises(error, match=sentence):
            await move(tmp_path / "other.db", target, None)
        assert content(tmp_path / "other.db") == held

    async def test_a_folder_that_may_not_be_written_is_refused(
        self, file: Path, target: str, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def acquire(self: ServerLock, advice: str, *, transient: bool) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(ServerLock, "acquire", acquire)
        with pytest.raises(StoreUnavailable, match="lock file beside .* cannot be made: Permission denied"):
            await move(file, target, folder)

    async def test_an_older_source_is_refused(self, file: Path, target: str, folder: Path) -> None:
        """The file is what a failed move falls back to, so the move itself changes nothing in it."""
        (folder / "0002_more.sql").write_text("CREATE TABLE more (id BIGINT NOT NULL PRIMARY KEY);", "utf-8")
        mend = re.escape(f"run `hub migrate --database sqlite:///{file}` first")
        with pytest.raises(TransferFault, match=f"schema version 1, this release moves version 2: {mend}"):
            await move(file, target, folder)
        assert await tables_of(target) == []

    async def test_a_newer_source_is_refused(self, file: Path, target: str, folder: Path) -> None:
        with write(file) as raw:
            raw.execute("INSERT INTO schema_migrations VALUES (2, 'x', 'y', 3)")
        raw.close()
        with pytest.raises(SchemaTooNew, match="install the newer release"):
            await move(file, target, folder)

    async def test_a_full_target_is_refused(self, file: Path, target: str, folder: Path) -> None:
        """A row in any table, whoever's it is; the tables are named, and the schema stays away from a stranger's."""
        await ask(target, 'CREATE TABLE "their own" (id int)')
        await ask(target, 'INSERT INTO "their own" VALUES (1)')
        with pytest.raises(TransferFault, match="has rows already, in their own: "):
            await move(file, target, folder)
        assert await tables_of(target) == ["their own"]

    async def test_a_second_move_is_refused(self, file: Path, target: str, folder: Path) -> None:
        await move(file, target, folder)
        with pytest.raises(TransferFault, match="has rows already, in item, zone: a move goes into an empty"):
            await move(file, target, folder)

    async def test_a_table_on_one_side_only_is_named(self, file: Path, target: str, folder: Path) -> None:
        await ask(target, "CREATE TABLE theirs (id int)")
        with pytest.raises(TransferFault, match="Only the target has a table theirs"):
            await move(file, target, folder)
        with write(file) as raw:
            raw.execute("CREATE TABLE mine (id INTEGER)")
        raw.close()
        with pytest.raises(TransferFault, match="Only the source has a table mine"):
            await move(file, target, folder)

    async def test_a_column_that_differs_is_named(self, file: Path, target: str, folder: Path) -> None:
        """A kind of column that the move does not know is named, not guessed at."""
        with write(file) as raw:
            raw.execute("ALTER TABLE item ADD COLUMN weight REAL")
        raw.close()
        with pytest.raises(TransferFault, match=r"Table item has other columns .*: weight \(REAL\)"):
            await move(file, target, folder)

    @pytest.mark.parametrize(
        ("sql", "sentence"),
        [
            ("INSERT INTO item VALUES (-1, 'nowhere', NULL, NULL)", "refuses a row of table item: .*foreign key"),
            ("INSERT INTO zone VALUES ('a' || char(0) || 'b', NULL)", "refuses a row of table zone: .*encoding"),
            ("INSERT INTO zone VALUES (CAST(x'ff' AS TEXT), NULL)", "Table zone cannot be read: "),
        ],
    )
    async def test_a_row_that_does_not_fit_is_refused(
        self, file: Path, target: str, folder: Path, sql: str, sentence: str
    ) -> None:
        """A row that the hub cannot have written is reported with its table."""
        with write(file) as raw:
            raw.execute(sql)
        raw.close()
        with pytest.raises(TransferFault, match=sentence):
            await move(file, target, folder)
        assert [rows for (rows,) in await ask(target, "SELECT count(*) FROM zone")] in ([0], [])

    async def test_a_user_without_permission_is_refused(self, file: Path, target: str, folder: Path) -> None:
        """PostgreSQL's newer releases let nobody but the owner create tables."""
        user = "hub_test_guest"
        await ask(target, f"DROP ROLE IF EXISTS {user}")
        await ask(target, f"CREATE ROLE {user} LOGIN")
        await ask(target, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        with pytest.raises(TransferFault, match="The target refuses its user: permission denied for schema public"):
            await move(file, re.sub(r"//\w+@", f"//{user}@", target), folder)
        await ask(target, f"DROP ROLE {user}")

    @pytest.mark.parametrize(
        ("url", "error"),
        [("postgresql://nobody@127.0.0.1:9/none", StoreUnavailable), ("postgresql://h:port/x", StoreError)],
    )
    async def test_a_target_that_does_not_answer_is_unavailable(
        self, file: Path, folder: Path, url: str, error: type[StoreError]
    ) -> None:
        with pytest.raises(error):
            await move(file, url, folder)
