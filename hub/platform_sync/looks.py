"""The last look: before a hold ends, the platform is asked for that one order, since money that has left stays away.

A look is planned some hours ahead, so that what it brings is decided before the hold ends. Until the platform has shown
the order, or said that it has none, the commission waits (`awaits_platform`); who cannot be reached is asked again with
pauses, and after a week a person is asked. A connection has so many looks a day at most, at the platform's own pace.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
import structlog
from attrs import frozen

from hub.domain.connectors.reconciliation import DAY_MS, HOUR_MS, MINUTE_MS
from hub.domain.connectors.request_pages import Place, text_in
from hub.domain.instants import format_instant
from hub.ids import id_at, new_id
from hub.intake.submission import Accepted, RequestGuards, Submission, status_claim
from hub.intake.submission_batcher import SubmissionBatcher
from hub.outbound.platform_client import PlatformClient, PlatformFault
from hub.platform_sync.access import Access, Platforms
from hub.platform_sync.arrivals import submission
from hub.processing.identity import number_in_shop
from hub.processing.ledger_rows import OrderReview
from hub.storage import Row, Tx

AHEAD_MS: Final = 20 * HOUR_MS
"""A look this long before the end of the hold is fresh when it ends."""
FRESH_MS: Final = DAY_MS
AGAIN_MS: Final = 6 * HOUR_MS
PAUSES: Final = (MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, AGAIN_MS)
UNREACHABLE_MS: Final = 7 * DAY_MS
LOOKS_A_DAY: Final = 2_000
UNSEEN_MS: Final = 3 * DAY_MS
UNSEEN_A_NIGHT: Final = 200
"""How many open orders that a reading did not show are asked for after it, the longest unseen first."""
FEWEST_TOGETHER: Final = 2
PLANNED_AT_ONCE: Final = 500
LEASE_MS: Final = 15 * MINUTE_MS
GONE: Final = "missing"
UNREACHABLE: Final = "platform_unreachable"

log = structlog.get_logger(__name__)


@frozen
class Looker:
    """Looks for connections, and submits what it sees to `intake`."""

    platforms: Platforms
    intake: SubmissionBatcher

    async def plan(self) -> int:
        """Plan the looks of holds that end soon, and end the waiting for those that were answered; return how many."""
        now = self.platforms.clock()
        async with self.platforms.store.read() as tx:
            ahead = {"now": now, "until": now + AHEAD_MS, "fresh": AHEAD_MS, "limit": PLANNED_AT_ONCE}
            due = await tx.all("looks_to_plan", **ahead)
            waiting = await tx.all("waiting_for_platform", fresh=now - FRESH_MS, limit=PLANNED_AT_ONCE)
        for row in waiting:
            if row["is_another"]:
                reason = "The shop has given its number to another order."
                await self._note_gone(row["account_id"], row["connection_id"], row["external_order_id"], reason)
        seen = [row for row in waiting if not row["asks"]]
        again = [row for row in waiting if row["asks"] and row["due_at"] is None and row["asked_at"] < now - AGAIN_MS]
        async with self.platforms.store.write() as tx:
            if seen:
                await tx.run(
                    "stop_awaiting_platform", commissions=[(r["account_id"], r["commission_id"]) for r in seen]
                )
                await tx.run("free_looks", looks=[(r["account_id"], r["conversion_id"]) for r in seen])
            if due or again:
                await tx.run("want_looks", looks=[look_row(row, now) for row in (*due, *again)])
        return len(due) + len(seen) + len(again)

    async def look(self, rows: Sequence[Row]) -> None:
        """Look for what is due of one connection; raise `StoreUnavailable`."""
        now = self.platforms.clock()
        async with self.platforms.store.write() as tx:
            claimed = [row for row in rows if await tx.run("claim_look", **_key(row), now=now, until=now + LEASE_MS)]
        together: dict[str, dict[str, Any]] | None = None

        async def ask(access: Access, client: PlatformClient, row: Row) -> None:
            nonlocal together
            if together is None:
                together = await _shown_together(access, client, claimed)
            several, body = access.requests.several, together.get(number_in_shop(row["external_order_id"]))
            if several is None or body is None:
                await self._look_for(access, client, row)
            else:
                await self._seen(row, access, several.topic, body)

        await self.platforms.ask_in_turn(claimed, ask, self._postpone)

    async def _look_for(self, access: Access, client: PlatformClient, row: Row) -> None:
        single, number = access.requests.order, row["external_order_id"]
        if single is None:
            await self._answered(row, None)
            return
        try:
            body = await client.whole(single, number_in_shop(number))
        except PlatformFault as fault:
            if fault.code == GONE:
                await client.prove()
                reason = "The shop answered that it has no such order."
                await self._answered(row, await self._note_gone(*_where(row), number, reason))
            elif fault.code == "answer":
                await self._postpone(row, str(fault))
            else:
                raise
            return
        await self._seen(row, access, single.topic, body)

    async def _seen(self, row: Row, access: Access, topic: str, body: dict[str, Any]) -> None:
        """Submit an order as the platform showed it."""
        key = access.account_id, access.connection_id
        seen = await self.intake.submit(submission(*key, topic, orjson.dumps(body), self.platforms.clock(), None))
        if not isinstance(seen, Accepted):
            raise TypeError(f"what the hub asked for was not accepted: {seen}")
        await self._answered(row, seen.event_id)

    async def _note_gone(self, account_id: str, connection_id: str, number: str, reason: str) -> str:
        """Submit that the shop has an order no longer; return the event that says so."""
        now = self.platforms.clock()
        body = {"externalOrderId": number, "status": "gone", "statusUpdatedAt": format_instant(now), "reason": reason}
        outcome = await self.intake.submit(
            Submission(
                guards=RequestGuards(account_id),
                type="order_status",
                kind=None,
                claim_scope="status",
                claim_key=status_claim(number, "gone", now // DAY_MS, None),
                event_id=new_id("evt"),
                conversion_id=None,
                external_order_id=number,
                external_event_id=None,
                body=orjson.dumps(body).decode(),
                received_at=now,
                connection_id=connection_id,
            )
        )
        if not isinstance(outcome, Accepted):
            raise TypeError(f"what the hub found was not accepted: {outcome}")
        log.warning("an order is not in its shop any more", connection=connection_id, order=number)
        return outcome.event_id

    async def _answered(self, row: Row, event_id: str | None) -> None:
        async with self.platforms.store.write() as tx:
            await tx.run("answer_look", **_key(row), event_id=event_id, now=self.platforms.clock())

    async def _postpone(self, row: Row, fault: str, waits: bool = False) -> None:
        """Note why the order could not be looked for; ask a person if that has been so for days."""
        now = self.platforms.clock()
        attempts = row["attempts"] + (0 if waits else 1)
        pause = PAUSES[min(max(attempts, 1), len(PAUSES)) - 1]
        since = row["failing_since"] or now
        async with self.platforms.store.write() as tx:
            await tx.run(
                "postpone_look", **_key(row), attempts=attempts, fault=fault, due_at=now + pause, failing_since=since
            )
            if now - since >= UNREACHABLE_MS:
                details = orjson.dumps({"reason": fault, "since": format_instant(since)}).decode()
                asked = OrderReview(
                    row["account_id"], row["conversion_id"], UNREACHABLE, row["first_event_id"], UNREACHABLE, details,
                    now,
                )  # fmt: skip
                await tx.run("open_order_reviews", reviews=[asked])


async def _shown_together(access: Access, client: PlatformClient, rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Return what a platform that can be asked for several orders at once shows of these, by their numbers there.

    A list that fails is none: each order is asked for alone then. Raise `PlatformFault` for a platform that is away.
    """
    several = access.requests.several
    numbers = list(dict.fromkeys(number_in_shop(row["external_order_id"]) for row in rows))
    if several is None or len(numbers) < FEWEST_TOGETHER:
        return {}
    shown: dict[str, dict[str, Any]] = {}
    try:
        for begin in range(0, len(numbers), several.page_size):
            asked = {"ids": ",".join(numbers[begin : begin + several.page_size])}
            page = await client.page(several, asked, Place())
            shown |= {text_in(each, several.item_id): each for each in page.items}
    except PlatformFault as fault:
        if fault.code != "answer":
            raise
        log.warning("orders are looked for one by one", connection=access.connection_id, why=str(fault))
    return shown


async def look_for_unseen(tx: Tx, where: dict[str, str], read: Row, now: int) -> None:
    """Have open orders looked for that a reading (a row of `read_of`) did not show: some each night.

    A list has only what is still there, so what was trashed or deleted is missing from it. What it showed last is not
    decided yet and is looked for, too.
    """
    unseen = await tx.all(
        "open_orders_unseen",
        **where,
        before=now - UNSEEN_MS,
        read_event=id_at("evt", read["created_at"]),
        read_id=read["read_id"],
        limit=UNSEEN_A_NIGHT,
    )
    if unseen:
        await tx.run("want_looks", looks=[look_row(row, now) for row in unseen])


def look_row(row: Row, now: int) -> tuple[Any, ...]:
    """Return the row of `want_looks` for a commission whose order is to be looked for at once."""
    return (*_where(row), row["conversion_id"], now, None)


def _where(row: Row) -> tuple[str, str]:
    return row["account_id"], row["connection_id"]


def _key(row: Row) -> dict[str, Any]:
    return {"account_id": row["account_id"], "conversion_id": row["conversion_id"]}
