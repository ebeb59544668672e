"""What a connector may do to `hub plugin check`, `map` and `simulate`: fail with a sentence, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hub.cli import author
from tests.forked import run_hub
from tests.plugin_host.distributions import Distributions, distributions_in

SECONDS = 60


@pytest.fixture
def distributions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Distributions:
    """Where to install plugins for the commands of this test."""
    return distributions_in(tmp_path / "site", monkeypatch)


def command(*arguments: str) -> tuple[int, str]:
    """Run `hub plugin`; return its exit status and what it printed as an error."""
    status, _, errors = run_hub(["plugin", *arguments], os.environ, SECONDS)
    return status, errors


def mapped(folder: Path) -> tuple[int, str]:
    body = folder / "body.json"
    body.write_text(json.dumps({"bad": 1, "number": "A-1"}))
    return command("map", "hostile", "--topic", "order", str(body))


ENDINGS = {
    "sys.exit": ("sys.exit(3)", "The connector raises SystemExit: 3 at site/hub_hostile.py:"),
    "os._exit": ("os._exit(3)", "The connector hostile ended the process that runs it (exit status 3; it may use 512"),
    "a signal": ("os.kill(os.getpid(), signal.SIGKILL)", "ended the process that runs it (SIGKILL)"),
    "memory": ("hog = bytearray(1_000_000_000)", "The connector raises MemoryError"),
    "a sleep": ("time.sleep(600)", "The connector takes longer than 2 s, last seen at site/hub_hostile.py:"),
    "a hang that swallows everything": (
        "while True:\n        try:\n            time.sleep(600)\n        except BaseException:\n            pass",
        "The connector hostile did not come back within 10 seconds, and was ended, at site/hub_hostile.py:",
    ),
}  # fmt: skip
FIRST = "os._exit"
"""What `make test` tries: each is a process that imports the hub, a second."""


@pytest.mark.parametrize(
    "how", [FIRST, *(pytest.param(each, marks=pytest.mark.prove) for each in ENDINGS if each != FIRST)]
)
def test_a_connector_cannot_end_or_hold_up_the_command(distributions: Distributions, tmp_path: Path, how: str) -> None:
    body, said = ENDINGS[how]
    distributions.hostile(body)
    status, printed = mapped(tmp_path)
    assert status == 1
    assert said in printed
    assert "Traceback" not in printed


def test_control_in_the_commands_process_it_would_end_it(distributions: Distributions) -> None:
    """As it was: exit status 3, and not a word."""
    distributions.hostile("os._exit(3)")
    script = (
        "from hub.plugin_host.registry import load_plugins\n"
        "from hub.testing.calls import called\n"
        "hostile = load_plugins().named('hostile')\n"
        "called(lambda: hostile.translate_webhook('order-created', {'bad': 1}, None))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=SECONDS)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")


@pytest.mark.prove
def test_the_process_has_none_of_the_hubs_variables(
    distributions: Distributions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUB_MASTER_KEY", "5e" * 32)
    distributions.hostile("raise Unmappable(str(sorted(name for name in os.environ if name.startswith('HUB_'))))")
    body = tmp_path / "body.json"
    body.write_text(json.dumps({"bad": 1, "number": "A-1"}))
    line = [sys.executable, "-m", "hub", "plugin", "map", "hostile", "--topic", "order", str(body)]
    done = subprocess.run(line, capture_output=True, text=True, check=True, timeout=SECONDS)
    assert json.loads(done.stdout) == {"unmappable": "[]"}


def test_a_sign_of_life_comes_before_four_slow_calls_are_over() -> None:
    """So a connector whose every call takes almost its time is not ended for it."""
    from hub.testing.calls import LIMIT_SECONDS

    assert author.CALLS_A_SIGN * LIMIT_SECONDS < author.SILENT_SECONDS
