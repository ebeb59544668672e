"""Run code of the documentation as a reader would."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "curl": ("sh",),
    "python": (sys.executable,),
    "javascript": ("node",),
    "php": ("php",),
    "go": ("go", "run"),
    "ruby": ("ruby",),
}
SUFFIXES: Final = {"curl": "sh", "python": "py", "javascript": "mjs", "php": "php", "go": "go", "ruby": "rb"}


def is_installed(language: str) -> bool:
    tools = (COMMANDS[language][0], *(("curl", "openssl") if language == "curl" else ()))
    return all(shutil.which(tool) for tool in tools)


def needs(language: str) -> None:
    """Skip, and say that the language's code was not run."""
    if not is_installed(language):
        pytest.skip(f"the {language} code of the documentation was not run: {COMMANDS[language][0]} is not installed")


async def run_code(text: str, language: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Run a program; return what it prints."""
    file = folder / f"code.{SUFFIXES[language]}"
    file.write_text(text, "utf-8")
    done = await asyncio.create_subprocess_exec(
        *COMMANDS[language],
        str(file),
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await asyncio.wait_for(done.communicate(), 300)
    assert done.returncode == 0, out.decode()
    return out.decode()
