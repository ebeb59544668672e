"""One process at a time renews the token of a connection, and none uses a token that is not kept yet.

A platform that hands out a new refresh token with each access token ends the one before, some at once, Shopify with the
first use of the new one. So a renewal is a turn that one process takes, for those credentials that it read; whoever
waits for it takes what it kept. What a platform granted is stored before anything is asked with it, and a hub that is
being stopped waits for that. Of a process that is killed in between the turn ends by itself, and the refresh token
before is tried again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, Final

from attrs import field, frozen

from hub.clock import Clock
from hub.domain.connectors.request_logins import OAuthConsent
from hub.domain.connectors.requests import Requests
from hub.outbound.platform_client import PlatformFault
from hub.outbound.platform_tokens import REFRESH, TOKEN, Fetch
from hub.platform_sync.apps import app_of
from hub.platform_sync.no_access import NoAccess
from hub.platform_sync.sealed_values import opened_values, sealed_values
from hub.sealing import Sealer
from hub.storage import Store, StoreUnavailable

TURN_MS: Final = 45_000
FETCH_SECONDS: Final = 20.0
"""Well within a turn, so that nobody else takes one while an answer may still come."""
WAITS: Final = 60
KEEPS: Final = 30
PAUSE_SECONDS: Final = 1.0


@frozen
class _Turn:
    """A turn that was taken: the credentials as they were read, and the text that they were sealed in."""

    values: Mapping[str, str] = field(repr=False)
    sealed: str = field(repr=False)


@frozen(eq=False)
class Renewals:
    """Renews the token of the connection of a `key`; `rest` waits for some seconds."""

    store: Store
    sealer: Sealer
    clock: Clock
    rest: Callable[[float], Awaitable[None]]
    key: Mapping[str, str]
    connector: str
    requests: Requests

    async def renew(self, stale: Mapping[str, str], fetch: Fetch) -> Mapping[str, str]:
        """Return the credentials with another token than that of `stale`; raise `PlatformFault`."""
        for _ in range(WAITS):
            found = await self._turn_or_news(stale)
            if isinstance(found, _Turn):
                return await _unbroken(self._fetched(found, fetch))
            if found is not None:
                return found
            await self.rest(PAUSE_SECONDS)
        raise PlatformFault("The shop's access token is being renewed by another process.", "unreachable")

    async def _turn_or_news(self, stale: Mapping[str, str]) -> _Turn | Mapping[str, str] | None:
        """Take the turn; or return the credentials that another process has renewed, or None while it does."""
        now = self.clock()
        async with self.store.write() as tx:
            row = await tx.one("platform_access_of", **self.key)
            if row is None:
                raise PlatformFault("The credentials were deleted.", "refused")
            values = self._opened(row["sealed"])
            if values.get(TOKEN) != stale.get(TOKEN):
                return values
            is_ours = await tx.run("claim_renewal", **self.key, now=now, until=now + TURN_MS)
        return _Turn(values, row["sealed"]) if is_ours else None

    async def _fetched(self, turn: _Turn, fetch: Fetch) -> Mapping[str, str]:
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                new = await fetch({**turn.values, **await self._app(turn.values)})
        except TimeoutError:
            raise PlatformFault("The platform did not renew the access token in time.", "unreachable") from None
        except PlatformFault:
            async with self.store.write() as tx:
                await tx.run("end_renewal", **self.key)
            raise
        return await self._kept(turn, {**turn.values, **new})

    async def _kept(self, turn: _Turn, values: Mapping[str, str]) -> Mapping[str, str]:
        """Store the credentials however long the store takes to answer, and return those that count."""
        for _ in range(KEEPS):
            with suppress(StoreUnavailable):
                return await self._keep(turn, values)
            await self.rest(PAUSE_SECONDS)
        return await self._keep(turn, values)

    async def _keep(self, turn: _Turn, values: Mapping[str, str]) -> Mapping[str, str]:
        new = sealed_values(self.sealer, self.key["connection_id"], values)
        async with self.store.write() as tx:
            row = await tx.one("platform_access_of", **self.key)
            if row is None:
                raise PlatformFault("The credentials were deleted.", "refused")
            now_there = self._opened(row["sealed"])
            if row["sealed"] != turn.sealed and now_there != turn.values:  # the owner has given others meanwhile
                return now_there
            kept = await tx.run("keep_renewed_access", **self.key, old=row["sealed"], new=new)
        return values if kept else await self._keep(turn, values)

    async def _app(self, values: Mapping[str, str]) -> dict[str, str]:
        """Return the operator's app as values, if it was by consent that the credentials were granted."""
        consent = self.requests.consent
        if not isinstance(consent, OAuthConsent) or consent.renewal is None or REFRESH not in values:
            return {}
        try:
            app = await app_of(self.store, self.sealer, self.connector)
        except NoAccess as fault:
            raise PlatformFault(str(fault), "refused") from None
        return {"client_id": app.client_id, "client_secret": app.secret}

    def _opened(self, sealed: str) -> dict[str, str]:
        try:
            return opened_values(self.sealer, self.key["connection_id"], sealed)
        except NoAccess as fault:
            raise PlatformFault(str(fault), "refused") from None


async def _unbroken(work: Coroutine[Any, Any, Mapping[str, str]]) -> Mapping[str, str]:
    """Await something that a cancellation does not break off: it ends first, then the cancellation goes on."""
    task = asyncio.create_task(work, name="a renewal")
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
