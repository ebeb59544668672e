"""The documents that come with the hub: the Markdown files of docs/ and the changelog."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen

_PACKAGE: Final = Path(__file__).resolve().parents[1]
CHANGELOG: Final = "changelog"

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Guides": ("api", "attribution", "refunds", "webhooks", "testing", "clients", "csv", "tokens", "mcp"),
    "Stores": ("connect-a-store", "capture", "merchants", "money", "people"),
    "Connectors": ("write-a-connector", "connector-api"),
    "Running a hub": (
        "install",
        "upgrade",
        "backup",
        "several-nodes",
        "large",
        "operator",
        "troubles",
        "security",
        "asvs",
        "guarantees",
        "performance",
    ),
    "Inside the hub": ("architecture", "a-conversion", "decisions", "pages", "lists", CHANGELOG),
}
"""The documents of each group of the menu, by their names; a document that is in none is in the last one."""


@frozen
class Document:
    """A document: `name` is its place under /docs, `title` its first heading, `source` its Markdown."""

    name: str
    title: str
    source: str

    @property
    def summary(self) -> str:
        """The first sentence of its first paragraph, without markup."""
        paragraphs = self.source.split("\n\n")[1:]
        first = next((each for each in paragraphs if re.match(r"[A-Z`*\[]", each)), "")
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(first.split())).replace("`", "").replace("*", "")
        return re.split(r"(?<=[.:])\s", plain, maxsplit=1)[0]


def docs_folder(package: Path = _PACKAGE) -> Path:
    """Return the folder of the documents: that of a checkout, else the copy in the installed package."""
    checkout = package.parent / "docs"
    return checkout if (checkout / "api.md").exists() else package / "_data" / "docs"


def changelog_file(package: Path = _PACKAGE) -> Path:
    """Return the changelog: that of a checkout, else the copy in the installed package."""
    checkout = package.parent / "CHANGELOG.md"
    return checkout if checkout.exists() else package / "_data" / "CHANGELOG.md"


@cache
def documents() -> Mapping[str, Document]:
    """Return every document by its name, read once."""
    files = {file.stem: file for file in sorted(docs_folder().glob("*.md"))} | {CHANGELOG: changelog_file()}
    return {name: _read(name, file) for name, file in files.items()}


def groups() -> Mapping[str, tuple[Document, ...]]:
    """Return the documents by their groups, in the order of the menu."""
    every = documents()
    placed = {name for names in GROUPS.values() for name in names}
    names = {group: [name for name in wanted if name in every] for group, wanted in GROUPS.items()}
    names["Inside the hub"] += [name for name in every if name not in placed]
    return {group: tuple(every[name] for name in members) for group, members in names.items()}


def _read(name: str, file: Path) -> Document:
    source = file.read_text("utf-8")
    heading = re.match(r"# (.*)", source)
    return Document(name, heading[1].strip() if heading else name, source)
