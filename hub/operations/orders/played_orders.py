"""A store, played in a test account: orders and their news, submitted to intake as the signed API submits them.

A scenario is a list of what the store sends. Nothing is written past the rules: the bodies are validated as those of
requests, deduplicated by their claims, and decided by the worker.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any, Final, Literal, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.ids import new_id
from hub.intake.submission import Accepted, RequestGuards, Submission, order_submission, status_submission
from hub.intake.submission_batcher import SubmissionBatcher
from hub.operations.errors import OperatorFault
from hub.operations.merchants.merchants import account_of
from hub.operations.trail import note_act
from hub.storage import Store
from hub.validation.inputs import ConversionInput, MerchantTerms, OrderStatusInput
from hub.validation.validate import validate

STORM: Final = 10
AMOUNT: Final = "64"
PART: Final = "16"
"""Whole amounts, which every currency has."""
Step = Literal["order", "paid", "delivered", "refund", "cancelled", "order again"]
SCENARIOS: Final[dict[str, tuple[str, tuple[Step, ...]]]] = {
    "order": ("A buyer orders", ("order",)),
    "delivered": ("An order that is paid and delivered", ("order", "paid", "delivered")),
    "partial-refund": ("A delivered order, a quarter of which goes back", ("order", "paid", "delivered", "refund")),
    "cancel": ("A paid order that is called off", ("order", "paid", "cancelled")),
    "duplicate": ("The same order, sent twice", ("order", "order again")),
    "storm": ("One status, sent ten times", ("order", *("paid",) * STORM)),
    "out-of-order": ("The last news comes first", ("delivered", "paid", "order")),
}
"""The words and the steps of each scenario, by its name."""


class PlayedStep(TypedDict):
    """What was sent, and how it was answered: RECEIVED, QUEUED or DUPLICATE."""

    step: str
    eventId: str
    status: str


class PlayedDocument(TypedDict):
    """A scenario that was played: the order it is about, the click that it names, and each step with its answer."""

    scenario: str
    externalOrderId: str
    clickId: str | None
    steps: list[PlayedStep]


@frozen
class _Order:
    """The order that a scenario is about."""

    account_id: str
    order_id: str
    click_id: str | None
    currency: str
    now: int


async def play_scenario(
    store: Store, submissions: SubmissionBatcher, clock: Clock, merchant: str, scenario: str
) -> PlayedDocument:
    """Play a scenario with a new order in the merchant's test account; it names the newest click of the account.

    Raise `OperatorFault` if the merchant or the scenario is unknown.
    """
    if scenario not in SCENARIOS:
        raise OperatorFault(f"{scenario!r} is not a scenario; those are {', '.join(SCENARIOS)}.")
    async with store.read() as tx:
        account = await account_of(tx, merchant, "test")
        click = await tx.one("newest_click", account_id=account["account_id"])
    order = _Order(
        account["account_id"],
        f"TEST-{secrets.token_hex(4).upper()}",
        None if click is None else click["click_id"],
        account["currency"],
        clock(),
    )
    played: PlayedDocument = {
        "scenario": scenario,
        "externalOrderId": order.order_id,
        "clickId": order.click_id,
        "steps": await _sent(submissions, order, SCENARIOS[scenario][1]),
    }
    async with store.write() as tx:
        await note_act(tx, clock(), "account.played", order.account_id, after=dict(played))
    return played


async def _sent(submissions: SubmissionBatcher, order: _Order, steps: Sequence[Step]) -> list[PlayedStep]:
    sent: list[PlayedStep] = []
    for step in steps:
        submission = _submission(order, step)
        outcome = await submissions.submit(submission)
        if not isinstance(outcome, Accepted):
            raise OperatorFault("The hub could not take it; please try again.")
        status = "DUPLICATE" if outcome.duplicate else "QUEUED" if submission.type == "webhook" else "RECEIVED"
        sent.append({"step": step, "eventId": outcome.event_id, "status": status})
    return sent


def _submission(order: _Order, step: Step) -> Submission:
    guards, terms = RequestGuards(order.account_id), MerchantTerms(currency=order.currency, domains=())
    if step in ("order", "order again"):
        body = _json(
            externalOrderId=order.order_id, orderAmount=AMOUNT, currency=order.currency,
            orderStatus="pending", orderedAt=format_instant(order.now), **_click(order),
        )  # fmt: skip
        return order_submission(guards, validate(ConversionInput, body.encode(), terms).value, body, order.now)
    if step == "refund":
        return _refund(guards, order)
    body = _json(externalOrderId=order.order_id, status=step, **_click(order))
    return status_submission(guards, validate(OrderStatusInput, body.encode(), terms).value, body, order.now)


def _refund(guards: RequestGuards, order: _Order) -> Submission:
    delivery = new_id("test")
    return Submission(
        guards=guards,
        type="webhook",
        kind="order-refunded",
        claim_scope="webhook",
        claim_key=delivery,
        event_id=new_id("evt"),
        conversion_id=None,
        external_order_id=None,
        external_event_id=delivery,
        body=_json(external_order_id=order.order_id, refund_id=delivery, refund_amount=PART),
        received_at=order.now,
    )


def _click(order: _Order) -> dict[str, str]:
    return {} if order.click_id is None else {"clickId": order.click_id}


def _json(**fields: Any) -> str:
    return json.dumps(fields)
