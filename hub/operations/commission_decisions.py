"""A merchant approves or rejects a commission: the same fact as the API's order status, by the same one way in."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import Final, Protocol

from attrs import frozen

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.intake.submission import Accepted, RequestGuards, Submission, status_submission
from hub.operations.errors import OperatorFault, unknown
from hub.operations.trail import note_act
from hub.storage import Store
from hub.validation.inputs import OrderStatusInput

STATUSES: Final = {True: "commission_approved", False: "commission_rejected"}


class Submissions(Protocol):
    """Where submissions are made durable."""

    def submit(self, submission: Submission) -> Awaitable[object]:
        """Return once the submission is durable."""
        ...


@frozen
class Decision:
    """A decision that is durable: the event that states it."""

    event_id: str


async def decide_commission(
    store: Store,
    submissions: Submissions,
    clock: Clock,
    account_id: str,
    conversion_id: str,
    *,
    approve: bool,
    reason: str | None,
) -> Decision:
    """Report that a commission of an account is approved or rejected; the worker applies it like any order status.

    Raise `OperatorFault` if the account has no such commission, or if it is paid.
    """
    async with store.read() as tx:
        row = await tx.one("commission_to_decide", account_id=account_id, conversion_id=conversion_id)
    if row is None:
        raise unknown("commission", conversion_id, "An order without a commission has nothing to decide.")
    if row["state"] == "PAID":
        raise OperatorFault("This commission is paid. What was paid is not taken back here: ask the hub's operator.")
    now, status = clock(), STATUSES[approve]
    body = {"externalOrderId": row["external_order_id"], "status": status, "statusUpdatedAt": format_instant(now)}
    text = json.dumps({**body, "reason": reason} if reason else body, ensure_ascii=False)
    news = OrderStatusInput(external_order_id=row["external_order_id"], status=status, status_updated_at=now)
    submission = status_submission(RequestGuards(account_id), news, text, now)
    outcome = await submissions.submit(submission)
    if not isinstance(outcome, Accepted):
        raise OperatorFault("The hub could not take the decision. Nothing was done; please try again.")
    async with store.write() as tx:
        after = {
            "commissionId": row["commission_id"],
            "status": status,
            "reason": reason,
            "eventId": submission.event_id,
        }
        await note_act(
            tx,
            now,
            f"commission.{'approved' if approve else 'rejected'}",
            conversion_id,
            after=after,
        )
    return Decision(submission.event_id)
