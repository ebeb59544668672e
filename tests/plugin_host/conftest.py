"""Plugins as strangers publish them, and a plugin host that runs them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from hub.plugin_host.host import PluginHost, plugin_host
from hub.plugin_host.limits import Limits
from tests.plugin_host.distributions import Distributions, distributions_in
from tests.sqlite_first import database_url

__all__ = ["database_url"]

OpenHost = Callable[..., PluginHost]
OTHERS = tuple(sorted(each.name for each in entry_points(group="hub.plugins") if each.name != "generic"))
"""The installed plugins, but for the generic one."""


@pytest.fixture
def distributions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Distributions:
    """Where to install plugins for the hosts of this test."""
    return distributions_in(tmp_path / "site", monkeypatch)


@pytest.fixture
async def open_host() -> AsyncIterator[OpenHost]:
    """Makes plugin hosts that are closed at the end; their limits may be given.

    Of the installed plugins they load the generic one alone, unless `off` says others: nine more take a third of what
    a process of plugins costs.
    """
    opened: list[PluginHost] = []

    def make(
        *, processes: int = 1, check_seconds: float = 0.0, off: tuple[str, ...] = OTHERS, **limits: Any
    ) -> PluginHost:
        host = plugin_host(Limits(off=off, **limits), processes=processes, check_seconds=check_seconds)
        opened.append(host)
        return host

    yield make
    for host in opened:
        await host.close()
