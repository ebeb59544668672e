"""One reading of a platform's orders or products, page by page: it may be stopped anywhere and goes on at its place.

A page is noted only once all of it is durable, so a reading that is killed reads its last page again, which states
nothing new. The certain point moves only when a whole reading has ended, and to the moment at which it was asked for:
what was modified later is read by the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs
import orjson
import structlog
from attrs import frozen

from hub.domain.connectors.reconciliation import BACKFILL_DAYS, DAY_MS, HOUR_MS, MINUTE_MS, OVERLAP_MS, read_again
from hub.domain.connectors.request_pages import Place, since_values, text_in, value_in
from hub.domain.connectors.requests import Bulk, Listing, Single
from hub.domain.connectors.shop_clocks import ahead_by, behind_by
from hub.intake.submission_batcher import SubmissionBatcher
from hub.outbound.platform_client import PlatformClient, PlatformFault, PlatformPage
from hub.outbound.platform_session import BudgetSpent
from hub.platform_sync.access import REFUSED, Access, Platforms, queue_message
from hub.platform_sync.arrivals import Arrived, take_in
from hub.platform_sync.looks import look_for_unseen
from hub.platform_sync.no_access import NoAccess
from hub.platform_sync.webhooks import try_to_keep_webhooks
from hub.storage import Row, Tx

LEASE_MS: Final = 15 * 60_000
"""Longer than a page may take, with all its attempts."""
SOON_MS: Final = 5_000
"""When a reading goes on whose budget was spent."""
GONE: Final = "missing"
JOB_MS: Final = 15_000
"""How often it is looked whether the platform has written a file."""
LONGEST_JOB_MS: Final = DAY_MS
BULK_AT_ONCE: Final = 100
"""Items of a file that are held and taken in together."""

log = structlog.get_logger(__name__)


class _NotYet(Exception):
    """A list that the platform still writes; the reading goes on at `place`."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place


@frozen
class Reader:
    """Reads for connections, and submits to `intake`."""

    platforms: Platforms
    intake: SubmissionBatcher

    async def read(self, account_id: str, connection_id: str, read_id: str) -> bool:
        """Go on with a reading until it ends or breaks off; return False if another process has it.

        Raise `StoreUnavailable`.
        """
        key = {"account_id": account_id, "connection_id": connection_id, "read_id": read_id}
        now = self.platforms.clock()
        async with self.platforms.store.write() as tx:
            if not await tx.run("claim_read", **key, now=now, until=now + LEASE_MS):
                return False
            row = await tx.one("read_of", **key)
        if row is not None:
            await self._go_on(row)
        return True

    async def _go_on(self, row: Row) -> None:
        try:
            access = await self.platforms.load(row["account_id"], row["connection_id"])
            async with self.platforms.asked(access) as client:
                date, now = await client.prove(), self.platforms.clock()
                if row["kind"] != "CATALOGUE" and row["place"] == "{}":
                    await try_to_keep_webhooks(self.platforms, access, client)
                if row["kind"] == "CATALOGUE" or access.requests.orders is not None:
                    begins = row["since"] - OVERLAP_MS - behind_by(date, now)
                    await self._pages(access, client, row, begins, now + ahead_by(date, now))
        except NoAccess as fault:
            await self._end(row, "FAILED", str(fault))
        except _NotYet as waiting:
            await self._wait(row, waiting.place)
        except PlatformFault as fault:
            await self._break_off(row, fault)
        else:
            await self._done(access, row)

    async def _pages(self, access: Access, client: PlatformClient, row: Row, begins: int, ends: int) -> None:
        """Read from a place on what changed from `begins` to `ends` (ms UTC), by the platform's own clock."""
        listing, single = _listing(access, row["kind"])
        place: Place | None = Place(**orjson.loads(row["place"]))
        if listing.bulk is not None and _is_long(row) and (place == Place() or (place and place.job)):
            try:
                await self._bulk(access, client, listing, listing.bulk, row, max(0, begins))
            except PlatformFault as fault:
                if fault.code != "answer":
                    raise
                log.warning("a list is read page by page instead", connection=row["connection_id"], why=str(fault))
                place = Place()
            else:
                return
        since = since_values(max(0, begins - listing.early_hours * HOUR_MS), ends)
        while place is not None:
            page = await client.page(listing, since, place)
            arrived = await self._take_in(access, client, listing, single, page, row)
            place = page.following
            await self._note(row, arrived, place or Place())

    async def _bulk(
        self, access: Access, client: PlatformClient, listing: Listing, bulk: Bulk, row: Row, begins: int
    ) -> None:
        """Read a list that the platform writes into a file; raise `_NotYet` while it does.

        Raise `PlatformFault`, of the code "answer" if the list must be read otherwise.
        """
        place = Place(**orjson.loads(row["place"]))
        if not place.job:
            raise _NotYet(Place(job=await client.begin_bulk(bulk, begins)))
        url = await client.bulk_file(bulk, place.job)
        if url is None:
            if self.platforms.clock() - row["created_at"] > LONGEST_JOB_MS:
                raise PlatformFault("The platform's job does not end.")
            raise _NotYet(place)
        held: list[dict[str, Any]] = []
        line = place.line
        if url:
            async for item, line in client.bulk_items(bulk, url, place.line):
                held.append(item)
                if len(held) >= BULK_AT_ONCE:
                    await self._take_in_bulk(access, client, listing, held, row, Place(job=place.job, line=line))
                    held = []
        await self._take_in_bulk(access, client, listing, held, row, Place(job=place.job, line=line))

    async def _take_in_bulk(
        self, access: Access, client: PlatformClient, listing: Listing, items: list[dict[str, Any]], row: Row,
        place: Place,
    ) -> None:  # fmt: skip
        """Take in items of a file, and note the line after them; those that lack something are asked for."""
        lacks = () if listing.bulk is None else listing.bulk.lacks
        _, single = _listing(access, row["kind"])
        partly = [each for each in items if single is not None and any(value_in(each, path) for path in lacks)]
        whole = [each for each in items if each not in partly]
        read_by = listing if listing.is_whole or single is None else single
        arrived = await self._submit(access, whole, [text_in(each, listing.item_id) for each in whole], read_by, row)
        if partly and single is not None:
            ids = [text_in(each, listing.item_id) for each in partly]
            more = await self._submit(access, await _whole(client, single, ids), ids, single, row)
            arrived = Arrived(arrived.items + more.items, arrived.unknown + more.unknown, arrived.new + more.new)
        await self._note(row, arrived, place)

    async def _note(self, row: Row, arrived: Arrived, place: Place) -> None:
        async with self.platforms.store.write() as tx:
            noted = await tx.run(
                "note_page_read", **_key(row), items=arrived.items, unknown=arrived.unknown,
                until=self.platforms.clock() + LEASE_MS, place=_place(place),
            )  # fmt: skip
        if not noted:
            raise NoAccess("The reading was ended.")

    async def _take_in(
        self,
        access: Access,
        client: PlatformClient,
        listing: Listing,
        single: Single | None,
        page: PlatformPage,
        row: Row,
    ) -> Arrived:
        ids = [text_in(each, listing.item_id) for each in page.items]
        if not listing.is_whole and single is not None:
            return await self._submit(access, await _whole(client, single, ids), ids, single, row)
        return await self._submit(access, page.items, ids, listing, row)

    async def _submit(
        self, access: Access, bodies: list[dict[str, Any]], ids: Sequence[str], read_by: Listing | Single, row: Row
    ) -> Arrived:
        platforms, orders = self.platforms, [] if row["kind"] == "CATALOGUE" else ids
        return await take_in(
            platforms.store, self.intake, platforms.clock, access, read_by.topic, bodies, read_id=row["read_id"],
            order_ids=orders,
        )  # fmt: skip

    async def _done(self, access: Access, row: Row) -> None:
        now = self.platforms.clock()
        async with self.platforms.store.write() as tx:
            ended = await tx.one("read_of", **_key(row))
            if ended is None or not await tx.run("finish_read", **_key(row), status="DONE", fault=None, now=now):
                return
            if await self._reaches_back(tx, access, row):
                await tx.run("move_certain_point", **access.key, certain_at=row["created_at"])
            if row["kind"] == "RECONCILIATION":
                await look_for_unseen(tx, access.key, row, now)
            merchant = await tx.one("merchant_of_connection", **access.key)
            every = access.requests.reads_every
            if every:
                await tx.run("read_again_soon", **access.key, next_at=now + every * MINUTE_MS)
            elif merchant is not None and row["kind"] == "RECONCILIATION" and ended["unknown"]:
                data = {"read": ended["items"], "unknownOrders": ended["unknown"]}
                await queue_message(tx, access, merchant, "connection.recovered", data, now)
        log.info(
            "a platform was read", connection=row["connection_id"], kind=row["kind"], items=ended["items"],
            unknown=ended["unknown"],
        )  # fmt: skip

    async def _reaches_back(self, tx: Tx, access: Access, row: Row) -> bool:
        """Return whether all before a reading is certain: it began at the certain point, or was the first of all."""
        current = await tx.one("platform_access_of", **access.key)
        if row["kind"] == "CATALOGUE" or current is None or access.requests.orders is None:
            return False
        if row["kind"] == "BACKFILL" or row["since"] <= row["created_at"] - BACKFILL_DAYS * DAY_MS:
            return True
        return bool(current["certain_at"]) and row["since"] <= current["certain_at"]

    async def _break_off(self, row: Row, fault: PlatformFault) -> None:
        """Note why a reading broke off: it goes on later, from its place, or ends."""
        now = self.platforms.clock()
        async with self.platforms.store.write() as tx:
            current = await tx.one("read_of", **_key(row))
            if current is None or current["due_at"] is None:
                return
            if isinstance(fault, BudgetSpent):
                attempts, due_at = 0, now + SOON_MS
            else:
                attempts = current["attempts"] + 1
                due_at = read_again(attempts, now) or 0
            if not due_at or fault.code == REFUSED:
                await tx.run("finish_read", **_key(row), status="FAILED", fault=str(fault), now=now)
                return
            # A cursor may have ended with the platform's patience: what was read is read again.
            lost = current["place"] != "{}" and not isinstance(fault, BudgetSpent) and fault.code in ("answer", GONE)
            place = "{}" if lost else current["place"]
            await tx.run("postpone_read", **_key(row), attempts=attempts, fault=str(fault), due_at=due_at, place=place)
        log.warning("a platform could not be read", connection=row["connection_id"], fault=str(fault))

    async def _wait(self, row: Row, place: Place) -> None:
        """Give the turn back until the platform may have written its file."""
        due_at = self.platforms.clock() + JOB_MS
        async with self.platforms.store.write() as tx:
            await tx.run("postpone_read", **_key(row), attempts=0, fault=None, due_at=due_at, place=_place(place))

    async def _end(self, row: Row, status: str, fault: str) -> None:
        async with self.platforms.store.write() as tx:
            await tx.run("finish_read", **_key(row), status=status, fault=fault, now=self.platforms.clock())


async def _whole(client: PlatformClient, single: Single, ids: Sequence[str]) -> list[dict[str, Any]]:
    """Return single items; one that was deleted since it was listed is left out."""
    bodies = []
    for each in ids:
        try:
            bodies.append(await client.whole(single, each))
        except PlatformFault as fault:
            if fault.code != GONE:
                raise
    return bodies


def _listing(access: Access, kind: str) -> tuple[Listing, Single | None]:
    """Return the list that a kind of reading reads, and how single items are asked for; raise `NoAccess`."""
    declared = access.requests
    listing = declared.products if kind == "CATALOGUE" else declared.orders
    if listing is None:
        raise NoAccess(f"The platform does not list its {'products' if kind == 'CATALOGUE' else 'orders'}.")
    return listing, declared.product if kind == "CATALOGUE" else declared.order


def _is_long(row: Row) -> bool:
    """Return whether a reading is of everything, or of all that was before the connection."""
    return row["kind"] in ("BACKFILL", "CATALOGUE")


def _key(row: Row) -> dict[str, Any]:
    return {name: row[name] for name in ("account_id", "connection_id", "read_id")}


def _place(place: Place) -> str:
    return orjson.dumps(attrs.asdict(place)).decode()
