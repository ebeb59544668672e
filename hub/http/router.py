"""Routes: which handler serves a method and a path."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Final
from urllib.parse import unquote

from aiohttp import web
from attrs import define, field, frozen

PathValues = Mapping[str, str]
"""The parts of a path that its route names, decoded: {"id": "SKU-1"} for /v1/products/{id}."""
Handler = Callable[[web.BaseRequest, PathValues], Awaitable[web.StreamResponse]]

NO_VALUES: Final[PathValues] = {}


@frozen
class Route:
    """A method and a path, whose segments may be names in braces: "/t/{code}"."""

    method: str
    path: str
    handler: Handler


@define(eq=False)
class _Node:
    """The segments that may follow a prefix of a path: literals, or one of any text."""

    literals: dict[str, _Node] = field(factory=dict)
    any_segment: _Node | None = None
    routes: dict[str, tuple[Route, tuple[str, ...]]] = field(factory=dict)
    """The routes that end here, by method, each with the names of its segments in braces."""


class Router:
    """Finds the route of a request by the segments of its path; a literal segment wins over a name."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes: dict[tuple[str, str], Route] = {}
        """All routes, by method and path without the names of its segments in braces."""
        self._literal: dict[tuple[str, str], tuple[Handler, PathValues]] = {}
        """The routes without names, by method and path: they come first, and most requests are for one of them."""
        self._named: dict[tuple[str, str], tuple[Handler, str]] = {}
        """Those whose last segment alone is a name, by method and the path before it: they come next."""
        for route in routes:
            self._add(route)

    def find(self, method: str, path: str) -> tuple[Handler, PathValues] | None:
        """Return the handler of a request and the values of its path's names; None if no route matches.

        `path` is percent-encoded, as it was sent.
        """
        literal = self._literal.get((method, path))
        if literal is not None:
            return literal
        before, _, last = path.rpartition("/")
        named = self._named.get((method, before))
        if named is not None and last:
            return named[0], {named[1]: unquote(last)}
        for node, values in _ends(self._root, path.split("/")):
            if method in node.routes:
                route, names = node.routes[method]
                return route.handler, dict(zip(names, map(unquote, values), strict=True)) if names else NO_VALUES
        return None

    def methods(self, path: str) -> list[str]:
        """Return the methods that a path supports, sorted."""
        return sorted({method for node, _ in _ends(self._root, path.split("/")) for method in node.routes})

    @cached_property
    def _root(self) -> _Node:
        """All routes as a tree, for what the tables do not answer: it is made when that is asked for first."""
        root = _Node()
        for route in self._routes.values():
            node = root
            for segment in route.path.split("/"):
                if segment.startswith("{"):
                    node.any_segment = node = node.any_segment or _Node()
                else:
                    literals = node.literals
                    node = literals[segment] if segment in literals else literals.setdefault(segment, _Node())
            node.routes[route.method] = route, _names_of(route.path)[1]
        return root

    def _add(self, route: Route) -> None:
        nameless, names = _names_of(route.path)
        if (route.method, nameless) in self._routes:
            raise ValueError(f"{route.method} {route.path} has two routes")
        self._routes[route.method, nameless] = route
        before, _, last = route.path.rpartition("/")
        if not names:
            self._literal[route.method, route.path] = route.handler, NO_VALUES
        elif len(names) == 1 and last.startswith("{"):
            self._named[route.method, before] = route.handler, names[0]


@cache
def _names_of(path: str) -> tuple[str, tuple[str, ...]]:
    """Return a route's path without the names of its segments in braces, and these names."""
    if "{" not in path:
        return path, ()
    segments = path.split("/")
    names = tuple(each.strip("{}") for each in segments if each.startswith("{"))
    return "/".join("{}" if each.startswith("{") else each for each in segments), names


def _ends(node: _Node, segments: list[str], place: int = 0) -> Iterator[tuple[_Node, list[str]]]:
    """Yield every node that the segments reach, with the texts that matched names; literal matches come first."""
    while place < len(segments):
        segment = segments[place]
        place += 1
        literal = node.literals.get(segment)
        if node.any_segment is not None and segment:
            if literal is not None:
                yield from _ends(literal, segments, place)
            for end, values in _ends(node.any_segment, segments, place):
                yield end, [segment, *values]
            return
        if literal is None:
            return
        node = literal
    yield node, []


def get(path: str, handler: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]) -> list[Route]:
    """Return the routes of a page, GET and HEAD."""

    def serve(request: web.BaseRequest, _: PathValues) -> Awaitable[web.StreamResponse]:
        return handler(request)

    return [Route(method, path, serve) for method in ("GET", "HEAD")]
