"""Several statements as one, for PostgreSQL: each wait for an answer of its costs a turn of the event loop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from hub.storage.query import Statements

COUNTS: Final = "{counts} AS counts"
ALL_OF_THEM: Final = "1 / ({counts} = {given}::bigint[])::int"
"""Fails, and undoes its statement with that, where one part touched fewer rows than it was given."""

_PLACE = re.compile(r"\$([0-9]+)")
_Shape = tuple[tuple[str, int], ...]
"""Text and number of arguments of each statement. They all come from the hub's own query files."""


def joined_reads(asked: Statements) -> tuple[str, list[Any]]:
    """Return one query that gives `answers`, a JSON array of rows for each of these, and its arguments."""
    return _join_reads(_shape(asked)), _arguments(asked)


def joined_writes(parts: Sequence[Statements], told: str) -> tuple[str, list[Any]]:
    """Return one statement that runs all of these and tells this of how many rows each touched, and its arguments.

    `told` has a place for the counts as one array, and may have one for an argument that comes after the others.
    """
    statements = [statement for part in parts for statement in part]
    return _join_writes(_shape(statements), told), _arguments(statements)


def _shape(statements: Statements) -> _Shape:
    return tuple((sql, len(arguments)) for sql, arguments in statements)


def _arguments(statements: Statements) -> list[Any]:
    return [value for _, arguments in statements for value in arguments]


@lru_cache(maxsize=64)
def _join_reads(shape: _Shape) -> str:
    answers = [f"(SELECT coalesce(json_agg(found), '[]')::text FROM ({sql}) AS found)" for sql in _renumbered(shape)]  # noqa: S608
    return f"SELECT ARRAY[{', '.join(answers)}] AS answers"


@lru_cache(maxsize=64)
def _join_writes(shape: _Shape, told: str) -> str:
    parts = [f"part_{place} AS ({sql} RETURNING 1)" for place, sql in enumerate(_renumbered(shape))]
    counts = ", ".join(f"(SELECT count(*) FROM part_{place})" for place in range(len(parts)))  # noqa: S608
    after = sum(count for _, count in shape) + 1
    return f"WITH {', '.join(parts)} SELECT {told.format(counts=f'ARRAY[{counts}]', given=f'${after}')}"


def _renumbered(shape: _Shape) -> list[str]:
    """The statements with the numbers of their parameters counted through."""
    texts, first = [], 0
    for sql, count in shape:
        texts.append(_PLACE.sub(lambda found, first=first: f"${int(found[1]) + first}", sql))  # type: ignore[misc]
        first += count
    return texts
