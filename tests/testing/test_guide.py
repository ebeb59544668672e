"""docs/write-a-connector.md, followed by the letter: in an empty folder, with an environment of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import site
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "write-a-connector.md"

pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(
        not (shutil.which("curl") and shutil.which("bash")), reason="the guide's commands need bash and curl"
    ),
]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment that has what this one has, and takes what is installed into it."""
    place = tmp_path / "venv"
    venv.create(place, symlinks=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    inherited = f"import site; site.addsitedir({site.getsitepackages()[0]!r})\n"
    (place / "lib" / version / "site-packages" / "inherited.pth").write_text(inherited)
    for name, module in (("hub", "hub"), ("pip", "pip")):
        script = place / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{place}/bin/python" -m {module} "$@"\n')
        script.chmod(0o755)
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("HUB_", "PYTEST_"))},
        "PATH": f"{place}/bin:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say: build with what is here
        "PIP_NO_DEPS": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def blocks() -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def run(script: str, folder: Path, environment: dict[str, str]) -> str:
    arguments = ["bash", "-eu", "-o", "pipefail", "-c", script]
    done = subprocess.run(
        arguments, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def demo(folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """`make run`, in the folder."""
    arguments = ["hub", "demo", "--port", "0", "--hold", "2s"]
    with subprocess.Popen(arguments, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            for line in running.stdout:
                if "PAYABLE" in line:
                    break
            yield
            running.send_signal(signal.SIGINT)
            assert running.wait(timeout=300) == 0
        finally:
            running.kill()


def test_every_command_works_as_written(tmp_path: Path, environment: dict[str, str]) -> None:
    """From nothing to a connector that passes, and to a commission."""
    *writing, playing = blocks()
    assert len(writing) == 3
    told = run("\n".join(writing), tmp_path, environment)
    assert "Wrote hub-acme, a connector that works already:" in told
    assert "faults" not in told
    assert '"key": "refund:r1"' in told
    assert " passed" in told
    with demo(tmp_path, environment):
        before = ". var/demo.env\nCLICK=$(curl -s -i -A Mozilla/5.0 $LINK | grep -o 'clk_[0-9a-f]*')\n"
        played = run(before + playing, tmp_path, environment)
    assert len(re.findall(r"^Acme store reports order", played, re.MULTILINE)) == 3
    # 12 percent of goods worth 50.00, less the mug of 15.00 that went back.
    assert re.search(r"^The commission of order \d+: 4\.20 USD, (HOLD|PAYABLE)\.$", played, re.MULTILINE), played
    assert len(re.findall("has no commission: click_missing", played)) == 2
    assert " FAILED " not in played
