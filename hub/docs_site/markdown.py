"""Markdown to HTML: raw HTML is shown as text, links lead to the pages that serve what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Final

from attrs import frozen
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LEXERS: Final = {"sh": "bash", "js": "javascript", "ts": "typescript", "php": "php", "curl": "bash"}
_FORMATTER: Final = HtmlFormatter(nowrap=True)
_DOCUMENT: Final = re.compile(r"^(?:docs/|\.\./docs/)?([\w-]+)\.md(#.*)?$")
_CHANGELOG: Final = re.compile(r"^(?:\.\./)?CHANGELOG\.md(#.*)?$")


@frozen
class Section:
    """A heading with the text under it, up to the next heading; `anchor` is empty before the first one."""

    level: int
    title: str
    anchor: str
    text: str


@frozen
class Rendered:
    """A document as HTML, with its sections for menus and for the search."""

    html: Markup
    sections: tuple[Section, ...]


def rendered(source: str, names: frozenset[str]) -> Rendered:
    """Return a document as HTML; links to documents of these names lead to their pages, to other files nowhere."""
    parser = _parser()
    tokens = parser.parse(source)
    anchors = _with_anchors(tokens)
    _with_targets(tokens, names)
    html = str(parser.renderer.render(tokens, parser.options, {}))
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    html = html.replace("<pre>", '<pre tabindex="0">')
    return Rendered(Markup(html), tuple(_sections(tokens, anchors)))  # noqa: S704 - the parser escapes raw HTML


@cache
def prose(text: str) -> Markup:
    """Return one paragraph as HTML: the texts of the OpenAPI document have code and emphasis in them."""
    return Markup(_parser().renderInline(text))  # noqa: S704 - the parser escapes raw HTML


@cache
def code_html(text: str, language: str) -> Markup:
    """Return code with its parts marked by classes; as plain text if the language is not known.

    It takes about a millisecond, once: whatever is shown is the documentation's own.
    """
    try:
        lexer = get_lexer_by_name(LEXERS.get(language, language), startinline=True)
    except ClassNotFound:
        return Markup(escape(text))  # noqa: S704 - escaped in this line
    return Markup(highlight(text, lexer, _FORMATTER))  # noqa: S704 - pygments escapes what it marks


def anchor_of(title: str) -> str:
    """Return the anchor of a heading, by the rule of code forges, so that links work there and here."""
    return re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")


@cache
def _parser() -> MarkdownIt:
    options = {"html": False, "highlight": lambda text, language, _: str(code_html(text, language))}
    return MarkdownIt("commonmark", options).enable("table")


def _with_anchors(tokens: Sequence[Token]) -> dict[int, str]:
    """Give every heading an id that no other has, and return the ids by the places of the headings."""
    anchors: dict[int, str] = {}
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            wanted = anchor_of(_plain(tokens[place + 1]))
            taken = sum(each == wanted or each.startswith(f"{wanted}-") for each in anchors.values())
            anchors[place] = f"{wanted}-{taken}" if wanted in anchors.values() else wanted
            token.attrSet("id", anchors[place])
    return anchors


def _with_targets(tokens: Sequence[Token], names: frozenset[str]) -> None:
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                target = _target(str(child.attrGet("href")), names)
                child.attrs = {"href": target} if target else {}


def _target(href: str, names: frozenset[str]) -> str:
    """Return where a link leads: a document's page, a page of the hub, another site; empty for a file of the source."""
    document = _DOCUMENT.match(href)
    if document is not None and document[1] in names:
        return f"/docs/{document[1]}{document[2] or ''}"
    changelog = _CHANGELOG.match(href)
    if changelog is not None:
        return f"/docs/changelog{changelog[1] or ''}"
    return href if href.startswith(("#", "/", "https://", "http://", "mailto:")) else ""


def _sections(tokens: Sequence[Token], anchors: dict[int, str]) -> Iterator[Section]:
    level, title, anchor, words = 0, "", "", list[str]()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            yield Section(level, title, anchor, " ".join(words))
            level, title, anchor, words = int(token.tag[1]), _plain(tokens[place + 1]), anchors[place], []
        elif token.type in ("inline", "fence", "code_block"):
            words.append(_plain(token))
    yield Section(level, title, anchor, " ".join(words))


def _plain(token: Token) -> str:
    if token.children is None:
        return token.content
    texts = (" " if "break" in each.type else each.content for each in token.children)
    return "".join(texts).strip()
