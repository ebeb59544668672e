"""How fast platforms are asked: each shop as its connector declares, each host as the operator allows.

Before a request a place is taken in two leaky buckets, the shop's and the host's, and the later of the two is waited
for. All connections of a shop share its bucket, because the platform counts them together. All shops of a host share
that of the host; a connection has one request under way at a time, so those that wait for a host take turns. Places are
taken without an await between reading and writing, so tasks of one event loop need no lock. Each process counts alone.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, Final
from urllib.parse import urlsplit

from attrs import define, field

from hub.domain.connectors.request_calls import CostLimit, RateLimit
from hub.domain.connectors.request_pages import value_in

MOST_BUCKETS: Final = 10_000


@define
class Bucket:
    """A leaky bucket in this process's own time: `wait` says how long the next request must wait.

    Where requests cost points, `costs` are what requests of each kind cost at most, and `points` those that were left
    at `points_at`, `refill` of which come back each second: as the last answer said.
    """

    limit: RateLimit
    now: Callable[[], float] = monotonic
    level: float = 0.0
    at: float = field(init=False)
    costs: dict[str, float] = field(init=False, factory=dict)
    points: float | None = field(init=False, default=None)
    points_at: float = field(init=False, default=0.0)
    refill: float = field(init=False, default=0.0)

    def __attrs_post_init__(self) -> None:
        self.at = self.now()

    def wait(self) -> float:
        """Take a place, and return for how many seconds to wait before using it."""
        now = self.now()
        self.level = max(0.0, self.level - (now - self.at) * self.limit.per_second) + 1
        self.at = now
        return max(0.0, (self.level - self.limit.burst) / self.limit.per_second)

    def cost_wait(self, kind: str) -> float:
        """Take the points of a request, and return for how many seconds to wait until they are there."""
        cost = self.costs.get(kind, 0.0)
        if self.points is None or not cost:
            return 0.0
        now = self.now()
        self.points += (now - self.points_at) * self.refill - cost
        self.points_at = now
        return max(0.0, -self.points / self.refill)

    def heed_costs(self, kind: str, limit: CostLimit, answer: Any) -> None:
        """Note what an answer says of its request's cost and of the points; one that says nothing changes nothing."""
        cost, left, refill = (_number(value_in(answer, path)) for path in (limit.cost, limit.left, limit.refill))
        if cost is not None:
            self.costs[kind] = cost
        if left is not None and refill:
            self.points, self.points_at, self.refill = left, self.now(), refill


@define
class Pacer:
    """The buckets of all shops and hosts that this process asks.

    `per_second` is how many requests a second one host gets, 0 for as many as its shops may have.
    """

    per_second: int = 0
    now: Callable[[], float] = monotonic
    shops: dict[str, Bucket] = field(init=False, factory=dict)
    hosts: dict[str, Bucket] = field(init=False, factory=dict)

    def of_shop(self, name: str, rate: RateLimit) -> Bucket:
        """Return the bucket of a shop; another rate than before begins a new one."""
        found = self.shops.get(name)
        return found if found is not None and found.limit == rate else self._new(self.shops, name, rate)

    def host_wait(self, url: str) -> float:
        """Take a place for a request to a URL's host, and return for how many seconds to wait before using it."""
        if not self.per_second:
            return 0.0
        name = urlsplit(url).netloc.rpartition("@")[2].lower()
        rate = RateLimit(self.per_second, self.per_second)
        return (self.hosts.get(name) or self._new(self.hosts, name, rate)).wait()

    def _new(self, buckets: dict[str, Bucket], name: str, rate: RateLimit) -> Bucket:
        if len(buckets) >= MOST_BUCKETS:
            buckets.clear()
        made = buckets[name] = Bucket(rate, self.now)
        return made


def _number(value: Any) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 10**9
    return float(value) if known else None
