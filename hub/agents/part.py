"""What serves agents, as the composition root sees it: its library is imported only if it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Protocol

from hub.config.settings import Settings
from hub.http.own_connections import OwnConnections
from hub.http.router import Route
from hub.merchant_api.services import Services


class AgentsPart(Protocol):
    """The part that serves agents; `own` is given the server's connections once there is a server."""

    @property
    def own(self) -> OwnConnections:
        """Return what asks the hub's own APIs."""
        ...

    def routes(self) -> Sequence[Route]:
        """Return its routes."""
        ...

    async def start(self) -> None:
        """Start it."""
        ...

    async def stop(self) -> None:
        """End it."""
        ...


class LibraryMissing(Exception):
    """Agents are to be served, and the library of their protocol is not installed; the text is a sentence."""


def build_agents(settings: Settings, services: Services) -> AgentsPart | None:
    """Return what serves agents, None if they are not served; raise `LibraryMissing`."""
    if not settings.agents.mcp:
        return None
    if find_spec("mcp") is None:
        raise LibraryMissing(
            "[agents] mcp needs the MCP library: install it with `pip install 'affiliate-hub[mcp]'`, or turn it off."
        )
    from hub.agents.endpoint import Agents, origin_of

    return Agents(services, origin_of(settings.server.public_url) if settings.server.is_public_url_configured else "")
