"""The versions of what messages to subscribers say, and how an older one is made of a newer.

A subscription keeps the version that it was made with until its owner moves it. The hub writes each message in the
newest; a subscription that is older gets what `OLDER` makes of it, step by step. Within a version members and kinds are
added and nothing is taken away (docs/webhooks.md), so a version more is needed only where that cannot be kept: then the
hub writes the new form, and one function here takes it back. The examples of every version are kept
(`tests/notifications/kept_messages.txt`), byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

Document = dict[str, Any]
"""A whole message: `type`, `timestamp` and `data`."""
Older = Callable[[Document], Document]

OLDER: Final[dict[str, Older]] = {}
"""By version, the function that makes a message of it of one of the next version; the newest has none."""


def newest_version() -> str:
    """Return the version in which messages are written, and which a new subscription has."""
    return str(len(OLDER) + 1)


def versions() -> tuple[str, ...]:
    """Return every version that a subscription may have, the oldest first."""
    return tuple(str(number) for number in range(1, len(OLDER) + 2))


def in_version(document: Document, written: str, wanted: str) -> tuple[str, Document]:
    """Return the version in which a message is sent, and the message in it.

    `written` is the version that was the newest when the message was stored, `wanted` the subscription's. A message
    that is older than its subscription stays what it is: no newer one can be made of it.
    """
    sent = min(int(written), int(wanted))
    for version in range(int(written) - 1, sent - 1, -1):
        document = OLDER[str(version)](document)
    return str(sent), document
