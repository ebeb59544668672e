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
from hub.operations.affiliates.affiliates import create_affiliate
from hub.testing.clock import FakeClock
from tests.client_suites.faulty import faulty_proxy
from tests.served_hub import new_key, new_merchant
from tests.token_api.callers import token

pytestmark = pytest.mark.prove  # a story that takes seconds


@frozen
class Suite:
    """The command that runs a client's tests in its folder."""

    folder: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = {}


GUIDE: Final = (docs_folder() / "clients.md").read_text("utf-8")
AUTOLOAD: Final = """<?php
spl_autoload_register(function ($name) {{
    require '{source}' . str_replace(['AffiliateHub', '\\\\'], ['', '/'], $name) . '.php';
}});
"""
GUZZLE: Final = Path("/usr/share/php/GuzzleHttp/autoload.php")
"""Where Debian's php-guzzlehttp-guzzle is."""
MONO_HTTP: Final = Path("/usr/lib/mono/4.5/System.Net.Http.dll")
"""Where Debian's libmono-system-net-http4.0-cil is, which mono-mcs does not bring."""
SUITES: Final = {
    "Python": Suite("python", (sys.executable, "-m", "pytest", "-q", "-c", "pyproject.toml", "-p", "no:cacheprovider")),
    "TypeScript": Suite("typescript", ("node", "--test", "tests/client.test.js")),
    "PHP": Suite("php", ("php", "tests/run.php")),
    "PHP by PSR-18, a small client": Suite("php", ("php", "tests/run.php"), {"PSR18": "small"}),
    "PHP by PSR-18, Guzzle": Suite("php", ("php", "tests/run.php"), {"PSR18": str(GUZZLE)}),
    "Go": Suite("go", ("go", "test", "-count=1", "./...")),
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
    out, _ = await asyncio.wait_for(done.communicate(), 300)
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


def csharp_command(folder: Path) -> tuple[str, ...]:
    """The command that runs the tests in C#: by .NET, or by Mono, with which they are compiled first."""
    sources, vectors = CLIENTS / "csharp", str(CLIENTS / "vectors.json")
    if shutil.which("dotnet") is not None:
        return ("dotnet", "run", "--artifacts-path", str(folder), "--project", str(sources / "tests"), "--", vectors)
    if shutil.which("mcs") is None or shutil.which("mono") is None or not MONO_HTTP.exists():
        pytest.skip("the C# client was not tested: neither dotnet nor mono-mcs with its System.Net.Http is installed")
    files = [*sources.glob("src/*.cs"), *sources.glob("tests/*.cs")]
    made = folder / "tests.exe"
    done = subprocess.run(
        ["mcs", "-langversion:7", "-warnaserror+", "-r:System.Net.Http.dll", f"-out:{made}", *files],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return ("mono", str(made), vectors)


@pytest.mark.parametrize(
    "language",
    [each if each.startswith("PHP") else pytest.param(each, marks=pytest.mark.prove) for each in (*SUITES, "C#")],
)
async def test_the_suite_of_the_client_holds(hub: Hub, clock: FakeClock, language: str, tmp_path: Path) -> None:
    """With a key that takes version 2 of the signature alone."""
    suite = SUITES[language] if language in SUITES else Suite("csharp", csharp_command(tmp_path))
    needs(language, suite.command[0])
    if str(GUZZLE) in suite.environment.values() and not GUZZLE.exists():
        pytest.skip("the PHP client was not tested by Guzzle: php-guzzlehttp-guzzle is not installed")
    clock.advance(system_clock() - clock())
    key = await new_key(hub, clock, await new_merchant(hub, clock, approve=True), signature_version=2)
    blog = await create_affiliate(hub.parts.store, clock, name=language, email=f"{key.key_id}@blog.example")
    tokens = {
        "MERCHANT_TOKEN": await token(hub, clock, "orders:write", merchant=key.merchant_id, mode="test"),
        "OPERATOR_TOKEN": await token(hub, clock, "admin:write"),
        "AFFILIATE_TOKEN": await token(hub, clock, "affiliate:read", affiliate=blog.id),
    }
    async with faulty_proxy(hub.url) as faulty:
        known = {
            "HUB_BASE_URL": f"{hub.url}/api",
            "HUB_KEY": key.key_id,
            "HUB_SECRET": key.secret,
            "FAULTY_BASE_URL": f"{faulty}/api",
            "FAULTY_ROOT": faulty,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "GOFLAGS": "-mod=readonly",
            **tokens,
            **suite.environment,
        }
        await run(suite.command, CLIENTS / suite.folder, known)


SNIPPETS: Final = {
    "Python": ("python", "py"), "TypeScript": ("js", "mjs"), "PHP": ("php", "php"), "Go": ("go", "go")
}  # fmt: skip
STARTS: Final = {"Go": ("go", "run", "-mod=mod", ".")}
"""The commands that start a program, where that is not the language's name with the file's."""


@pytest.mark.prove
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
    named = f"require hub.example/affiliatehub v0.0.0\nreplace hub.example/affiliatehub => {CLIENTS / 'go'}\n"
    (tmp_path / "go.mod").write_text(f"module shop\ngo 1.19\n{named}", "utf-8")
    known = {"HUB_BASE_URL": f"{hub.url}/api", "HUB_KEY": key.key_id, "HUB_SECRET": key.secret, "GOPROXY": "off"}
    start = STARTS.get(language, (command, f"first.{suffix}"))
    assert (await run(start, tmp_path, known)).strip() == "RECEIVED"


def test_the_generated_files_are_fresh() -> None:
    """`python -m clients.generator` writes them."""
    fresh = fresh_files()
    assert [path for path, text in fresh.items() if (CLIENTS / path).read_text("utf-8") != text] == []
    bruno = {str(file.relative_to(CLIENTS)) for file in CLIENTS.glob("collections/bruno/**/*.*")}
    assert sorted(bruno - fresh.keys()) == []
