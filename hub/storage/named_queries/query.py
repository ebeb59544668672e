"""A named query as one database takes it, and how its values are bound; a batch that SQLite writes goes in portions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

from attrs import frozen

from hub.storage.errors import QueryFault
from hub.storage.named_queries.values import Columns, check_columns, check_rows, check_scalar, encode_batch

Dialect = Literal["sqlite", "postgresql"]
Arguments = dict[str, Any] | list[Any]
Statements = list[tuple[str, Arguments]]
"""What one query runs for its values, in this order."""
PORTIONS: Final = (64, 32, 16, 8, 4, 2, 1)
"""How many rows one statement of SQLite's writes: few enough kinds of them to be kept prepared, all of them."""
ROWS_HERE: Final = "\0"
"""Stands in SQLite's text of a batch for its rows; no query can hold it."""


@frozen
class Parameter:
    """One parameter of a query: a single value, a list (one column) or rows (several columns of name and type)."""

    name: str
    kind: Literal["scalar", "list", "rows"]
    columns: Columns = ()


@frozen
class Query:
    """One query as one database takes it; `sql` names its parameters the driver's way.

    Where SQLite writes a batch, `sql` holds the place of its rows instead, for which `statements` puts as many as come.
    """

    name: str
    purpose: str
    dialect: Dialect
    sql: str
    parameters: tuple[Parameter, ...]
    names: frozenset[str]
    returns_rows: bool
    batch: Parameter | None = None

    def check_names(self, values: Mapping[str, Any]) -> None:
        """Raise QueryFault unless exactly the query's parameters are given."""
        if values.keys() != self.names:
            asked, given = sorted(self.names), sorted(values)
            raise QueryFault(f"Query `{self.name}` takes the parameters {asked}, it was given {given}.")

    def bind(self, values: Mapping[str, Any]) -> Arguments:
        """Return the values as the driver takes them; raise BadValue for what no database can hold."""
        return self._by_name(values) if self.dialect == "sqlite" else self._by_place(values)

    def statements(self, values: Mapping[str, Any]) -> Statements:
        """Return what to run for these values, one statement after the other; raise BadValue as `bind` does.

        It is one, but for a batch that SQLite writes: there it is one for each power of two of its rows. SQLite keeps
        a copy of every page that a statement changes, should it fail in the middle; it does not for these, which
        leave that to the transaction (OR FAIL) and read their rows from parameters, where nothing can fail.
        """
        return [(self.sql, self.bind(values))] if self.batch is None else list(self._portions(self.batch, values))

    def rows_given(self, values: Mapping[str, Any]) -> int:
        """Return how many rows of batches these values hold."""
        return sum([len(values[each.name]) for each in self.parameters if each.kind == "rows"])

    def _portions(self, batch: Parameter, values: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
        rows, width = values[batch.name], len(batch.columns)
        check_rows(batch.name, rows, batch.columns)
        check_columns(batch.name, rows, batch.columns)
        scalars = [values[each.name] for each in self.parameters if each is not batch]
        for each in self.parameters:
            if each is not batch:
                check_scalar(each.name, values[each.name])
        begin = 0
        for size in PORTIONS:
            while len(rows) - begin >= size:
                end = begin + size
                sql = with_rows(self.sql, size, width, len(scalars) + 1)
                yield sql, [*scalars, *chain.from_iterable(rows[begin:end])]
                begin = end

    def _by_name(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values as SQLite takes them: by name, a batch as one JSON text."""
        bound: dict[str, Any] = {}
        for parameter in self.parameters:
            name = parameter.name
            value = values[name]
            if parameter.kind == "scalar":
                check_scalar(name, value)
            else:
                if parameter.kind == "rows":
                    check_rows(name, value, parameter.columns)
                    value = [*map(tuple, value)]  # the encoder takes no named tuples
                value = encode_batch(name, value).decode()
            bound[name] = value
        return bound

    def _by_place(self, values: Mapping[str, Any]) -> list[Any]:
        """Return the values as PostgreSQL takes them: by place, a list as an array, rows as one JSON text."""
        bound: list[Any] = []
        for parameter in self.parameters:
            name = parameter.name
            value = values[name]
            if parameter.kind == "scalar":
                check_scalar(name, value)
                bound.append(value)
            elif parameter.kind == "list":
                encode_batch(name, value)  # refuses what would abort the whole transaction on the server
                bound.append(value)
            else:
                check_rows(name, value, parameter.columns)
                bound.append(encode_batch(name, [*map(tuple, value)]).decode())
        return bound

    def explained(self) -> tuple[str, Arguments]:
        """Return the query with values without content, for the database to tell how it would go about it."""
        if self.batch is not None:
            nothing = {each.name: None for each in self.parameters}
            columns = [(column, object) for column, _ in self.batch.columns]
            row = NamedTuple("EmptyRow", columns)  # type: ignore[misc]  # its columns are the query's
            empty = row._make([None] * len(columns))
            ((sql, arguments),) = self.statements({**nothing, self.batch.name: [empty]})
            return sql, arguments
        return self.sql, self.bind({each.name: None if each.kind == "scalar" else [] for each in self.parameters})


QueryBook = Mapping[str, Query]
NamedCall = tuple[str, Mapping[str, Any]]
"""The name of a query, and its values."""


@lru_cache(maxsize=1_024)
def with_rows(sql: str, size: int, width: int, first: int) -> str:
    """Return the statement with the places of so many rows; their numbers begin at `first`."""
    places = (tuple(range(begin, begin + width)) for begin in range(first, first + size * width, width))
    return sql.replace(ROWS_HERE, ", ".join(f"({', '.join(f'?{place}' for place in row)})" for row in places))


def prepared(book: QueryBook, name: str, values: Mapping[str, Any]) -> tuple[Query, Arguments]:
    """Return a named query with its values bound; raise QueryFault where there is none or its names differ."""
    query = called(book, name, values)
    return query, query.bind(values)


def called(book: QueryBook, name: str, values: Mapping[str, Any]) -> Query:
    """Return a named query that takes these values; raise QueryFault where there is none or its names differ."""
    query = named(book, name)
    query.check_names(values)
    return query


def named(book: QueryBook, name: str) -> Query:
    """Return the query of this name; raise QueryFault where there is none."""
    query = book.get(name)
    if query is None:
        raise QueryFault(f"There is no query named `{name}`.")
    return query
