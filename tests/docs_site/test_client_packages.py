"""The hub serves its own client packages: each installs as a user would, and is what its checksum says."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.metadata import Metadata

from hub.app import Hub
from hub.docs_site.client_packages import SUMS, client_packages, clients_folder
from tests.client_suites.test_suites import MONO_HTTP
from tests.served_hub import Api


async def output_of(*command: str, folder: Path, **environment: str) -> str:
    done = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env={**os.environ, **environment}, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    out, _ = await asyncio.wait_for(done.communicate(), 300)
    assert done.returncode == 0, out.decode()
    return out.decode()


def package_of(language: str) -> str:
    return next(name for name, each in client_packages().items() if each.language == language)


async def test_each_is_served_with_its_checksum_and_named_on_the_page(hub: Hub, api: Api) -> None:
    async with api.session.get(f"/docs/clients/{SUMS}") as reply:
        listed = dict(line.split("  ")[::-1] for line in (await reply.text()).splitlines())
    async with api.session.get("/docs/clients") as reply:
        page = await reply.text()
    assert listed.keys() == client_packages().keys()
    for name, digest in listed.items():
        async with api.session.get(f"/docs/clients/{name}") as reply:
            assert reply.status == 200
            assert hashlib.sha256(await reply.read()).hexdigest() == digest
        assert f'href="/docs/clients/{name}"' in page
        assert digest in page
    async with api.session.get("/docs/clients/other.whl") as reply:
        assert reply.status == 404


@pytest.mark.prove
async def test_the_wheel_installs_from_the_hub_alone(hub: Hub, tmp_path: Path) -> None:
    """Into a folder of its own, without an index; pip checks the record, and the client says its version."""
    address = f"{hub.url}/docs/clients/{package_of('Python')}"
    install = (sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", str(tmp_path / "here"))
    await output_of(*install, "--disable-pip-version-check", address, folder=tmp_path, PIP_NO_INPUT="1")
    program = "import affiliate_hub_client as c; print(c.__file__, c.__version__)"
    said = await output_of(sys.executable, "-c", program, folder=tmp_path, PYTHONPATH=str(tmp_path / "here"))
    assert str(tmp_path / "here") in said
    assert said.split()[-1] in address
    wheel = zipfile.ZipFile(clients_wheel(tmp_path))
    (name,) = (each for each in wheel.namelist() if each.endswith("METADATA"))
    metadata = Metadata.from_email(wheel.read(name), validate=True)
    assert (metadata.name, str(metadata.version)) == ("affiliate-hub-client", said.split()[-1])
    assert [requirement.name for requirement in metadata.requires_dist or ()] == ["httpx"]


def clients_wheel(folder: Path) -> Path:
    file = folder / package_of("Python")
    file.write_bytes(client_packages()[file.name].body)
    return file


@pytest.mark.prove
async def test_the_tarball_installs_by_npm(hub: Hub, tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("the TypeScript package was not installed: npm is not installed")
    address = f"{hub.url}/docs/clients/{package_of('TypeScript')}"
    (tmp_path / "package.json").write_text(json.dumps({"name": "shop", "type": "module", "version": "1.0.0"}), "utf-8")
    await output_of(npm, "install", "--no-audit", "--no-fund", "--prefer-offline", address, folder=tmp_path)
    for name, module in (("Hub", ""), ("OperatorsHub", "/operators"), ("AffiliatesHub", "/affiliates")):
        program = (
            f'import {{ {name} }} from "affiliate-hub-client{module}"; console.log(typeof {name}.fromEnvironment);'
        )
        assert "function" in await output_of("node", "--input-type=module", "-e", program, folder=tmp_path)


async def test_the_archive_needs_nothing_but_its_autoloader(tmp_path: Path) -> None:
    php = shutil.which("php")
    if php is None:
        pytest.skip("the PHP package was not tried: php is not installed")
    package = client_packages()[package_of("PHP")]
    (tmp_path / "client.zip").write_bytes(package.body)
    zipfile.ZipFile(tmp_path / "client.zip").extractall(tmp_path / "client")
    program = "require 'client/autoload.php'; echo get_class(new AffiliateHub\\Hub('http://h/api', 'k', 's'));"
    assert await output_of(php, "-r", program, folder=tmp_path) == "AffiliateHub\\Hub"


async def test_the_archive_is_a_repository_of_composers(tmp_path: Path) -> None:
    """Unpacked beside a shop that names the folder, without Packagist; the shop's own autoloader has it then."""
    composer = shutil.which("composer")
    if composer is None:
        pytest.skip("the PHP package was not installed by Composer: composer is not installed")
    zipfile.ZipFile(io.BytesIO(client_packages()[package_of("PHP")].body)).extractall(tmp_path / "affiliate-hub")
    readme = (tmp_path / "affiliate-hub/README.md").read_text("utf-8")
    (manifest,) = re.findall(r"^```json\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    named = json.loads(manifest)
    named["repositories"] += [{"packagist.org": False}]
    (tmp_path / "composer.json").write_text(json.dumps(named), "utf-8")
    await output_of(composer, "install", "--no-interaction", folder=tmp_path, COMPOSER_HOME=str(tmp_path / "home"))
    program = "require 'vendor/autoload.php'; echo get_class(new AffiliateHub\\Hub('http://h/api', 'k', 's'));"
    assert await output_of("php", "-r", program, folder=tmp_path) == "AffiliateHub\\Hub"


@pytest.mark.prove
async def test_the_go_module_is_named_by_a_program_beside_it(tmp_path: Path) -> None:
    """Unpacked as the README says, and compiled into a program without a network."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("the Go package was not tried: go is not installed")
    package = client_packages()[package_of("Go")]
    zipfile.ZipFile(io.BytesIO(package.body)).extractall(tmp_path / "affiliatehub")
    readme = (tmp_path / "affiliatehub/README.md").read_text("utf-8")
    (names,) = re.findall(r"^```\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    (program,) = re.findall(r"^```go\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    (tmp_path / "go.mod").write_text(f"module shop\n\ngo 1.19\n\n{names}", "utf-8")
    (tmp_path / "main.go").write_text(program, "utf-8")
    await output_of(go, "build", "-o", "shop", ".", folder=tmp_path, GOPROXY="off", GOFLAGS="-mod=mod")
    done = await asyncio.create_subprocess_exec(
        tmp_path / "shop", env={"HUB_BASE_URL": "http://h/api"}, stderr=asyncio.subprocess.PIPE
    )
    _, said = await done.communicate()
    assert b"Set HUB_KEY and HUB_SECRET:" in said


@pytest.mark.prove
async def test_the_sources_in_csharp_compile_with_a_program(tmp_path: Path) -> None:
    """Unpacked as the README says, with its program; by Mono's compiler, which takes version 7 of the language."""
    if shutil.which("mcs") is None or shutil.which("mono") is None or not MONO_HTTP.exists():
        pytest.skip("the C# package was not tried: mono-mcs with its System.Net.Http is not installed")
    package = client_packages()[package_of("C#")]
    zipfile.ZipFile(io.BytesIO(package.body)).extractall(tmp_path / "hub")
    readme = (tmp_path / "hub/README.md").read_text("utf-8")
    (program,) = re.findall(r"^```csharp\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    (tmp_path / "First.cs").write_text(program, "utf-8")
    sources = [str(each) for each in (tmp_path / "hub/src").glob("*.cs")]
    compiled = ("mcs", "-langversion:7", "-r:System.Net.Http.dll", "-out:first.exe", "First.cs", *sources)
    await output_of(*compiled, folder=tmp_path)
    done = await asyncio.create_subprocess_exec(
        "mono", tmp_path / "first.exe", env={"HUB_BASE_URL": "http://h/api"}, stderr=asyncio.subprocess.PIPE
    )
    _, said = await done.communicate()
    assert b"Set HUB_KEY and HUB_SECRET:" in said


def test_they_are_made_of_the_sources_and_hold_no_tests() -> None:
    """The same bytes each time: the control is that another source gives other bytes."""
    once = {name: each.sha256 for name, each in client_packages().items()}
    client_packages.cache_clear()
    assert {name: each.sha256 for name, each in client_packages().items()} == once
    names = zipfile.ZipFile(io.BytesIO(client_packages()[package_of("Python")].body)).namelist()
    assert [name for name in names if re.search("test", name)] == []
    assert (clients_folder() / "python/affiliate_hub_client/py.typed").exists()
