"""What builds the image here, and upon what: the Containerfile's own base and SQLite's own file, or stand-ins for them.

Where the base cannot be pulled, buildah builds upon what debootstrap makes: Debian's release of that name with Debian's
Python of that version, under the base's name, in a storage of its own. Where SQLite's file cannot be fetched, the stage
that fetches it is replaced by a package's copy of a later release. Everything else of the Containerfile is as written.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.request import Request, urlopen

import pytest
from attrs import frozen

from tests.deploy.test_deploy import DEPLOY

CONTAINERFILE: Final = DEPLOY / "Containerfile"
TEXT: Final = CONTAINERFILE.read_text("utf-8")
(BASE,) = set(re.findall(r"^FROM (\S+)", TEXT, re.MULTILINE))
DEBIAN: Final = BASE.rpartition("-")[2]
PACKAGES: Final = "python3,python3-venv,python3-pip,ca-certificates"
TRUSTED: Final = "etc/ssl/certs/ca-certificates.crt"
COPY: Final = "better-sqlite3@12.11.1"
"""A package that has SQLite 3.53.2 in one file of source, as SQLite publishes it."""
COPY_SHA256: Final = "60d2f39a3726cd6b9021da6f4e868608d66fbb6528a9f513dc8ffcc640493422"


@frozen
class Builder:
    """A program that builds images: the words it begins with, those of a build, and what it has instead of what."""

    tool: tuple[str, ...]
    build: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()

    @property
    def is_buildah(self) -> bool:
        """Whether containers are run by `from` and `run`, as no other does it."""
        return Path(self.tool[0]).name == "buildah"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, whatever that is."""
    return subprocess.run(command, capture_output=True, text=True, check=False)


def succeeds(*command: str) -> str:
    """Return what a command prints; fail with all that it said unless it succeeds."""
    done = run(*command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def builder(folder: Path) -> Builder:
    """Return what builds here, with stand-ins made in the folder; skip the test, by name, where nothing does."""
    tools = [tool for name in ("podman", "buildah", "docker") if (tool := shutil.which(name))]
    tools = [tool for tool in tools if run(tool, "info").returncode == 0]
    if not tools:
        pytest.skip("neither podman, buildah nor docker runs here: the image was not built")
    source = _source_at_hand(folder)
    for tool in tools:
        if not run(tool, "inspect", "--type", "image", BASE).returncode or not run(tool, "pull", BASE).returncode:
            return Builder((tool,), (*_apart(tool), *source), _told(source))
    maker, buildah = shutil.which("debootstrap"), next((tool for tool in tools if _apart(tool)), None)
    if maker is None or buildah is None or os.geteuid():
        pytest.skip(f"{BASE} can be had nowhere from here, nor is there a stand-in (buildah, debootstrap, root)")
    own = (buildah, "--root", str(folder / "images"), "--runroot", str(folder / "running"))
    _make_base(own, maker, folder / "base")
    instead = f"{BASE}: Debian's {DEBIAN} with its own Python, by debootstrap"
    return Builder(own, (*_apart(buildah), "--pull-never", *source), (instead, *_told(source)))


def _apart(tool: str) -> tuple[str, ...]:
    """Return how buildah builds in a sandbox without namespaces, by chroot; the others know no such choice."""
    return ("--isolation", "chroot") if Path(tool).name == "buildah" else ()


def _told(source: tuple[str, ...]) -> tuple[str, ...]:
    return (f"SQLite's source: that of {COPY}",) if source else ()


def _make_base(own: tuple[str, ...], maker: str, root: Path) -> None:
    """Make an image of the base's name that has `python` and `pip`, and trusts whom this machine trusts."""
    (python,) = set(re.findall(r":(\d\.\d+)-", BASE))
    succeeds(maker, "--variant=minbase", f"--include={PACKAGES}", DEBIAN, str(root))
    (root / "usr/local/bin/python").symlink_to(f"/usr/bin/python{python}")
    shutil.copyfile(Path("/", TRUSTED), root / TRUSTED)
    container = succeeds(*own, "from", "scratch").strip()
    succeeds(*own, "copy", "--quiet", container, str(root), "/")
    path = "PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin"
    succeeds(*own, "config", "--env", path, container)
    succeeds(*own, "commit", "--quiet", container, BASE)
    succeeds(*own, "rm", container)


def _source_at_hand(folder: Path) -> tuple[str, ...]:
    """Return what a build is told instead of fetching SQLite's source, if that cannot be had; skip without a copy."""
    (address,) = re.findall(r"https://[^' ]+\.tar\.gz", TEXT)
    try:
        urlopen(Request(address, method="HEAD"), timeout=30).close()
    except OSError as fault:
        place = folder / "source/sqlite"
        place.mkdir(parents=True)
        npm = shutil.which("npm")
        if npm is None or run(npm, "pack", COPY, "--pack-destination", str(folder)).returncode:
            pytest.skip(f"neither {address} ({fault}) nor {COPY} can be had from here: the image was not built")
        (packed,) = folder.glob("*.tgz")
        with tarfile.open(packed) as archive:
            file = archive.extractfile("package/deps/sqlite3/sqlite3.c")
            assert file is not None
            source = file.read()
        assert sha256(source).hexdigest() == COPY_SHA256
        (place / "sqlite3.c").write_bytes(source)
        return ("--build-context", f"source={place.parent}")
    return ()
