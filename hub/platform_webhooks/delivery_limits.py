"""How much one connection may have kept: deliveries and their bytes, each from a token bucket of the connection.

Only what is genuine is counted, so that nobody without the secret can use up a store's share; whoever has captured
deliveries can send them again, but no faster than this. The limits are far beyond a busy store, because platforms turn
off webhooks that are refused for long; a refusal says when to come again.
"""

from __future__ import annotations

from math import ceil

from attrs import define

from hub.rate_limits.token_buckets import TokenBuckets

KIB = 1024
LARGEST_KIB = 5 * KIB
"""A bucket holds the largest body, or it would never be granted."""


@define(eq=False)
class DeliveryLimits:
    """The buckets of all connections: `deliveries` holds one token for each, `kibibytes` for each KiB of a body."""

    deliveries: TokenBuckets
    kibibytes: TokenBuckets

    @classmethod
    def unlimited(cls) -> DeliveryLimits:
        """Return limits that grant everything."""
        return cls(TokenBuckets(0, 1), TokenBuckets(0, 1))

    @classmethod
    def per_minute(cls, deliveries: int, mebibytes: int) -> DeliveryLimits:
        """Return limits that refill within a minute, and hold two minutes' worth; 0 turns one off."""
        kibibytes = mebibytes * KIB
        return cls(
            TokenBuckets(deliveries / 60, max(2 * deliveries, 1)),
            TokenBuckets(kibibytes / 60, max(2 * kibibytes, LARGEST_KIB)),
        )

    def take(self, connection_id: str, size: int) -> int:
        """Count a delivery of `size` bytes and return 0, or return after how many seconds it may come again."""
        weight = ceil(size / KIB) or 1
        wait = max(self.deliveries.wait(connection_id), self.kibibytes.wait(connection_id, weight))
        if wait > 0:
            return ceil(wait)
        self.deliveries.take(connection_id)
        self.kibibytes.take(connection_id, weight)
        return 0
