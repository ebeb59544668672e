"""The wheels of a tree, the list that installs them with every dependency pinned, and the sums of all files."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from hatchling.build import build_wheel

from release.tree import CLIENT, plugin_folders
from release.version import Release

PINS = "requirements.txt"
SUMS = "SHA256SUMS"


def build_wheels(tree: Path, folder: Path, release: Release) -> list[Path]:
    """Build the hub's wheel, each plugin's and the client's into the folder; the same commit gives the same bytes."""
    os.environ["SOURCE_DATE_EPOCH"] = str(release.committed_at)
    built = []
    for source in (tree, *plugin_folders(tree), tree / CLIENT):
        with contextlib.chdir(source):
            built.append(folder / build_wheel(str(folder)))
    return built


def write_pins(tree: Path, folder: Path, wheels: Iterable[Path], release: Release) -> None:
    """Write what `pip install --require-hashes -r` takes: the hub and its plugins, and the lock file of the rest."""
    lines = [
        f"# affiliate-hub {release.version} with all connectors. In this folder, in an environment of its own:",
        f"#   pip install --require-hashes --find-links . -r {PINS}",
    ]
    for wheel in wheels:
        name = wheel.name.partition("-")[0].replace("_", "-")
        if name != "affiliate-hub-client":
            extras = "[all]" if name == "affiliate-hub" else ""
            lines.append(f"{name}{extras}=={release.version} --hash=sha256:{sha256(wheel)}")
    locked = (tree / "requirements/run.txt").read_text("utf-8")
    (folder / PINS).write_text("\n".join(lines) + "\n" + locked, "utf-8")


def write_sums(folder: Path) -> None:
    """Write the sums of all files of the folder, as `sha256sum --check` reads them."""
    files = sorted(file for file in folder.iterdir() if file.name != SUMS)
    (folder / SUMS).write_text("".join(f"{sha256(file)}  {file.name}\n" for file in files), "utf-8")


def sha256(file: Path) -> str:
    """Return the digest of a file, in hex."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
