"""Named queries: one portable text per query, compiled for each database once, when it is loaded.

A file holds blocks of `-- name: claim_keys`, one comment line that says what the query does, and one statement.
Parameters are written `:name`. Three macros stand for what the databases write differently:

* `@rows(:batch; account_id text, n bigint)` reads a list of tuples as a row source;
* `@list(:ids text)` after IN reads a list of values;
* `@skip_locked` passes over rows that another transaction has locked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import evolve

from hub.storage.errors import QueryFault
from hub.storage.query import ROWS_HERE, Dialect, Parameter, Query, QueryBook

QUERY_FOLDER = Path(__file__).parent / "queries"

_NAME = re.compile(r"^-- name:[ \t]*(\S+)[ \t]*$", re.MULTILINE)
_TOKEN = re.compile(
    r"""(?P<skip> '(?:[^']|'')*' | "(?:[^"]|"")*" )
      | (?P<comment> --[^\n]* )
      | (?P<cast> :: )
      | @rows\(\s* :(?P<rows>\w+) \s*;(?P<columns>[^)]*)\) (?P<alias>\s+AS\b)?
      | @list\(\s* :(?P<list>\w+) \s+ (?P<type>\w+) \s*\)
      | (?P<skip_locked> @skip_locked\b )
      | (?P<unknown> @\w* )
      | :(?P<scalar>[A-Za-z_]\w*)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def load_queries(dialect: Dialect, folders: Sequence[Path] = (QUERY_FOLDER,)) -> QueryBook:
    """Return every query of the folders' `*.sql` files by name, compiled; raise QueryFault for a fault in any."""
    book: dict[str, Query] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.sql"))):
        for name, text in _blocks(path):
            if name in book:
                raise QueryFault(f"Query `{name}` in {path.name} has the name of another query: give it its own.")
            book[name] = compile_query(name, text, dialect)
    return book


def _blocks(path: Path) -> Iterator[tuple[str, str]]:
    before, *parts = _NAME.split(path.read_text(encoding="utf-8"))
    if any(line.strip() and not line.startswith("--") for line in before.splitlines()):
        raise QueryFault(f"{path.name} has SQL before its first `-- name:` line.")
    yield from zip(parts[::2], parts[1::2], strict=True)


def compile_query(name: str, text: str, dialect: Dialect) -> Query:
    """Return the portable query text (a comment line, then one statement) compiled for the database."""
    first, _, statement = text.strip().partition("\n")
    purpose = first.removeprefix("--").strip()
    if not first.startswith("--") or not purpose:
        raise QueryFault(f"Query `{name}` lacks the comment line under its name that says what it does.")
    writer = _Writer(name, dialect)
    sql = _TOKEN.sub(writer.write, statement).strip().removesuffix(";").rstrip()
    if not sql or ";" in re.sub(r"'(?:[^']|'')*'", "", sql):
        raise QueryFault(f"Query `{name}` must be exactly one statement.")
    parameters = tuple(writer.parameters.values())
    returns = re.match(r"(?:select|with|values)\b", sql, re.IGNORECASE) is not None and not _writes(sql)
    returns = returns or re.search(r"\breturning\b", sql, re.IGNORECASE) is not None
    sql = re.sub(r"[ \t]*\n\s*", "\n", sql)
    query = Query(name, purpose, dialect, sql, parameters, frozenset(writer.parameters), returns)
    return query if dialect == "postgresql" or returns else _in_portions(query)


def _in_portions(query: Query) -> Query:
    """Return the statement made for `Query.statements`, if it writes from one batch, and single values beside it."""
    batches = [each for each in query.parameters if each.kind != "scalar"]
    if len(batches) != 1 or batches[0].kind != "rows":
        return query
    source = _from_json(batches[0])
    if query.sql.count(source) != 1:
        return query
    columns = ", ".join(f"column{place} AS {name}" for place, (name, _) in enumerate(batches[0].columns, start=1))
    sql = query.sql.replace(source, f"(SELECT {columns} FROM (VALUES {ROWS_HERE}))")  # noqa: S608 -- as below
    scalars = [each.name for each in query.parameters if each.kind == "scalar"]
    for place, name in enumerate(scalars, start=1):
        sql = re.sub(rf":{name}\b", f"?{place}", sql)
    return evolve(query, sql=re.sub(r"^(INSERT|UPDATE)\b", r"\1 OR FAIL", sql), batch=batches[0])


def _writes(sql: str) -> bool:
    return re.search(r"\b(?:insert\s+into|update|delete\s+from)\b", sql, re.IGNORECASE) is not None


def _member(index: int, type_: str) -> str:
    """Return PostgreSQL's expression for one member of a row that is a JSON array."""
    return f"members ->> {index}" if type_ == "text" else f"CAST(members ->> {index} AS {type_})"


def _from_json(batch: Parameter) -> str:
    fields = ", ".join(f"value ->> {index} AS {column}" for index, (column, _) in enumerate(batch.columns))
    return f"(SELECT {fields} FROM json_each(:{batch.name}))"  # noqa: S608 -- names from our own query file


class _Writer:
    """Writes one query's macros and parameters for one database, and remembers the parameters in order."""

    def __init__(self, name: str, dialect: Dialect) -> None:
        self.name = name
        self.dialect = dialect
        self.parameters: dict[str, Parameter] = {}
        self._places: dict[str, int] = {}
        self._next = 1

    def write(self, match: re.Match[str]) -> str:
        """Return what stands for one token of the portable text."""
        found = match.groupdict()
        if found["skip"]:
            return match.group()
        if found["comment"]:
            return ""
        if found["skip_locked"]:
            return "FOR UPDATE SKIP LOCKED" if self.dialect == "postgresql" else ""
        if found["scalar"]:
            return self._scalar(found["scalar"])
        if found["rows"]:
            return self._rows(found["rows"], found["columns"]) + (found["alias"] or f" AS {found['rows']}_rows")
        if found["list"]:
            return self._list(found["list"], found["type"])
        raise self._fault(f"has `{match.group()}`, which is no portable SQL (write CAST for `::`)")

    def _scalar(self, name: str) -> str:
        place = self._place(Parameter(name, "scalar"))
        return f":{name}" if self.dialect == "sqlite" else f"${place}"

    def _list(self, name: str, type_: str) -> str:
        place = self._place(Parameter(name, "list", (("value", self._type(type_)),)))
        if self.dialect == "sqlite":
            return f"(SELECT value FROM json_each(:{name}))"  # noqa: S608 -- a name from our own query file
        return f"(SELECT unnest(${place}::{type_.lower()}[]))"

    def _rows(self, name: str, text: str) -> str:
        columns = tuple(self._column(part) for part in text.split(","))
        place = self._place(Parameter(name, "rows", columns))
        if self.dialect == "sqlite":
            return _from_json(Parameter(name, "rows", columns))
        # One text is the driver's cheapest way: of an array it asks every element whether it is an array in turn.
        fields = ", ".join(f"{_member(index, type_)} AS {column}" for index, (column, type_) in enumerate(columns))
        return f"(SELECT {fields} FROM jsonb_array_elements(${place}::jsonb) AS batch (members))"  # noqa: S608 -- as above

    def _column(self, text: str) -> tuple[str, str]:
        words = text.split()
        if len(words) != 2 or not words[0].isidentifier():
            raise self._fault(f"has the column `{text.strip()}`; write a name and a type")
        return words[0], self._type(words[1])

    def _type(self, word: str) -> str:
        if word.lower() not in ("text", "bigint"):
            raise self._fault(f"has the type `{word}`; batches hold text and bigint")
        return word.lower()

    def _place(self, parameter: Parameter) -> int:
        known = self.parameters.setdefault(parameter.name, parameter)
        if known != parameter:
            raise self._fault(f"uses `:{parameter.name}` in two different ways")
        if parameter.name not in self._places:
            self._places[parameter.name] = self._next
            self._next += 1
        return self._places[parameter.name]

    def _fault(self, text: str) -> QueryFault:
        return QueryFault(f"Query `{self.name}` {text}.")
