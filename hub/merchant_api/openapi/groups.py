"""One group of a document's operations as a document of its own: with what they refer to, and nothing else.

A language model that looks for one call reads a group, the largest of which is a fraction of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import orjson
from aiohttp import web

from hub.http.router import Route, get
from hub.http.static_files import Resource, resource_of

COMPONENTS: Final = "#/components/"
JSON: Final = "application/json; charset=utf-8"
SHORT: Final = "public, max-age=300"
ANY_ORIGIN: Final = {"Access-Control-Allow-Origin": "*"}
"""A tool on another site may read a description: it is public and the same for everybody."""


def group_of(described: Mapping[str, Any], tag: str) -> dict[str, Any]:
    """Return a document with the operations of a tag alone; links lead to no operation that is not in it."""
    paths = {
        path: {method: dict(each) for method, each in methods.items() if tag in each["tags"]}
        for path, methods in described["paths"].items()
    }
    paths = {path: methods for path, methods in paths.items() if methods}
    served = {each["operationId"] for methods in paths.values() for each in methods.values()}
    components = described["components"]
    found: dict[str, dict[str, Any]] = {}
    places = list(_references(paths))
    while places:
        kind, name = places.pop().removeprefix(COMPONENTS).split("/")
        if name not in found.setdefault(kind, {}):
            found[kind][name] = _within(components[kind][name], served)
            places += _references(found[kind][name])
    kept = {kind: dict(sorted(found[kind].items())) for kind in components if kind in found}
    if "securitySchemes" in components:
        kept["securitySchemes"] = components["securitySchemes"]
    tags = [each for each in described["tags"] if each["name"] == tag]
    return {**described, "tags": tags, "paths": _within(paths, served), "components": kept}


def group_routes(root: str, document: bytes, tags: Iterable[str]) -> list[Route]:
    """Return a route for the document of each group, "/api/v1/openapi/conversions.json"; it is made when asked for."""
    routes = []
    for tag in tags:
        routes += get(f"{root}/openapi/{tag}.json", _Made(document, tag).serve)
    return routes


class _Made:
    """A group's document, which is made when somebody asks for it first."""

    def __init__(self, document: bytes, tag: str) -> None:
        self._document = document
        self._tag = tag

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Return it as any resource is returned."""
        return await _resource(self._document, self._tag).serve(request)


@cache
def _resource(document: bytes, tag: str) -> Resource:
    return resource_of(orjson.dumps(group_of(orjson.loads(document), tag)), JSON, SHORT, ANY_ORIGIN)


def _within(node: Any, served: set[str]) -> Any:
    """Return a part without the links to other groups' operations."""
    if isinstance(node, list):
        return [_within(each, served) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _within(each, served) for key, each in node.items() if key != "links"}
    links = node.get("links")
    if isinstance(links, dict) and "properties" not in node:
        own = {name: link for name, link in links.items() if link.get("operationId", "") in served}
        return {**kept, "links": own} if own else kept
    return {**kept, "links": links} if links is not None else kept


def _references(node: Any) -> Iterator[str]:
    """Yield the places of components that a part refers to."""
    if isinstance(node, dict):
        place = node.get("$ref")
        if isinstance(place, str) and place.startswith(COMPONENTS):
            yield place
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _references(each)
