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
from functools import cache
from pathlib import Path

from hub.storage.errors import QueryFault
from hub.storage.named_queries.query import ROWS_HERE, Dialect, Parameter, Query, QueryBook
from hub.storage.named_queries.values import Columns

QUERY_FOLDER = Path(__file__).parent / "sql"

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


@cache
def compile_query(name: str, text: str, dialect: Dialect) -> Query:
    """Return the portable query text (a comment line, then one statement) compiled for the database."""
    first, _, statement = text.strip().partition("\n")
    purpose = first.removeprefix("--").strip()
    if not first.startswith("--") or not purpose:
        raise QueryFault(f"Query `{name}` lacks the comment line under its name that says what it does.")
    writer = _Writer(name, dialect)
    sql = writer.compile(statement)
    if not sql or ";" in re.sub(r"'(?:[^']|'')*'", "", sql):
        raise QueryFault(f"Query `{name}` must be exactly one statement.")
    returns = re.match(r"(?:select|with|values)\b", sql, re.IGNORECASE) is not None and not _writes(sql)
    returns = returns or re.search(r"\breturning\b", sql, re.IGNORECASE) is not None
    batch = None
    if dialect == "sqlite" and not returns and writer.only_batch is not None:
        batch = writer.only_batch
        in_portions = _PortionWriter(name, dialect, [each for each in writer.parameters.values() if each != batch])
        sql = re.sub(r"^(INSERT|UPDATE)\b", r"\1 OR FAIL", in_portions.compile(statement))
    parameters = tuple(writer.parameters.values())
    return Query(name, purpose, dialect, sql, parameters, frozenset(writer.parameters), returns, batch)


def _writes(sql: str) -> bool:
    return re.search(r"\b(?:insert\s+into|update|delete\s+from)\b", sql, re.IGNORECASE) is not None


def _member(index: int, type_: str) -> str:
    """Return PostgreSQL's expression for one member of a row that is a JSON array."""
    return f"members ->> {index}" if type_ == "text" else f"CAST(members ->> {index} AS {type_})"


class _Writer:
    """Writes one query's macros and parameters for one database, and remembers the parameters in order."""

    def __init__(self, name: str, dialect: Dialect) -> None:
        self.name = name
        self.dialect = dialect
        self.parameters: dict[str, Parameter] = {}
        self._places: dict[str, int] = {}
        self._uses_of_batches = 0

    @property
    def only_batch(self) -> Parameter | None:
        """The query's batch of rows, if it has one, names it once, and all other parameters are single values."""
        batches = [each for each in self.parameters.values() if each.kind != "scalar"]
        return batches[0] if self._uses_of_batches == len(batches) == 1 and batches[0].kind == "rows" else None

    def compile(self, statement: str) -> str:
        """Return the statement for the database, without its comments and indentation."""
        sql = _TOKEN.sub(self.write, statement).strip().removesuffix(";").rstrip()
        return re.sub(r"[ \t]*\n\s*", "\n", sql)

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
        self._uses_of_batches += 1
        if self.dialect == "sqlite":
            return self._source(name, columns)
        # One text is the driver's cheapest way: of an array it asks every element whether it is an array in turn.
        fields = ", ".join(f"{_member(index, type_)} AS {column}" for index, (column, type_) in enumerate(columns))
        return f"(SELECT {fields} FROM jsonb_array_elements(${place}::jsonb) AS batch (members))"  # noqa: S608 -- as above

    def _source(self, name: str, columns: Columns) -> str:
        fields = ", ".join(f"value ->> {index} AS {column}" for index, (column, _) in enumerate(columns))
        return f"(SELECT {fields} FROM json_each(:{name}))"  # noqa: S608 -- as above

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
        return self._places.setdefault(parameter.name, len(self._places) + 1)

    def _fault(self, text: str) -> QueryFault:
        return QueryFault(f"Query `{self.name}` {text}.")


class _PortionWriter(_Writer):
    """Writes a statement of SQLite for `Query.statements`: single values by number, a place for the batch's rows."""

    def __init__(self, name: str, dialect: Dialect, scalars: Sequence[Parameter]) -> None:
        super().__init__(name, dialect)
        for each in scalars:
            self._place(each)

    def _scalar(self, name: str) -> str:
        return f"?{self._place(Parameter(name, 'scalar'))}"

    def _source(self, name: str, columns: Columns) -> str:  # noqa: ARG002 - there is one batch
        fields = ", ".join(f"column{place} AS {column}" for place, (column, _) in enumerate(columns, start=1))
        return f"(SELECT {fields} FROM (VALUES {ROWS_HERE}))"  # noqa: S608 -- as above
