"""The walk that `hub demo` prints, pasted into a shell as it stands."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(
    not (shutil.which("curl") and shutil.which("bash")), reason="the printed walk needs bash and curl"
)


@pytest.fixture
def printed(tmp_path: Path) -> Iterator[str]:
    """What a fresh demo prints in an empty folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-m", "hub", "demo", "--port", "0", "--hold", "15s"]
    with subprocess.Popen(arguments, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        lines = []
        for line in demo.stdout:
            lines.append(line)
            if "PAYABLE" in "".join(lines) and not line.strip():
                break
        yield "".join(lines)
        demo.send_signal(signal.SIGINT)
        assert demo.wait(timeout=300) == 0


@pytest.mark.prove
def test_the_walk_works_as_printed(printed: str, tmp_path: Path) -> None:
    """Each command is printed under its purpose; pasted one after another they end in a payable commission."""
    assert "\x1b" not in printed
    _, _, steps = printed.partition("In a second terminal,")
    commands = re.findall(r"^  [^\n]+:$\n^  (.+)$|^  [^\n]+…$\n^  (.+)$", steps, re.MULTILINE)
    script = "\n".join(first or second for first, second in commands)
    assert len(commands) == 7, steps
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    arguments = ["bash", "-eu", "-o", "pipefail", "-c", script]
    done = subprocess.run(
        arguments, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert "affiliate_click_id=clk_" in done.stderr
    assert '"matched"' in done.stdout
    first, second = re.findall(r"^cnv_.*$", done.stdout, re.MULTILINE)
    assert "HOLD" in first
    assert "PAYABLE" in second
    assert "7.68" in second
