"""Several statements as one, for PostgreSQL: each wait for an answer of its costs a turn of the event loop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hub.storage.named_queries.query import Statements

_PLACE = re.compile(r"\$([0-9]+)")
_Shape = tuple[tuple[str, int], ...]
"""Text and number of arguments of each statement. They all come from the hub's own query files."""


def combine_reads(asked: Statements) -> tuple[str, list[Any]]:
    """Return one query that gives `answers`, a JSON array of rows for each of these, and its arguments."""
    return _join_reads(_shape(asked)), _arguments(asked)


def combine_writes(parts: Sequence[Statements]) -> tuple[str, list[Any]]:
    """Return one statement that runs all of these and gives `counts`, how many rows each touched; and its arguments."""
    statements = [statement for part in parts for statement in part]
    return _join_writes(_shape(statements)), _arguments(statements)


def combine_inserts(parts: Sequence[Statements]) -> tuple[str, list[Any]]:
    """Return one statement that runs all of these if each touches as many rows as its last argument says.

    The arguments are those of the statements; a list of counts, one for each part, comes after them. Else it fails with
    the state HB001.
    """
    statements = [statement for part in parts for statement in part]
    return _join_inserts(_shape(statements)), _arguments(statements)


def _shape(statements: Statements) -> _Shape:
    return tuple((sql, len(arguments)) for sql, arguments in statements)


def _arguments(statements: Statements) -> list[Any]:
    return [value for _, arguments in statements for value in arguments]


@lru_cache(maxsize=64)
def _join_reads(shape: _Shape) -> str:
    answers = [f"(SELECT coalesce(json_agg(found), '[]')::text FROM ({sql}) AS found)" for sql in _renumbered(shape)]  # noqa: S608 - of the query files
    return f"SELECT ARRAY[{', '.join(answers)}] AS answers"


@lru_cache(maxsize=64)
def _join_writes(shape: _Shape) -> str:
    parts, counts = _parts_and_counts(shape)
    return f"WITH {parts} SELECT {counts} AS counts"


@lru_cache(maxsize=64)
def _join_inserts(shape: _Shape) -> str:
    parts, counts = _parts_and_counts(shape)
    given = sum(count for _, count in shape) + 1
    return f"WITH {parts} SELECT require_rows({counts}, ${given}::bigint[])"


def _parts_and_counts(shape: _Shape) -> tuple[str, str]:
    """Return the statements as parts of one, and an array of how many rows each of them touched."""
    parts = [f"part_{place} AS ({sql} RETURNING 1)" for place, sql in enumerate(_renumbered(shape))]
    counts = ", ".join(f"(SELECT count(*) FROM part_{place})" for place in range(len(parts)))  # noqa: S608 - of the query files - our names
    return ", ".join(parts), f"ARRAY[{counts}]"


def _renumbered(shape: _Shape) -> list[str]:
    """The statements with the numbers of their parameters counted through."""
    texts, first = [], 0
    for sql, count in shape:
        texts.append(_PLACE.sub(lambda found, first=first: f"${int(found[1]) + first}", sql))  # type: ignore[misc]  # mypy sees no type in a default
        first += count
    return texts
