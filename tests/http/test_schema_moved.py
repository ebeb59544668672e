"""A server whose schema is changed beneath it ends by itself, and has written nothing since."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.http.hub_process import hub_process
from tests.polling import PATIENCE_SECONDS

pytestmark = pytest.mark.prove  # a story that takes seconds


def test_a_server_ends_once_its_schema_is_another(sqlite_url: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with hub_process(sqlite_url, errors=log) as hub:
        with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection, connection:
            connection.execute("INSERT INTO schema_migrations VALUES (99, '0099_newer.sql', '', 1)")
        assert hub.process.wait(PATIENCE_SECONDS) == 1
    assert "the schema was changed beneath this server" in log.read_text()


def test_control_a_server_whose_schema_stays_goes_on(sqlite_url: str) -> None:
    with hub_process(sqlite_url) as hub:
        try:
            hub.process.wait(3)
        except subprocess.TimeoutExpired:
            return
    raise AssertionError("it ended by itself")
