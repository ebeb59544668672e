"""Several statements combined into one, for PostgreSQL.

Each wait for the server costs a round trip and a turn of the event loop, so statements that do not depend on each other
are sent as one: queries as an array of subqueries, writes as the parts of a WITH.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hub.storage.named_queries.query import Statements

_PARAMETER = re.compile(r"\$([0-9]+)")
_Shape = tuple[tuple[str, int], ...]
"""The SQL text of each statement, of the hub's own query files, and the number of its arguments."""


def combine_reads(queries: Statements) -> tuple[str, list[Any]]:
    """Return one query, with its arguments; its column `answers` is an array of the rows of each query, as JSON."""
    return _combine_reads(_shape(queries)), _arguments(queries)


def combine_writes(parts: Sequence[Statements]) -> tuple[str, list[Any]]:
    """Return a statement that runs all parts, with its arguments; its column `counts` is how many rows each touched."""
    statements = [statement for part in parts for statement in part]
    return _combine_writes(_shape(statements)), _arguments(statements)


def combine_inserts(parts: Sequence[Statements], *, schema: int | None = None) -> tuple[str, list[Any]]:
    """Return a statement that runs all parts, or fails with the SQLSTATE HB001; and its arguments but the last.

    The last argument is a list with the number of rows that each part has to touch. It fails with HB002 unless the
    schema is at this version, if one is given.
    """
    statements = [statement for part in parts for statement in part]
    return _combine_inserts(_shape(statements), schema), _arguments(statements)


def _shape(statements: Statements) -> _Shape:
    return tuple((sql, len(arguments)) for sql, arguments in statements)


def _arguments(statements: Statements) -> list[Any]:
    return [value for _, arguments in statements for value in arguments]


@lru_cache(maxsize=64)
def _combine_reads(shape: _Shape) -> str:
    answers = [f"(SELECT coalesce(json_agg(part), '[]')::text FROM ({sql}) AS part)" for sql in _renumbered(shape)]  # noqa: S608 - texts of the query files
    return f"SELECT ARRAY[{', '.join(answers)}] AS answers"


@lru_cache(maxsize=64)
def _combine_writes(shape: _Shape) -> str:
    parts, counts = _parts_and_counts(shape)
    return f"WITH {parts} SELECT {counts} AS counts"


@lru_cache(maxsize=64)
def _combine_inserts(shape: _Shape, schema: int | None) -> str:
    parts, counts = _parts_and_counts(shape)
    last = sum(count for _, count in shape) + 1
    required = f", require_schema({schema})" if schema is not None else ""
    return f"WITH {parts} SELECT require_rows({counts}, ${last}::bigint[]){required}"


def _parts_and_counts(shape: _Shape) -> tuple[str, str]:
    """Return the parts of a WITH, and an array of how many rows each part touches."""
    parts = [f"part_{place} AS ({sql} RETURNING 1)" for place, sql in enumerate(_renumbered(shape))]
    counts = ", ".join(f"(SELECT count(*) FROM part_{place})" for place in range(len(parts)))  # noqa: S608 - our own names
    return ", ".join(parts), f"ARRAY[{counts}]"


def _renumbered(shape: _Shape) -> list[str]:
    """Return the statements with their parameters numbered from the first to the last statement."""
    texts, first = [], 0
    for sql, count in shape:
        texts.append(_PARAMETER.sub(lambda match, first=first: f"${int(match[1]) + first}", sql))  # type: ignore[misc]  # mypy sees no type in a default
        first += count
    return texts
