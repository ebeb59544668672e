"""A release that is installed, without a checkout: it serves, migrates, and shows pages and documents."""

from __future__ import annotations

import json
import os
import re
import shlex
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

from release.wheels import PINS
from tests.release.conftest import VERSION, Made
from tests.test_repository import ROOT

pytestmark = pytest.mark.prove


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
            process.communicate(timeout=300)


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
    with urlopen(url, timeout=300) as answer:
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
        f"hub-{name}"
        for name in (
            "generic",
            "bigcommerce",
            "magento",
            "prestashop",
            "shopify",
            "shopware",
            "squarespace",
            "stripe",
            "wix",
            "woocommerce",
        )
    }


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


def commands_of(file: Path) -> list[str]:
    """Return the commands by which a document goes from a bare machine to a public hub."""
    blocks: list[str] = re.findall(r"```sh\n(.*?)```", file.read_text("utf-8"), re.DOTALL)
    return next(block for block in blocks if "hub setup" in block).splitlines()


def test_the_documents_install_by_at_most_five_commands() -> None:
    commands = commands_of(ROOT / "docs/install.md")
    assert len(commands) <= 5
    assert commands_of(ROOT / "README.md") == commands


def test_the_documented_commands_make_a_hub_that_serves(lent: Path, tmp_path: Path) -> None:
    """In a root of its own: setup with its questions answered, then each service as its unit starts it."""
    *_, install, setup, start = commands_of(ROOT / "docs/install.md")
    assert install.split()[-1] == f"dist/{PINS}"
    (tmp_path / "etc/caddy").mkdir(parents=True)
    (tmp_path / "etc/caddy/Caddyfile").write_text(":80 {\n}\n")
    program, *words = setup.split()
    assert program == "/opt/affiliate-hub/bin/hub"
    asked = answered(lent, tmp_path, words)
    assert asked.returncode == 0, asked.stdout + asked.stderr
    link = re.search(r"https://hub\.example\.com(/login/link/\S+)", asked.stdout)
    assert link, asked.stdout
    assert f"import {tmp_path}/etc/affiliate-hub/Caddyfile" in (tmp_path / "etc/caddy/Caddyfile").read_text()
    settings = tmp_path / "etc/affiliate-hub/hub.toml"
    settings.write_text(re.sub(r"= 8080|9090", lambda found: "= 0" if "=" in found[0] else "0", settings.read_text()))
    assert oct((tmp_path / "etc/affiliate-hub/hub.env").stat().st_mode)[-3:] == "600"
    units = [name if "." in name else f"{name}.service" for name in re.findall(r"affiliate-hub[\w.-]*", start)]
    assert all((tmp_path / "etc/systemd/system" / name).exists() for name in units)
    with started(tmp_path, "affiliate-hub.service") as server:
        url = printed(server, r"listening on (\S+)")
        assert "Sign in" in read(url + link[1])
        for unit in ("affiliate-hub-audit.service", "affiliate-hub-backup.service"):
            with started(tmp_path, unit) as once:
                out, _ = once.communicate(timeout=300)
                assert once.returncode == 0, out
        assert list((tmp_path / "var/lib/affiliate-hub/backups").glob("hub-*.db"))
        command = [str(tmp_path / "usr/local/bin/affiliate-hub"), "doctor", "--json"]
        looked = subprocess.run(command, cwd=tmp_path, env=bare(), capture_output=True, text=True, check=False)
        wrong = [each["part"] for each in json.loads(looked.stdout) if each["state"] == "fault"]
        assert (looked.returncode, wrong) == (1, ["address"]), "nothing is wrong but the name, which is nobody's"
    again = answered(lent, tmp_path, words)
    assert (again.returncode, "A hub was set up here" in again.stderr) == (1, True)


def answered(python: Path, root: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run setup below a root, with answers to what it asks."""
    command = [str(python.parent / "hub"), *words, "--root", str(root)]
    answers = "none\nsqlite\nada@hub.example\n"
    return subprocess.run(
        command, cwd=root, env=bare(), input=answers, capture_output=True, text=True, check=False
    )  # fmt: skip


@contextmanager
def started(root: Path, unit: str) -> Iterator[subprocess.Popen[str]]:
    """Start a service as its unit says: the command, its environment file and its folder."""
    text = (root / "etc/systemd/system" / unit).read_text("utf-8")
    values = dict(re.findall(r"^(ExecStart|EnvironmentFile|WorkingDirectory)=(.*)$", text, re.MULTILINE))
    lines = Path(values["EnvironmentFile"].lstrip("-")).read_text("utf-8").splitlines()
    given = {name: value.strip("'") for name, _, value in (line.partition("=") for line in lines if "=" in line)}
    with subprocess.Popen(
        shlex.split(values["ExecStart"].replace("%%", "%")), cwd=values["WorkingDirectory"], env={**bare(), **given},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=300)
