"""Distributions with a plugin, written where a plugin host's process finds them, by PYTHONPATH."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest
from attrs import frozen

CONNECTOR = """
import os, re, signal, sys, threading, time
from decimal import Decimal
from attrs import frozen
from hub.api import *

def created(number, amount="10.00"):
    return OrderCreated(CREATED_KEY, number, Decimal(amount), None, None, None, (), None, None, None)

def misbehave(body, context):
    {body}

def of_order(body, context):
    if body.get("bad"):
        return misbehave(body, context)
    return [created(body["number"])]

@frozen
class Options:
    days: int = 0

@hookimpl
def hub_connectors():
    return [Connector(
        name="{name}", title="Hostile", translate_webhook=lambda kind, body, context: of_order(body, context),
        recognises=lambda body: "{name}" in body, rank=10, auth=HmacHeader("X-Hostile"), topic=FixedPlace("order"),
        topics=(Topic("order", dict, of_order),), options=Options, issues_secret=True,
        handshake=lambda headers, raw: raw == b"hello" or (raw == b"bad" and bool(misbehave({{}}, None))),
        package=lambda context: ("file.txt", context.url.encode()),
    )]
"""


@frozen
class Distributions:
    """A folder on the import path of every plugin host that is started from now on."""

    folder: Path

    def write(self, name: str, source: str, *, version: str = "1.0") -> str:
        """Install, or change, a distribution `hub-{name}` with one module; return "hub-name 1.0"."""
        module = f"hub_{name.replace('-', '_')}"
        (self.folder / f"{module}.py").write_text(dedent(source))
        for old in self.folder.glob(f"{module}-*.dist-info"):
            for file in old.iterdir():
                file.unlink()
            old.rmdir()
        info = self.folder / f"{module}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: hub-{name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[hub.plugins]\n{name} = {module}\n")
        return f"hub-{name} {version}"

    def hostile(self, body: str, *, name: str = "hostile") -> str:
        """Install a connector whose translation of a body with "bad" runs these statements."""
        return self.write(name, CONNECTOR.format(name=name, body=body))


def distributions_in(folder: Path, patch: pytest.MonkeyPatch) -> Distributions:
    """Return a folder for distributions that plugin hosts see, beside what is installed."""
    folder.mkdir(exist_ok=True)
    patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]))
    patch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # so that a module changed within a second is read anew
    return Distributions(folder)
