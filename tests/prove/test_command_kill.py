"""kill -9 in a rotation of master keys, a restore and an export: what is there is whole, and the command runs again."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import pytest

from hub.clock import system_clock
from hub.config.settings import load_settings
from hub.operations.merchants.keys import issue_key
from hub.sealing import Sealer, load_sealer
from hub.storage import Store
from hub.storage.sqlite.backup import BackupFault, verify
from tests.polling import PATIENCE_SECONDS, lasting
from tests.prove.shop import HUB, database_in, hub

pytestmark = pytest.mark.prove

KEYS = 3_000
PRODUCTS = 8_000
KILLS = 6
CARELESS = [sys.executable, "-m", "tests.prove.careless_commands"]
T = TypeVar("T")


def killed(
    database: str, program: Sequence[str], words: Sequence[str], begun: Callable[[], bool], pause: float
) -> bool:
    """Start a command and kill it some time after it has begun its work; return False if it had ended."""
    around = {**os.environ, "HUB_DATABASE_URL": database}
    with subprocess.Popen([*program, *words], env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        while run.poll() is None and not begun():
            time.sleep(0.001)
        time.sleep(pause)
        run.kill()
    return run.returncode < 0


def tried(tries: Iterator[T], is_enough: Callable[[Sequence[T]], bool], least: int = KILLS) -> list[T]:
    """Return what came of at least so many tries, and of more until it is enough: some kills come too late."""
    found = list[T]()
    goes_on = lasting(0, lambda: len(found) >= least and is_enough(found))
    while goes_on():
        found.append(next(tries))
    return found


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database of thousands of keys and products, and its master key."""
    folder = tmp_path_factory.mktemp("filled")
    database = database_in(folder)
    hub(database, "migrate")
    merchant = hub(
        database, "merchant", "create", "--name", "Shop", "--email", "shop@shop.example", "--domain", "shop.example",
        "--approve",
    )  # fmt: skip

    async def issue() -> None:
        sealer = load_sealer(load_settings(None, {"HUB_DATABASE_URL": database}))
        async with await Store.open(database) as store:
            for _ in range(KEYS):
                await issue_key(store, sealer, system_clock, merchant_id=merchant["id"], mode="test")

    asyncio.run(issue())
    rows = "".join(f"P-{number},Lamp,https://shop.example/{number},1.00\n" for number in range(PRODUCTS))
    (folder / "products.csv").write_text(f"externalProductId,name,productUrl,price\n{rows}")
    hub(
        database,
        "csv",
        "apply",
        "products",
        str(folder / "products.csv"),
        "--merchant",
        merchant["id"],
        "--mode",
        "test",
    )
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "hub"))


def ask(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "hub.db", timeout=PATIENCE_SECONDS)) as opened:
        return opened.execute(query).fetchall()


def unreadable(folder: Path) -> int:
    """Return how many secrets no master key of the file opens."""
    keys = load_sealer(load_settings(None, {"HUB_DATABASE_URL": database_in(folder)})).keys

    def opens(key_id: str, sealed: str) -> bool:
        return sealed.split(".")[1] in keys and bool(Sealer(keys, next(iter(keys))).open(sealed, key_id))

    return sum(not opens(*row) for row in ask(folder, "SELECT key_id, sealed_secret FROM api_keys"))


class TestRotation:
    def rotated(self, folder: Path, program: Sequence[str]) -> Iterator[tuple[bool, int]]:
        """Kill rotations; yield whether one was killed, and how many secrets cannot be read after it.

        One that was not, or so late that nothing is left to do, is followed by one to another new key.
        """
        database, dice, new = database_in(folder), random.Random(20_261_124), ""
        while True:
            left = f"SELECT count(*) FROM api_keys WHERE sealed_secret NOT LIKE '%.{new}.%'"
            if not new or not ask(folder, left)[0][0]:
                hub(database, "secret", "add")
                new = load_sealer(load_settings(None, {"HUB_DATABASE_URL": database})).current
                continue
            before = ask(folder, left)[0][0]

            def begun(left: str = left, before: int = before) -> bool:
                return bool(ask(folder, left)[0][0] < before)

            was_killed = killed(database, program, ["secret", "rotate"], begun, dice.uniform(0, 0.02))
            yield was_killed, unreadable(folder)

    def test_leaves_every_secret_readable_and_ends(self, folder: Path) -> None:
        found = tried(self.rotated(folder, HUB), lambda found: sum(killed for killed, _ in found) > 1)
        kills, worst = sum(killed for killed, _ in found), max(unreadable for _, unreadable in found)
        done = hub(database_in(folder), "secret", "rotate")
        print(f"{kills} kills in a rotation of {KEYS} secrets, {worst} not readable after one, then {done}")
        assert kills > 1
        assert worst == done["left"] == unreadable(folder) == 0
        assert hub(database_in(folder), "audit")["violations"] == []

    def test_control_a_key_that_is_dropped_first_leaves_some_unreadable(self, folder: Path) -> None:
        found = tried(self.rotated(folder, CARELESS), lambda found: found[-1][1] > 0, least=1)
        assert found[-1][1]


class TestRestore:
    def restored(self, folder: Path, program: Sequence[str]) -> Iterator[str]:
        """Kill restores at moments all over; yield what is wrong with the database after each, "" if nothing."""
        database, backup, dice = database_in(folder), folder / "backup.db", random.Random(20_261_124)
        hub(database, "backup", str(backup))
        while True:
            with closing(sqlite3.connect(folder / "hub.db")) as opened, opened:
                opened.execute("UPDATE merchants SET name = 'changed since'")
                opened.commit()
                opened.execute("VACUUM")  # its pages are in other places than the backup's

            for left in (*folder.glob("hub.db.*partial*"), *folder.glob("hub.db.begun")):
                left.unlink()

            def begun() -> bool:
                return any(folder.glob("hub.db.*partial")) or (folder / "hub.db.begun").exists()

            killed(database, program, ["restore", str(backup)], begun, dice.uniform(0, 0.05))
            for side in ("-wal", "-shm"):  # of a command that only read; a whole database has all in its file
                (folder / f"hub.db{side}").unlink(missing_ok=True)
            try:
                verify(folder / "hub.db")
                yield ""
            except BackupFault as fault:
                yield str(fault)

    def test_leaves_the_database_of_before_or_of_the_backup(self, folder: Path) -> None:
        assert tried(self.restored(folder, HUB), lambda _: True) == [""] * KILLS
        hub(database_in(folder), "restore", str(folder / "backup.db"))
        assert ask(folder, "SELECT name FROM merchants") == [("Shop",)]
        assert hub(database_in(folder), "audit")["violations"] == []

    def test_control_one_that_writes_over_the_database_leaves_half_of_it(self, folder: Path) -> None:
        assert any(tried(self.restored(folder, CARELESS), any, least=1))


class TestExport:
    def exported(self, folder: Path, program: Sequence[str], enough: Callable[[Sequence[bool]], bool]) -> int:
        """Kill exports until it is enough; return how many left a part of the file under its name."""
        database, out, dice = database_in(folder), folder / "out.csv", random.Random(20_261_124)
        ((merchant,),) = ask(folder, "SELECT merchant_id FROM merchants")
        words = ["csv", "export", "products", "--merchant", merchant, "--mode", "test", "--out", str(out)]
        hub(database, *words)
        whole = out.read_bytes()

        def left_a_part() -> bool:
            out.unlink(missing_ok=True)
            killed(database, program, words, lambda: any(folder.glob("out.csv*")), dice.uniform(0, 0.1))
            return out.exists() and out.read_bytes() != whole

        parts = sum(tried((left_a_part() for _ in count()), enough))
        out.unlink(missing_ok=True)
        assert hub(database, *words)["rows"] == PRODUCTS
        assert out.read_bytes() == whole
        return parts

    def test_leaves_a_whole_file_or_none(self, folder: Path) -> None:
        assert self.exported(folder, HUB, lambda _: True) == 0

    def test_control_one_that_writes_under_the_name_leaves_parts(self, folder: Path) -> None:
        assert self.exported(folder, CARELESS, any)
