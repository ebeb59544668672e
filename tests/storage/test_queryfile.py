"""Query files: what the portable text becomes for each database, and which faults are found in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.storage import BadValue, QueryFault
from hub.storage.named_queries.compiler import QUERY_FOLDER, compile_query, load_queries
from hub.storage.named_queries.query import Dialect, Query, find_query

A_TEXT = "members ->> 0 AS a"
BATCH = "FROM jsonb_array_elements($1::jsonb) AS batch (members)"


def compiled(statement: str, dialect: Dialect) -> Query:
    return compile_query("sample", f"-- A sample.\n{statement}", dialect)


@pytest.mark.parametrize(
    ("portable", "sqlite", "postgresql"),
    [
        ("SELECT :a, :b, :a", "SELECT :a, :b, :a", "SELECT $1, $2, $1"),
        (
            "SELECT 1 IN @list(:ids text)",
            "SELECT 1 IN (SELECT value FROM json_each(:ids))",
            "SELECT 1 IN (SELECT unnest($1::text[]))",
        ),
        (
            "SELECT k.a FROM @rows(:b; a text, n bigint) AS k WHERE k.n = :n",
            "SELECT k.a FROM (SELECT value ->> 0 AS a, value ->> 1 AS n FROM json_each(:b)) AS k WHERE k.n = :n",
            f"SELECT k.a FROM (SELECT {A_TEXT}, CAST(members ->> 1 AS bigint) AS n {BATCH}) AS k WHERE k.n = $2",
        ),
        (
            "SELECT a FROM @rows(:b; a text) WHERE true",
            "SELECT a FROM (SELECT value ->> 0 AS a FROM json_each(:b)) AS b_rows WHERE true",
            f"SELECT a FROM (SELECT {A_TEXT} {BATCH}) AS b_rows WHERE true",
        ),
        (
            "SELECT 1 FROM t LIMIT :n @skip_locked",
            "SELECT 1 FROM t LIMIT :n",
            "SELECT 1 FROM t LIMIT $1 FOR UPDATE SKIP LOCKED",
        ),
        (
            "SELECT ':a', \"b:c\" -- :d @e ;\n, 'it''s @rows'",
            "SELECT ':a', \"b:c\"\n, 'it''s @rows'",
            "SELECT ':a', \"b:c\"\n, 'it''s @rows'",
        ),
    ],
)
def test_macros_and_parameters_are_translated(portable: str, sqlite: str, postgresql: str) -> None:
    """Texts and comments stay out of it; a parameter used twice is one parameter."""
    assert compiled(portable, "sqlite").sql == sqlite
    assert compiled(portable, "postgresql").sql == postgresql


def test_a_batch_used_twice_is_sent_once() -> None:
    """Both places read the same text."""
    query = compiled("SELECT 1 FROM @rows(:b; a text) AS x, @rows(:b; a text) AS y WHERE :n = 1", "postgresql")
    assert query.bind({"b": [("v",)], "n": 1}) == ['[["v"]]', 1]
    assert query.sql.count("$1::jsonb") == 2


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("SELECT a::text", "not portable SQL"),
        ("SELECT @json(:a)", "not portable SQL"),
        ("SELECT 1 FROM @rows(:b; a json) AS k", "the type `json`"),
        ("SELECT 1 FROM @rows(:b; a) AS k", "write a name and a type"),
        ("SELECT 1 FROM @rows(:b; a text) AS k WHERE :b = 1", "two different ways"),
        ("SELECT 1 FROM @rows(:b; a text) AS k, @rows(:b; c text) AS l", "two different ways"),
        ("SELECT 1; SELECT 2", "exactly one statement"),
        ("", "exactly one statement"),
    ],
)
def test_faults_are_named(statement: str, fault: str) -> None:
    """The sentence names the query."""
    with pytest.raises(QueryFault, match=f"`sample`.*{fault}"):
        compiled(statement, "sqlite")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("-- name: a\n-- One.\nSELECT 1\n\n-- name: a\n-- Two.\nSELECT 2\n", "the name of another query"),
        ("SELECT 1;\n-- name: a\n-- One.\nSELECT 1\n", "before its first"),
        ("-- name: a\nSELECT 1\n", "lacks the comment line"),
        ("-- name: a\n--\nSELECT 1\n", "lacks the comment line"),
        ("-- name: a\n-- One.\nSELECT @fragment(b)\n\n-- fragment: b\n-- B.\n1\n", "no fragment `b` before its use"),
    ],
)
def test_faults_of_a_file_are_named(tmp_path: Path, text: str, fault: str) -> None:
    """A name stands once over all files, and every query says what it does."""
    (tmp_path / "sample.sql").write_text(text, "utf-8")
    with pytest.raises(QueryFault, match=fault):
        dict(load_queries("sqlite", (tmp_path,)))


def test_a_query_is_compiled_once_it_is_asked_for(tmp_path: Path) -> None:
    """A command asks for a few of two thousand; the names of all are known before."""
    (tmp_path / "sample.sql").write_text("-- name: a\n-- One.\nSELECT 1\n\n-- name: b\nSELECT 2\n", "utf-8")
    queries = load_queries("sqlite", (tmp_path,))
    assert (queries["a"].sql, [*queries]) == ("SELECT 1", ["a", "b"])
    with pytest.raises(QueryFault, match="`b` lacks the comment line"):
        find_query(queries, "b")
    with pytest.raises(QueryFault, match="no query named `c`"):
        find_query(queries, "c")


def test_a_name_occurs_once_over_all_files(tmp_path: Path) -> None:
    """The error names the second file."""
    for file in ("one.sql", "two.sql"):
        (tmp_path / file).write_text("-- A file of one.\n\n-- name: a\n-- One.\nSELECT 1\n", "utf-8")
    with pytest.raises(QueryFault, match="two.sql has the name"):
        load_queries("sqlite", (tmp_path,))


def test_a_fragment_is_put_in_where_queries_and_fragments_name_it(tmp_path: Path) -> None:
    """Its comment line stays behind, and its parameters are the query's."""
    text = """-- fragment: live
-- What lives.
t.ends_at > :now

-- fragment: open
-- What lives and is open.
@fragment(live) AND t.state = 'OPEN'

-- name: a
-- Return the open ones.
SELECT t.n FROM t WHERE @fragment(open)
"""
    (tmp_path / "sample.sql").write_text(text, "utf-8")
    query = load_queries("postgresql", (tmp_path,))["a"]
    assert query.sql == "SELECT t.n FROM t WHERE t.ends_at > $1 AND t.state = 'OPEN'"
    assert query.names == {"now"}


def test_what_is_a_fragment_is_shared() -> None:
    alone = []
    for path in QUERY_FOLDER.glob("*.sql"):
        text = path.read_text("utf-8")
        names = re.findall(r"^-- fragment: (\w+)$", text, re.MULTILINE)
        alone += [(path.name, name) for name in names if text.count(f"@fragment({name})") < 2]
    assert alone == []


def test_sqlite_writes_a_batch_in_chunks() -> None:
    """A statement for each power of two of its rows, values by their place in it; PostgreSQL takes it as it is."""
    text = "INSERT INTO t (a, b) SELECT a, :c FROM @rows(:b; a text, n bigint) WHERE n > :d ON CONFLICT (a) DO NOTHING"
    rows = [(f"row {number}", number) for number in range(71)]
    statements = compiled(text, "sqlite").statements({"b": rows, "c": "x", "d": 3})
    assert [sql.count("(?") for sql, _ in statements] == [64, 4, 2, 1]
    sql, arguments = statements[-1]
    assert sql == (
        "INSERT OR FAIL INTO t (a, b) SELECT a, ? FROM (SELECT column1 AS a, column2 AS n FROM (VALUES (?, ?)))"
        " AS b_rows WHERE n > ? ON CONFLICT (a) DO NOTHING"
    )
    assert arguments == ["x", "row 70", 70, 3]
    places = [list(arguments)[1:-1] for _, arguments in statements]
    assert [row for each in places for row in zip(each[::2], each[1::2], strict=True)] == rows
    assert compiled(text, "sqlite").statements({"b": [], "c": "x", "d": 3}) == []
    assert len(compiled(text, "postgresql").statements({"b": rows, "c": "x", "d": 3})) == 1


def test_a_text_that_looks_like_a_parameter_stays_a_text() -> None:
    """Only a parameter gets a place, and one that stands twice is bound twice."""
    text = "INSERT INTO t (a) SELECT :c || ':c' FROM @rows(:b; a text) WHERE a <> ':b' AND a <> :c"
    ((sql, arguments),) = compiled(text, "sqlite").statements({"b": [("x",)], "c": "y"})
    assert "SELECT ? || ':c' FROM" in sql
    assert sql.endswith("WHERE a <> ':b' AND a <> ?")
    assert arguments == ["y", "x", "y"]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT a FROM @rows(:b; a text)",
        "INSERT INTO t (a) SELECT a FROM @rows(:b; a text) WHERE true RETURNING a",
        "INSERT INTO t (a) SELECT x.a FROM @rows(:b; a text) AS x, @rows(:b; a text) AS y",
        "DELETE FROM t WHERE a IN @list(:b text)",
        "UPDATE t SET a = :b",
    ],
)
def test_a_statement_that_does_more_than_write_one_batch_stays_one_statement(statement: str) -> None:
    """What reads would answer in pieces, and what names its batch twice would not meet itself."""
    assert compiled(statement, "sqlite").batch is None


@pytest.mark.parametrize(
    ("statement", "returns"),
    [
        ("SELECT 1", True),
        ("WITH a AS (SELECT 1) SELECT 2", True),
        ("WITH a AS (SELECT 1) INSERT INTO t SELECT 1", False),
        ("INSERT INTO t VALUES (1)", False),
        ("INSERT INTO t VALUES (1) RETURNING a", True),
        ("UPDATE t SET a = 1", False),
        ("DELETE FROM t", False),
        ("SELECT updated_at FROM t", True),
    ],
)
def test_it_is_known_which_statements_return_rows(statement: str, returns: bool) -> None:
    """`run` counts returned rows where there are some, touched ones else."""
    assert compiled(statement, "sqlite").returns_rows is returns


ECHO = {
    dialect: compiled("SELECT 1 FROM @rows(:b; a text) AS k WHERE :t = ''", dialect)
    for dialect in ("sqlite", "postgresql")
}
COPY = compiled("INSERT INTO t (a) SELECT a FROM @rows(:b; a text) WHERE :t = ''", "sqlite")


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_stored_or_refused_never_anything_else(text: str) -> None:
    """What cannot be stored: NUL and surrogates; the check says so for a value and for a batch, for both databases."""
    storable = "\x00" not in text and not any(0xD800 <= ord(letter) <= 0xDFFF for letter in text)
    for query in (*ECHO.values(), COPY):
        for values in ({"b": [(text,)], "t": ""}, {"b": [], "t": text}):
            if storable:
                query.statements(values)
            else:
                with pytest.raises(BadValue):
                    query.statements(values)


@pytest.mark.parametrize("value", [b"bytes", object(), 1j, {"a": 1}, [1]])
def test_a_value_of_another_kind_is_refused(value: object) -> None:
    """Only what both databases understand alike goes in."""
    for query in (*ECHO.values(), COPY):
        with pytest.raises(BadValue):
            query.statements({"b": [], "t": value})


MOVE = compiled("INSERT INTO t (a, n) SELECT a, n FROM @rows(:b; a text, n bigint)", "sqlite")


@pytest.mark.parametrize("poison", [b"bytes", object(), 1j, {"a": 1}, [1], 7, 1.5])
def test_a_text_of_a_batch_is_a_text_in_every_row(poison: object) -> None:
    """One row among many that holds something else is found, and the column named."""
    rows: list[tuple[object, object]] = [("fine", 1), (None, None), ("", 0)]
    assert len(MOVE.statements({"b": rows})) == 2
    with pytest.raises(BadValue, match="in a that is not a text"):
        MOVE.statements({"b": [*rows, (poison, 1)]})


@pytest.mark.parametrize("poison", ["7", b"7", 1.5, 7.0, True, [7]])
def test_a_number_of_a_batch_is_a_whole_number_in_every_row(poison: object) -> None:
    """PostgreSQL would refuse the others, and SQLite would keep them as they are."""
    with pytest.raises(BadValue, match="in n that is not a whole number"):
        MOVE.statements({"b": [("fine", 1), ("odd", poison)]})
