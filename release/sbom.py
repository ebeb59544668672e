"""The bill of materials of a release (CycloneDX 1.6) and the list of licences.

What it names: the hub, its plugins, every release that `requirements/run.txt` pins with the digests that pip accepts,
and the two parts that no lock file pins because they come with the machine: Python and SQLite.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import re
import sqlite3
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from release.version import Release
from release.wheels import sha256

BILL, LICENCES = "sbom.cdx.json", "licences.txt"
PIN = re.compile(r"^(\S+?)==(\S+)(?: ; [^\\]*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)
CLASSIFIER = "License :: OSI Approved :: "
UNKNOWN = "not stated"


def write_bill(tree: Path, folder: Path, wheels: Iterable[Path], release: Release) -> None:
    """Write the bill and the licences; the licence of a pinned release is what its installed metadata says."""
    pinned = pinned_components((tree / "requirements/run.txt").read_text("utf-8"))
    own = [_own(wheel, release) for wheel in wheels]
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, release.commit)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(release.committed_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": own[0],
        },
        "components": [*own[1:], *_of_the_machine(), *pinned],
        "dependencies": [{"ref": own[0]["bom-ref"], "dependsOn": [each["bom-ref"] for each in pinned]}],
    }
    (folder / BILL).write_text(json.dumps(bill, indent=1) + "\n", "utf-8")
    named = sorted(f"{each['name']} {each['version']}: {_licence_of(each)}" for each in (*own, *pinned))
    (folder / LICENCES).write_text("\n".join(named) + "\n", "utf-8")


def pinned_components(locked: str) -> list[dict[str, Any]]:
    """Return a component for each release that a lock file pins, with every digest that it accepts."""
    return [
        _component(
            found[1],
            found[2],
            [{"alg": "SHA-256", "content": digest} for digest in re.findall(r"sha256:([0-9a-f]{64})", found[3])],
            licence_of(found[1]),
        )
        for found in PIN.finditer(locked)
    ]


def licence_of(name: str) -> str:
    """Return the licence that the installed distribution states: its expression, else its classifiers or free text."""
    try:
        stated = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:  # one that this machine's platform does not need
        return UNKNOWN
    if "License-Expression" in stated:
        return stated["License-Expression"]
    classified = [text.removeprefix(CLASSIFIER) for text in stated.get_all("Classifier") or [] if CLASSIFIER in text]
    text = next(iter(stated.get_all("License") or []), "")
    return " AND ".join(classified) or (text if text and "\n" not in text else UNKNOWN)


def _own(wheel: Path, release: Release) -> dict[str, Any]:
    name = wheel.name.partition("-")[0].replace("_", "-")
    return _component(name, release.version, [{"alg": "SHA-256", "content": sha256(wheel)}], "Apache-2.0")


def _component(name: str, version: str, hashes: list[dict[str, str]], licence: str) -> dict[str, Any]:
    purl = f"pkg:pypi/{name}@{version}"
    component = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl, "hashes": hashes}
    return component if licence == UNKNOWN else {**component, "licenses": [{"license": {"name": licence}}]}


def _licence_of(component: dict[str, Any]) -> str:
    stated: list[dict[str, dict[str, str]]] = component.get("licenses", [])
    return stated[0]["license"]["name"] if stated else UNKNOWN


def _of_the_machine() -> list[dict[str, Any]]:
    """Return Python and SQLite as they were where the release was made; `hub --version` names those of a hub."""
    note = "of the machine that made the release; an installation has its own, which hub --version names"
    return [
        {
            "type": kind,
            "bom-ref": f"{name}@{version}",
            "name": name,
            "version": version,
            "cpe": cpe,
            "description": note,
            "licenses": [{"license": {"name": licence}}],
        }
        for kind, name, version, cpe, licence in (
            (
                "platform",
                "Python",
                platform.python_version(),
                f"cpe:2.3:a:python:python:{platform.python_version()}:*:*:*:*:*:*:*",
                "PSF-2.0",
            ),
            (
                "library",
                "SQLite",
                sqlite3.sqlite_version,
                f"cpe:2.3:a:sqlite:sqlite:{sqlite3.sqlite_version}:*:*:*:*:*:*:*",
                "blessing",
            ),
        )
    ]
