"""The compiler of named queries: one portable text per query, compiled for the database when it is asked for first.

A file consists of blocks: `-- name: claim_keys`, one comment line that says what the query does, and one statement.
Parameters are written `:name`. Four macros cover what the databases write differently:

* `@rows(:batch; account_id text, n bigint)` is a list of tuples as a source of rows;
* `@list(:ids text)` after IN is a list of values;
* `@skip_locked` skips rows that another transaction has locked;
* `@by(index)` behind a table is the index that SQLite must take; PostgreSQL finds it by its statistics.

A block that declares a list becomes a query for each way to read it (`lists.py`). What several queries of a file share
is a block of its own before them, `-- fragment: event_with_body` and a comment line; `@fragment(event_with_body)` puts
its text in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path

from hub.storage.errors import QueryFault
from hub.storage.named_queries.list_blocks import read_list
from hub.storage.named_queries.lists import ListQuery
from hub.storage.named_queries.query import ROWS_PLACEHOLDER, Columns, Dialect, NamedQueries, Parameter, Query
from hub.storage.sql_files import SqlFile, sql_files

QUERY_FOLDER = Path(__file__).parent / "sql"

_BLOCK = re.compile(r"^-- (name|fragment):[ \t]*(\S+)[ \t]*$", re.MULTILINE)
_FRAGMENT = re.compile(r"@fragment\((\w+)\)")
_TOKEN = re.compile(
    r"""(?P<skip> '(?:[^']|'')*' | "(?:[^"]|"")*" )
      | (?P<comment> --[^\n]* )
      | (?P<cast> :: )
      | @rows\(\s* :(?P<rows>\w+) \s*;(?P<columns>[^)]*)\) (?P<alias>\s+AS\b)?
      | @list\(\s* :(?P<list>\w+) \s+ (?P<type>\w+) \s*\)
      | (?P<skip_locked> @skip_locked\b )
      | @by\( (?P<index>\w+) \)
      | (?P<unknown> @\w* )
      | :(?P<scalar>[A-Za-z_]\w*)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def load_queries(dialect: Dialect, folders: Sequence[Path] = (QUERY_FOLDER,)) -> NamedQueries:
    """Return every query of the folders' `*.sql` files by name; raise QueryFault for a file or a list that is wrong.

    A query that is wrong by itself raises it when it is asked for: to compile all takes half the time of a command.
    """
    return _loaded(dialect, tuple(file for folder in folders for file in sql_files(folder)))


@lru_cache(8)
def _loaded(dialect: Dialect, files: tuple[SqlFile, ...]) -> NamedQueries:
    texts: dict[str, str] = {}
    for path in [Path(file) for file, *_ in files]:
        for name, text in queries_of(path):
            if name in texts:
                raise QueryFault(f"Query `{name}` in {path.name} has the name of another query: give it its own.")
            texts[name] = text
    return NamedQueries(texts, partial(compile_query, dialect=dialect))


@cache
def declared_lists(folders: tuple[Path, ...] = (QUERY_FOLDER,)) -> Mapping[str, ListQuery]:
    """Return every list of the folders' files by name; raise QueryFault if one is wrong."""
    blocks = (block for folder in folders for path in sorted(folder.glob("*.sql")) for block in _blocks(path))
    return {name: found for name, text in blocks if (found := read_list(name, text)) is not None}


def queries_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each query of a file; a list has many, see `lists.py`.

    Raise QueryFault if a query uses a fragment that the file does not have before it.
    """
    for name, text in _blocks(path):
        declared = read_list(name, text)
        yield from ((name, text),) if declared is None else declared.queries()


def _blocks(path: Path) -> Iterator[tuple[str, str]]:
    before, *parts = _BLOCK.split(path.read_text(encoding="utf-8"))
    if any(line.strip() and not line.startswith("--") for line in before.splitlines()):
        raise QueryFault(f"{path.name} has SQL before its first `-- name:` line.")
    fragments: dict[str, str] = {}
    for kind, name, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        whole = _FRAGMENT.sub(partial(_put_in, path, fragments), text)
        if kind == "name":
            yield name, whole
        else:
            fragments[name] = whole.strip().partition("\n")[2]


def _put_in(path: Path, fragments: Mapping[str, str], use: re.Match[str]) -> str:
    if use[1] not in fragments:
        raise QueryFault(f"{path.name} has no fragment `{use[1]}` before its use.")
    return fragments[use[1]]


@cache
def compile_query(name: str, text: str, dialect: Dialect) -> Query:
    """Compile the text of a query, a comment line and one statement; raise QueryFault if it is not that."""
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
    batch: Parameter | None = None
    places: tuple[str, ...] = ()
    if dialect == "sqlite" and not returns and writer.only_batch is not None:
        batch = writer.only_batch
        in_chunks = _ChunkWriter(name, dialect)
        sql = re.sub(r"^(INSERT|UPDATE)\b", r"\1 OR FAIL", in_chunks.compile(statement))
        places = tuple(in_chunks.places)
    parameters = tuple(writer.parameters.values())
    return Query(name, purpose, dialect, sql, parameters, frozenset(writer.parameters), returns, batch, places)


def _writes(sql: str) -> bool:
    return re.search(r"\b(?:insert\s+into|update|delete\s+from)\b", sql, re.IGNORECASE) is not None


def _member(index: int, type_: str) -> str:
    """Return PostgreSQL's expression for a member of a JSON array, which is one row of a batch."""
    return f"members ->> {index}" if type_ == "text" else f"CAST(members ->> {index} AS {type_})"


class _Writer:
    """Translates the macros and parameters of one query, and collects the parameters in order."""

    def __init__(self, name: str, dialect: Dialect) -> None:
        self.name = name
        self.dialect = dialect
        self.parameters: dict[str, Parameter] = {}
        self._places: dict[str, int] = {}
        self._uses_of_batches = 0

    @property
    def only_batch(self) -> Parameter | None:
        """The batch of rows, if the query has exactly one, uses it once, and all other parameters are single values."""
        batches = [each for each in self.parameters.values() if each.kind != "scalar"]
        return batches[0] if self._uses_of_batches == len(batches) == 1 and batches[0].kind == "rows" else None

    def compile(self, statement: str) -> str:
        """Return the statement for the database, without comments and indentation."""
        sql = _TOKEN.sub(self.write, statement).strip().removesuffix(";").rstrip()
        return re.sub(r"[ \t]*\n\s*", "\n", sql)

    def write(self, match: re.Match[str]) -> str:
        """Return the translation of one token."""
        token = match.groupdict()
        if token["skip"]:
            return match.group()
        if token["comment"]:
            return ""
        if token["index"]:
            return f"INDEXED BY {token['index']}" if self.dialect == "sqlite" else ""
        if token["skip_locked"]:
            return "FOR UPDATE SKIP LOCKED" if self.dialect == "postgresql" else ""
        if token["scalar"]:
            return self._scalar(token["scalar"])
        if token["rows"]:
            return self._rows(token["rows"], token["columns"]) + (token["alias"] or f" AS {token['rows']}_rows")
        if token["list"]:
            return self._list(token["list"], token["type"])
        raise self._fault(f"has `{match.group()}`, which is not portable SQL (write CAST for `::`)")

    def _scalar(self, name: str) -> str:
        place = self._place(Parameter(name, "scalar"))
        return f":{name}" if self.dialect == "sqlite" else f"${place}"

    def _list(self, name: str, type_: str) -> str:
        place = self._place(Parameter(name, "list", (("value", self._type(type_)),)))
        if self.dialect == "sqlite":
            return f"(SELECT value FROM json_each(:{name}))"  # noqa: S608 - a name of our own query file
        return f"(SELECT unnest(${place}::{type_.lower()}[]))"

    def _rows(self, name: str, text: str) -> str:
        columns = tuple(self._column(part) for part in text.split(","))
        place = self._place(Parameter(name, "rows", columns))
        self._uses_of_batches += 1
        if self.dialect == "sqlite":
            return self._source(name, columns)
        # One JSON text is cheapest for asyncpg: in an array it checks of every element whether it is an array itself.
        fields = ", ".join(f"{_member(index, type_)} AS {column}" for index, (column, type_) in enumerate(columns))
        return f"(SELECT {fields} FROM jsonb_array_elements(${place}::jsonb) AS batch (members))"  # noqa: S608 - names of our own query file

    def _source(self, name: str, columns: Columns) -> str:
        fields = ", ".join(f"value ->> {index} AS {column}" for index, (column, _) in enumerate(columns))
        return f"(SELECT {fields} FROM json_each(:{name}))"  # noqa: S608 - names of our own query file

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
        if self.parameters.setdefault(parameter.name, parameter) != parameter:
            raise self._fault(f"uses `:{parameter.name}` in two different ways")
        return self._places.setdefault(parameter.name, len(self._places) + 1)

    def _fault(self, text: str) -> QueryFault:
        return QueryFault(f"Query `{self.name}` {text}.")


class _ChunkWriter(_Writer):
    """Translates a statement that SQLite runs in chunks: parameters by their place alone, one of them for the rows."""

    def __init__(self, name: str, dialect: Dialect) -> None:
        super().__init__(name, dialect)
        self.places: list[str] = []

    def _scalar(self, name: str) -> str:
        self.places.append(name)
        return "?"

    def _source(self, name: str, columns: Columns) -> str:
        self.places.append(name)
        fields = ", ".join(f"column{place} AS {column}" for place, (column, _) in enumerate(columns, start=1))
        return f"(SELECT {fields} FROM (VALUES {ROWS_PLACEHOLDER}))"  # noqa: S608 - names of our own query file
