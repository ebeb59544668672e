"""The client packages that this hub serves: made of the sources beside it, with the same bytes wherever they are made.

A wheel for pip, a tarball for npm, and archives for Composer, Go and C#, each of the version that speaks this hub's
API. The sources are those of a checkout, else the copy in the installed package.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import tarfile
import tomllib
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen

_PACKAGE: Final = Path(__file__).resolve().parents[1]
EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive: the earliest that a zip can name."""
NOT_PACKED: Final = frozenset({"tests", "__pycache__", "node_modules", "bin", "obj"})
WHEEL: Final = b"Wheel-Version: 1.0\nGenerator: affiliate-hub\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
SUMS: Final = "SHA256SUMS"


@frozen
class ClientPackage:
    """A package as it is downloaded; `language` is whose it is."""

    name: str
    language: str
    content_type: str
    body: bytes

    @property
    def sha256(self) -> str:
        """The digest of its bytes, in hex."""
        return hashlib.sha256(self.body).hexdigest()


def clients_folder(package: Path = _PACKAGE) -> Path:
    """Return the folder of the clients' sources: that of a checkout, else the copy in the installed package."""
    checkout = package.parent / "clients"
    return checkout if (checkout / "python").is_dir() else package / "_data" / "clients"


@cache
def client_packages() -> Mapping[str, ClientPackage]:
    """Return the packages by their names, made once."""
    folder = clients_folder()
    made = (
        _wheel(folder / "python"), _tarball(folder / "typescript"), _archive(folder / "php"), _modules(folder / "go"),
        _project(folder / "csharp"),
    )  # fmt: skip
    return {each.name: each for each in made}


def sums() -> str:
    """Return the sums of the packages, as `sha256sum --check` reads them."""
    return "".join(f"{each.sha256}  {each.name}\n" for each in client_packages().values())


def _files(folder: Path) -> dict[str, bytes]:
    """Return the files that a package holds, by their paths, sorted."""
    inside = (file.relative_to(folder) for file in sorted(folder.rglob("*")) if file.is_file())
    kept = [path for path in inside if not NOT_PACKED & set(path.parts) and path.suffix != ".pyc"]
    return {path.as_posix(): (folder / path).read_bytes() for path in kept}


def _wheel(folder: Path) -> ClientPackage:
    """Return the wheel of the Python client (PEP 427), of its metadata (PEP 621)."""
    files = _files(folder)
    project = tomllib.loads(files["pyproject.toml"].decode())["project"]
    (version,) = re.findall(r'__version__ = "(.*)"', files["affiliate_hub_client/version.py"].decode())
    about = f"affiliate_hub_client-{version}.dist-info"
    metadata = [
        "Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version}",
        f"Summary: {project['description']}", f"License-Expression: {project['license']}", "License-File: LICENSE",
        *(f"Classifier: {each}" for each in project["classifiers"]), f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {each}" for each in project["dependencies"]), "Description-Content-Type: text/markdown", "",
        files["README.md"].decode(),
    ]  # fmt: skip
    content = {name: body for name, body in files.items() if name.startswith("affiliate_hub_client/")}
    content[f"{about}/METADATA"] = "\n".join(metadata).encode()
    content[f"{about}/WHEEL"] = WHEEL
    content[f"{about}/licenses/LICENSE"] = files["LICENSE"]
    record = [f"{name},sha256={_base64(body)},{len(body)}" for name, body in content.items()]
    content[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,", ""]).encode()
    return ClientPackage(f"affiliate_hub_client-{version}-py3-none-any.whl", "Python", "application/zip", _zip(content))


def _base64(body: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(body).digest()).decode().rstrip("=")


def _tarball(folder: Path) -> ClientPackage:
    """Return the TypeScript client as npm packs it: everything in a folder named package."""
    files = _files(folder)
    manifest = json.loads(files["package.json"])
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, body in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mode = len(body), 0o644
            archive.addfile(entry, io.BytesIO(body))
    body = gzip.compress(packed.getvalue(), mtime=0)
    return ClientPackage(f"{manifest['name']}-{manifest['version']}.tgz", "TypeScript", "application/gzip", body)


def _archive(folder: Path) -> ClientPackage:
    """Return the PHP client as Composer's repositories of archives take it."""
    files = _files(folder)
    manifest = json.loads(files["composer.json"])
    name = f"{manifest['name'].replace('/', '-')}-{manifest['version']}.zip"
    return ClientPackage(name, "PHP", "application/zip", _zip(files))


def _modules(folder: Path) -> ClientPackage:
    """Return the Go client, to be unpacked beside a program: a module's folder as it is."""
    files = {name: body for name, body in _files(folder).items() if not name.endswith("_test.go")}
    (version,) = re.findall(r'const Version = "(.*)"', files["hub.go"].decode())
    return ClientPackage(f"affiliatehub-go-{version}.zip", "Go", "application/zip", _zip(files))


def _project(folder: Path) -> ClientPackage:
    """Return the C# client, to be named by a project beside it."""
    files = _files(folder)
    (version,) = re.findall(r"<Version>(.*)</Version>", files["AffiliateHub.csproj"].decode())
    return ClientPackage(f"affiliate-hub-csharp-{version}.zip", "C#", "application/zip", _zip(files))


def _zip(content: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in content.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, body, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
