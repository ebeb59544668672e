"""The plugin host as the settings want it, and its start with a server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import structlog

from hub.config.sections import PluginSettings
from hub.kernel import close_to_others
from hub.plugin_host.host import PluginHost, plugin_host
from hub.plugin_host.limits import Limits
from hub.plugin_host.plugin_state import PluginState
from hub.plugin_host.pool import CHECK_SECONDS
from hub.plugin_host.registry import PluginFault
from hub.plugin_host.translation import HostUnavailable, Plugins
from hub.storage import Store


def plugin_host_for(settings: PluginSettings, private: Iterable[Path] = (), *, serves: bool = True) -> PluginHost:
    """Return a plugin host that starts when it is first needed; what `serves` has one that notices changed plugins.

    `private` are the hub's files, which no plugin may open. That of a command logs to standard error, since the
    command's output may be a document; and the command's process is closed, as a server's is from its start.
    """
    if not serves:
        with suppress(OSError):  # not Linux
            close_to_others()
    if not serves and not structlog.is_configured():
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    limits = Limits(
        body_seconds=settings.body_time / 1000,
        load_seconds=settings.load_time / 1000,
        memory_bytes=settings.memory,
        off=settings.off,
        sandbox=settings.sandbox,
        private=tuple(map(str, private)),
    )
    return plugin_host(
        limits,
        processes=settings.processes if serves else 1,
        check_seconds=CHECK_SECONDS if serves else 0.0,
    )


async def start_plugins(plugins: Plugins, store: Store, stack: AsyncExitStack, *, strict: bool) -> None:
    """Load the plugins if they will be needed: beside serving, or before it if each of them must be usable.

    A hub without connections loads them with its first webhook. Raise `PluginFault` if `strict` and a plugin
    cannot be used.
    """
    if strict:
        try:
            faults = (await plugins.catalog()).faults
        except HostUnavailable as fault:
            faults = [str(fault)]
        if faults:
            raise PluginFault(faults)
    elif await store.fetch_one("any_connection") is not None:
        loading = asyncio.create_task(_load_plugins(plugins), name="plugins")
        stack.push_async_callback(_stopped, loading)


async def _load_plugins(plugins: Plugins) -> None:
    with suppress(HostUnavailable):  # it is in the log, and they are loaded when they are needed
        await plugins.catalog()


async def _stopped(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def plugin_fault(plugins: Plugins) -> str | None:
    """Return why no webhook can be read, in a sentence that anybody may read; None if they can."""
    return None if plugins.fault is None else "The plugin host does not start; the log says why."


def plugin_notices(plugins: Plugins, state: PluginState) -> list[str]:
    """Return what an operator should know of the plugins; the hub serves all the same."""
    failed = [] if state.fault is None else ["The plugins could not be reloaded; `hub plugin list` says why."]
    aside = () if plugins.known is None else plugins.known.set_aside
    names = dict.fromkeys(each.distribution for each in aside if not each.off)
    return [f"{name} is set aside; `hub plugin list` says why." for name in names] + failed
