"""The lines of an affiliate's report: a day is a date that a person can read."""

from __future__ import annotations

from hub.acts.own_documents import line_document
from hub.operations.figures.affiliate_figures import Counted


def test_a_line_of_a_day_is_named_by_its_date() -> None:
    line = line_document(Counted("20777", "20777", 3, 2, 0, {"EUR": 500}), "day")
    assert (line["key"], line["name"], line["earned"]) == ("2026-11-20", "2026-11-20", {"EUR": "5.00"})


def test_any_other_line_keeps_its_name() -> None:
    line = line_document(Counted("cmp_1", "Spring", 3, 2, 0, {}), "campaign")
    assert (line["key"], line["name"]) == ("cmp_1", "Spring")
