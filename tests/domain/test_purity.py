"""The domain stays pure: it imports the standard library, attrs and itself, and reaches for nothing outside."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import hub.domain

FOLDER = Path(hub.domain.__file__).parent
FILES = sorted(FOLDER.glob("**/*.py"))

# Part of the standard library, but a way to the clock, to chance, to the disk, to the network or to other processes.
REACHES_OUT = {
    *("asyncio", "concurrent", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil"),
    *("signal", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading", "time", "uuid", "http"),
}
FORBIDDEN_NAMES = {"open", "print", "input", "exec", "eval", "__import__"}
FORBIDDEN_METHODS = {"now", "utcnow", "today"}


def impurities(source: str) -> Iterator[str]:
    """Give every import and every name that a pure module may not have."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if not is_pure(alias.name))
        elif isinstance(node, ast.ImportFrom) and (node.level or not is_pure(node.module or "")):
            yield f"{'.' * node.level}{node.module or ''}"
        elif isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES:
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr in FORBIDDEN_METHODS:
            yield node.attr


def is_pure(module: str) -> bool:
    """Tell whether the domain may import a module: an allow-list, so that anything new has to be thought about."""
    root = module.partition(".")[0]
    if root == "hub":
        return module == "hub.domain" or module.startswith("hub.domain.")
    return root == "attrs" or (
        root in sys.stdlib_module_names and root not in REACHES_OUT and module != "urllib.request"
    )


def test_every_domain_module_is_pure() -> None:
    found = {str(file.relative_to(FOLDER)): [*impurities(file.read_text())] for file in FILES}
    assert {file: impure for file, impure in found.items() if impure} == {}
    assert len(found) > 50


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import aiohttp", "aiohttp"),
        ("import orjson as json", "orjson"),
        ("from uuid_utils import uuid7", "uuid_utils"),
        ("from hub.clock import system_clock", "hub.clock"),
        ("from hub import clock", "hub"),
        ("from . import money", "."),
        ("import hub.domain_of_others", "hub.domain_of_others"),
        ("def f():\n    import time", "time"),
        ("import urllib.request", "urllib.request"),
        ("import os.path", "os.path"),
        ("open('/etc/passwd')", "open"),
        ("from datetime import datetime\ndatetime.now()", "now"),
    ],
)
def test_control_the_check_sees_what_is_impure(source: str, found: str) -> None:
    assert list(impurities(source)) == [found]


def test_control_the_check_sees_the_modules_at_all() -> None:
    assert {file.stem for file in FILES} >= {"money", "facts", "attribution", "commission", "lifecycle", "refunds"}
