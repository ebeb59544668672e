"""What the repository itself must hold: it installs anywhere, and names no machine."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from hub.storage.migrations.files import SUMMARY

WIDTH = 120
ROOT = Path(__file__).resolve().parent.parent


def shown(file: Path) -> str:
    return str(file.relative_to(ROOT))


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is no git checkout")
    return [path for path in (ROOT / line for line in listed.stdout.splitlines()) if path.is_file()]


def test_no_host_in_what_installs() -> None:
    """A registry's address in a lock file would break every machine that installs from another one."""
    files = [ROOT / "Makefile", *ROOT.glob("requirements/*"), *ROOT.glob(".ci/*")]
    assert len(files) > 3
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    assert [line for line in lines if re.search(r"https?://|file:/|--(extra-)?index-url|--find-links", line)] == []


def test_every_locked_release_has_hashes() -> None:
    """Without hashes a registry could hand out something else under the same name."""
    for file in ROOT.glob("requirements/*.txt"):
        pins = re.findall(r"^\S+==\S+ .*$", file.read_text("utf-8"), re.MULTILINE)
        assert pins, file
        assert [pin for pin in pins if not pin.endswith(" \\")] == [], file


def test_no_path_of_a_machine() -> None:
    """The repository stands alone: no file leans on where, or beside what, it was made."""
    pattern = re.compile(rb"\bshared[/]|(?<![\w.])/(work|root|home|Users)/\w")
    own = [file for file in tracked_files() if "static" not in file.parts]  # static holds others' code
    assert [shown(file) for file in own if pattern.search(file.read_bytes())] == []
    assert pattern.search(b"/ho" + b"me/someone")


def test_migrations_are_numbered() -> None:
    """Migrations run in the order of their numbers, so the numbers are 1, 2, 3 ... without a gap or a double."""
    names = sorted(file.name for file in (ROOT / "migrations").iterdir() if file.name != SUMMARY)
    assert all(re.fullmatch(r"\d{4}_[a-z0-9_]+(\.sqlite|\.postgresql)?\.sql", name) for name in names), names
    numbers = [0, *sorted({int(name[:4]) for name in names})]
    assert all(later == earlier + 1 for earlier, later in pairwise(numbers)), names
    assert len({name[:4] for name in names}) == len({name.partition(".")[0] for name in names}), names


def long_lines(text: str) -> list[str]:
    """Return the lines of a document that are too long for a screen; tables, code and single words cannot be broken."""
    fenced, found = False, []
    for line in text.splitlines():
        fence = line.lstrip().startswith(("```", "~~~"))
        fenced ^= fence
        breakable = not (fenced or fence or line.lstrip().startswith(("|", "<", "#", "["))) and " " in line.strip()
        if breakable and len(line) > WIDTH:
            found.append(line)
    return found


def test_documents_are_wrapped() -> None:
    """A diff of a paragraph that is one line shows nothing, and a terminal cuts it."""
    documents = [file for file in tracked_files() if file.suffix == ".md"]
    assert len(documents) > 20
    assert {shown(file): lines for file in documents if (lines := long_lines(file.read_text("utf-8")))} == {}


def test_control_a_long_line_is_noticed() -> None:
    long = "word " * 30
    assert long_lines(f"{long}\n\n```\n{long}\n```\n| {long} |\n") == [long]


def test_every_make_target_is_in_the_menu() -> None:
    """A target without its ## line would stay unknown."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert re.findall(r"^([a-z]+):.*## \S", makefile, re.MULTILINE) == phony.split()
