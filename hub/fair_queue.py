"""Turns and shares: a sender that has much waiting does not make the others wait for all of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Gives out one item of each sender in turn; the items of one sender in the order in which they came."""

    def __init__(self) -> None:
        self._items: dict[Hashable, deque[T]] = {}
        self._turns: deque[Hashable] = deque()
        """The senders that have items waiting, the one whose turn is next first."""
        self._length = 0

    def __len__(self) -> int:
        """Return how many items wait."""
        return self._length

    def __iter__(self) -> Iterator[T]:
        """Yield every item that waits, sender by sender."""
        for items in self._items.values():
            yield from items

    def waiting_of(self, sender: Hashable) -> int:
        """Return how many items of one sender wait."""
        return len(self._items.get(sender, ()))

    def append(self, sender: Hashable, item: T) -> None:
        """Let an item wait behind the others of its sender."""
        items = self._items.get(sender)
        if items is None:
            items = self._items[sender] = deque()
            self._turns.append(sender)
        items.append(item)
        self._length += 1

    def appendleft(self, sender: Hashable, item: T) -> None:
        """Put an item back before all others, its sender's turn first."""
        items = self._items.get(sender)
        if items is None:
            items = self._items[sender] = deque()
        else:
            self._turns.remove(sender)
        self._turns.appendleft(sender)
        items.appendleft(item)
        self._length += 1

    def popleft(self) -> T:
        """Return the next item; raises IndexError if none waits."""
        sender = self._turns[0]
        items = self._items[sender]
        item = items.popleft()
        self._length -= 1
        if not items:
            del self._items[sender]
            self._turns.popleft()
        elif len(self._turns) > 1:
            self._turns.rotate(-1)
        return item

    def keep(self, wanted: Callable[[T], bool]) -> None:
        """Drop the items that are not wanted any more; the turns stay."""
        for sender in list(self._turns):
            kept = deque(filter(wanted, self._items[sender]))
            self._length += len(kept) - len(self._items[sender])
            self._items[sender] = kept
            if not kept:
                del self._items[sender]
                self._turns.remove(sender)


def fair_shares(waiting: Sequence[int], total: int) -> list[int]:
    """Return how many of `total` items each sender may give, if so many wait of each.

    A sender that has less than an equal share gives all that it has; the others share equally what it leaves.
    """
    shares, left = [0] * len(waiting), total
    for place, index in enumerate(sorted(range(len(waiting)), key=waiting.__getitem__)):
        shares[index] = min(waiting[index], -(-left // (len(waiting) - place)))
        left -= shares[index]
    return shares
