"""The package that declares a connector, and the simulated store in it; finding it runs the plugin's code."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path

from hub.domain.connectors.connector import Connector
from hub.domain.connectors.scenes import Scene
from hub.plugin_host.registry import GROUP


def scenes_of(connector: Connector) -> Mapping[str, Scene]:
    """Return the scenes of a connector's simulated store, by step: its package's module `scenarios`, if it has one."""
    package = package_name(connector)
    if not (package_folder(connector) / "scenarios.py").is_file():
        return {}
    scenes: Mapping[str, Scene] = importlib.import_module(f"{package}.scenarios").SCENES
    return scenes


def package_name(connector: Connector) -> str:
    """Return the top package of the distribution that declares a connector; if none does, of its functions."""
    for entry in entry_points(group=GROUP):
        if entry.module not in sys.modules:
            continue  # another plugin's, which might end the process if it were imported here
        plugin = entry.load()
        declare = getattr(plugin, "hub_connectors", None)
        if callable(declare) and any(getattr(each, "name", None) == connector.name for each in declare()):
            return entry.module.partition(".")[0]
    module: str = getattr(connector.translate_webhook, "__module__", __name__)
    return module.partition(".")[0]


def package_folder(connector: Connector) -> Path:
    """Return the folder of that package."""
    name = package_name(connector)
    module = sys.modules.get(name) or importlib.import_module(name)
    return Path(str(module.__file__)).parent
