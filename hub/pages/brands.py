"""The branding that pages are made with, as it was a few seconds ago at most."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from hub.operations.system.branding import USUAL, Branding, show_branding
from hub.storage import Store, StoreUnavailable

FRESH_SECONDS: Final = 5.0


class Brands:
    """The branding as pages show it: asked for anew after a few seconds, so that every process follows a change."""

    def __init__(self, store: Store, elapsed: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._elapsed = elapsed
        self._brand = USUAL
        self._until = float("-inf")

    async def get(self) -> Branding:
        """Return it; while the database is away, the one that was read last."""
        if self._elapsed() >= self._until:
            try:
                self._brand = await show_branding(self._store)
            except StoreUnavailable:
                return self._brand
            self._until = self._elapsed() + FRESH_SECONDS
        return self._brand

    def forget(self) -> None:
        """Ask anew the next time: it was changed here."""
        self._until = float("-inf")
