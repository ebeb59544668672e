"""What it means that orders came over a connection under numbers that other orders have already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hub.storage import Tx

SINCE_MS: Final = 28 * 86_400_000
FEWEST: Final = 3
"""Several in a row are no chance; fewer may be one mistake."""


async def count_numbers_again(tx: Tx, where: Mapping[str, str], now: int) -> int:
    """Return how many such orders of the last weeks nobody has answered about; `now` is milliseconds UTC."""
    row = await tx.one("connection_namesakes", **where, since=now - SINCE_MS)
    return 0 if row is None else int(row["orders"])


def numbers_again(count: int, merchant_id: str) -> Iterator[str]:
    """Yield what is wrong, and what to do."""
    if count >= FEWEST:
        yield (
            f"{count} orders came under numbers that other orders have already: the shop was restored from a backup, "
            "or a copy of it was pushed over it. They wait, and change nothing. Look at each, then count it as its "
            f"own: hub conversion questions --merchant {merchant_id}"
        )
    elif count:
        yield (
            "Another order came under a number that is known, and waits for an answer: "
            f"hub conversion questions --merchant {merchant_id}"
        )
