"""The clients' own suites, each against a real hub and a proxy that fails; and what they are generated from."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from attrs import frozen

from clients.generator.__main__ import CLIENTS, fresh_files
from hub.app import Hub
from hub.clock import system_clock
from hub.testing.clock import FakeClock
from tests.client_suites.faulty import faulty_proxy
from tests.served_hub import new_key, new_merchant


@frozen
class Suite:
    """The command that runs a client's tests in its folder."""

    folder: str
    command: tuple[str, ...]


SUITES: Final = {
    "Python": Suite("python", (sys.executable, "-m", "pytest", "-q", "-c", "pyproject.toml", "-p", "no:cacheprovider")),
    "TypeScript": Suite("typescript", ("node", "--test", "tests/")),
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


@pytest.mark.parametrize("language", SUITES)
async def test_the_suite_of_the_client_holds(hub: Hub, clock: FakeClock, language: str) -> None:
    suite = SUITES[language]
    if shutil.which(suite.command[0]) is None:
        pytest.skip(f"the {language} client was not tested: {suite.command[0]} is not installed")
    clock.advance(system_clock() - clock())
    key = await new_key(hub, clock, await new_merchant(hub, clock, approve=True))
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


def test_the_generated_files_are_fresh() -> None:
    """`python -m clients.generator` writes them."""
    fresh = fresh_files()
    assert [path for path, text in fresh.items() if (CLIENTS / path).read_text("utf-8") != text] == []
    bruno = {str(file.relative_to(CLIENTS)) for file in CLIENTS.glob("collections/bruno/**/*.*")}
    assert sorted(bruno - fresh.keys()) == []
