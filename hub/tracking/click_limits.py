"""How many clicks one address may have recorded: a token bucket for the address, and one for each of its links.

A stranger who visits a link as fast as he can would otherwise write to the disk for as long as he likes. Buyers who
share an address (an office, a mobile network) fill a bucket of the size of a busy hour before anything is left out, and
reach the shop even then.
"""

from __future__ import annotations

from attrs import define

from hub.http.admission import address_group
from hub.rate_limits.token_buckets import TokenBuckets


@define(eq=False)
class ClickLimits:
    """Decides whether one more click of an address is recorded."""

    by_address: TokenBuckets
    by_link: TokenBuckets

    def take(self, address: str, code: str) -> bool:
        """Return whether a click of this address on the link of this code is within both limits, and count it."""
        group = address_group(address)
        return self.by_link.take(f"{code} {group}") and self.by_address.take(group)
