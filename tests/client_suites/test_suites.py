"""The clients' own suites, each against a real hub and a proxy that fails; and what they are generated from."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from attrs import frozen

from clients.generator.__main__ import CLIENTS, fresh_files
from hub.app import Hub
from hub.clock import system_clock
from hub.docs_site.documents import docs_folder
from hub.testing.clock import FakeClock
from tests.client_suites.faulty import faulty_proxy
from tests.served_hub import new_key, new_merchant


@frozen
class Suite:
    """The command that runs a client's tests in its folder."""

    folder: str
    command: tuple[str, ...]


GUIDE: Final = (docs_folder() / "clients.md").read_text("utf-8")
AUTOLOAD: Final = """<?php
spl_autoload_register(function ($name) {{
    require '{source}' . str_replace(['AffiliateHub', '\\\\'], ['', '/'], $name) . '.php';
}});
"""
SUITES: Final = {
    "Python": Suite("python", (sys.executable, "-m", "pytest", "-q", "-c", "pyproject.toml", "-p", "no:cacheprovider")),
    "TypeScript": Suite("typescript", ("node", "--test", "tests/client.test.js")),
    "PHP": Suite("php", ("php", "tests/run.php")),
}


async def run(command: tuple[str, ...], folder: Path, environment: Mapping[str, str]) -> str:
    """Run a command; return what it prints, which is also what a failure shows."""
    done = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await asyncio.wait_for(done.communicate(), 120)
    assert done.returncode == 0, out.decode()
    return out.decode()


def needs(language: str, program: str) -> None:
    """Skip, and say so, where the language is missing or too old."""
    if shutil.which(program) is None:
        pytest.skip(f"the {language} client was not tested: {program} is not installed")
    if program == "node":
        version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
        if int(version.lstrip("v").partition(".")[0]) < 20:
            pytest.skip(f"the {language} client was not tested: it needs Node 20, and this is {version.strip()}")


@pytest.mark.parametrize("language", SUITES)
async def test_the_suite_of_the_client_holds(hub: Hub, clock: FakeClock, language: str) -> None:
    """With a key that takes version 2 of the signature alone."""
    suite = SUITES[language]
    needs(language, suite.command[0])
    clock.advance(system_clock() - clock())
    key = await new_key(hub, clock, await new_merchant(hub, clock, approve=True), signature_version=2)
    async with faulty_proxy(hub.url) as faulty:
        known = {
            "HUB_BASE_URL": f"{hub.url}/api",
            "HUB_KEY": key.key_id,
            "HUB_SECRET": key.secret,
            "FAULTY_BASE_URL": f"{faulty}/api",
            "FAULTY_ROOT": faulty,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        await run(suite.command, CLIENTS / suite.folder, known)


SNIPPETS: Final = {"Python": ("python", "py"), "TypeScript": ("js", "mjs"), "PHP": ("php", "php")}


@pytest.mark.parametrize("language", SNIPPETS)
async def test_the_first_call_of_the_documentation_runs(
    hub: Hub, clock: FakeClock, language: str, tmp_path: Path
) -> None:
    """With the client installed as its package manager would: in node_modules, in vendor, in the environment."""
    command = SUITES[language].command[0]
    needs(language, command)
    clock.advance(system_clock() - clock())
    key = await new_key(hub, clock, await new_merchant(hub, clock, approve=True))
    fence, suffix = SNIPPETS[language]
    (snippet,) = re.findall(rf"^```{fence}\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    (tmp_path / f"first.{suffix}").write_text(snippet, "utf-8")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/affiliate-hub-client").symlink_to(CLIENTS / "typescript")
    (tmp_path / "vendor").mkdir()
    (tmp_path / "vendor/autoload.php").write_text(AUTOLOAD.format(source=CLIENTS / "php/src"), "utf-8")
    known = {"HUB_BASE_URL": f"{hub.url}/api", "HUB_KEY": key.key_id, "HUB_SECRET": key.secret}
    assert (await run((command, f"first.{suffix}"), tmp_path, known)).strip() == "RECEIVED"


def test_the_generated_files_are_fresh() -> None:
    """`python -m clients.generator` writes them."""
    fresh = fresh_files()
    assert [path for path, text in fresh.items() if (CLIENTS / path).read_text("utf-8") != text] == []
    bruno = {str(file.relative_to(CLIENTS)) for file in CLIENTS.glob("collections/bruno/**/*.*")}
    assert sorted(bruno - fresh.keys()) == []
