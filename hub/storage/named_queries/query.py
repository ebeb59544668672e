"""Named queries, compiled for one database, and how values are checked and bound to them.

PostgreSQL takes a batch of rows as one JSON text. SQLite reads one in the same way, but writes it in chunks: statements
with `VALUES` for 64, 32, 16 ... rows, whose few texts all stay prepared.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

import orjson
from attrs import frozen

from hub.storage.errors import BadValue, QueryFault

Dialect = Literal["sqlite", "postgresql"]
Arguments = dict[str, Any] | list[Any]
Statements = list[tuple[str, Arguments]]
"""The statements that a query consists of for its values, in order: SQL and arguments."""
CHUNK_SIZES: Final = (64, 32, 16, 8, 4, 2, 1)
"""How many rows one statement writes on SQLite: few sizes, so that all of the statements stay prepared."""
ROWS_PLACEHOLDER: Final = "\0"
"""Marks the place of a batch's rows in SQLite's text; no query can contain it."""
Columns = tuple[tuple[str, str], ...]
"""Name and type ("text" or "bigint") of each column of a batch."""

# One database would take dates and dataclasses as text, the other would refuse them.
_OPTIONS = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
_ESCAPED_NUL = b"\\u0000"
_HIGHEST = 2**63 - 1
_LOWEST = -(2**63)
_WIDEST_PLAIN_ROW = 5  # a row of more columns has to be a named tuple
_WHOLE_NUMBERS = frozenset({int, type(None)})


@frozen
class Parameter:
    """One parameter of a query: a single value, a list (one column) or rows (several columns of name and type)."""

    name: str
    kind: Literal["scalar", "list", "rows"]
    columns: Columns = ()


@frozen
class Query:
    """One query for one database; `sql` names its parameters in the driver's way.

    If SQLite writes the batch `batch` with it, `sql` has a placeholder for the rows, which `statements` fills, and
    `places` are the parameters in the order of the text, the batch among them.
    """

    name: str
    purpose: str
    dialect: Dialect
    sql: str
    parameters: tuple[Parameter, ...]
    names: frozenset[str]
    returns_rows: bool
    batch: Parameter | None = None
    places: tuple[str, ...] = ()

    def bind(self, values: Mapping[str, Any]) -> Arguments:
        """Return the values in the driver's form; raise BadValue for a value that no database can hold.

        SQLite takes them by name, PostgreSQL by position. A batch is one JSON text; so is a list, where there are no
        arrays.
        """
        bound: dict[str, Any] = {}
        for parameter in self.parameters:
            name, kind = parameter.name, parameter.kind
            value = values[name]
            if kind == "scalar":
                _check_scalar(name, value)
            else:
                if kind == "rows":
                    _check_rows(name, value, parameter.columns)
                    value = [*map(tuple, value)]  # the encoder refuses named tuples
                text = _encode_batch(name, value)  # what it refuses would abort the whole transaction on a server
                if kind == "rows" or self.dialect == "sqlite":
                    value = text.decode()
            bound[name] = value
        return bound if self.dialect == "sqlite" else list(bound.values())

    def statements(self, values: Mapping[str, Any]) -> Statements:
        """Return the statements to run for these values, one after the other; raise BadValue as `bind` does.

        It is one statement, except for a batch that SQLite writes, which takes one for each chunk. SQLite keeps a copy
        of every page that a statement changes, in case it fails half-way. It need not for these: OR FAIL leaves that
        to the transaction, and reading the rows from parameters cannot fail.
        """
        batch = self.batch
        if batch is None:
            return [(self.sql, self.bind(values))]
        rows, width, begin = values[batch.name], len(batch.columns), 0
        _check_rows(batch.name, rows, batch.columns)
        _check_columns(batch.name, rows, batch.columns)
        for each in self.parameters:
            if each is not batch:
                _check_scalar(each.name, values[each.name])
        place = self.places.index(batch.name)
        before = [values[name] for name in self.places[:place]]
        after = [values[name] for name in self.places[place + 1 :]]
        statements: Statements = []
        for size in CHUNK_SIZES:
            while len(rows) - begin >= size:
                chunk = chain.from_iterable(rows[begin : begin + size])
                statements.append((with_rows(self.sql, size, width), [*before, *chunk, *after]))
                begin += size
        return statements

    def without_values(self) -> tuple[str, Arguments]:
        """Return the query with empty values, so that the database can explain its plan."""
        if self.batch is not None:
            nulls = {each.name: None for each in self.parameters}
            columns = [(column, object) for column, _ in self.batch.columns]
            row = NamedTuple("EmptyRow", columns)  # type: ignore[misc]  # its columns are the query's
            empty = row._make([None] * len(columns))
            ((sql, arguments),) = self.statements({**nulls, self.batch.name: [empty]})
            return sql, arguments
        return self.sql, self.bind({each.name: None if each.kind == "scalar" else [] for each in self.parameters})


class _OnDemand(dict[str, Query]):
    """Those of the queries that were asked for; to ask for another one compiles it."""

    def __init__(self, texts: Mapping[str, str], compiler: Callable[[str, str], Query]) -> None:
        self.texts = texts
        self._compiler = compiler

    def __missing__(self, name: str) -> Query:
        query = self[name] = self._compiler(name, self.texts[name])
        return query


class NamedQueries(Mapping[str, Query]):
    """Queries by their names, each compiled when it is asked for first: a command asks for a few of two thousand.

    Asking for one whose text is wrong raises QueryFault.
    """

    def __init__(self, texts: Mapping[str, str], compiler: Callable[[str, str], Query]) -> None:
        """Make the queries of these texts by their names; `compiler` makes one of its name and text."""
        self.compiled: Final = _OnDemand(texts, compiler)
        """The same as a dictionary, for those who ask thousands of times a second: it has what was asked for."""

    def __getitem__(self, name: str) -> Query:
        """Return the query of this name; raise KeyError if it is unknown."""
        return self.compiled[name]

    def __iter__(self) -> Iterator[str]:
        """Return the names of all of them."""
        return iter(self.compiled.texts)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.compiled.texts)


NamedCall = tuple[str, Mapping[str, Any]]
"""The name of a query and its values."""


@lru_cache(maxsize=1_024)
def with_rows(sql: str, size: int, width: int) -> str:
    """Return the statement with placeholders for `size` rows of `width` columns.

    They have no numbers: Python 3.12 and later asks SQLite for the name of each parameter, and SQLite looks for a
    number's name from the first on, which takes time by the square of the chunk.
    """
    row = f"({', '.join('?' * width)})"
    return sql.replace(ROWS_PLACEHOLDER, ", ".join([row] * size))


def query_for(queries: NamedQueries, name: str, values: Mapping[str, Any]) -> Query:
    """Return the query of this name; raise QueryFault if it is unknown or takes other parameters."""
    query = find_query(queries, name)
    if values.keys() == query.names:
        return query
    raise QueryFault(f"Query `{name}` takes the parameters {sorted(query.names)}, it was given {sorted(values)}.")


def find_query(queries: NamedQueries, name: str) -> Query:
    """Return the query of this name; raise QueryFault if it is unknown."""
    try:
        return queries.compiled[name]
    except KeyError:
        raise QueryFault(f"There is no query named `{name}`.") from None


def _check_scalar(name: str, value: object) -> None:
    """Raise BadValue unless `value` is a text without NUL, a 64-bit integer, a float or None."""
    if isinstance(value, str):
        if "\x00" in value or not value.isascii():  # most texts are plain ASCII and spare the call
            _check_text(name, value)
    elif isinstance(value, int):
        if not _LOWEST <= value <= _HIGHEST:
            raise BadValue(f"`{name}` is {value}, which does not fit into 64 bits.")
    elif value is not None and not isinstance(value, float):
        raise BadValue(f"`{name}` is a {type(value).__name__}; the store takes texts, integers, floats and None.")


def _encode_batch(name: str, batch: Sequence[object]) -> bytes:
    """Return the batch as one JSON array; raise BadValue for a value that the database cannot hold."""
    try:
        encoded = orjson.dumps(batch, option=_OPTIONS)
    except TypeError as error:  # orjson's JSONEncodeError is a TypeError
        raise BadValue(f"`{name}` holds a value that the store cannot take: {error}.") from error
    if _ESCAPED_NUL in encoded and "\x00" in _texts(encoded):
        raise BadValue(f"`{name}` holds a text with a NUL character.")
    return encoded


def _check_columns(name: str, rows: Sequence[Sequence[object]], columns: Columns) -> None:
    """Raise BadValue unless a "text" column has texts and a "bigint" column whole numbers, or None.

    All texts are checked joined, which takes a fraction of the time of checking each.
    """
    texts: list[str] = []
    for (column, kind), values in zip(columns, zip(*rows, strict=True), strict=False):
        if kind != "text":
            if not _WHOLE_NUMBERS.issuperset(map(type, values)):
                raise BadValue(f"`{name}` has a value in {column} that is not a whole number.")
            continue
        try:
            texts.append("".join(filter(None, values)))
        except TypeError as error:
            raise BadValue(f"`{name}` has a value in {column} that is not a text: {error}.") from error
    _check_text(name, "".join(texts), "holds")


def _check_rows(name: str, rows: Sequence[Sequence[object]], columns: Columns) -> None:
    """Raise BadValue unless every row has as many values as the query has columns, QueryFault if their names differ.

    A row is a tuple in the order of the columns. One with more than five columns must be a named tuple with the same
    names, so that no two of them can be swapped unnoticed.
    """
    if not rows:
        return
    if set(map(len, rows)) != {len(columns)}:
        raise BadValue(f"`{name}` holds a row with another number of columns than the {len(columns)} of its query.")
    names = tuple(column for column, _ in columns)
    fields = getattr(rows[0], "_fields", None if len(columns) > _WIDEST_PLAIN_ROW else names)
    if fields != names:
        raise QueryFault(f"The rows of `{name}` must be named tuples of the columns {list(names)}.")


def _check_text(name: str, text: str, verb: str = "is") -> None:
    if "\x00" in text:
        raise BadValue(f"`{name}` {verb} a text with a NUL character.")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise BadValue(f"`{name}` {verb} a text with half a surrogate pair.") from error


def _texts(encoded: bytes) -> str:
    """Return all texts of the batch joined: what looks like an escaped NUL may be a backslash that was typed."""
    texts: list[str] = []
    unread = [json.loads(encoded)]
    while unread:
        value = unread.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, list):
            unread.extend(value)
    return "".join(texts)
