"""What happens by the clock alone: holds end, parked news is given up, what was kept long enough is forgotten."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import frozen

from hub.clock import Clock
from hub.domain.signing import TOLERANCE_SECONDS
from hub.ids import id_at
from hub.processing.change_numbers import NUMBERS_SECONDS, ChangeNumbers
from hub.processing.deposits import OnShortage
from hub.processing.figures import FIGURES_SECONDS, FigureCounter
from hub.processing.release import release_holds
from hub.processing.scheduler import Scheduler
from hub.processing.silent_connections import report_silent_connections
from hub.processing.tellings import tell_of_reviews, tell_of_silence
from hub.storage import Store, Tx

HOLD_SECONDS = 0.5
"""A hold's end is visible within a second of its time."""
SEEN_MS = 86_400_000
"""How fresh the sight of an order on its platform has to be when its hold ends."""
PARKED_SECONDS = 60
SWEEP_SECONDS = 60
SILENT_SECONDS = 300
REVIEWS_SECONDS = 900
GIVE_UP_AT_ONCE = 500
RELEASE_AT_ONCE = 100
"""As many as take a few milliseconds: their transaction is on the event loop's thread, and shares a commit."""
LOG_AT_ONCE = 2_000
SIGNATURE_SLACK_SECONDS = 60
"""Signatures are remembered this much longer than any clock can still call them fresh."""
CLOCKS_APART_MS = 600_000
"""Windows of rate limits are forgotten so long after they closed, for a node whose clock is behind."""

NODES_KEPT_MS = 7 * 86_400_000
"""Processes that have not served for longer are forgotten."""

FAILURES_KEPT_MS = 2 * 86_400_000
"""Failed sign-ins are forgotten after a day; their rows may go another day later."""

BULK_KEPT_MS = 86_400_000
NOTICES_KEPT_MS = 365 * 86_400_000
MAILS_KEPT_MS = 30 * 86_400_000
"""How long mails that were sent or given up are listed."""

ADDRESSES_KEPT_MS = 30 * 86_400_000
"""How long somebody hears at an address that they no longer have of changes of it and of where their money goes."""

LONE_PAYMENTS_KEPT_MS = 2 * 86_400_000
"""What one person pays alone counts for a day; its rows may go another day later, for a clock that was set back."""

DELIVERIES_KEPT_MS = 30 * 86_400_000
"""How long messages to subscribers that arrived or were given up are listed, and can be replayed."""

Forget = Callable[[str, int], Awaitable[object]]
"""Forgets what an account does not need at, or had before, a moment (ms UTC)."""


@frozen
class Retention:
    """How long things are kept, in milliseconds, and how many rows of the strangers' request log."""

    request_log_ms: int
    payloads_ms: int
    parked_ms: int
    idempotency_ms: int
    uploads_ms: int
    strangers_log_rows: int = 100_000


@frozen
class _Cutoffs:
    """Before when rows are deleted one by one: signatures (seconds UTC), log and bodies (ms UTC)."""

    signed: int
    logged: int
    received: int


class TimedJobs:
    """The jobs of a hub.

    `forget_uploads` belongs to the CSV import and is given the moment up to which to forget, `forget_clicks` now.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        retention: Retention,
        figures: FigureCounter,
        *,
        forget_uploads: Forget,
        forget_clicks: Forget,
        on_shortage: OnShortage | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._retention = retention
        self.figures = figures
        self._changes = ChangeNumbers(store, clock, figures.pause)
        self._forget_uploads = forget_uploads
        self._forget_clicks = forget_clicks
        self._on_shortage = on_shortage

    def schedule(self, scheduler: Scheduler) -> None:
        """Give every job to the scheduler."""
        scheduler.every(HOLD_SECONDS, "release_holds", self.release_holds)
        scheduler.every(PARKED_SECONDS, "give_up_parked", self.give_up_parked)
        scheduler.every(SWEEP_SECONDS, "sweep", self.sweep)
        scheduler.every(SILENT_SECONDS, "silent_connections", self.report_silence)
        scheduler.every(REVIEWS_SECONDS, "tell_reviews", self.tell_of_reviews)
        scheduler.every(FIGURES_SECONDS, "count_figures", self.figures.count)
        scheduler.every(NUMBERS_SECONDS, "number_changes", self._changes.give)

    async def report_silence(self) -> int:
        """Queue messages about connections that fell silent; return how many."""
        await tell_of_silence(self._store, self._clock())
        return await report_silent_connections(self._store, self._clock())

    async def tell_of_reviews(self) -> int:
        """Tell merchants of orders that wait for their review; return how many merchants."""
        return await tell_of_reviews(self._store, self._clock())

    async def release_holds(self) -> int:
        """Make every commission payable whose hold has passed, so many in one transaction; return how many."""
        now, released = self._clock(), 0

        async def work(tx: Tx) -> tuple[int, int]:
            due = await tx.all("due_holds", now=now, fresh=now - SEEN_MS, limit=RELEASE_AT_ONCE)
            return len(due), await release_holds(tx, due, now, self._on_shortage)

        due = RELEASE_AT_ONCE
        while due == RELEASE_AT_ONCE:
            due, ended = await self._store.transact(work)
            released += ended
        return released

    async def give_up_parked(self) -> int:
        """Mark order news UNMATCHED that waited too long for its conversion; return how many."""
        now, given_up = self._clock(), 0
        while True:
            async with self._store.write() as tx:
                cutoff = now - self._retention.parked_ms
                rows = await tx.all("parked_news_before", cutoff=cutoff, limit=GIVE_UP_AT_ONCE)
                if not rows:
                    return given_up
                news = [(r["account_id"], r["external_order_id"], r["event_id"]) for r in rows]
                await tx.lock_orders([(account_id, order_id) for account_id, order_id, _ in news])
                await tx.run("unpark_news", news=news)
                given_up += await tx.run("give_up_events", events=[(a, e) for a, _, e in news], now=now)

    async def _oldest_stranger(self) -> int:
        """Return up to when (ms UTC) the log of unknown accounts has more rows than are kept."""
        async with self._store.read() as tx:
            row = await tx.one("row_of_strangers_log", place=self._retention.strangers_log_rows)
        return 0 if row is None else int(row["logged_at"])

    async def _sweep_request_log(self, account_id: str, cutoff: int) -> None:
        """Delete an account's rows up to `cutoff` (ms UTC), the oldest first, in transactions of bounded length."""
        deleted = 1
        while deleted:
            async with self._store.write() as tx:
                deleted = await tx.run("sweep_request_log", account_id=account_id, cutoff=cutoff, limit=LOG_AT_ONCE)

    async def _cutoffs(self, now: int) -> _Cutoffs:
        """Drop partitions that were kept long enough; return before when rows are deleted one by one."""
        keep = self._retention
        signed = now // 1000 - 2 * TOLERANCE_SECONDS - SIGNATURE_SLACK_SECONDS
        logged, received = now - keep.request_log_ms, now - keep.payloads_ms
        dropped = {"payloads": received, "request_log": logged, "signatures": signed * 1000}
        periods = await self._store.keep_partitions(now, dropped)
        return _Cutoffs(
            signed - periods.get("signatures", 0) // 1000,
            logged - periods.get("request_log", 0),
            received - periods.get("payloads", 0),
        )

    async def sweep(self) -> None:
        """Forget what has been kept long enough, one account at a time so that no transaction is long."""
        now, keep = self._clock(), self._retention
        before = await self._cutoffs(now)
        async with self._store.read() as tx:
            accounts = [row["account_id"] for row in await tx.all("all_accounts")]
        for account_id in accounts:
            async with self._store.write() as tx:
                await tx.run("sweep_signatures", account_id=account_id, cutoff=before.signed)
                reported = id_at("evt", now - keep.payloads_ms)
                await tx.run("sweep_repeated_reports", account_id=account_id, before=reported)
                await tx.run("sweep_payloads", account_id=account_id, before=id_at("evt", before.received))
                await tx.run("forget_customers", account_id=account_id, now=now)
                await tx.run("sweep_bulk_steps", account_id=account_id, cutoff=now - BULK_KEPT_MS)
            await self._forget_uploads(account_id, now - keep.uploads_ms)
            await self._forget_clicks(account_id, now)
        for account_id in accounts:
            await self._sweep_request_log(account_id, before.logged)
        await self._sweep_request_log("", max(before.logged, await self._oldest_stranger()))
        async with self._store.write() as tx:
            await tx.run("sweep_idempotency_keys", cutoff=now - keep.idempotency_ms)
            await tx.run("sweep_token_answers", cutoff=now - keep.idempotency_ms)
            await tx.run("sweep_limit_counts", cutoff=now - CLOCKS_APART_MS)
            await tx.run("sweep_nodes", cutoff=now - NODES_KEPT_MS)
            await tx.run("sweep_sessions", cutoff=now)
            await tx.run("sweep_login_links", cutoff=now)
            await tx.run("sweep_sign_in_failures", cutoff=now - FAILURES_KEPT_MS)
            await tx.run("sweep_sign_in_steps", cutoff=now)
            await tx.run("sweep_registrations", cutoff=now)
            await tx.run("sweep_notices", cutoff=now - NOTICES_KEPT_MS)
            await tx.run("sweep_lone_payments", cutoff=now - LONE_PAYMENTS_KEPT_MS)
            await tx.run("sweep_former_addresses", cutoff=now - ADDRESSES_KEPT_MS)
            await tx.run("drop_expired_links", cutoff=now)
            await tx.run("sweep_deliveries", cutoff=now - DELIVERIES_KEPT_MS)
            await tx.run("sweep_attempts", cutoff=now - DELIVERIES_KEPT_MS)
            await tx.run("sweep_mails", cutoff=now - MAILS_KEPT_MS)
            await tx.run("sweep_consents", cutoff=now)
