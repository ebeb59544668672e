"""What the documents promise is proved where they say, and what the hub is made of is named with its licence."""

from __future__ import annotations

import re
from importlib.metadata import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS = re.compile(r"\btests/[\w/]+\.py\b")
SLOW = "pytestmark = pytest.mark.prove"


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def locked() -> list[str]:
    """The distributions that the hub runs on."""
    return re.findall(
        r"^([A-Za-z0-9_.-]+)==", text_of("requirements/run.txt") + text_of("requirements/mcp.txt"), re.MULTILINE
    )


@pytest.mark.parametrize("document", ["docs/guarantees.md", "docs/security.md", "README.md"])
def test_every_proof_that_is_named_exists(document: str) -> None:
    named = TESTS.findall(text_of(document))
    assert len(named) > 5
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_control_a_proof_that_is_gone_is_noticed() -> None:
    (gone,) = TESTS.findall("`python -m pytest tests/prove/test_nothing_at_all.py`")
    assert not (ROOT / gone).is_file()


def test_a_command_runs_its_proof() -> None:
    """Pytest leaves out what is marked as slow, so the command has to say that it wants it."""
    for line in text_of("docs/guarantees.md").splitlines():
        for name in TESTS.findall(line):
            assert (SLOW in text_of(name)) == ("-m prove" in line) == ("(*slow*)" in line), name


def test_every_line_of_the_checklist_has_a_test_or_a_reason() -> None:
    lines = [line for line in text_of("docs/security.md").splitlines() if re.match(r"\| \d", line)]
    assert len(lines) >= 25
    assert [line for line in lines if not TESTS.search(line) and not line.endswith("| reason |")] == []


def test_every_distribution_is_named_with_its_licence() -> None:
    notice = text_of("NOTICE")
    words = set(re.findall(r"[A-Za-z0-9_.-]*[A-Za-z0-9]", notice))
    assert len(locked()) > 20
    assert [name for name in locked() if name not in words] == []


def test_a_licence_that_asks_for_more_is_named_as_it_is() -> None:
    """A licence that is not permissive would have to be looked at before it is used."""
    for name in locked():
        found = metadata(name)
        licence = " ".join([*(found.get_all("License-Expression") or []), *(found.get_all("Classifier") or [])])
        assert not re.search(r"\bA?GPL|Affero|SSPL|Busl", licence), name
        if "MPL" in licence:
            assert f"MPL-2.0 AND (Apache-2.0 OR MIT)\n    {name}" in text_of("NOTICE")
