"""The settings of what is served to agents."""

from __future__ import annotations

from attrs import frozen

from hub.config import readers as kinds
from hub.config.sections import setting


@frozen
class AgentSettings:
    """What agents are served by the hub itself."""

    mcp: bool = setting(
        False,
        kinds.switch,
        "true: serves tools for agents at /mcp, by bearer token; needs the extra `mcp` (docs/mcp.md).",
    )
