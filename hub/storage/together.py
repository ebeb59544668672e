"""Several queries as one, for PostgreSQL: each wait for an answer of its costs a turn of the event loop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hub.storage.query import Arguments, Query

_PLACE = re.compile(r"\$([0-9]+)")


def joined_reads(asked: Sequence[tuple[Query, Arguments]]) -> tuple[str, list[Any]]:
    """Return one query that answers all of these, with a JSON array of rows for each, and its arguments."""
    sql = _joined(tuple((query.sql, len(arguments)) for query, arguments in asked))
    return sql, [value for _, arguments in asked for value in arguments]


@lru_cache(maxsize=64)
def _joined(queries: tuple[tuple[str, int], ...]) -> str:
    parts, first = [], 0
    for place, (sql, count) in enumerate(queries):
        renumbered = _PLACE.sub(lambda found, first=first: f"${int(found[1]) + first}", sql)  # type: ignore[misc]
        # Only the hub's own query files come here, never a stranger's text.
        rows = f"SELECT coalesce(json_agg(found), '[]')::text FROM ({renumbered}) AS found"  # noqa: S608
        parts.append(f"({rows}) AS part_{place}")
        first += count
    return f"SELECT {', '.join(parts)}"
