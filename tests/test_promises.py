"""What the documents promise is proved where they say, and what the hub is made of is named with its licence."""

from __future__ import annotations

import re
from importlib.metadata import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS = re.compile(r"\btests/[\w/]+\.py\b")
SLOW = "pytestmark = pytest.mark.prove"
ASVS = """
1.1:22 1.2:1111122223 1.3:112222222223 1.4:222 1.5:123 2.1:122 2.2:112 2.3:12223 2.4:23 3.1:3 3.2:113 3.3:12223
3.4:11222233 3.5:11122333 3.6:3 3.7:22333 4.1:12233 4.2:23333 4.3:22 4.4:1222 5.1:2 5.2:112333 5.3:113 5.4:222
6.1:122 6.2:111111112222 6.3:11223333 6.4:112233 6.5:22222333 6.6:2223 6.7:33 6.8:2222 7.1:222 7.2:1111 7.3:22
7.4:11222 7.5:223 7.6:22 8.1:1233 8.2:1123 8.3:133 8.4:23 9.1:111 9.2:1222 10.1:22 10.2:223 10.3:22223
10.4:1111122222233333 10.5:22222 10.6:22 10.7:222 11.1:2233 11.2:22233 11.3:11233 11.4:1222 11.5:23 11.6:23 11.7:33
12.1:12233 12.2:11 12.3:22223 13.1:2333 13.2:222223 13.3:2233 13.4:1222233 14.1:22 14.2:12223333 14.3:122 15.1:12233
15.2:12233 15.3:1222222 15.4:3333 16.1:2 16.2:22222 16.3:2222 16.4:222 16.5:2223 17.1:23 17.2:22223333 17.3:22
"""
"""The levels of the requirements of each section of ASVS 5.0.0, in their order."""


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def locked() -> list[str]:
    """The distributions that the hub runs on."""
    return re.findall(
        r"^([A-Za-z0-9_.-]+)==", text_of("requirements/run.txt") + text_of("requirements/mcp.txt"), re.MULTILINE
    )


@pytest.mark.parametrize("document", ["docs/guarantees.md", "docs/asvs.md", "README.md"])
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
            assert (f"\n{SLOW}" in text_of(name)) == ("-m prove" in line) == ("(*slow*)" in line), name


def required() -> dict[str, int]:
    """The level of each requirement of ASVS 5.0.0 by its number."""
    return {
        f"{section}.{place}": int(level)
        for section, levels in re.findall(r"([\d.]+):(\d+)", ASVS)
        for place, level in enumerate(levels, 1)
    }


def kept(text: str) -> list[tuple[str, int]]:
    """The number and the level of each line of a document that is of a requirement."""
    return [(number, int(level)) for number, level in re.findall(r"^\| ([\d.]+) \| (\d) \|", text, re.MULTILINE)]


def test_every_requirement_of_levels_1_and_2_has_one_line() -> None:
    found, wanted = kept(text_of("docs/asvs.md")), required()
    assert len(wanted) == 345
    assert [each for each in found if wanted[each[0]] != each[1]] == []
    assert sorted(each for each in found if each[1] < 3) == sorted(each for each in wanted.items() if each[1] < 3)
    assert len({number for number, _ in found}) == len(found)


def test_every_line_of_a_requirement_has_a_test_or_says_why_not() -> None:
    lines = [line for line in text_of("docs/asvs.md").splitlines() if re.match(r"\| \d", line)]
    assert [line for line in lines if not TESTS.search(line) and not re.search(r"\| (reason|differs) \|$", line)] == []
    assert [line for line in lines if line.count(" | ") != 4] == []


def test_control_a_requirement_that_is_left_out_is_noticed() -> None:
    text = text_of("docs/asvs.md")
    assert ("6.2.4", 1) in kept(text)
    assert ("6.2.4", 1) not in kept(text.replace("| 6.2.4 |", "| 6.2.40 |"))


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
