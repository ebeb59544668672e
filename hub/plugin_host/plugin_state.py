"""What a serving process has loaded of the plugins, and what an operator asked it to load anew.

The process writes its state into its row of `nodes` every second, and reads there when a reload was asked for. A reload
runs in a task of its own, so that the sign of life never waits for a plugin; a request that comes meanwhile is obeyed
after it.
"""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
import structlog
from attrs import define, field

from hub.clock import Clock
from hub.plugin_host.catalog import Catalog
from hub.plugin_host.sandbox import to_json
from hub.plugin_host.translation import HostUnavailable, Plugins

log = structlog.get_logger(__name__)


@define(eq=False)
class PluginState:
    """The plugins of this process, for its row of `nodes`; `obeyed_at` is the newest request (ms UTC) it obeyed."""

    _plugins: Plugins
    _clock: Clock
    obeyed_at: int = field(init=False, default=0)
    fault: str | None = field(init=False, default=None)
    """Why the newest reload that was asked for failed."""
    _asked_at: int = field(init=False, default=0)
    _seen: Catalog | None = field(init=False, default=None)
    _loaded_at: int | None = field(init=False, default=None)
    _task: asyncio.Task[None] | None = field(init=False, default=None)

    def document(self) -> dict[str, Any] | None:
        """Return what is loaded and since when (ms UTC), and how the last request ended; None if there is nothing."""
        known = self._plugins.known
        if known is not self._seen:
            self._seen, self._loaded_at = known, self._clock()
        if known is None and not self.obeyed_at:
            return None
        catalog = known or Catalog()
        return {
            "loadedAt": self._loaded_at,
            "connectors": {each.name: each.distribution for each in catalog.connectors},
            "setAside": {each.distribution: each.reason for each in catalog.set_aside},
            "obeyedAt": self.obeyed_at,
            "fault": self.fault,
            "sandbox": to_json(self._plugins.protections),
        }

    def text(self) -> str | None:
        """Return the document as JSON text, None if there is none."""
        document = self.document()
        return None if document is None else orjson.dumps(document).decode()

    def obey(self, asked_at: int) -> None:
        """Load the plugins anew if this request (ms UTC) is newer than the last one."""
        self._asked_at = max(self._asked_at, asked_at)
        if self._asked_at > self.obeyed_at and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._reload(self._asked_at), name="plugin reload")

    async def stop(self) -> None:
        """End a reload that is under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _reload(self, asked_at: int) -> None:
        try:
            await self._plugins.reload()
            self.fault = None
        except HostUnavailable as fault:
            self.fault = str(fault)
        except Exception as fault:
            log.exception("the plugins could not be loaded anew")
            self.fault = repr(fault)
        self.obeyed_at = asked_at
