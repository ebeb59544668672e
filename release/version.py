"""What a release is called: its version from the tag of its commit, and the commit itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from attrs import frozen

TAG = re.compile(r"v(\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?)")
"""Tags of releases: v1.0.0, v1.1.0rc2."""


class ReleaseFault(Exception):
    """No release can be made; the text is a sentence that says how to mend that."""


@frozen
class Release:
    """A release: its version as PEP 440 writes it, the commit, its moment (seconds UTC), and whether it has a tag."""

    version: str
    commit: str
    committed_at: int
    is_tagged: bool


def release_at_head(root: Path) -> Release:
    """Return what a release of the checkout's commit is called; raise `ReleaseFault` if it is no checkout.

    Without a tag on it the commit is a development release of the version after the last tag, or, before the first tag,
    of the one that `hub/__init__.py` names.
    """
    commit = git(root, "rev-parse", "HEAD")
    committed_at = int(git(root, "show", "--no-patch", "--format=%ct", "HEAD"))
    tags = [found[1] for tag in git(root, "tag", "--points-at", "HEAD").split() if (found := TAG.fullmatch(tag))]
    if len(tags) > 1:
        raise ReleaseFault(f"The commit has the tags of several releases: {', '.join(tags)}. Leave one.")
    if tags:
        return Release(tags[0], commit, committed_at, is_tagged=True)
    count = git(root, "rev-list", "--count", "HEAD")
    return Release(f"{_next_version(root)}.dev{count}+g{commit[:12]}", commit, committed_at, is_tagged=False)


def _next_version(root: Path) -> str:
    """Return the version that follows the newest tag that leads here."""
    for tag in git(root, "tag", "--merged", "HEAD", "--sort=-version:refname").split():
        if (found := TAG.fullmatch(tag)) and found[1].replace(".", "").isdigit():
            major, minor, patch = found[1].split(".")
            return f"{major}.{minor}.{int(patch) + 1}"
    written = re.search(r'^__version__ = "(.+)"$', (root / "hub/__init__.py").read_text("utf-8"), re.MULTILINE)
    if written is None:
        raise ReleaseFault("hub/__init__.py names no __version__.")
    return written[1]


def git(root: Path, *arguments: str) -> str:
    """Return what git prints; raise `ReleaseFault` with its own words if it fails."""
    try:
        done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607 - our own words; git is found by PATH
    except FileNotFoundError as fault:
        raise ReleaseFault("git is not installed; a release is made from a commit.") from fault
    if done.returncode:
        raise ReleaseFault(f"A release is made from a commit of the checkout: {done.stderr.strip()}.")
    return done.stdout.strip()
