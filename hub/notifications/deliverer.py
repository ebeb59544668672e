"""The deliverer: sends the messages of the outbox to those who subscribed, for as long as the process runs.

One task looks for subscriptions with something due and gives each a task of its own, a turn, of which there are at most
`TURNS`. A turn holds the subscription's lease, so that no other process sends for it, and takes the first waiting
message of each subject, a few at once: so the messages of one order arrive in their order, and a message that fails
holds up its own order only. What was sent is noted before the next is taken. A process that is killed between the
answer and the note sends the message again under the same id once the lease has ended: at least once, in order.

A receiver that hangs costs its own turn at most `TOTAL_SECONDS` a message. After a failure it gets one message at a
time, with growing pauses between, until one arrives. All database work is short transactions; nothing waits for a
receiver while it holds one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from time import monotonic
from typing import Final

import aiohttp
import structlog
from attrs import frozen

from hub.clock import Clock
from hub.config.settings import Settings
from hub.domain.messages.notifications import FAILURES_TOLD, PAUSED_AFTER, next_attempt, receiver_pause
from hub.mail.outbox import Mail, Outbox
from hub.notifications.receiver import GONE, Attempt, Receiver, deliver, new_session
from hub.outbound.public_addresses import Network
from hub.processing.notices import tell
from hub.sealing import Sealer, SealingFault
from hub.storage import Row, Store, Tx
from hub.turns import Turns

POLL_SECONDS: Final = 0.5
TURNS: Final = 32
"""Subscriptions that are served at once."""
AT_ONCE: Final = 8
"""Messages that one receiver gets at once, each of another order."""
TURN_SECONDS: Final = 20.0
"""No message is begun later in a turn, so that others get theirs."""
LEASE_MS: Final = 60_000
"""Longer than a turn may take, with the last message's time."""

log = structlog.get_logger(__name__)


@frozen
class Standing:
    """How a receiver behaves: failures in a row, and since when (ms UTC)."""

    failures: int
    failing_since: int | None


class Deliverer:
    """Delivers messages; `allowed` are the networks that may be asked although they are not public."""

    def __init__(
        self, store: Store, sealer: Sealer, clock: Clock, outbox: Outbox, allowed: Sequence[Network] = ()
    ) -> None:
        self._store = store
        self._sealer = sealer
        self._clock = clock
        self._outbox = outbox
        self._allowed = allowed
        self._session: aiohttp.ClientSession | None = None
        self._turns = Turns("deliverer", TURNS)

    async def start(self) -> None:
        """Begin to deliver."""
        if self._store.dialect == "sqlite":  # of which this process is the only server
            async with self._store.write() as tx:
                await tx.run("clear_subscription_leases")
        self._session = new_session(self._allowed, TURNS * AT_ONCE)
        self._turns.look_for(self._begin_turns, lambda: POLL_SECONDS)

    async def stop(self) -> None:
        """Deliver no more; a message under way is sent again by the next process."""
        await self._turns.stop()
        if self._session is not None:
            await self._session.close()

    async def _begin_turns(self) -> None:
        """Give each subscription with something due a turn, unless it has one."""
        now = self._clock()
        async with self._store.read() as tx:
            due = await tx.all("due_subscriptions", now=now, limit=TURNS)
        for row in due:
            self._turns.begin(row["subscription_id"], self._turn(row))

    async def _turn(self, subscription: Row) -> None:
        name, now = subscription["subscription_id"], self._clock()
        async with self._store.write() as tx:
            if not await tx.run("claim_subscription", subscription_id=name, now=now, until=now + LEASE_MS):
                return
        standing = Standing(subscription["failures"], subscription["failing_since"])
        try:
            receiver = self._receiver(subscription)
        except SealingFault as fault:
            log.warning("a subscription's secret cannot be opened", subscription=name, fault=str(fault))
            await self._end(subscription, Standing(standing.failures + 1, standing.failing_since or now), None)
            return
        await self._deliver_all(subscription, receiver, standing)

    async def _deliver_all(self, subscription: Row, receiver: Receiver, standing: Standing) -> None:
        """Deliver what is due until the turn's time is up, nothing is left, or a message fails."""
        ends, name = monotonic() + TURN_SECONDS, subscription["subscription_id"]
        gone = False
        while monotonic() < ends:
            limit = 1 if standing.failures else AT_ONCE
            async with self._store.read() as tx:
                messages = await tx.all("next_deliveries", subscription_id=name, now=self._clock(), limit=limit)
            if not messages:
                break
            attempts = await self._attempt_all(receiver, messages)
            if any(each.fault is not None for each in attempts):
                gone = any(each.status == GONE for each in attempts)
                since = standing.failing_since or self._clock()
                standing = Standing(standing.failures + 1, since)
                break
            standing = Standing(0, None)
        await self._end(subscription, standing, "Its receiver answered 410: it is gone." if gone else None)

    async def _attempt_all(self, receiver: Receiver, messages: Sequence[Row]) -> list[Attempt]:
        """Make an attempt for each message; once all have ended, raise what kept one of them from being noted."""
        ended = await asyncio.gather(*(self._attempt(receiver, each) for each in messages), return_exceptions=True)
        attempts = [each for each in ended if isinstance(each, Attempt)]
        for each in ended:
            if isinstance(each, BaseException):
                raise each
        return attempts

    async def _attempt(self, receiver: Receiver, message: Row) -> Attempt:
        if self._session is None:
            raise RuntimeError("the deliverer has not been started")
        attempt = await deliver(self._session, receiver, message, self._clock())
        now = self._clock()
        due_at = None if attempt.fault is None else next_attempt(message["attempts"] + 1, now)
        status = "DELIVERED" if attempt.fault is None else "GIVEN_UP" if due_at is None else "WAITING"
        async with self._store.write() as tx:
            await tx.run(
                "note_delivery",
                account_id=message["account_id"],
                subscription_id=message["subscription_id"],
                subject=message["subject"],
                number=message["number"],
                status=status,
                due_at=due_at,
                finished_at=now if due_at is None else None,
                answer_status=attempt.status,
                answer=attempt.answer,
                fault=attempt.fault,
            )
            if attempt.fault is not None:
                await tx.run(
                    "note_attempt",
                    account_id=message["account_id"],
                    subscription_id=message["subscription_id"],
                    message_id=message["message_id"],
                    now=now,
                    answer_status=attempt.status,
                    answer=attempt.answer,
                    fault=attempt.fault,
                )
        if attempt.fault is not None:
            log.info("a message was not delivered", message=message["message_id"], status=status)
        return attempt

    async def _end(self, subscription: Row, standing: Standing, reason: str | None) -> None:
        """Give the lease back; pause the subscription if its receiver is gone, or has failed for too long."""
        now = self._clock()
        async with self._store.write() as tx:
            since = await _failing_since(tx, subscription["subscription_id"], standing, now)
            if reason is None and since is not None and now - since >= PAUSED_AFTER:
                reason = "Its receiver has failed for five days."
            await tx.run(
                "end_turn",
                subscription_id=subscription["subscription_id"],
                failures=standing.failures,
                failing_since=since,
                next_at=now + receiver_pause(standing.failures) if standing.failures else 0,
                reason=reason,
            )
            if reason is not None:
                await self._mail_owner(tx, subscription, reason, now)
            elif standing.failures == FAILURES_TOLD != subscription["failures"]:
                words = f"{subscription['url']} has not taken the hub's messages {FAILURES_TOLD} times in a row."
                await _tell_merchant(tx, subscription, await _owner(tx, subscription), "messages-failing", words, now)

    async def _mail_owner(self, tx: Tx, subscription: Row, reason: str, now: int) -> None:
        owner = await _owner(tx, subscription)
        words = f"The messages to {subscription['url']} are paused. {reason}"
        await _tell_merchant(tx, subscription, owner, "messages-paused", words, now)
        if owner is not None:
            sentence = (
                f"Messages of the affiliate hub to {subscription['url']} are paused. {reason} They are kept; once the "
                "receiver works again, have the subscription resumed and they are sent in their order."
            )
            values = {"title": "Your webhooks are paused", "sentence": sentence}
            await self._outbox.add(tx, now, Mail(owner["email"], "question", values))

    def _receiver(self, subscription: Row) -> Receiver:
        """Return where a subscription's messages go; raise SealingFault if its secrets cannot be opened."""
        now, name = self._clock(), subscription["subscription_id"]
        secrets = [
            each for each in json.loads(subscription["secrets"]) if each["expiresAt"] is None or each["expiresAt"] > now
        ]
        keys = tuple(self._sealer.open(each["sealed"], name) for each in reversed(secrets))
        return Receiver(
            subscription["url"], subscription["kind"] == "POSTBACK", subscription["affiliate_id"] is not None, keys,
            subscription["payload_version"],
        )  # fmt: skip


async def _failing_since(tx: Tx, subscription_id: str, standing: Standing, now: int) -> int | None:
    """Return since when a receiver has failed (ms UTC), None if it does not.

    What arrived is noted before the end of its turn, which a process that is killed, or whose store is away, does not
    note. So before a receiver is said to have failed for long, it is asked whether anything arrived since: then it has
    failed since now.
    """
    since = standing.failing_since
    if since is None or now - since < PAUSED_AFTER:
        return since
    arrived = await tx.one("arrival_since", subscription_id=subscription_id, since=since)
    return since if arrived is None else now


async def _owner(tx: Tx, subscription: Row) -> Row | None:
    return await tx.one("owner_of_subscription", subscription_id=subscription["subscription_id"])


async def _tell_merchant(tx: Tx, subscription: Row, owner: Row | None, kind: str, words: str, now: int) -> None:
    """Tell the people of the merchant that has a subscription; an affiliate has only the mail of a pause."""
    if owner is not None and owner["merchant_id"] is not None:
        there = f"/merchant/webhooks/{subscription['subscription_id']}"
        await tell(tx, now, kind, owner["merchant_id"], words, there)


def deliverer_for(settings: Settings, store: Store, sealer: Sealer, clock: Clock) -> Deliverer | None:
    """Return the deliverer of a process that does a worker's work, None if it does not."""
    if not settings.worker.enabled:
        return None
    outbox = Outbox(sealer, settings.mail.is_on)
    return Deliverer(store, sealer, clock, outbox, settings.outbound.allowed_networks)
