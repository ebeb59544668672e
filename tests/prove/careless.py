"""The control of the kill proof: a hub that says 202 before the commit. It must be caught losing orders."""

from __future__ import annotations

import asyncio
import contextlib

from hub.cli import main
from hub.intake.rules import Item
from hub.intake.submission import Accepted, IntakeResult, Submission
from hub.intake.submission_batcher import SubmissionBatcher

_honest = SubmissionBatcher.submit


async def answer_first(self: SubmissionBatcher, submission: Item) -> IntakeResult:
    if not isinstance(submission, Submission):
        return await _honest(self, submission)
    later = asyncio.create_task(_commit_later(self, submission))
    later.add_done_callback(_pending.discard)
    _pending.add(later)
    webhook = submission.type == "webhook"
    return Accepted(submission.event_id, "QUEUED" if webhook else "RECEIVED", False, None, webhook)


async def _commit_later(submissions: SubmissionBatcher, submission: Submission) -> None:
    await asyncio.sleep(0.2)
    with contextlib.suppress(Exception):
        await _honest(submissions, submission)


_pending: set[asyncio.Task[None]] = set()

if __name__ == "__main__":
    SubmissionBatcher.submit = answer_first  # type: ignore[method-assign, assignment]  # the control's fault
    main()
