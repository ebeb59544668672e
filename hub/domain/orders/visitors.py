"""What a click keeps of its visitor for a while: a keyed hash, which leads back to no address."""

from __future__ import annotations

import hmac

_BYTES = 16


def visitor_hash(key: bytes, address: str, agent: str) -> str:
    """Return 32 hex digits that are the same for the same address and user agent under one key."""
    return hmac.digest(key, f"{address}\0{agent}".encode(), "sha256")[:_BYTES].hex()
