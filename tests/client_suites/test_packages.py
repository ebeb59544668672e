"""The clients are built as their registries would take them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from clients.generator.__main__ import CLIENTS


def output_of(*command: str, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def versions() -> set[str]:
    packages = ("typescript/package.json", "php/composer.json")
    return {
        *(json.loads((CLIENTS / name).read_text("utf-8"))["version"] for name in packages),
        *(found_in("python/affiliate_hub_client/version.py", r'__version__ = "(.*)"')),
        *(found_in("typescript/src/caller.js", r'USER_AGENT = "affiliate-hub-typescript/(.*)"')),
        *(found_in("csharp/AffiliateHub.csproj", r"<Version>(.*)</Version>")),
        *(found_in("csharp/src/Hub.cs", r'const string Version = "(.*)"')),
        *(found_in("go/hub.go", r'const Version = "(.*)"')),
        *(found_in("php/src/Caller.php", r"USER_AGENT = 'affiliate-hub-php/(.*)'")),
    }


def found_in(name: str, pattern: str) -> list[str]:
    found = re.findall(pattern, (CLIENTS / name).read_text("utf-8"))
    assert found, name
    return found


def test_the_clients_and_what_they_call_themselves_have_one_version() -> None:
    assert len(versions()) == 1
    licence = (CLIENTS.parent / "LICENSE").read_text("utf-8")
    for name in ("python", "typescript", "php", "go", "csharp"):
        assert (CLIENTS / name / "README.md").read_text("utf-8").startswith("# ")
        assert (CLIENTS / name / "LICENSE").read_text("utf-8") == licence


@pytest.mark.prove
def test_the_python_package_is_built_typed_and_with_its_licence(tmp_path: Path) -> None:
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path), ".")
    output_of(*build, folder=CLIENTS / "python")
    (wheel,), (source,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    names = zipfile.ZipFile(wheel).namelist()
    assert "affiliate_hub_client/py.typed" in names
    assert [name for name in names if name.endswith("LICENSE")]
    with tarfile.open(source) as packed:
        assert [name for name in packed.getnames() if name.endswith("README.md")]
    twine = shutil.which("twine")
    if twine is not None:
        output_of(twine, "check", "--strict", str(wheel), str(source), folder=tmp_path)


def test_the_npm_package_holds_its_sources_and_types() -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("the TypeScript package was not packed: npm is not installed")
    (packed,) = json.loads(output_of(npm, "pack", "--dry-run", "--json", folder=CLIENTS / "typescript"))
    names = {file["path"] for file in packed["files"]}
    assert {"package.json", "README.md", "LICENSE", "src/index.js", "src/index.d.ts", "src/types.d.ts"} <= names
    assert [name for name in names if "test" in name] == []


def test_the_composer_package_is_valid() -> None:
    manifest = json.loads((CLIENTS / "php/composer.json").read_text("utf-8"))
    assert set(manifest["require"]) == {"php", "ext-json"}
    composer = shutil.which("composer")
    if composer is None:
        pytest.skip("composer.json was not validated: composer is not installed")
    output_of(composer, "validate", "--strict", "--no-check-version", folder=CLIENTS / "php")
