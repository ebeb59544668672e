"""Which tables may be partitioned by time on PostgreSQL, their partitions' names, and the bounds in between.

A partitioned table is dropped by whole periods instead of being swept row by row. Its keys stay what they are: each of
these tables has, within its primary key, what it is partitioned by, so a key is unique over all partitions. That is
also why others are not here. `claims` and `idempotency_keys` are unique for all time and have no time in their keys;
`events` and the clicks that orders name are kept for good, so no period of them could be dropped as a whole
(docs/large.md says what it would save and cost).

What was there before is the first partition, up to a moment; from there on each period has one of its own. Rows of no
period (a clock that is far off, or what outlives its period) are in the last one, the table's rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from attrs import frozen

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS
_UNTIL: Final = "until_"
_MOMENT: Final = "%Y%m%d%H"
_NAME: Final = re.compile(rf"(?P<until>{_UNTIL})?(?P<moment>[0-9]{{10}})")


@frozen
class Partitioned:
    """A table, the column by which it is partitioned, and how long a partition is (ms).

    `bound` writes a moment (ms UTC) as SQL compares it with the column.
    """

    table: str
    column: str
    period_ms: int
    ahead: int
    bound: Callable[[int], str]

    @property
    def rest(self) -> str:
        """Return the name of the partition of what no other takes."""
        return f"{self.table}_rest"

    def first(self, until: int) -> str:
        """Return the name of the partition of all rows before a moment (ms UTC)."""
        return f"{self.table}_{_UNTIL}{_written(until)}"

    def part(self, begin: int) -> str:
        """Return the name of the partition of the period that begins at a moment (ms UTC)."""
        return f"{self.table}_{_written(begin)}"

    def read(self, name: str) -> Part | None:
        """Return what a partition's name says; None for the rest, or one that somebody else made."""
        found = _NAME.fullmatch(name.removeprefix(f"{self.table}_"))
        if found is None:
            return None
        moment = round(datetime.strptime(found["moment"], _MOMENT).replace(tzinfo=UTC).timestamp() * 1000)
        return Part(name, None, moment) if found["until"] else Part(name, moment, moment + self.period_ms)

    def wanted(self, now: int, known: list[Part]) -> list[Part]:
        """Return the partitions that should be there at `now` (ms UTC) for some periods ahead, and are not."""
        covered = max((part.end for part in known), default=0)
        begin = max(now // self.period_ms * self.period_ms, covered)
        last = (now // self.period_ms + self.ahead) * self.period_ms
        return [
            Part(self.part(moment), moment, moment + self.period_ms)
            for moment in range(begin, last + 1, self.period_ms)
        ]


@frozen
class Part:
    """A partition: its name, and its rows' moments from `begin` (None: from ever) up to before `end`, in ms UTC."""

    name: str
    begin: int | None
    end: int

    def values(self, table: Partitioned) -> str:
        """Return its bounds as `FOR VALUES` has them."""
        low = "MINVALUE" if self.begin is None else table.bound(self.begin)
        return f"FOR VALUES FROM ({low}) TO ({table.bound(self.end)})"


def _written(moment: int) -> str:
    return datetime.fromtimestamp(moment / 1000, UTC).strftime(_MOMENT)


def _of_event(moment: int) -> str:
    return f"'evt_{max(moment, 0):012x}'"  # as hub/ids.py: ids sort by time


PARTITIONED: Final = {
    each.table: each
    for each in (
        Partitioned("payloads", "event_id", DAY_MS, 7, _of_event),
        Partitioned("request_log", "logged_at", DAY_MS, 7, str),
        Partitioned("signatures", "signed_at", HOUR_MS, 48, lambda moment: str(moment // 1000)),
    )
}
