"""A release that is installed, without a checkout: it serves, migrates, and shows pages and documents."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.release.conftest import VERSION, Made


def environment_in(folder: Path) -> Path:
    """Make an empty environment; return its Python."""
    venv.create(folder, symlinks=True)
    return folder / "bin" / "python"


def pip(python: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def lent(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the release's wheels, whose dependencies are those of this one: quick to make."""
    python = environment_in(tmp_path_factory.mktemp("installed"))
    pip(python, "--no-index", "--no-deps", *(str(file) for file in made.folder.glob("*.whl")))
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    # A folder that a .pth file names is no site folder: what is installed there as editable stays out.
    Path(site, "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def hub(python: Path, folder: Path, *arguments: str) -> str:
    command = [str(python.parent / "hub"), *arguments]
    done = subprocess.run(command, cwd=folder, env=bare(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def bare() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}


@contextmanager
def running(python: Path, folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [str(python.parent / "affiliate-hub"), *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=bare(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


def printed(process: subprocess.Popen[str], pattern: str) -> str:
    """Return what the first line that matches has in its group; fail with all lines if none does."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        if found := re.search(pattern, line):
            return found[1]
        lines.append(line)
    raise AssertionError("".join(lines))


def read(url: str) -> str:
    with urlopen(url, timeout=30) as answer:
        body: bytes = answer.read()
        return body.decode()


def test_it_names_its_version_and_commit(made: Made, lent: Path, tmp_path: Path) -> None:
    told = hub(lent, tmp_path, "--version")
    assert told.startswith(f"hub, version {VERSION} (commit {made.release.commit[:12]}), Python 3.")


def test_it_serves_what_a_checkout_serves(lent: Path, tmp_path: Path) -> None:
    with running(lent, tmp_path, "serve", "--port", "0") as server:
        url = printed(server, r"listening on (\S+)")
        assert json.loads(read(f"{url}/readyz"))["status"] == "ok"
        assert "Sign in" in read(f"{url}/login")
        assert "master key" in read(f"{url}/docs/operator")
        assert "Unreleased" in read(f"{url}/docs/changelog")
        assert read(f"{url}/capture.js")
    loaded = json.loads(hub(lent, tmp_path, "plugin", "list", "--json"))
    assert {each["distribution"].split(" ")[0] for each in loaded} == {
        f"hub-{name}" for name in ("generic", "bigcommerce", "prestashop", "shopify", "shopware", "woocommerce")
    }


@pytest.mark.prove
def test_one_command_installs_it_with_every_dependency_pinned(made: Made, tmp_path: Path) -> None:
    """As requirements.txt says, and then by the extra alone; the demo plays in what was installed."""
    pinned = environment_in(tmp_path / "pinned")
    pip(pinned, "--require-hashes", "--find-links", str(made.folder), "-r", str(made.folder / "requirements.txt"))
    by_name = environment_in(tmp_path / "by-name")
    pip(by_name, "--find-links", str(made.folder), f"affiliate-hub[all]=={VERSION}")
    for python in (pinned, by_name):
        listed = subprocess.run(
            [sys.executable, "-m", "pip", "--python", str(python), "list", "--format", "json"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        names = {each["name"].lower() for each in json.loads(listed.stdout)}
        assert {"affiliate-hub", "hub-generic", "hub-shopify"} <= names
        assert not names & {"pytest", "hypothesis", "mypy", "playwright"}
    with running(pinned, tmp_path, "demo", "--port", "0") as demo:
        assert printed(demo, r"(http://\S+/t/\S+)")
