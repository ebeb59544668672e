"""Guards of the hub, each taken away by a patch or by another statement: every one must show in some history."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import pytest

from hub.domain.orders import rule_kinds
from hub.intake.submission_batcher import SubmissionBatcher
from hub.notifications.deliverer import Deliverer
from hub.notifications.receiver import Attempt, Receiver
from hub.plugin_host.evidence import Evidence
from hub.plugin_host.pool import ProcessPool
from hub.plugin_host.process import PluginProcess, ProcessEnded
from hub.processing import decide_orders, handed_out
from hub.processing.adjustments import due_back
from hub.storage import Row
from tests.prove import careless
from tests.prove.simulated.history import Planted


def answer_first(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SubmissionBatcher, "submit", careless.answer_first)


def _mark_first(patch: pytest.MonkeyPatch) -> None:
    """A message is noted as delivered, and then sent."""
    honest = Deliverer._attempt

    async def attempt(self: Deliverer, receiver: Receiver, message: Row) -> Attempt:
        async with self._store.write() as tx:
            await tx.run(
                "note_delivery", account_id=message["account_id"], subscription_id=message["subscription_id"],
                subject=message["subject"], number=message["number"], status="DELIVERED", due_at=None,
                finished_at=self._clock(), answer_status=200, answer="", fault=None,
            )  # fmt: skip
        return await honest(self, receiver, message)

    patch.setattr(Deliverer, "_attempt", attempt)


def _no_last_attempt(patch: pytest.MonkeyPatch) -> None:
    """A webhook over which a plugin failed is not tried again."""
    patch.setattr(handed_out, "retry_at", lambda attempts, now: None)


def _take_back_twice(patch: pytest.MonkeyPatch) -> None:
    """Each refund after the payout takes back what all of them do."""

    def lost(paid: Any, conversion: Any, facts: Any, _: object) -> int:
        return due_back(paid.terms, conversion, paid.amount_minor, facts)

    patch.setattr(decide_orders, "lost_by", lost)


def _late_answer(patch: pytest.MonkeyPatch) -> None:
    """A process that exceeded its time stays, and so its answer is read after the next question."""

    async def receive(self: PluginProcess, seconds: float) -> Any:
        try:
            async with asyncio.timeout(seconds):
                return await self._channel.receive()
        except TimeoutError:
            raise ProcessEnded(Evidence("", "", "translate", "", "late")) from None

    async def discard(self: ProcessPool, seat: object) -> None:
        del self, seat

    patch.setattr(PluginProcess, "receive", receive)
    patch.setattr(ProcessPool, "discard", discard)


def _round_down(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rule_kinds, "divide_half_up", lambda top, bottom: top // bottom)


UNRESERVED: Final = """
DROP INDEX payout_lines_once;
DROP VIEW payable_lines;
CREATE VIEW payable_lines AS
SELECT m.account_id, m.commission_id AS line_id, m.affiliate_id, m.currency, m.amount_minor, 1 AS is_commission,
       COALESCE(m.payable_at, m.created_at) AS payable_at, a.mode, a.merchant_id
FROM commissions AS m JOIN accounts AS a ON a.account_id = m.account_id WHERE m.state = 'PAYABLE'
UNION ALL
SELECT d.account_id, d.adjustment_id, d.affiliate_id, d.currency, d.amount_minor, 0, d.decided_at, a.mode, a.merchant_id
FROM adjustments AS d JOIN accounts AS a ON a.account_id = d.account_id WHERE d.status = 'APPROVED';
"""
TEN: Final = (
    Planted("a commit that is reported before it happened", patch=answer_first),
    Planted(
        "a claim that exists and is taken all the same",
        queries=[(
            "ON CONFLICT (account_id, scope, claim_key) DO NOTHING",
            "ON CONFLICT (account_id, scope, claim_key) DO UPDATE SET event_id = excluded.event_id",
        )],
    ),
    Planted(
        "a hold that ends whatever its commission's state",
        queries=[
            (("WHERE m.state IN ('HOLD', 'APPROVED') AND m.awaits_deposit IS NULL AND m.awaits_platform IS NULL\n"
              "  AND m.hold_until <= :now\nORDER BY m.hold_until"),
             "WHERE m.state <> 'PAYABLE' AND m.state <> 'PAID' AND :now > 0\nORDER BY m.hold_until"),
            ("  AND commissions.state IN ('HOLD', 'APPROVED') AND commissions.hold_until <= :now\n", ""),
        ],
    ),
    Planted("a message that is marked before it is sent", patch=_mark_first),
    Planted(
        "an event that is decided by whoever had it",
        queries=[("  AND events.attempts = k.attempts AND events.due_at = k.due_at\nRETURNING", "RETURNING")],
    ),
    Planted("a webhook that is not tried again", patch=_no_last_attempt),
    Planted("a refund that is taken back twice", patch=_take_back_twice),
    Planted(
        "messages of one order that do not wait for each other",
        queries=[(
            "e.subject = d.subject\n                    AND e.number < d.number AND e.due_at IS NOT NULL)",
            "e.subject = d.subject\n                    AND e.number < d.number AND e.due_at IS NOT NULL AND 1 = 0)",
        )],
    ),
    Planted(
        "money that two runs reserve",
        queries=[(
            "WHERE mode = :mode AND status IN ('GATHERING', 'DRAFT', 'RELEASING')\n", "WHERE mode = :mode AND 1 = 0\n",
        )],
        database=UNRESERVED,
    ),
    Planted("a plugin's answer that is used after its time", patch=_late_answer),
)  # fmt: skip
MORE: Final = (Planted("an amount that is rounded down", patch=_round_down),)
