"""How far a bank's report is noted: kept in the transactions that note what it says, so that it goes on from there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hub.domain.payouts.report_verdicts import Verdict
from hub.storage import Tx


class Reading:
    """Counts what became of a report's lines; this one is kept nowhere, for what is read in one go.

    `done` lines have their verdict, in the order in which they are noted.
    """

    def __init__(self, done: int = 0, counts: Counter[str] | None = None) -> None:
        self.done = done
        self.counts = Counter[str]() if counts is None else counts

    async def checked(self, rows: int, passed_over: int = 0) -> None:  # noqa: ARG002 - KeptReading stores it
        """Take that the report was checked whole, how many lines it has, and how many others are passed over."""
        if passed_over:
            self.counts["NOT_OURS"] = passed_over

    async def keep(self, tx: Tx, verdicts: Sequence[Verdict]) -> None:  # noqa: ARG002 - KeptReading stores them in it
        """Take what became of the next lines, in the transaction that notes it."""
        self.done += len(verdicts)
        self.counts.update(each.verdict for each in verdicts)

    async def finish(self, tx: Tx) -> None:
        """Take that all lines are noted, in the last transaction."""
