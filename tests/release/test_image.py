"""The image of a release: built of its wheels, and as its pods run it: without root, with no database but a file's."""

from __future__ import annotations

import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from typing import Final
from urllib.request import Request, urlopen

import pytest

from tests.deploy.test_deploy import DEPLOY
from tests.release.conftest import VERSION, Made

pytestmark = pytest.mark.prove

CONTAINERFILE: Final = DEPLOY / "Containerfile"
TEXT: Final = CONTAINERFILE.read_text("utf-8")
NAME: Final = "affiliate-hub-tested"
WAITS_SECONDS: Final = 60
SERVES: Final = f"""
hub migrate
hub serve & serving=$!
python - <<'ASKED'
import time, urllib.request
until = time.monotonic() + {WAITS_SECONDS}
while True:
    try:
        answers = [urllib.request.urlopen(f"http://127.0.0.1:{{at}}", timeout=4).status
                   for at in ("8080/healthz", "9090/readyz")]
        break
    except OSError:
        if time.monotonic() > until: raise
        time.sleep(0.2)
print("answers", *answers)
ASKED
kill -TERM $serving
wait $serving
echo "ended with $?"
"""
"""Migrates, serves, is asked whether it lives and is ready, and is stopped as the container's engine does it."""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def succeeds(*command: str) -> str:
    done = run(*command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def skip_without_sources() -> None:
    """Skip where what the image is compiled of cannot be fetched."""
    for address in re.findall(r"https://[^' ]+\.tar\.gz", TEXT):
        try:
            urlopen(Request(address, method="HEAD"), timeout=30).close()
        except OSError as fault:
            pytest.skip(f"{address} can be had nowhere from here ({fault}): the image was not built")


def builder() -> str:
    """Return the program that builds images here: one with a server that answers, and with the image's Python."""
    bases = set(re.findall(r"^FROM (\S+)", TEXT, re.MULTILINE))
    for name in ("podman", "buildah", "docker"):
        tool = shutil.which(name)
        if tool is None or run(tool, "info").returncode:
            continue
        for base in bases:
            if run(tool, "inspect", "--type", "image", base).returncode and run(tool, "pull", base).returncode:
                pytest.skip(f"{base} can be had nowhere from here: the image was not built")
        skip_without_sources()
        return name
    pytest.skip("neither podman, buildah nor docker runs here: the image was not built")


@pytest.fixture(scope="module")
def image(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build the image of the release; yield the name of the program that did."""
    tool = builder()
    context = tmp_path_factory.mktemp("image")
    shutil.copytree(made.folder, context / "dist")
    # A sandbox without namespaces builds by chroot; the other two programs know no such choice.
    apart = ["--isolation", "chroot"] if tool == "buildah" else []
    succeeds(tool, "build", *apart, "--file", str(CONTAINERFILE), "--tag", NAME, str(context))
    yield tool
    run(tool, "rmi", NAME)


def ran_in(tool: str, script: str) -> str:
    """Return what a shell in a container of the image says."""
    key = f"HUB_MASTER_KEY={secrets.token_urlsafe(32)}"
    if tool != "buildah":
        return succeeds(tool, "run", "--rm", "--env", key, "--entrypoint", "sh", NAME, "-c", script)
    container = succeeds(tool, "from", "--pull-never", NAME).strip()
    try:
        return succeeds(tool, "run", "--isolation", "chroot", "--env", key, container, "sh", "-c", script)
    finally:
        run(tool, "rm", container)


def test_it_is_the_release_and_not_root(image: str) -> None:
    said = ran_in(image, "hub --version; id --user; touch /opt/hub/x 2>&1 || true")
    assert VERSION in said
    assert "\n10001\n" in said
    assert "Permission denied" in said


def test_it_migrates_serves_and_stops_when_it_is_told(image: str) -> None:
    said = ran_in(image, SERVES)
    assert "answers 200 200" in said, said
    assert said.endswith("ended with 0\n"), said
