"""Records: members with their notes, written once, and what a surface picks of them."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import pytest
from attrs import field, frozen

from hub.records.record import ABSENT, Note, Pick, about_of, members_of, records_in
from hub.records.rows import read_row, shared_values
from hub.records.wire import encode, example_of, write
from hub.records.words import texts_said
from hub.storage import pick_record, pick_records
from hub.validation.constraints import Instant, Text
from hub.validation.inputs import leading


@frozen
class Part:
    """A part."""

    was_made: bool


@frozen(kw_only=True, slots=False)
class Said:
    remark: Annotated[str, Text(20, description="What somebody wrote.", example="Hello.")] | None = None


@frozen(kw_only=True, slots=False, field_transformer=leading("id"))
class Thing(Said):
    """A thing with an `id_of` its own. More about it."""

    id: Annotated[str, Note("The hub's id.", "thg_1")]
    made_at: Annotated[int, Instant("When it was made.", "2026-11-20T12:00:00Z")]
    ended_at: Annotated[int | None, Instant("When it ended.")] = None
    parts: Annotated[list[Part], Note("Its parts.", [])]
    sources: Annotated[tuple[str, ...] | None, Note("Where it is from.")] = None
    why: Annotated[str | None, Note("Why.")] = field(default=None, metadata=ABSENT)


THING = Thing(id="thg_1", made_at=1_000, parts=[Part(True)])


def test_it_is_written_in_camel_case_with_moments_as_text_and_without_what_is_absent() -> None:
    assert write(THING) == {
        "id": "thg_1", "remark": None, "madeAt": "1970-01-01T00:00:01.000Z", "endedAt": None,
        "parts": [{"wasMade": True}], "sources": None,
    }  # fmt: skip
    ended = Thing(id="thg_1", made_at=0, ended_at=1, parts=[], why="because")
    assert write([ended])[0]["endedAt"] == "1970-01-01T00:00:00.001Z"
    assert encode(Part(False)) == b'{"wasMade":false}'
    assert write(ended)["why"] == "because"


def test_its_members_have_notes_and_formats() -> None:
    notes = {each.name: (each.note.text, each.note.format) for each in members_of(Thing)}
    assert notes["id"] == ("The hub's id.", "")
    assert notes["remark"] == ("What somebody wrote.", "")
    assert notes["made_at"] == ("When it was made.", "date-time")
    assert about_of(Thing) == "A thing with an `idOf` its own."
    assert [cls for each in members_of(Thing) for cls in records_in(each.hint)] == [Part]
    assert example_of(Thing)["madeAt"] == "2026-11-20T12:00:00.000Z"


class TestPick:
    def test_it_shows_what_it_names_in_that_order_and_by_other_names(self) -> None:
        pick = Pick(Thing, "Short", "A thing, in short.", only=("why", "made_at", "id"), renamed={"id": "code"})
        assert list(write(THING, pick).items()) == [("madeAt", "1970-01-01T00:00:01.000Z"), ("code", "thg_1")]
        assert [each.wire for each in members_of(pick)] == ["why", "madeAt", "code"]

    def test_it_shows_all_but_what_it_leaves_out(self) -> None:
        pick = Pick(Thing, "Bare", "A thing.", without=("parts", "sources", "why", "remark"))
        assert list(write(THING, pick)) == ["id", "madeAt", "endedAt"]

    def test_of_what_is_stored_as_it_is_told_it_shows_as_much(self) -> None:
        """A product's JSON is made once, when it is stored."""
        pick = Pick(Thing, "Bare", "A thing.", without=("parts", "sources", "why", "remark"))
        assert list(write({"endedAt": None, "id": "thg_1", "madeAt": "1970", "why": "x"}, pick)) == [
            "id", "madeAt", "endedAt",
        ]  # fmt: skip

    def test_a_member_that_is_not_there_is_refused(self) -> None:
        with pytest.raises(TypeError, match=r"Bare names what Thing does not have: \['colour'\]"):
            Pick(Thing, "Bare", "A thing.", without=("colour",))

    def test_who_says_both_says_it_of_every_member(self) -> None:
        """Whoever adds a member decides whether this surface shows it."""
        with pytest.raises(TypeError, match="Half shows a part of Thing and says nothing of remark, made_at, ended_at"):
            Pick(Thing, "Half", "Half a thing.", only=("id",), without=("parts", "sources", "why"))


class TestRows:
    ROW: dict[str, Any] = {"id": "thg_1", "made_at": 5, "ended_at": None, "sources": '["a", "b"]', "why": None}  # noqa: RUF012 - read only

    def test_flags_and_lists_are_read_from_what_the_database_keeps(self) -> None:
        thing = read_row(Thing, {**self.ROW, "remark": "x"}, parts=[])
        assert (thing.sources, thing.made_at) == (("a", "b"), 5)
        assert read_row(Part, {"was_made": 1}).was_made is True

    def test_a_column_that_the_query_does_not_return_is_named(self) -> None:
        with pytest.raises(LookupError, match="The query returns no column for remark of Thing"):
            read_row(Thing, self.ROW, parts=[])


def test_the_texts_that_somebody_wrote_are_shown_without_a_line_of_their_own() -> None:
    thing = Thing(id="thg_1", made_at=0, parts=[], remark="Mind the step.")
    assert list(texts_said(thing)) == [("remark", "Mind the step.")]
    assert list(texts_said(thing, "remark")) == list(texts_said(THING)) == []


def test_records_are_picked_from_rows_by_the_names_of_their_columns() -> None:
    class Pair(NamedTuple):
        second: int
        first: str

    rows = [{"first": "a", "more": None, "second": 1}, {"first": "b", "more": None, "second": 2}]
    assert pick_records(Pair, rows) == [pick_record(Pair, row) for row in rows] == [Pair(1, "a"), Pair(2, "b")]
    assert pick_records(Pair, []) == []
    with pytest.raises(ValueError, match="second"):
        pick_records(Pair, [{"first": "a"}])


def test_the_attributes_of_a_class_are_shared_with_each_other_class_alone() -> None:
    class Half(NamedTuple):
        id: str
        kind: str = "half"

    @frozen
    class Whole:
        id: str
        made_at: int

    @frozen
    class Both:
        id: str
        made_at: int
        other: int

    for _ in range(2):
        assert shared_values(Both, Half("a")) == {"id": "a"}
        assert shared_values(Both, Whole("b", 7)) == {"id": "b", "made_at": 7}
        assert shared_values(Whole, Whole("c", 7)) == {"id": "c", "made_at": 7}
