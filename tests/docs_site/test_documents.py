"""The documents: each can be found, its links lead somewhere, and every error code has its paragraph."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from functools import cache
from pathlib import Path

import orjson
import pytest

from hub.config.settings import load_settings
from hub.docs_site.documents import changelog_file, docs_folder, documents, groups
from hub.docs_site.markdown import Rendered, code_html, prose, rendered
from hub.docs_site.search import IndexedPlace, SearchIndex
from hub.docs_site.site import Site, html_of, site_of
from hub.docs_site.snippets import token_call
from hub.pages.docs import error_codes as explained_codes
from hub.pages.routes import all_pages
from hub.token_api.routes import descriptions
from tests.merchant_api.test_guide import error_codes
from tests.openapi_documents import document_of, merchant_operations

ROOT = Path(__file__).resolve().parents[2]


@cache
def site() -> Site:
    """The site of a hub with the usual settings."""
    token_apis = {kind: orjson.loads(raw) for kind, raw in descriptions(load_settings(None, {}).server).items()}
    return site_of(document_of("merchant"), token_apis)


def test_every_file_of_the_folder_is_in_the_menu_once() -> None:
    shown = [document.name for members in groups().values() for document in members]
    assert sorted(shown) == sorted([*(file.stem for file in docs_folder().glob("*.md")), "changelog"])


def test_every_error_code_has_a_paragraph() -> None:
    """An error's docUrl is /docs/errors#code."""
    codes = error_codes()
    assert len(codes) > 30
    assert codes <= set(explained_codes())


def targets() -> set[str]:
    anchors = {
        f"/docs/{name}#{section.anchor}" for name in documents() for section in html_of(name).sections if section.anchor
    }
    operations = {operation.address for operation in site().operations.values()}
    return {*anchors, *operations, *(address.partition("#")[0] for address in (*anchors, *operations))}


@pytest.mark.parametrize("name", sorted(documents()))
def test_every_link_leads_somewhere(name: str) -> None:
    known = targets() | {page.path for page in all_pages()} | {"/capture", "/capture.js"}
    known |= {"/api/v1/openapi.json", "/api/v1/openapi-3.1.json"}
    links = re.findall(r'href="([^"]*)"', html_of(name).html)
    own = [f"/docs/{name}{link}" if link.startswith("#") else link for link in links if not link.startswith("http")]
    assert [link for link in own if link not in known] == []


def test_control_a_wrong_anchor_is_no_target() -> None:
    assert "/docs/api#signing" in targets()
    assert "/docs/api#singing" not in targets()


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", "[x](javascript:alert(1))", "![x](data:text/html,1)", "`<img src=x>`"]
)
def test_markup_is_shown_as_text(hostile: str) -> None:
    html = str(rendered(f"# T\n\n{hostile}\n", frozenset()).html) + str(prose(hostile)) + str(code_html(hostile, "x"))
    assert "<script" not in html
    assert "<img src=x" not in html
    assert "javascript:" not in re.findall(r'href="([^"]*)"', html)


def test_an_installed_hub_finds_its_documents_in_its_package(tmp_path: Path) -> None:
    """The wheel has them where the code looks for them."""
    package = tmp_path / "site-packages" / "hub"
    assert docs_folder(package) == package / "_data" / "docs"
    assert changelog_file(package) == package / "_data" / "CHANGELOG.md"
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    packed = build["targets"]["wheel"]["force-include"]
    assert (packed["docs"], packed["CHANGELOG.md"]) == ("hub/_data/docs", "hub/_data/CHANGELOG.md")


def test_the_reference_has_every_operation_and_begins_with_the_main_job() -> None:
    names = [each.name for each in merchant_operations()]
    described = [
        each["operationId"] for methods in document_of("merchant")["paths"].values() for each in methods.values()
    ]
    assert sorted(names) == sorted(described)
    assert names[0] == "reportConversion"


def test_fields_are_told_with_their_types_limits_and_choices() -> None:
    fields = {field.name: field for field in site().operations["reportConversion"].body_fields}
    assert fields["externalOrderId"].required
    assert "at most 160 characters" in fields["externalOrderId"].notes
    assert "confirmed" in fields["orderStatus"].choices
    (products,) = site().operations["importProducts"].body_fields
    assert "price" in {field.name for field in products.fields}
    explanation = {field.name: field for field in site().operations["getEvent"].answers[0].fields}["explanation"]
    assert "attribution" in {field.name for field in explanation.fields}


def test_the_calls_with_tokens_are_commands_that_send_json() -> None:
    operations = [
        each for api in site().token_apis.values() for group in api.groups.values() for each in group.operations
    ]
    assert len(operations) > 100
    for operation in operations:
        words = shlex.split(token_call(operation).replace("\\\n", " "))
        assert words[:4] == ["curl", "--fail-with-body", "-X", operation.method]
        assert words[4] == f"$HUB_API{operation.target}"
        assert ("--data" in words) == bool(operation.body_fields)
        assert "--data" not in words or isinstance(json.loads(words[words.index("--data") + 1]), dict)


class TestSearch:
    def test_documents_are_rendered_for_it_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whoever opens the first page of a new process waits for its own document, not for all of them."""
        rendered_names: list[str] = []

        def noted(name: str) -> Rendered:
            rendered_names.append(name)
            return html_of(name)

        monkeypatch.setattr("hub.docs_site.site.html_of", noted)
        made = site_of(document_of("merchant"), {})
        assert rendered_names == []
        assert made.index.find("refund") != []
        assert sorted(rendered_names) == sorted(documents())

    def test_what_is_asked_for_comes_first(self) -> None:
        assert site().index.find("refund")[0].address.startswith(("/docs/refunds", "/docs/reference/webhooks"))
        assert site().index.find("signature_replayed")[0].address == "/docs/errors#signature_replayed"
        assert any(each.address.endswith("#reportConversion") for each in site().index.find("report an order"))

    @pytest.mark.parametrize(
        "asked", ['a"b', "x-y AND (", "", "*", "'; DROP TABLE entries", "NEAR(", "\x00", "ünï" * 90]
    )
    def test_no_text_is_an_error(self, asked: str) -> None:
        assert isinstance(site().index.find(asked), list)

    def test_what_is_found_is_escaped(self) -> None:
        index = SearchIndex([IndexedPlace("/x", "page", "title", "before <b>needle</b> after")])
        assert str(index.find("needle")[0].excerpt) == "before &lt;b&gt;<mark>needle</mark>&lt;/b&gt; after"
