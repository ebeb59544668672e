"""Changes of rates, noted in the transaction that changes them: who changed what from when."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hub.domain.words import RateLevel
from hub.ids import new_id
from hub.storage import Tx

Rate = tuple[str | None, str | None]
"""A rule's type and value, both None without one."""


class ChangedRate(NamedTuple):
    """A row of `note_rate_changes`; `changed_at` is milliseconds UTC, `subject` as in `RateKey`."""

    account_id: str
    level: RateLevel
    subject: str
    changed_at: int
    change_id: str
    before_type: str | None
    before_value: str | None
    after_type: str | None
    after_value: str | None
    changed_by: str

    @classmethod
    def of(
        cls, account_id: str, level: RateLevel, subject: str, before: Rate, after: Rate, at: int, changed_by: str
    ) -> ChangedRate:
        """Return the row of a change at `at` (ms UTC)."""
        return cls(account_id, level, subject, at, new_id("rat"), *before, *after, changed_by)


async def note_rates(tx: Tx, changes: Iterable[ChangedRate]) -> None:
    """Note those of these changes that change anything."""
    changed = [each for each in changes if each[5:7] != each[7:9]]
    if changed:
        await tx.run("note_rate_changes", changes=changed)
