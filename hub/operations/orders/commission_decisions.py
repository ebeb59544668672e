"""A merchant approves or rejects a commission: the same fact as the API's order status, by the same one way in."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import Protocol

from attrs import frozen

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.intake.submission import Accepted, RequestGuards, Submission, status_submission
from hub.operations.errors import OperatorFault
from hub.operations.notices import tell
from hub.operations.trail import note_act
from hub.storage import Store
from hub.validation.inputs import OrderStatusInput


class Submissions(Protocol):
    """Where submissions are made durable."""

    def submit(self, submission: Submission) -> Awaitable[object]:
        """Return once the submission is durable."""
        ...


@frozen
class Decision:
    """What a merchant decides of a commission, and the reason that its affiliate reads."""

    approve: bool
    reason: str | None = None

    @property
    def status(self) -> str:
        """The order status that states it."""
        return "commission_approved" if self.approve else "commission_rejected"


async def decide_commission(
    store: Store, submissions: Submissions, clock: Clock, account_id: str, conversion_id: str, decision: Decision
) -> None:
    """Report that a commission of an account is approved or rejected; the worker applies it like any order status.

    Raise `OperatorFault` if the account has no such commission, or if it is paid.
    """
    async with store.read() as tx:
        row = await tx.one("commission_to_decide", account_id=account_id, conversion_id=conversion_id)
    if row is None:
        raise OperatorFault("There is no such commission; an order without one has nothing to decide.")
    if row["state"] == "PAID":
        raise OperatorFault("This commission is paid. What was paid is not taken back here: ask the hub's operator.")
    now = clock()
    submission = _submission(account_id, str(row["external_order_id"]), decision, now)
    if not isinstance(await submissions.submit(submission), Accepted):
        raise OperatorFault("The hub could not store the decision. Nothing was done; please try again.")
    act = f"commission.{'approved' if decision.approve else 'rejected'}"
    after = {"commissionId": row["commission_id"], "reason": decision.reason, "eventId": submission.event_id}
    async with store.write() as tx:
        await note_act(tx, now, act, conversion_id, after=after)
        if row["mode"] == "live" and not decision.approve and row["state"] != "REJECTED":
            why = "" if decision.reason is None else f" The reason: {decision.reason}"
            words = f"The commission for order {row['external_order_id']} is rejected.{why}"
            there = f"/affiliate/commissions/{row['commission_id']}"
            await tell(tx, now, "commission-rejected", row["affiliate_id"], words, there)


def _submission(account_id: str, order_id: str, decision: Decision, now: int) -> Submission:
    body = {"externalOrderId": order_id, "status": decision.status, "statusUpdatedAt": format_instant(now)}
    if decision.reason is not None:
        body["reason"] = decision.reason
    news = OrderStatusInput(external_order_id=order_id, status=decision.status, status_updated_at=now)
    return status_submission(RequestGuards(account_id), news, json.dumps(body, ensure_ascii=False), now)
