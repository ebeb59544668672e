"""Named queries, compiled for one database, and how values are bound to them.

PostgreSQL takes a batch of rows as one JSON text. SQLite reads one in the same way, but writes it in chunks: statements
with `VALUES` for 64, 32, 16 ... rows, whose few texts all stay prepared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

from attrs import frozen

from hub.storage.errors import QueryFault
from hub.storage.named_queries.values import Columns, check_columns, check_rows, check_scalar, encode_batch

Dialect = Literal["sqlite", "postgresql"]
Arguments = dict[str, Any] | list[Any]
Statements = list[tuple[str, Arguments]]
"""The statements that a query consists of for its values, in order: SQL and arguments."""
CHUNK_SIZES: Final = (64, 32, 16, 8, 4, 2, 1)
"""How many rows one statement writes on SQLite: few sizes, so that all of the statements stay prepared."""
ROWS_PLACEHOLDER: Final = "\0"
"""Marks the place of a batch's rows in SQLite's text; no query can contain it."""


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
                check_scalar(name, value)
            else:
                if kind == "rows":
                    check_rows(name, value, parameter.columns)
                    value = [*map(tuple, value)]  # the encoder refuses named tuples
                text = encode_batch(name, value)  # what it refuses would abort the whole transaction on a server
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
        check_rows(batch.name, rows, batch.columns)
        check_columns(batch.name, rows, batch.columns)
        for each in self.parameters:
            if each is not batch:
                check_scalar(each.name, values[each.name])
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
