"""Rate limits over several processes: each takes small shares of the limits from one table and spends them alone.

What is taken is counted before it is spent, so together they never grant more than the limit; what one takes and does
not spend is a hundredth of it, and goes back after a while. A request waits for the table only where no share is left.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence

from attrs import Factory, define, frozen

from hub.clock import Clock
from hub.rate_limits.local import KEPT, windows_of
from hub.rate_limits.windows import HOUR_MS, MINUTE_MS, Allowance, Window, judge, numbers_of
from hub.storage import Row, Store, StoreUnavailable, Tx

SHARES = 100
"""A share is this part of the lowest limit, or one: a busy process asks the table so often in a window."""
SHUT_MS = 250
"""How long a process that found a window used up refuses by itself before it looks again."""
IDLE_MS = 5_000
"""A share that nobody asked for in so long goes back."""
RETURN_SECONDS = 1.0
COLUMNS = {MINUTE_MS: "minute_used", HOUR_MS: "hour_used"}

Key = tuple[str, str]
"""(account id, group)"""


@define(eq=False)
class Counter:
    """What this process knows of an account in a group; the lists have an entry for each window."""

    numbers: list[int]
    used: list[int]
    """What all processes had taken when the table was last asked."""
    left: list[int]
    """What this process took of one window alone, since another one ended before it was spent."""
    held: int = 0
    """What this process took of every window and has not spent."""
    asked_at: int = 0
    shut_until: int = 0

    @property
    def gone(self) -> list[int]:
        """What is used up of each window once all that is held is spent."""
        return [used - left for used, left in zip(self.used, self.left, strict=True)]

    @classmethod
    def of(cls, numbers: list[int]) -> Counter:
        """A counter of windows that nothing is known of."""
        return cls(numbers, [0] * len(numbers), [0] * len(numbers))

    def move_to(self, numbers: list[int]) -> None:
        """Begins the windows that are new; a request that was received just before them counts in them."""
        moved = [now if was not in (now, now + 1) else was for was, now in zip(self.numbers, numbers, strict=True)]
        if moved != self.numbers:
            held, before = self.held, self.numbers
            self.numbers, self.held, self.shut_until = moved, 0, 0
            self.used = [used * (now == was) for used, now, was in zip(self.used, moved, before, strict=True)]
            self.left = [(left + held) * (now == was) for left, now, was in zip(self.left, moved, before, strict=True)]

    def receive(self, granted: int, used: list[int], numbers: list[int]) -> None:
        """Notes what the table granted and held used in the windows of these numbers, some of which may have ended."""
        same = [now == asked for now, asked in zip(self.numbers, numbers, strict=True)]
        self.used = [told if is_same else known for told, known, is_same in zip(used, self.used, same, strict=True)]
        if all(same):
            self.held += granted
        else:
            self.left = [left + granted * is_same for left, is_same in zip(self.left, same, strict=True)]

    def surrender(self) -> list[int]:
        """What is left of single windows, to be given back."""
        left, self.left = self.left, [0] * len(self.left)
        return left


@frozen
class Ask:
    """What a process wants of an account's windows, and what it gives back of each; `numbers` say which they are."""

    key: Key
    windows: tuple[Window, ...]
    numbers: list[int]
    wanted: int
    returned: list[int]

    def grant(self, taken: list[int]) -> tuple[int, list[int]]:
        """How much is granted where so much is taken, and what is taken then."""
        kept = [max(0, used - back) for used, back in zip(taken, self.returned, strict=True)]
        room = min(window.limit - used for window, used in zip(self.windows, kept, strict=True))
        granted = max(0, min(self.wanted, room))
        return granted, [used + granted for used in kept]


@define(eq=False)
class SharedLimits:
    """Counts requests in fixed windows, over all processes on one database."""

    _windows: dict[str, tuple[Window, ...]]
    _store: Store
    _clock: Clock
    _counters: dict[Key, Counter] = Factory(dict)
    _asking: dict[Key, int] = Factory(dict)
    """How many requests wait for the next exchange."""
    _next: asyncio.Task[None] | None = None
    _one_at_a_time: asyncio.Lock = Factory(asyncio.Lock)
    _returning: asyncio.Task[None] | None = None

    @classmethod
    def over(cls, store: Store, clock: Clock, groups: Mapping[str, tuple[int, int]]) -> SharedLimits:
        """`groups` names each group's limits per minute and per hour; 0 turns one off."""
        return cls(windows_of(groups), store, clock)

    async def start(self) -> None:
        """Begins to give back what is not used."""
        self._returning = asyncio.create_task(self._return_idle(), name="limits")

    async def stop(self) -> None:
        """Gives back what is left."""
        if self._returning is not None:
            self._returning.cancel()
        await self._give_back(self._clock() + IDLE_MS)

    def take(self, account_id: str, group: str, now: int) -> Allowance | None:
        """Spends one of this process's share, if it holds any; None where the group has no limit."""
        windows = self._windows[group]
        if not windows:
            return None
        counter = self._counters.get((account_id, group))
        if counter is None:
            counter = self._begin(account_id, group, numbers_of(windows, now))
        elif now // windows[0].length_ms != counter.numbers[0]:  # while the shortest lasts, none of them ends
            counter.move_to(numbers_of(windows, now))
        counter.asked_at = now
        allowance = judge(windows, counter.gone, now, counter.held)
        if counter.held == 0:
            return Allowance(allowance.limit, 0, allowance.reset, granted=False)
        if allowance.granted:
            counter.held -= 1
        return allowance

    async def take_elsewhere(self, account_id: str, group: str, now: int, refusal: Allowance) -> Allowance:
        """Asks the table for a share, until there is one or a window is used up; raises `StoreUnavailable`."""
        key = (account_id, group)
        while self._counters[key].shut_until <= self._clock():
            self._asking[key] = self._asking.get(key, 0) + 1
            await asyncio.shield(self._soon())
            refusal = self.take(account_id, group, now) or refusal
            if refusal.granted:
                break
        return refusal

    def _begin(self, account_id: str, group: str, numbers: list[int]) -> Counter:
        if len(self._counters) >= KEPT:
            self._forget_silent()
        counter = self._counters[account_id, group] = Counter.of(numbers)
        return counter

    def _forget_silent(self) -> None:
        """What was given back is in the table; nothing else of a silent account is worth knowing."""
        before = self._clock() - IDLE_MS
        silent = {key for key, each in self._counters.items() if each.asked_at < before and not _holds(each)}
        for key in silent - self._asking.keys():
            del self._counters[key]

    def _soon(self) -> asyncio.Task[None]:
        """The exchange that takes along whatever is asked for by the time it begins."""
        if self._next is None:
            self._next = asyncio.create_task(self._ask())
            self._next.add_done_callback(_retrieve)
        return self._next

    async def _ask(self) -> None:
        async with self._one_at_a_time:
            self._next = None
            asking, self._asking = self._asking, {}
            await self._exchange([self._wanted(key, requests) for key, requests in asking.items()])

    def _wanted(self, key: Key, requests: int) -> Ask:
        """What tops an account's share up, to as many at least as there are requests."""
        windows, counter = self._windows[key[1]], self._counters[key]
        share = max(requests, min(window.limit for window in windows) // SHARES)
        return Ask(key, windows, counter.numbers, max(1, share - counter.held), counter.surrender())

    async def _return_idle(self) -> None:
        while True:
            await asyncio.sleep(RETURN_SECONDS)
            await self._give_back(self._clock() - IDLE_MS)

    async def _give_back(self, before: int) -> None:
        """Gives back what accounts hold that nobody asked for since; where that fails, their windows lose it."""
        async with self._one_at_a_time:
            silent = [key for key, each in self._counters.items() if each.asked_at < before and _holds(each)]
            with contextlib.suppress(StoreUnavailable):
                await self._exchange([self._all_of(key) for key in silent])

    def _all_of(self, key: Key) -> Ask:
        counter = self._counters[key]
        held, counter.held = counter.held, 0  # gone at once, so that nobody spends it meanwhile
        returned = [held + left for left in counter.surrender()]
        return Ask(key, self._windows[key[1]], counter.numbers, 0, returned)

    async def _exchange(self, asks: Sequence[Ask]) -> None:
        """Settles everything that is asked for in one transaction."""
        if not asks:
            return

        async def work(tx: Tx) -> list[tuple[int, list[int]]]:
            rows = await tx.all("open_limit_counts", groups=[_opened(ask) for ask in asks])
            taken = {(row["account_id"], row["limit_group"]): row for row in rows}
            settled = [ask.grant(_taken(ask, taken[ask.key])) for ask in asks]
            counts = [_counts(ask, used, taken[ask.key]) for ask, (_, used) in zip(asks, settled, strict=True)]
            await tx.run("write_limit_counts", counts=counts)
            return settled

        for ask, (granted, used) in zip(asks, await self._store.transact(work), strict=True):
            self._book(ask, granted, used)

    def _book(self, ask: Ask, granted: int, used: list[int]) -> None:
        counter = self._counters.get(ask.key)
        if counter is not None and len(counter.numbers) == len(ask.numbers):
            counter.receive(granted, used, ask.numbers)
            if granted == 0 and ask.wanted:
                counter.shut_until = self._clock() + SHUT_MS


def _holds(counter: Counter) -> bool:
    return counter.held > 0 or any(counter.left)


def _opened(ask: Ask) -> tuple[str, str, int, int]:
    """The windows that the table is asked to have open; one without a limit ends with the other and is not counted."""
    ends = {w.length_ms: (number + 1) * w.length_ms for w, number in zip(ask.windows, ask.numbers, strict=True)}
    last = max(ends.values())
    return (*ask.key, ends.get(MINUTE_MS, last), ends.get(HOUR_MS, last))


def _taken(ask: Ask, row: Row) -> list[int]:
    return [row[COLUMNS[window.length_ms]] for window in ask.windows]


def _counts(ask: Ask, used: Sequence[int], row: Row) -> tuple[str, str, int, int]:
    known = {window.length_ms: count for window, count in zip(ask.windows, used, strict=True)}
    return (*ask.key, *(known.get(length, row[column]) for length, column in COLUMNS.items()))


def _retrieve(task: asyncio.Task[None]) -> None:
    """Who waits for it hears of its fault; where nobody waits any more, there is nobody to tell."""
    if not task.cancelled():
        task.exception()
