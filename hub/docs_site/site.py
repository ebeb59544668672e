"""The whole documentation as its pages show it, made once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, Final

from attrs import frozen
from markupsafe import Markup

from hub.docs_site.documents import Document, documents
from hub.docs_site.documents import groups as document_groups
from hub.docs_site.markdown import Rendered, code_html, rendered
from hub.docs_site.reference import PLACE, Group, Operation, groups_of
from hub.docs_site.search import SearchIndex, operation_entries, section_entries
from hub.docs_site.snippets import LANGUAGES, call, program, signer, token_call

WEIGHTS: Final = {"Guides": 2.0, "Stores": 1.5}
"""What most readers look for comes before what is about the inside of the hub."""


@frozen(eq=False)
class TokenApi:
    """An API whose requests carry a token: that of operators, or of affiliates."""

    kind: str
    title: str
    root: str
    groups: Mapping[str, Group]

    @property
    def address(self) -> str:
        """The address of the list of its operations."""
        return f"{PLACE}/{self.kind}"


@frozen(eq=False)
class Site:
    """Documents, the groups of the merchant API, and the APIs with tokens."""

    documents: Mapping[str, Document]
    groups: Mapping[str, Group]
    token_apis: Mapping[str, TokenApi]

    @cached_property
    def index(self) -> SearchIndex:
        """The index over all; the first time each document is rendered for it, which takes a second."""
        entries = operation_entries(self.groups.values())
        for other in self.token_apis.values():
            entries += operation_entries(other.groups.values())
        for title, members in document_groups().items():
            for each in members:
                sections = html_of(each.name).sections
                entries += section_entries(f"/docs/{each.name}", each.title, sections, WEIGHTS.get(title, 1.0))
        return SearchIndex(entries)

    @property
    def operations(self) -> Mapping[str, Operation]:
        """Every operation by its name."""
        return {each.name: each for group in self.groups.values() for each in group.operations}


def site_of(description: Mapping[str, Any], token_apis: Mapping[str, Mapping[str, Any]]) -> Site:
    """Return the site of OpenAPI documents: the merchant API's, and others by kind; takes some tenths of a second."""
    groups = {group.name: group for group in groups_of(description)}
    others = {kind: _token_api(kind, each) for kind, each in token_apis.items()}
    return Site(documents(), groups, others)


def _token_api(kind: str, description: Mapping[str, Any]) -> TokenApi:
    groups = {group.name: group for group in groups_of(description, f"{PLACE}/{kind}")}
    title = description["info"]["title"].rpartition(": ")[2]
    return TokenApi(kind, title[0].upper() + title[1:], description["servers"][0]["url"], groups)


@cache
def html_of(name: str) -> Rendered:
    """Return a document as HTML; raise `KeyError` if there is none of this name."""
    every = documents()
    return rendered(every[name].source, frozenset(every))


@cache
def call_html(operation: Operation, language: str) -> Markup:
    """Return the call of an operation as coloured code."""
    return code_html(call(operation, language), _lexer(language))


@cache
def token_call_html(operation: Operation) -> Markup:
    """Return the call of an operation that takes a token as coloured code."""
    return code_html(token_call(operation), "bash")


@cache
def program_html(operation: Operation, language: str) -> Markup:
    """Return the whole program of an operation as coloured code."""
    return code_html(program(operation, language), _lexer(language))


@cache
def signer_html(language: str) -> Markup:
    """Return the function that signs as coloured code."""
    return code_html(signer(language), _lexer(language))


def _lexer(language: str) -> str:
    return next(each.lexer for each in LANGUAGES if each.name == language)
