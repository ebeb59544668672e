"""What was accepted, counted against what became of it: every event has its claim, and every claim its event.

Both tables are read in pages, each in a short transaction, so that any number of rows holds nobody up. Events come
first: an event and its claim are written together, so whatever event was seen has a claim that the later pages show.
Which events have none yet is kept in a temporary file, which SQLite deletes when it is closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Final

from hub.operations.audits.violations import SubmissionCounts, Violations
from hub.storage import Store
from hub.storage.sqlite.temporary_table import TemporaryTable

PAGE: Final = 5_000
AT_ONCE: Final = 500
Key = tuple[str, str]
"""(account id, event id)"""


def submission_counts(accepted: int, states: Counter[str]) -> SubmissionCounts:
    """Return the counts of submissions in the states of their events."""
    return {
        "accepted": accepted,
        "processed": states["PROCESSED"],
        "skipped": states["SKIPPED"],
        "waiting": states["RECEIVED"] + states["QUEUED"],
        "parked": states["PARKED"],
        "unmatched": states["UNMATCHED"],
        "failed": states["FAILED"],
    }


async def check_submissions(store: Store, violations: Violations) -> SubmissionCounts:
    """Compare all events with their claims and conversions; return how many submissions are in each state."""
    states, unclaimed, lost = Counter[str](), 0, 0
    with Unclaimed() as pairs:
        await _read_events(store, pairs, states, violations)
        for account_id, event_id in await _read_claims(store, pairs):
            violations.add("lost_events", account_id, event_id)
            lost += 1
        async for account_id, event_id in _still_there(store, pairs):
            violations.add("unclaimed_events", account_id, event_id)
            unclaimed += 1
    counts = submission_counts(states.total() - unclaimed + lost, states)
    _check_conservation(counts, violations)
    return counts


async def _read_events(store: Store, pairs: Unclaimed, states: Counter[str], violations: Violations) -> None:
    account_id = event_id = ""
    while True:
        async with store.read() as tx:
            page = await tx.all("audited_events", account_id=account_id, event_id=event_id, limit=PAGE)
        states.update(row["status"] for row in page)
        pairs.add([(row["account_id"], row["event_id"]) for row in page])
        for row in page:
            if row["unrecorded"]:
                violations.add("unrecorded_orders", row["account_id"], row["event_id"])
        if len(page) < PAGE:
            return
        account_id, event_id = page[-1]["account_id"], page[-1]["event_id"]


async def _read_claims(store: Store, pairs: Unclaimed) -> set[Key]:
    """Take the events that have claims from those that have none; return the claimed ones that are missing."""
    after, lost = {"account_id": "", "scope": "", "claim_key": ""}, set[Key]()
    while True:
        async with store.read() as tx:
            page = await tx.all("audited_claims", **after, limit=PAGE)
        pairs.take([(row["account_id"], row["event_id"]) for row in page])
        lost.update((row["account_id"], row["event_id"]) for row in page if row["lost"])
        if len(page) < PAGE:
            return lost
        after = {name: page[-1][name] for name in after}


async def _still_there(store: Store, pairs: Unclaimed) -> AsyncIterator[Key]:
    """Yield those without a claim that are there still: emptying a test account deletes both."""
    for some in pairs.left():
        async with store.read() as tx:
            rows = await tx.all("audited_events_of", events=some)
        for row in rows:
            yield row["account_id"], row["event_id"]


def _check_conservation(counts: SubmissionCounts, violations: Violations) -> None:
    accepted = counts["accepted"]
    accounted = (
        counts["processed"] + counts["skipped"] + counts["waiting"] + counts["parked"] + counts["unmatched"]
        + counts["failed"]
    )  # fmt: skip
    if accounted != accepted:
        text = f"{accepted} submissions were accepted, but {accounted} are accounted for."
        violations.add("conservation", None, None, text)


class Unclaimed(TemporaryTable):
    """The events of which no claim was seen yet."""

    definition = """
        CREATE TABLE unclaimed (account_id TEXT NOT NULL, event_id TEXT NOT NULL,
                                PRIMARY KEY (account_id, event_id)) STRICT, WITHOUT ROWID
    """

    def add(self, events: Sequence[Key]) -> None:
        """Add events."""
        self.write("INSERT INTO unclaimed VALUES (?, ?)", events)

    def take(self, events: Sequence[Key]) -> None:
        """Take out events that have a claim."""
        self.write("DELETE FROM unclaimed WHERE account_id = ? AND event_id = ?", events)

    def left(self) -> Iterator[list[Key]]:
        """Yield the events that are left, some at a time."""
        rows = self.connection.execute("SELECT account_id, event_id FROM unclaimed ORDER BY account_id, event_id")
        while some := rows.fetchmany(AT_ONCE):
            yield some
