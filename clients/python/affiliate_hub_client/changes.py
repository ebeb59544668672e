"""The change feed as an iterator that goes on from a cursor, in every client."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Protocol, TypeVar, cast

LONGEST_WAIT = 20
"""How many seconds the hub holds a request for changes open at most."""
Part_co = TypeVar("Part_co", bound=Mapping[str, Any], covariant=True)


class Follower(Protocol[Part_co]):
    """What blocks while it follows changes."""

    def list_changes(
        self, *, after: str | None = None, types: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> Part_co:
        """Return a part of the change feed."""
        ...

    def follow_changes(
        self, after: str | None = None, *, types: str | None = None, wait: int = LONGEST_WAIT, limit: int = 200
    ) -> Iterator[Part_co]:
        """Yield what changed, part by part, from a cursor on; without one, from everything that there is.

        Keep a part's `cursor` once its `data` is dealt with, and go on from that the next time. While nothing changes,
        each part comes after `wait` seconds and is empty; with `wait=0` the last part is the end.
        """
        while True:
            part = self.list_changes(after=after, types=types, limit=limit, wait=wait)
            after = cast("str", part["cursor"])
            yield part
            if not wait and not part["more"]:
                return


class AsyncFollower(Protocol[Part_co]):
    """What is awaited while it follows changes."""

    async def list_changes(
        self, *, after: str | None = None, types: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> Part_co:
        """Return a part of the change feed."""
        ...

    async def follow_changes(
        self, after: str | None = None, *, types: str | None = None, wait: int = LONGEST_WAIT, limit: int = 200
    ) -> AsyncIterator[Part_co]:
        """Yield what changed, part by part, from a cursor on; see `Follower.follow_changes`."""
        while True:
            part = await self.list_changes(after=after, types=types, limit=limit, wait=wait)
            after = cast("str", part["cursor"])
            yield part
            if not wait and not part["more"]:
                return
