"""kill -9 while the worker decides a backlog: every order is decided once."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from tests.polling import lasting, until_blocking
from tests.prove.shop import COMMAND_SECONDS, Server, hub
from tests.prove.test_csv_kill import BAD_EVERY, Stage

pytestmark = pytest.mark.prove

ROWS = 60_000
SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
LEAST_KILLS = 2


def test_a_backlog_survives_kill_minus_nine(tmp_path: Path) -> None:
    """Kill the server again and again while it works the backlog off, then let it finish."""
    stage = Stage(tmp_path, ROWS)
    stage.apply().communicate(timeout=COMMAND_SECONDS)
    server, kills = Server(stage.database), 0
    dice, goes_on = random.Random(20_261_122), lasting(SECONDS, lambda: kills >= LEAST_KILLS)
    while _waiting(stage) and goes_on():
        server.start()
        time.sleep(dice.uniform(0.1, 0.7))
        server.kill()
        kills += 1
    server.start()
    until_blocking(lambda: not _waiting(stage), pause=0.2)
    audit = hub(stage.database, "audit")
    assert server.stop() == 0
    print(f"{kills} kills, {audit['processed']} decided")
    assert kills >= LEAST_KILLS
    assert audit["violations"] == []
    assert (audit["waiting"], audit["processed"]) == (0, ROWS - ROWS // BAD_EVERY)


def _waiting(stage: Stage) -> int:
    return int(stage.ask("SELECT COUNT(*) FROM events WHERE due_at IS NOT NULL")[0][0])
