"""A commit tries its part of a long table, and the commits together all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sampled import TABLES, Part, has_turn

ROOT = Path(__file__).parents[1]
COMMITS = [f"{number:040x}" for number in range(256)]


@pytest.mark.parametrize("parts", sorted(set(TABLES.values())))
def test_a_commit_tries_one_row_in_so_many_and_the_commits_all_of_them(parts: int) -> None:
    rows = range(10 * parts)
    tried = [[row for row in rows if has_turn(row, parts, commit)] for commit in COMMITS]
    assert {len(each) for each in tried} == {10}
    assert {row for each in tried for row in each} == set(rows)
    assert [row for row in rows if has_turn(row, parts, COMMITS[3])] == tried[3]


def test_a_part_is_of_the_rows_in_their_order_and_the_whole_is_all() -> None:
    rows = [f"row {place}" for place in range(40)]
    part = Part(5).of(rows)
    assert len(part) == 8
    assert part == [row for row in rows if row in part]
    assert Part(1).of(rows) == rows


def test_every_table_is_a_test_with_parameters() -> None:
    files = [*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("hub/testing/*_suite.py")]
    sources = "".join(file.read_text("utf-8") for file in files)
    for name in TABLES:
        before, found, _ = sources.partition(f"def {name}(")
        assert found, f"{name} is no test any more"
        assert "@pytest.mark.parametrize(" in before[-400:]
