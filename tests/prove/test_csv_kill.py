"""Proof by kill -9 in the middle of a file and the same command again: every row is there once, with one verdict."""

from __future__ import annotations

import csv
import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hub.operations.files.uploads import BATCH_ROWS
from tests.polling import PATIENCE_SECONDS, lasting
from tests.prove.shop import HUB, Server, database_in, hub

pytestmark = pytest.mark.prove

ROWS = int(os.environ.get("PROVE_ROWS", "120000"))
SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
BAD_EVERY = 1_000
NEAR_END = 10_000
FEWEST_KILLS = 5
CONTROL_ROWS = 10_000
FOLLOWED_SECONDS = 600.0
"""A command that takes longer for its file never ends, however busy the machine is."""
CARELESS = [sys.executable, "-m", "tests.prove.careless_csv"]


def write_orders(path: Path, rows: int) -> None:
    """Write orders of which every thousandth has no valid amount."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["externalOrderId", "orderAmount", "orderStatus", "metadata"])
        for number in range(rows):
            amount = "much" if number % BAD_EVERY == 0 else "49.90"
            writer.writerow([f"O-{number}", amount, "confirmed", '{\n"note":"two lines"}'])


class Stage:
    """A merchant on a fresh database, and a file for it."""

    def __init__(self, folder: Path, rows: int) -> None:
        self.folder = folder
        self.rows = rows
        self.database = database_in(folder)
        self.file = folder / "orders.csv"
        hub(self.database, "migrate")
        made = hub(
            self.database, "merchant", "create", "--name", "Shop", "--email", "shop@shop.example", "--domain",
            "shop.example",
        )  # fmt: skip
        self.merchant = made["id"]
        write_orders(self.file, rows)

    def apply(self, program: Sequence[str] = HUB, **variables: str) -> subprocess.Popen[str]:
        """Start the command, with these variables in its environment."""
        arguments = ["csv", "apply", "orders", str(self.file), "--merchant", self.merchant, "--mode", "test", "--json"]
        return subprocess.Popen(
            [*program, *arguments],
            env=environment(self.database) | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def kill_until_done(self) -> tuple[int, Any]:
        """Kill the command again and again, at random moments, and then let one finish.

        Return the number of kills and the last command's document. A run between two kills gets through a tenth of the
        file at most, so that there are enough kills on any machine. Near its end the file is left alone: a command that
        is killed between its last row and its output is followed by one that finds nothing but duplicates.
        """
        dice = random.Random(20_261_120)
        kills = 0
        goes_on = lasting(SECONDS, lambda: kills >= FEWEST_KILLS)
        while True:
            command = self.apply()
            before = self.progress()
            while command.poll() is None and self.progress() == before:
                time.sleep(0.01)
            kill_at = time.monotonic() + dice.uniform(0.0, 0.6)
            while time.monotonic() < kill_at and self.progress() < before + self.rows // 10:
                time.sleep(0.01)
            if goes_on() and self.progress() < self.rows - NEAR_END:
                command.kill()
                command.communicate()
                kills += 1
                continue
            return kills, self.document_of(command)

    def kill_in_gap(self, program: Sequence[str]) -> Any:
        """Kill the program once it has created the file CARELESS_GAP, run it again, and return its document."""
        gap = self.folder / "gap"
        command = self.apply(program, CARELESS_GAP=str(gap))
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not gap.exists() and command.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert gap.exists(), "the program never came to the place where it is to be killed"
        command.kill()
        command.communicate()
        return self.document_of(self.apply(program, CARELESS_GAP=str(gap)))

    def document_of(self, command: subprocess.Popen[str]) -> Any:
        """Wait for the command and return its document; some rows have failed, as the file wants it."""
        out, errors = command.communicate(timeout=FOLLOWED_SECONDS)
        assert command.returncode == 1, errors
        return json.loads(out)

    def lost(self) -> set[str]:
        """Return the orders of the file that no event holds."""
        return expected(self.rows) - set(self.orders())

    def progress(self) -> int:
        """Return how many rows are decided, read beside whatever runs."""
        return int(self.ask("SELECT COALESCE(SUM(row_count), 0) FROM uploads")[0][0])

    def ask(self, query: str) -> list[Any]:
        """Return the rows of a query, read beside whatever runs."""
        connection = sqlite3.connect(self.folder / "hub.db", timeout=30)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def orders(self) -> Counter[str]:
        """Return how many events each order has."""
        return Counter(row[0] for row in self.ask("SELECT external_order_id FROM events"))

    def verdicts(self) -> Iterator[dict[str, str]]:
        """Yield the verdict file, row by row."""
        with Path(f"{self.file}.verdicts.csv").open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)


def environment(database: str) -> dict[str, str]:
    """Return this environment without the settings of a hub that is used beside the proof."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HUB_")}
    return {**clean, "HUB_DATABASE_URL": database}


def expected(rows: int) -> set[str]:
    """Return the valid orders of a file of this many rows."""
    return {f"O-{number}" for number in range(rows) if number % BAD_EVERY}


def test_a_file_survives_kill_minus_nine(tmp_path: Path) -> None:
    """Whenever it is killed, no order is lost, none is doubled, and the verdict file has each row once, in order."""
    stage = Stage(tmp_path, ROWS)
    kills, document = stage.kill_until_done()
    orders = stage.orders()
    events = {row[0]: row[1] for row in stage.ask("SELECT external_order_id, event_id FROM events")}
    verdicts = list(stage.verdicts())
    print(f"{kills} kills, {document['rows']} rows, {document['created']} created, {document['duplicate']} duplicates")
    assert kills >= FEWEST_KILLS
    assert stage.lost() == set()
    assert set(orders) == expected(ROWS)
    assert set(orders.values()) == {1}
    assert [int(verdict["row"]) for verdict in verdicts] == list(range(1, ROWS + 1))
    assert (document["rows"], document["failed"]) == (ROWS, ROWS // BAD_EVERY)
    # Nothing was applied whose verdict got lost: a row that had been applied before would be a duplicate now.
    assert (document["created"], document["duplicate"]) == (len(orders), 0)
    assert Counter(v["verdict"] for v in verdicts) == {"created": len(orders), "failed": document["failed"]}
    assert all(events.get(verdict["id"], "") == verdict["eventId"] for verdict in verdicts)
    assert [path.name for path in tmp_path.glob("*.part")] == []
    assert hub(stage.database, "audit")["violations"] == []


def test_a_file_survives_a_killed_server(tmp_path: Path) -> None:
    """The same if a server applies it for the command, which follows it over the restart."""
    stage = Stage(tmp_path, ROWS // 4)
    server = Server(stage.database)
    server.start()
    command = stage.apply()
    while command.poll() is None and stage.progress() < stage.rows // 4:
        time.sleep(0.02)
    server.kill()
    assert 0 < stage.progress() < stage.rows
    server.start()
    document = stage.document_of(command)
    assert server.stop() == 0
    orders = stage.orders()
    assert set(orders) == expected(stage.rows)
    assert set(orders.values()) == {1}
    assert [int(verdict["row"]) for verdict in stage.verdicts()] == list(range(1, stage.rows + 1))
    assert (document["created"], document["duplicate"]) == (len(orders), 0)


def test_the_proof_catches_progress_that_runs_ahead(tmp_path: Path) -> None:
    """The control: with the progress committed before its rows, a kill between the two loses exactly one batch."""
    stage = Stage(tmp_path, CONTROL_ROWS)
    stage.kill_in_gap(CARELESS)
    batch = {f"O-{number}" for number in range(BATCH_ROWS, 2 * BATCH_ROWS) if number % BAD_EVERY}
    assert stage.lost() == batch
