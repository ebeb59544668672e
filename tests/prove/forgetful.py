"""A control of the three-node proof: a hub that forgets what it has seen, so that a retry is a new order to it."""

from __future__ import annotations

import asyncio

from hub.cli import main
from hub.ids import new_id
from hub.intake.rules import Item
from hub.intake.submission import IntakeResult, Submission
from hub.intake.submission_batcher import SubmissionBatcher

_honest = SubmissionBatcher.submit


async def _as_new(self: SubmissionBatcher, submission: Item) -> IntakeResult:
    if not isinstance(submission, Submission):
        return await _honest(self, submission)
    guards = submission.guards._replace(idempotency=None)
    claim = f"{submission.claim_key}#{new_id('try')}"
    result = await _honest(self, submission._replace(guards=guards, claim_key=claim))
    await asyncio.sleep(0.1)  # some answers are always on their way, whenever the process ends
    return result


if __name__ == "__main__":
    SubmissionBatcher.submit = _as_new  # type: ignore[method-assign, assignment]  # the control's fault
    main()
