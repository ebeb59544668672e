"""A shorter way than aiohttp's router to the routes that most requests ask for: a look into a dict, or two.

The router turns each address about and tries one pattern after the other. Most paths can be known by their text alone.
"""

from __future__ import annotations

import re
import string
from collections.abc import Awaitable, Callable
from typing import Any, Final

from aiohttp import hdrs, web

Handler = Callable[[Any], Awaitable[web.StreamResponse]]
Target = tuple[str, str]
"""A method, and a path or what a path begins with, as they stand in the first line of a request."""

PLAIN: Final = f"{string.ascii_letters}{string.digits}-._~".encode()
"""Characters that stand for themselves wherever they stand in an address (RFC 3986, 2.3): nothing to decode."""
LAST_PART: Final = re.compile(r"([^{}]*)/\{(\w+)\}").fullmatch


class Shortcuts:
    """The routes of an application whose path has no part to be read, or one, of any characters, at its end."""

    def __init__(self, application: web.Application) -> None:
        self._whole: dict[Target, Handler] = {}
        self._ending: dict[Target, tuple[web.AbstractRoute, Handler, str]] = {}
        for route in application.router.routes():
            if isinstance(route.resource, web.PlainResource):
                self._whole.setdefault((route.method, route.resource.canonical), route.handler)
            elif isinstance(route.resource, web.DynamicResource) and (ending := _ending(route.resource)):
                self._ending.setdefault((route.method, ending[0]), (route, route.handler, ending[1]))

    def find(self, request: web.Request) -> Handler | None:
        """The handler of the route that the router would find; None where only the router can tell.

        A part of the path that was read is where the router puts it, in the request's `match_info`.
        """
        path = request.raw_path.partition("?")[0]
        whole = self._whole.get((request.method, path))
        if whole is not None:
            return whole
        root, _, last = path.rpartition("/")
        ending = self._ending.get((request.method, root))
        if ending is None or not _is_plain(last):
            return None
        route, handler, name = ending
        request._match_info = web.UrlMappingMatchInfo({name: last}, route)  # noqa: SLF001 - aiohttp has no other way
        return handler


def _is_plain(part: str) -> bool:
    """Whether it is one plain character or several; to search for another one takes twice as long."""
    return part.isascii() and part != "" and not part.encode().translate(None, PLAIN)


def _ending(resource: web.DynamicResource) -> tuple[str, str] | None:
    """What stands before the last part of a path, and the part's name, where no other part is to be read."""
    found = LAST_PART(resource.canonical)
    if found is None or resource.get_info() != web.DynamicResource(resource.canonical).get_info():
        return None  # a part with a pattern of its own is told without it
    return found[1], found[2]


def shortened(resolve: Handler, shortcuts: Shortcuts) -> Handler:
    """Serves a request by a shortcut where there is one; others, and who asks before it sends, by the router."""

    def handle(request: web.Request) -> Awaitable[web.StreamResponse]:
        handler = shortcuts.find(request)
        if handler is None or hdrs.EXPECT in request.headers:
            return resolve(request)
        return handler(request)

    return handle
