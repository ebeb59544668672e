"""`hub docs`: the documentation as files that need no hub."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from hub.docs_site.documents import documents
from hub.docs_site.static_pages import as_file, file_of
from tests.cli.conftest import Operator

HUB = "https://hub.example.com"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, written once."""
    place = tmp_path_factory.mktemp("site")
    operator = Operator(f"sqlite:///{place / 'none.db'}")
    written = operator.do("docs", str(place / "docs"), "--hub", HUB)
    assert written["files"] == len([file for file in (place / "docs").rglob("*") if file.is_file()])
    assert not (place / "none.db").exists(), "the hub's own database is not asked"
    return place / "docs"


def test_every_document_is_there_and_every_link_leads_to_a_file(folder: Path) -> None:
    """In pages and in the stylesheets: each relative address is one of the files, whatever folder they are in."""
    assert {f"{name}.html" for name in documents()} <= {file.name for file in (folder / "docs").iterdir()}
    files = {each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()}
    links = 0
    for file in sorted(each for each in files if each.endswith((".html", ".css"))):
        text, place = (folder / file).read_text(), posixpath.dirname(file)
        assert "/docs/search" not in text
        assert not re.search(r'(?:href|src)="/|url\("/', text), file
        for target in set(re.findall(r'(?:\b(?:href|src)="|url\(")([^"]*)"', text)):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            links += 1
            assert posixpath.normpath(posixpath.join(place, unquote(parts.path))) in files, (file, target)
    assert links > 1_000


def test_what_is_elsewhere_leads_to_the_hub(folder: Path) -> None:
    assert f'href="{HUB}/' in (folder / "docs/index.html").read_text()
    assert HUB in (folder / "llms.txt").read_text()


def test_addresses_are_relative_to_where_a_page_is() -> None:
    page = '<a href="/docs/api#signing">a</a><a href="/login">b</a><link href="/static/hub.css?v=1">'
    assert as_file(page, "/docs/reference/orders", HUB) == (
        f'<a href="../api.html#signing">a</a><a href="{HUB}/login">b</a><link href="../../static/hub.css">'
    )
    assert [file_of(path) for path in ("/docs", "/docs/api", "/docs/api.md")] == [
        "docs/index.html", "docs/api.html", "docs/api.md"
    ]  # fmt: skip


def test_a_folder_with_something_in_it_is_left_alone(folder: Path, operator: Operator) -> None:
    assert "is not empty" in operator.refused("docs", str(folder))
