"""Pages of the documentation as files that any web server serves, or a browser opens: addresses become relative.

A page `/docs/api` is `docs/api.html`; whatever has an ending keeps its name. The search asks a hub, so that its form is
left out, and a link that leads out of the documentation leads to the hub.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote, urlsplit

START: Final = "/docs"
PROGRAMS: Final = ("/llms.txt", "/llms-full.txt")
"""What programs read, which no page has to lead to."""
_WITHIN: Final = re.compile(r"/(docs|static)(/|$)")
_SEARCHES: Final = re.compile(r"/docs/search\b")
_FORM: Final = re.compile(r'<form action="/docs/search".*?</form>', re.DOTALL)
_LINK: Final = re.compile(r'(?P<before>\b(?:href|src)=")(?P<target>/[^"]*)(?=")')
_STYLE_LINK: Final = re.compile(r'(?P<before>url\(")(?P<target>/[^"]*)(?="\))')


def is_within(path: str) -> bool:
    """Return whether a path of the hub is one of the documentation's, or a file that its pages use."""
    return (bool(_WITHIN.match(path)) and not _SEARCHES.match(path)) or path in PROGRAMS


def file_of(path: str) -> str:
    """Return the file of a path, relative to the folder."""
    name = unquote(path).strip("/")
    if path == START:
        return "docs/index.html"
    return name if posixpath.splitext(name)[1] else f"{name}.html"


def links_of(text: str) -> Iterator[str]:
    """Yield the paths within the documentation that a page or a stylesheet leads to."""
    for pattern in (_LINK, _STYLE_LINK):
        for found in pattern.finditer(_FORM.sub("", text)):
            path = urlsplit(found["target"]).path
            if is_within(path):
                yield path


def as_file(text: str, path: str, hub: str) -> str:
    """Return a page or a stylesheet with relative addresses; what is elsewhere is at the root URL `hub`."""
    folder = posixpath.dirname(file_of(path))

    def moved(found: re.Match[str]) -> str:
        target = urlsplit(found["target"])
        if not is_within(target.path):
            return f"{found['before']}{hub}{found['target']}"
        place = posixpath.relpath(file_of(target.path), folder or ".")
        return found["before"] + place + (f"#{target.fragment}" if target.fragment else "")

    return _STYLE_LINK.sub(moved, _LINK.sub(moved, _FORM.sub("", text)))
