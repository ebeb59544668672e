"""The hooks that a plugin may implement: asked once when the hub starts, without arguments, answered with records."""

from __future__ import annotations

from collections.abc import Iterable

import pluggy

from hub.domain.connectors.connector import Connector

PROJECT = "hub"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function of a plugin's module as its answer to the hook of the same name."""


class HubHooks:
    """Every hook there is; a plugin's function of another name is an error at start."""

    @hookspec
    def hub_connectors(self) -> Iterable[Connector]:  # type: ignore[empty-body]  # a specification has none
        """Give the plugin's connectors, each under a name that no other plugin uses."""
