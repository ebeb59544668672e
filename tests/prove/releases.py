"""Releases that follow one another: each has the hub's own migrations and a few more, made for the proof."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from attrs import frozen

from hub.storage.migrations.files import load_migrations, migration_folder
from tests.prove.shop import COMMAND_SECONDS, Server, hub

STEP = """
ALTER TABLE events ADD COLUMN {column} BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ledger_entries ADD COLUMN made_for_{version} BIGINT NOT NULL DEFAULT 0;
UPDATE events SET {column} = received_at;
CREATE TABLE orders_of_{version} (
    account_id  TEXT   NOT NULL,
    event_id    TEXT   NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, event_id)
) {{clustered}};
INSERT INTO orders_of_{version} (account_id, event_id, received_at)
SELECT account_id, event_id, received_at FROM events;
CREATE INDEX events_made_for_{version} ON events (account_id, {column});
"""
"""What a newer release does to busy tables: columns, every row written again, a table filled from another, an index."""


def column_of(version: int) -> str:
    """Return the column of events that a release's migration adds: not nought in those that were there."""
    return f"made_for_{version}"


@frozen
class Release:
    """A release by its schema version; `program` is its `hub`, with `environment`."""

    version: int
    folder: Path

    @classmethod
    def first(cls, folder: Path) -> Release:
        """Return the release whose schema is the hub's own."""
        return cls(len(load_migrations("sqlite")), shutil.copytree(migration_folder(), folder / "release"))

    def next(self) -> Release:
        """Return the release after this one, which has one migration more."""
        version = self.version + 1
        folder = shutil.copytree(self.folder, self.folder.with_name(f"release-{version}"))
        (folder / f"{version:04}_made_for_{version}.sql").write_text(
            STEP.format(version=version, column=column_of(version)), encoding="utf-8"
        )
        return Release(version, folder)

    @property
    def program(self) -> list[str]:
        """The command line of its `hub`."""
        return [sys.executable, "-m", "tests.prove.release"]

    @property
    def environment(self) -> dict[str, str]:
        """What its processes need beside the database's address."""
        return {"HUB_RELEASE": str(self.folder)}

    def server(self, database: str, *, heedless: bool = False) -> Server:
        """Return a server of it, not started."""
        fault = {"HUB_RELEASE_HEEDLESS": "1"} if heedless else {}
        return Server(database, [*self.program, "serve"], {**self.environment, **fault})

    def ask(self, database: str, *arguments: str) -> Any:
        """Run a command of it with --json and return its document, whatever its exit status."""
        return hub(database, *arguments, check=False, program=self.program, environment=self.environment)

    def refusal(self, database: str, *arguments: str) -> str:
        """Run a command that has to fail and return what it says."""
        done = subprocess.run(
            [*self.program, *arguments], env=self._around(database), capture_output=True, text=True,
            timeout=COMMAND_SECONDS, check=False,
        )  # fmt: skip
        assert done.returncode != 0, f"{arguments} was not refused: {done.stdout}"
        return done.stderr

    def migrating(self, database: str) -> subprocess.Popen[bytes]:
        """Begin to bring the schema up to this release, beside whatever serves."""
        return subprocess.Popen(
            [*self.program, "migrate", "--anyway"], env={**self._around(database), "HUB_RELEASE_BESIDE": "1"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def _around(self, database: str) -> dict[str, str]:
        return {**os.environ, **self.environment, "HUB_DATABASE_URL": database}
