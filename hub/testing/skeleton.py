"""Write a new plugin: a distribution that works and passes the conformance suite before a line of it is changed."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Final

from hub.domain.connectors.connector import API_VERSION
from hub.plugin_host.registry import plugin_entries

TEMPLATE: Final = Path(__file__).parent / "template"
SUFFIX: Final = ".tmpl"
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class SkeletonFault(Exception):
    """Why the plugin is not written; a sentence."""


def write_plugin(name: str, output: Path) -> tuple[Path, list[Path]]:
    """Write the distribution `hub-<name>` into a new folder of that name; return the folder and its files.

    Raise `SkeletonFault` for a name that is malformed or taken.
    """
    if _NAME.fullmatch(name) is None or len(name) > 40:
        raise SkeletonFault(
            f"{name!r} cannot be a connector's name: up to 40 lower-case letters and digits, with dashes between words."
        )
    if any(entry.name == name for entry in plugin_entries()):
        raise SkeletonFault(f"A connector {name!r} is installed already; choose another name.")
    folder = output / f"hub-{name}"
    if folder.exists():
        raise SkeletonFault(f"{folder} exists already; remove it, or name another place with --output.")
    words = name.split("-")
    package = f"hub_{'_'.join(words)}"
    values = {
        "name": name,
        "package": package,
        "title": " ".join(word.capitalize() for word in words),
        "header": "-".join(["X", *(word.capitalize() for word in words)]),
        "camel": "".join(word.capitalize() for word in words),
        "api": API_VERSION,
    }
    files = sorted(path for path in TEMPLATE.rglob(f"*{SUFFIX}"))
    return folder, [_write(file, folder, package, values) for file in files]


def _write(file: Path, folder: Path, package: str, values: dict[str, str]) -> Path:
    place = str(file.relative_to(TEMPLATE)).removesuffix(SUFFIX).replace("hub_PACKAGE", package)
    made = folder / place.replace("PACKAGE", package)
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(Template(file.read_text("utf-8")).substitute(values), "utf-8")
    return made
