"""Rate limits over several processes on one database, by token leases.

Each process leases a few tokens of an account's windows from one table (`limit_counts`) and spends them without asking
again. The table counts a token when it is leased, so all processes together never grant more than the limit; the tokens
that one of them leases and does not spend are about a hundredth of it, and go back once the account is idle. A request
waits for the table only if this process has no token left.

A lease counts in every window of its group at once. At the rollover of one window (a new minute), the tokens that were
not spent still count in the others (the hour): they are *orphaned* there, and given back with the next exchange.

Tasks: everything runs on the event loop, and `take` never waits. Requests without a token join the next exchange, which
begins once the one under way has ended; `_exchange_lock` keeps exchanges one after the other, so the tokens given back
and those asked for are counted in order. An exchange's answer may arrive after a rollover, so it carries the numbers of
the windows that it was asked for.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence

from attrs import Factory, define, field

from hub.clock import Clock
from hub.rate_limits.lease import Key, Lease, LeaseRequest
from hub.rate_limits.local import MOST_COUNTERS, Allowance, Window, allowance_of, window_numbers, windows_of
from hub.storage import Store, StoreUnavailable, Tx

LEASES_PER_WINDOW = 100
"""A lease is this part of the lowest limit, at least one token: so often does a busy process ask in a window."""
EXHAUSTED_MS = 250
"""How long a process that found a window exhausted refuses requests before it asks the table again."""
IDLE_LEASE_MS = 5_000
"""Tokens of an account without a request for this long are given back."""
RETURN_EVERY_SECONDS = 1.0
"""How often idle tokens are looked for."""


@define(eq=False)
class SharedLimits:
    """Counts requests in fixed windows, over all processes on one database."""

    _windows: dict[str, tuple[Window, ...]]
    _store: Store
    _clock: Clock
    _most_leases: int = field(default=MOST_COUNTERS, kw_only=True)
    _leases: dict[Key, Lease] = Factory(dict)
    _waiting: dict[Key, int] = Factory(dict)
    """How many requests of each account and group wait for the next exchange."""
    _next_exchange: asyncio.Task[None] | None = None
    _exchange_lock: asyncio.Lock = Factory(asyncio.Lock)
    _returning: asyncio.Task[None] | None = None

    @classmethod
    def over(
        cls, store: Store, clock: Clock, groups: Mapping[str, tuple[int, int]], *, most_leases: int = MOST_COUNTERS
    ) -> SharedLimits:
        """Return the limits that `groups` names per minute and per hour; 0 turns one off.

        From `most_leases` leases on, those of silent accounts are dropped.
        """
        return cls(windows_of(groups), store, clock, most_leases=most_leases)

    def __len__(self) -> int:
        """Return how many leases are in memory."""
        return len(self._leases)

    async def start(self) -> None:
        """Begin to give back idle tokens."""
        self._returning = asyncio.create_task(self._return_idle(), name="limits")

    async def stop(self) -> None:
        """Give back every token."""
        if self._returning is not None:
            self._returning.cancel()
        await self.return_tokens(self._clock() + IDLE_LEASE_MS)

    def take(self, account_id: str, group: str, now: int) -> Allowance | None:
        """Spend a token for a request at `now` (ms UTC), if there is one; return None if the group has no limit."""
        windows = self._windows[group]
        if not windows:
            return None
        lease = self._leases.get((account_id, group))
        if lease is None:
            lease = self._add_lease(account_id, group, window_numbers(windows, now))
        elif now // windows[0].length_ms != lease.numbers[0]:  # while the shortest lasts, none of them ends
            lease.roll_over(window_numbers(windows, now))
        lease.last_request_at = now
        allowance = allowance_of(windows, lease.consumed, now, lease.tokens)
        if lease.tokens == 0:
            return Allowance(allowance.limit, 0, allowance.reset, granted=False)
        if allowance.granted:
            lease.tokens -= 1
        return allowance

    async def retry_with_lease(self, account_id: str, group: str, now: int, refusal: Allowance) -> Allowance:
        """Lease tokens until one is left for the request or a window is exhausted; raise `StoreUnavailable`."""
        key = (account_id, group)
        while self._leases[key].exhausted_until <= self._clock():
            self._waiting[key] = self._waiting.get(key, 0) + 1
            await asyncio.shield(self._join_exchange())
            refusal = self.take(account_id, group, now) or refusal
            if refusal.granted:
                break
        return refusal

    async def return_tokens(self, before: int) -> None:
        """Give back the tokens of accounts whose last request was before `before` (ms UTC).

        If the store is away, the windows lose these tokens until they end.
        """
        async with self._exchange_lock:
            idle = [key for key, each in self._leases.items() if each.last_request_at < before and each.holds_any]
            with contextlib.suppress(StoreUnavailable):
                # Released before the exchange, so that nobody spends them meanwhile.
                await self._exchange([self._request(key, 0, self._leases[key].release()) for key in idle])

    def _add_lease(self, account_id: str, group: str, numbers: list[int]) -> Lease:
        if len(self._leases) >= self._most_leases:
            self._drop_silent()
        lease = self._leases[account_id, group] = Lease.empty(numbers)
        return lease

    def _drop_silent(self) -> None:
        """Drop the leases of silent accounts whose tokens are back: the table knows the rest."""
        before = self._clock() - IDLE_LEASE_MS
        silent = {key for key, each in self._leases.items() if each.last_request_at < before and not each.holds_any}
        for key in silent - self._waiting.keys():
            del self._leases[key]

    def _join_exchange(self) -> asyncio.Task[None]:
        """Return the exchange that takes along every request that waits by the time it begins."""
        if self._next_exchange is None:
            self._next_exchange = asyncio.create_task(self._lease_for_waiting())
            self._next_exchange.add_done_callback(_retrieve)
        return self._next_exchange

    async def _lease_for_waiting(self) -> None:
        async with self._exchange_lock:
            self._next_exchange = None
            waiting, self._waiting = self._waiting, {}
            await self._exchange([self._top_up(key, requests) for key, requests in waiting.items()])

    def _top_up(self, key: Key, requests: int) -> LeaseRequest:
        """Return what fills a lease up to its usual size, and to at least as many tokens as there are requests."""
        lease = self._leases[key]
        size = max(requests, min(window.limit for window in self._windows[key[1]]) // LEASES_PER_WINDOW)
        return self._request(key, max(1, size - lease.tokens), lease.release_orphaned())

    def _request(self, key: Key, wanted: int, returned: list[int]) -> LeaseRequest:
        return LeaseRequest(key, self._windows[key[1]], self._leases[key].numbers, wanted, returned)

    async def _return_idle(self) -> None:
        while True:
            await asyncio.sleep(RETURN_EVERY_SECONDS)
            await self.return_tokens(self._clock() - IDLE_LEASE_MS)

    async def _exchange(self, requests: Sequence[LeaseRequest]) -> None:
        """Lease and give back everything that is requested in one transaction."""
        if not requests:
            return

        async def work(tx: Tx) -> list[tuple[int, list[int]]]:
            rows = await tx.all("open_limit_counts", groups=[request.opening_row() for request in requests])
            row_of = {(row["account_id"], row["limit_group"]): row for row in rows}
            grants = [request.grant(request.taken_in(row_of[request.key])) for request in requests]
            counts = [
                request.counted_row(taken, row_of[request.key])
                for request, (_, taken) in zip(requests, grants, strict=True)
            ]
            await tx.run("write_limit_counts", counts=counts)
            return grants

        for request, (granted, taken) in zip(requests, await self._store.transact(work), strict=True):
            self._add_grant(request, granted, taken)

    def _add_grant(self, request: LeaseRequest, granted: int, taken: list[int]) -> None:
        lease = self._leases.get(request.key)
        if lease is not None and len(lease.numbers) == len(request.numbers):
            lease.add(granted, taken, request.numbers)
            if granted == 0 and request.wanted:
                lease.exhausted_until = self._clock() + EXHAUSTED_MS


def _retrieve(task: asyncio.Task[None]) -> None:
    """Fetch a failed exchange's exception, so that asyncio does not log it if no request waits for it any more."""
    if not task.cancelled():
        task.exception()
