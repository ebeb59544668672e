"""The files of a commit in a folder of their own, with the release's version written wherever one is named."""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

from release.version import Release, ReleaseFault

CLIENT = "clients/python"

OWN = '"(hub-[a-z]+)"'
"""A plugin of this repository in a list of dependencies."""


def export(root: Path, release: Release, folder: Path) -> None:
    """Write the commit's files into the folder, so that nothing uncommitted gets into a release."""
    packed = subprocess.run(["git", "-C", root, "archive", release.commit], capture_output=True, check=False)  # noqa: S603, S607 - as above
    if packed.returncode:
        raise ReleaseFault(f"git cannot pack the commit: {packed.stderr.decode().strip()}.")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as files:
        files.extractall(folder, filter="data")


def plugin_folders(tree: Path) -> list[Path]:
    """Return the folders of the plugins, by name."""
    return sorted(file.parent for file in tree.glob("plugins/*/pyproject.toml"))


def stamp(tree: Path, release: Release) -> None:
    """Write version and commit into the tree; raise `ReleaseFault` if a place that names one is gone.

    Hub, plugins and client of a release have one version. The hub requires its generic plugin, without which it reads
    no webhook of its own API, and its extras name the plugins of the same release; both are written only here, because
    a checkout installs its plugins from their folders, and its lock files hold what comes from elsewhere.
    """
    version = release.version
    _write(tree / "hub/__init__.py", r'^__version__ = ".*"$', f'__version__ = "{version}"')
    _write(tree / "hub/__init__.py", r'^__commit__ = ".*"$', f'__commit__ = "{release.commit}"')
    _write(tree / CLIENT / "affiliate_hub_client/version.py", r'^__version__ = ".*"$', f'__version__ = "{version}"')
    _write(tree / "pyproject.toml", OWN, lambda found: f'"{found[1]}=={version}"')
    _write(tree / "pyproject.toml", r"^dependencies = \[$", f'dependencies = [\n    "hub-generic=={version}",')
    _stamp_clients(tree / "clients", version)
    for plugin in plugin_folders(tree):
        _write(plugin / "pyproject.toml", r'^version = ".*"$', f'version = "{version}"')


def _stamp_clients(clients: Path, version: str) -> None:
    """Write the version into the clients that are no wheels; npm and Composer write a development release otherwise."""
    semantic = re.sub(r"\.dev(\d+).*", r"-dev.\1", version)
    composed = semantic.replace("-dev.", "-dev")
    for folder in ("typescript", "n8n"):
        _write(clients / folder / "package.json", r'^  "version": ".*",$', f'  "version": "{semantic}",')
    _write(clients / "php/composer.json", r'^    "version": ".*",$', f'    "version": "{composed}",')
    _write(clients / "go/hub.go", r'^const Version = ".*"$', f'const Version = "{semantic}"')
    _write(clients / "csharp/src/Hub.cs", r'const string Version = ".*";$', f'const string Version = "{semantic}";')
    _write(clients / "csharp/AffiliateHub.csproj", r"<Version>.*</Version>$", f"<Version>{semantic}</Version>")
    agent = r"(affiliate-hub-(?:typescript|php))/[\w.]+"
    _write(clients / "typescript/src/caller.js", agent, rf"\g<1>/{semantic}")
    _write(clients / "php/src/Caller.php", agent, rf"\g<1>/{composed}")


def _write(file: Path, pattern: str, text: str | Callable[[re.Match[str]], str]) -> None:
    before = file.read_text("utf-8")
    after, count = re.subn(pattern, text, before, flags=re.MULTILINE)
    if not count:
        raise ReleaseFault(f"{file.name} has no line for the version: {pattern}.")
    file.write_text(after, "utf-8")
