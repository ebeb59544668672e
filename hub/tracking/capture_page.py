"""GET /capture.js, which keeps a click in the shop until the order, and /capture, which explains it to shop owners."""

from __future__ import annotations

from functools import cache
from typing import Final

from hub.config.sections import ServerSettings
from hub.http.router import Route
from hub.http.static_files import HTML, STATIC, TYPES, Resource, fill_template, page_routes, resource_of, static_file

SCRIPT_PATH: Final = "/capture.js"
PAGE_PATH: Final = "/capture"
FILES: Final = ("capture/look.css", "capture/page.css", "capture/page.js")
SHARED: Final = ("mark.svg",)
"""Files of the documentation that this page uses too."""

HOUR: Final = "public, max-age=3600"
FOR_SHOPS: Final = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Timing-Allow-Origin": "*",
}
"""A shop may be isolated from other origins, or may load its scripts with `crossorigin`: both must work."""


def capture_routes(server: ServerSettings) -> list[Route]:
    """Return the routes of the script, the page and its files: GET and HEAD, without authentication."""
    files = {f"/{name}": static_file(name) for name in FILES}
    resources = {SCRIPT_PATH: _script(), PAGE_PATH: _page(server), **files}
    return page_routes(PAGE_PATH, resources)


def without_comments(source: str) -> str:
    """Return the script without comment lines, empty lines and indentation, as buyers load it."""
    lines = (line.strip() for line in source.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


@cache
def _script() -> Resource:
    source = (STATIC / "capture.js").read_text("utf-8")
    return resource_of(without_comments(source).encode(), TYPES[".js"], HOUR, FOR_SHOPS)


def _page(server: ServerSettings) -> Resource:
    versions = {name: static_file(name).version for name in (*SHARED, *FILES)}
    addresses = {name: name if name in FILES else f"docs/{name}" for name in versions}
    page = fill_template(
        "capture/page.html",
        files={name: f"{addresses[name]}?v={version}" for name, version in versions.items()},
        script=server.public_url.rstrip("/") + SCRIPT_PATH,
        # Without a configured address the browser knows better than the hub how to reach the hub.
        certain=server.is_public_url_configured,
    )
    return resource_of(page, HTML)
