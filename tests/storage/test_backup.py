"""A backup is one sound moment of the database or no file at all, and a restore replaces nothing before it is sure."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from hub.storage import Store, StoreBusy, StoreUnusable
from hub.storage.sqlite import backup as module
from hub.storage.sqlite.backup import BackupFault, back_up, restore, verify
from hub.storage.sqlite.server_lock import ServerLock

ROWS = 5_000


@pytest.fixture
def database(sqlite_url: str) -> Path:
    """A database with some rows."""
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    with closing(sqlite3.connect(path)) as connection, connection:
        insert(connection, range(ROWS))
    return path


def insert(connection: sqlite3.Connection, numbers: range) -> None:
    rows = [(f"name-{number}", "x" * 200, number) for number in numbers]
    connection.executemany("INSERT INTO leases (name, owner, expires_at) VALUES (?, ?, ?)", rows)


def leases(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM leases").fetchone()[0])


@contextmanager
def written_to(path: Path) -> Iterator[None]:
    """Another connection commits all the while."""
    stop = threading.Event()

    def write() -> None:
        number = ROWS
        with closing(sqlite3.connect(path, timeout=10)) as connection:
            while not stop.is_set():
                with connection:
                    insert(connection, range(number, number + 10))
                number += 10

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def damage(file: Path) -> None:
    """Write over pages in the middle of a file."""
    size = file.stat().st_size
    with file.open("r+b") as stream:
        stream.seek(size // 2 // 4096 * 4096)
        stream.write(b"\xa5" * 4096 * 4)


class TestBackUp:
    def test_it_is_one_moment_while_others_write(
        self, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "_COPIED_PAGES", 5)  # many steps, between which others commit
        with written_to(database):
            report = back_up(database, tmp_path / "backup.db")
        assert report.rows == verify(tmp_path / "backup.db").rows
        assert ROWS <= report.rows["leases"] <= leases(database)
        assert (tmp_path / "backup.db").stat().st_mode & 0o777 == 0o600
        assert not list(tmp_path.glob("backup.db?*"))

    def test_control_a_plain_copy_of_a_live_file_is_torn_or_old(self, database: Path, tmp_path: Path) -> None:
        """What a hub has committed since the last checkpoint is in the log, which such a copy lacks."""
        with closing(sqlite3.connect(database)) as live:
            live.execute("PRAGMA wal_autocheckpoint = 0")
            with live:
                insert(live, range(ROWS, ROWS + 100))
            shutil.copyfile(database, tmp_path / "copy.db")
            back_up(database, tmp_path / "backup.db")
        assert leases(tmp_path / "backup.db") == ROWS + 100
        assert leases(tmp_path / "copy.db") < ROWS + 100

    def test_a_file_that_exists_stays_as_it_is(self, database: Path, tmp_path: Path) -> None:
        target = tmp_path / "backup.db"
        target.write_text("precious")
        with pytest.raises(BackupFault, match="replaces nothing"):
            back_up(database, target)
        assert target.read_text() == "precious"

    def test_one_that_appears_meanwhile_too(
        self, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = tmp_path / "backup.db"
        monkeypatch.setattr(module, "verify", lambda file, _: (verify(file), target.write_text("precious"))[0])
        with pytest.raises(BackupFault, match="replaces nothing"):
            back_up(database, target)
        assert [path.name for path in tmp_path.glob("backup*")] == ["backup.db"]
        assert target.read_text() == "precious"

    def test_one_that_is_killed_leaves_nothing_under_its_name(self, database: Path, tmp_path: Path) -> None:
        program = (
            "import sys, os, signal\nfrom pathlib import Path\nfrom hub.storage.sqlite import backup\n"
            "backup.verify = lambda file, _: os.kill(os.getpid(), signal.SIGKILL)\n"
            "backup.back_up(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        )
        command = [sys.executable, "-c", program, str(database), str(tmp_path / "backup.db")]
        assert subprocess.run(command, check=False).returncode == -9
        assert not (tmp_path / "backup.db").exists()
        assert back_up(database, tmp_path / "backup.db").rows["leases"] == ROWS

    def test_a_copy_with_other_rows_is_no_backup(
        self, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        counts = iter([{"leases": 1}, {"leases": 2}])
        monkeypatch.setattr(module, "_rows", lambda connection: next(counts))
        with pytest.raises(BackupFault, match="other rows"):
            back_up(database, tmp_path / "backup.db")
        assert not list(tmp_path.glob("backup.db*"))

    def test_a_damaged_database_gives_none(self, database: Path, tmp_path: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        damage(database)
        with pytest.raises((BackupFault, StoreUnusable), match="damaged"):
            back_up(database, tmp_path / "backup.db")
        assert not list(tmp_path.glob("backup.db*"))

    def test_a_folder_that_is_not_there(self, database: Path, tmp_path: Path) -> None:
        with pytest.raises(BackupFault, match="cannot be written"):
            back_up(database, tmp_path / "nowhere" / "backup.db")


class TestVerify:
    @pytest.fixture
    def backup(self, database: Path, tmp_path: Path) -> Path:
        back_up(database, tmp_path / "backup.db")
        return tmp_path / "backup.db"

    def test_a_damaged_page_is_found(self, backup: Path) -> None:
        assert verify(backup).rows["leases"] == ROWS
        damage(backup)
        with pytest.raises(BackupFault, match="damaged"):
            verify(backup)

    def test_half_a_file(self, backup: Path) -> None:
        with backup.open("r+b") as stream:
            stream.truncate(backup.stat().st_size // 2)
        with pytest.raises(BackupFault, match="damaged"):
            verify(backup)

    def test_what_is_no_backup_of_a_hub(self, tmp_path: Path) -> None:
        file = tmp_path / "notes.db"
        with pytest.raises(BackupFault, match="There is no backup"):
            verify(file)
        file.write_text("dear diary " * 100)
        with pytest.raises(BackupFault, match="not a database"):
            verify(file)
        file.unlink()
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("CREATE TABLE notes (text)")
        with pytest.raises(BackupFault, match="not a hub's"):
            verify(file)

    def test_a_newer_release_made_it(self, backup: Path) -> None:
        with closing(sqlite3.connect(backup)) as connection, connection:
            connection.execute("INSERT INTO schema_migrations VALUES (999, 'x', 'y', 0)")
        with pytest.raises(BackupFault, match="newer release"):
            verify(backup)

    def test_a_commit_before_the_first_release_made_it(self, backup: Path) -> None:
        """It is no backup to restore here, and the sentence says what brings it over."""
        with closing(sqlite3.connect(backup)) as connection, connection:
            connection.execute("UPDATE schema_migrations SET checksum = 'of another file' WHERE version = 1")
        with pytest.raises(BackupFault, match=r"cannot be used here.*`hub migrate --from OLD --to NEW`"):
            verify(backup)

    def test_a_database_in_use_is_not_taken_for_a_backup(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as connection, connection:
            insert(connection, range(ROWS, ROWS + 1))
            with pytest.raises(BackupFault, match="in use"):
                verify(database)


class TestRestore:
    @pytest.fixture
    def backup(self, database: Path, tmp_path: Path) -> Path:
        back_up(database, tmp_path / "backup.db")
        with closing(sqlite3.connect(database)) as connection, connection:
            insert(connection, range(ROWS, ROWS + 7))
        return tmp_path / "backup.db"

    def test_the_backup_takes_the_place_and_what_was_there_is_kept(
        self, database: Path, backup: Path, tmp_path: Path
    ) -> None:
        restore(backup, database, tmp_path / "aside.db")
        assert (leases(database), leases(tmp_path / "aside.db"), leases(backup)) == (ROWS, ROWS + 7, ROWS)
        assert database.stat().st_mode & 0o777 == 0o600
        assert not list(tmp_path.glob("*.partial*"))

    def test_what_a_killed_restore_left_aside_stays_when_it_is_tried_again(
        self, database: Path, backup: Path, tmp_path: Path
    ) -> None:
        """Killed after it had kept the database, and begun anew within the same second."""
        aside = tmp_path / "aside.db"
        os.link(database, aside)
        restored = restore(backup, database, aside)
        assert restored.aside == tmp_path / "aside.db.2"
        assert (leases(database), leases(aside), leases(restored.aside)) == (ROWS, ROWS + 7, ROWS + 7)

    def test_a_log_that_was_left_behind_never_meets_the_restored_file(
        self, database: Path, backup: Path, tmp_path: Path
    ) -> None:
        """As after kill -9 of a server: the log holds commits that the file does not."""
        program = (
            "import sqlite3, sys, os, signal\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
            "c.execute('PRAGMA wal_autocheckpoint = 0')\n"
            "c.execute(\"INSERT INTO leases VALUES ('in the log', 'x', 0)\")\nos.kill(os.getpid(), signal.SIGKILL)\n"
        )
        assert subprocess.run([sys.executable, "-c", program, str(database)], check=False).returncode == -9
        assert database.with_name("hub.db-wal").stat().st_size > 0
        restore(backup, database, tmp_path / "aside.db")
        assert not database.with_name("hub.db-wal").exists()
        assert (leases(database), leases(tmp_path / "aside.db")) == (ROWS, ROWS + 8)

    def test_a_damaged_database_is_replaced_too(self, database: Path, backup: Path, tmp_path: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        damage(database)
        restore(backup, database, tmp_path / "aside.db")
        assert leases(database) == ROWS

    def test_a_damaged_backup_replaces_nothing(self, database: Path, backup: Path, tmp_path: Path) -> None:
        damage(backup)
        with pytest.raises(BackupFault, match="damaged"):
            restore(backup, database, tmp_path / "aside.db")
        assert leases(database) == ROWS + 7
        assert not (tmp_path / "aside.db").exists()

    async def test_not_while_a_server_has_the_file(
        self, database: Path, backup: Path, tmp_path: Path, sqlite_url: str
    ) -> None:
        async with await Store.open(sqlite_url, serve=True):
            with pytest.raises(StoreBusy, match="cannot be replaced beneath"):
                restore(backup, database, tmp_path / "aside.db")
        restore(backup, database, tmp_path / "aside.db")

    def test_where_there_is_no_database_yet(self, backup: Path, tmp_path: Path) -> None:
        place = tmp_path / "var" / "hub.db"
        restore(backup, place, tmp_path / "aside.db")
        assert leases(place) == ROWS
        assert place.parent.stat().st_mode & 0o777 == 0o700
        assert not (tmp_path / "aside.db").exists()


class TestServerLock:
    HOLDER = (
        "import sys, time\nfrom pathlib import Path\nfrom hub.storage.sqlite.server_lock import ServerLock\n"
        "lock = ServerLock(Path(sys.argv[1]))\nlock.acquire()\nprint('held', flush=True)\nsys.stdin.read()\n"
    )

    @contextmanager
    def held_elsewhere(self, database: Path) -> Iterator[None]:
        """Another process serves the file."""
        with subprocess.Popen(
            [sys.executable, "-c", self.HOLDER, str(database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as other:
            assert other.stdout is not None
            assert other.stdin is not None
            assert other.stdout.readline() == b"held\n"
            yield
            other.stdin.close()

    def test_a_second_server_is_refused_though_the_lock_file_was_removed(self, database: Path) -> None:
        with self.held_elsewhere(database):
            database.with_name("hub.db.lock").unlink()
            with pytest.raises(StoreBusy, match="already serves"):
                ServerLock(database).acquire()
        lock = ServerLock(database)
        lock.acquire()
        lock.release()

    def test_control_without_the_lock_on_the_database_it_would_start(
        self, database: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("hub.storage.sqlite.server_lock._lock_inode", lambda database: None)
        with self.held_elsewhere(database):
            database.with_name("hub.db.lock").unlink()
            lock = ServerLock(database)
            lock.acquire()
            lock.release()

    def test_sqlite_keeps_its_own_locks_when_a_server_lock_is_refused_or_freed(self, database: Path) -> None:
        """Closing any descriptor of a file drops the process's locks on it: then another process could write."""
        writing = "import sqlite3, sys\nsqlite3.connect(sys.argv[1], timeout=0.1).execute('BEGIN EXCLUSIVE')\n"
        with closing(sqlite3.connect(database, isolation_level=None)) as mine:
            mine.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            mine.execute("PRAGMA journal_mode = DELETE")  # there the locks are on the database file itself
            mine.execute("BEGIN IMMEDIATE")
            lock = ServerLock(database)
            lock.acquire()
            with pytest.raises(StoreBusy):
                ServerLock(database).acquire()
            lock.release()
            done = subprocess.run(
                [sys.executable, "-c", writing, str(database)], capture_output=True, text=True, check=False
            )
            assert "database is locked" in done.stderr

    def test_a_place_where_nothing_can_be_made_is_a_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "hub.db.lock").mkdir()
        with pytest.raises(StoreUnusable, match="cannot be made: Is a directory"):
            ServerLock(tmp_path / "hub.db").acquire()


class TestDamage:
    async def test_the_integrity_check_says_what_to_do(self, database: Path, sqlite_url: str) -> None:
        async with await Store.open(sqlite_url) as store:
            await store.check_integrity()
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        damage(database)
        with pytest.raises(StoreUnusable, match="damaged .* restore a backup: hub restore FILE"):
            async with await Store.open(sqlite_url) as store:
                await store.check_integrity()

    async def test_a_file_that_is_no_database(self, tmp_path: Path) -> None:
        (tmp_path / "hub.db").write_text("dear diary " * 1000)
        with pytest.raises(StoreUnusable, match="restore a backup"):
            await Store.open(f"sqlite:///{tmp_path}/hub.db", migrate=True)


FULL = """
import sys
from pathlib import Path
from hub.kernel import mount
from hub.plugin_runtime.namespaces import separate
from hub.storage.sqlite.backup import BackupFault, back_up

if "mount" not in separate():
    sys.exit("no mount namespace")
mount("tmpfs", sys.argv[2], "tmpfs", 0, "size=64k")
try:
    back_up(Path(sys.argv[1]), Path(sys.argv[2]) / "backup.db")
except BackupFault as fault:
    print(fault)
"""


def test_a_full_target_is_named_as_the_target(database: Path, tmp_path: Path) -> None:
    """Not as the database, which answers; a disk of 64 KiB that only the backup's process sees."""
    small = tmp_path / "small"
    small.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(database), str(small)], capture_output=True, text=True, check=False
    )
    if "no mount namespace" in done.stderr:
        pytest.skip("this machine gives no mount namespace, in which a disk could be small")
    assert done.stdout.strip() == f"{small / 'backup.db'} cannot be written: its disk is full."


def test_what_a_killed_backup_left_is_removed_by_the_next_one_of_its_name(database: Path, tmp_path: Path) -> None:
    """Not what another writes at the moment, and not what only looks like it."""
    killed, written, other = (
        tmp_path / f"{name}.partial" for name in ("b.db.0a1b2c3d", "b.db.4e5f6a7b", "c.db.0a1b2c3d")
    )
    for file in (killed, written, other):
        file.write_bytes(b"half")
    for file in (killed, other):
        os.utime(file, (1, 1))
    back_up(database, tmp_path / "b.db")
    assert [file.exists() for file in (killed, written, other)] == [False, True, True]
