"""What was booked when a month was closed, compared with the chain as it is."""

from __future__ import annotations

from collections.abc import Sequence

from hub.domain.books.ledger import Entry
from hub.storage import Row, Store


class ClosedEnds:
    """Follows an account's entries past the places at which months were closed; remembers the next one only."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._ends = list(rows)
        self._passed = self._last = 0
        self._faults: list[str] = []

    def add(self, entries: Sequence[Entry]) -> None:
        """Look at entries, in their order."""
        for entry in entries:
            self._last = entry.entry_no
            while self._passed < len(self._ends) and self._ends[self._passed]["entries"] < entry.entry_no:
                self._passed += 1
            last = self._ends[self._passed - 1] if self._passed else None
            if last is not None and entry.posted_at < last["ends_at"]:
                self._faults.append(f"Entry {entry.entry_no} is booked into {last['month']}, which was closed before.")
            for end in self._ends[self._passed :]:
                if end["entries"] != entry.entry_no:
                    break
                if end["hash"] != entry.hash:
                    self._faults.append(
                        f"Entry {entry.entry_no} is not the last one of {end['month']} as it was closed."
                    )

    async def faults(self, store: Store, account_id: str, most: int) -> list[str]:
        """Return in sentences what was booked into closed months, and whether more can be; at most so many."""
        found = [f"The chain is shorter than when {end['month']} was closed." for end in self._ends
                 if end["entries"] > self._last]  # fmt: skip
        async with store.read() as tx:
            row = await tx.one("chain_opens", account_id=account_id)
        if (row is None and self._ends) or (row is not None and row["closed_until"] != row["ends_at"]):
            found.append("The chain would take entries into a month that is closed, or none of an open one.")
        return [*self._faults, *found][:most]
