"""The guard of everything that ends by the clock: it looks at the clock before each timed job."""

from __future__ import annotations

import structlog

from hub.clock import Clock
from hub.domain.orders.clock_trust import ClockTrust, observe, trust_at_start

log = structlog.get_logger(__name__)


class ClockGuard:
    """Compares the wall clock with a steady one, which nobody can set (see hub.domain.orders.clock_trust)."""

    def __init__(self, clock: Clock, steady: Clock) -> None:
        self._clock = clock
        self._steady = steady
        self._trust = ClockTrust(clock() - steady())

    @property
    def jump_ms(self) -> int:
        """By how much the clock jumped; 0 if it is trusted."""
        return self._trust.jump

    def begin(self, newest: int | None, database: int | None = None) -> None:
        """Compare the clock with the newest moment in the store, or with the database's own clock (ms UTC)."""
        self._turn_to(trust_at_start(self._clock(), self._steady(), newest, database))

    def is_trusted(self) -> bool:
        """Look at the clock; return whether what ends by it may end now."""
        return self.looked_jump_ms() == 0

    def looked_jump_ms(self) -> int:
        """Look at the clock; return by how much it jumped, 0 if it is trusted."""
        self._turn_to(observe(self._trust, self._clock(), self._steady()))
        return self._trust.jump

    def confirm(self) -> None:
        """Believe the clock as it is: an operator says that it is right."""
        self._turn_to(ClockTrust(self._clock() - self._steady()))

    def _turn_to(self, trust: ClockTrust) -> None:
        before, self._trust = self._trust, trust
        if trust.jump and trust.jump != before.jump:
            log.warning(
                "the clock jumped, no hold ends and nothing is purged; if it is right: hub clock confirm",
                seconds=trust.jump / 1000,
            )
        elif before.jump and not trust.jump:
            log.warning("the clock is trusted again")
