"""One release of the files as they are, made of a commit of its own with a tag, for all tests of the room."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from attrs import frozen

from release.__main__ import make_release
from release.version import Release
from tests.test_repository import ROOT, tracked_files

VERSION = "9.9.9"
STOOD_IN = "stood in"
"""The property of a test in which it says what it had instead of what."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say aloud what the image was built of that is not what the Containerfile names."""
    reports = terminalreporter.stats.get("passed", ())
    told = {text: None for report in reports for name, text in report.user_properties if name == STOOD_IN}
    if told:
        terminalreporter.section("the image was built with stand-ins", yellow=True)
        for each in told:
            terminalreporter.line(f"  {each}")


@frozen
class Made:
    """A release, where it lies, and the checkout that it was made of."""

    release: Release
    folder: Path
    checkout: Path


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A tagged release of the files as they are."""
    checkout = tmp_path_factory.mktemp("checkout")
    for file in tracked_files():
        copy = checkout / file.relative_to(ROOT)
        if "tests" not in copy.relative_to(checkout).parts:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    name_release(checkout / "CHANGELOG.md")
    in_git(checkout, "init", "--quiet", "--initial-branch", "main")
    commit(checkout, "The release")
    in_git(checkout, "tag", f"v{VERSION}")
    folder = tmp_path_factory.mktemp("release") / "dist"
    return Made(make_release(checkout, folder), folder, checkout)


def name_release(changelog: Path) -> None:
    """Give what is unreleased the version, as a release does."""
    text = changelog.read_text("utf-8")
    changelog.write_text(text.replace("\n## Unreleased\n", f"\n## Unreleased\n\n## {VERSION} - 2026-11-23\n"))


def commit(checkout: Path, subject: str) -> None:
    in_git(checkout, "add", "--all", "--force")
    who = ("-c", "user.name=Test", "-c", "user.email=test@shop.example")
    in_git(checkout, *who, "commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message", subject)


def in_git(checkout: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", checkout, *arguments], check=True, capture_output=True)
