"""The image of a release: built of its wheels, and as its pods run it: without root, with no database but a file's."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from tests.release.conftest import STOOD_IN, VERSION, Made
from tests.release.image_builder import CONTAINERFILE, Builder, builder, run, succeeds

pytestmark = pytest.mark.prove

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


@pytest.fixture(scope="module")
def built(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Builder]:
    """Build the image of the release; yield what did."""
    folder = tmp_path_factory.mktemp("image")
    shutil.copytree(made.folder, folder / "context/dist")
    found = builder(folder)
    build = ("build", *found.build, "--file", str(CONTAINERFILE), "--tag", NAME, str(folder / "context"))
    succeeds(*found.tool, *build)
    yield found
    run(*found.tool, "rmi", NAME)


@pytest.fixture
def image(built: Builder, record_property: Callable[[str, object], None]) -> Builder:
    """Say in the summary what stood in."""
    for each in built.instead:
        record_property(STOOD_IN, each)
    return built


def ran_in(image: Builder, script: str) -> str:
    """Return what a shell in a container of the image says."""
    key = f"HUB_MASTER_KEY={secrets.token_urlsafe(32)}"
    if not image.is_buildah:
        return succeeds(*image.tool, "run", "--rm", "--env", key, "--entrypoint", "sh", NAME, "-c", script)
    container = succeeds(*image.tool, "from", "--pull-never", NAME).strip()
    try:
        return succeeds(*image.tool, "run", "--isolation", "chroot", "--env", key, container, "sh", "-c", script)
    finally:
        run(*image.tool, "rm", container)


def test_it_is_the_release_and_not_root(image: Builder) -> None:
    said = ran_in(image, "hub --version; id --user; touch /opt/hub/x 2>&1 || true")
    assert VERSION in said
    assert "\n10001\n" in said
    assert "Permission denied" in said


def test_it_migrates_serves_and_stops_when_it_is_told(image: Builder) -> None:
    said = ran_in(image, SERVES)
    assert "answers 200 200" in said, said
    assert said.endswith("ended with 0\n"), said
