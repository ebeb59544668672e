"""The pages of a module: each handler says above itself at which address it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast

from aiohttp import web

from hub.pages.visit import Page

Looker = TypeVar("Looker")
"""Who looks, as the handlers of a kind of pages get it, such as a `MerchantVisit`."""
Options = ParamSpec("Options")
"""What a kind of pages takes beside method, address and handler."""
Rest = ParamSpec("Rest")
Answer = TypeVar("Answer", bound=web.StreamResponse)


class Adding(Protocol[Looker]):
    """Adds the handler below it; what the handler takes beside who looks has a default."""

    def __call__(
        self, handler: Callable[Concatenate[Looker, Rest], Coroutine[Any, Any, Answer]], /
    ) -> Callable[Concatenate[Looker, Rest], Coroutine[Any, Any, Answer]]:
        """Add the handler, and return it as it is."""
        ...


class RouteTable(list[Page], Generic[Looker, Options]):
    """The pages that a module has, made of its handlers by `page`, such as `merchant_page`."""

    def __init__(
        self, page: Callable[Concatenate[str, str, Callable[[Looker], Awaitable[web.StreamResponse]], Options], Page]
    ) -> None:
        super().__init__()
        self._page = page

    def get(self, path: str, *more: Options.args, **options: Options.kwargs) -> Adding[Looker]:
        """Add the handler below as the page at a path; what else is given is for `page`."""
        return self._at("GET", path, *more, **options)

    def post(self, path: str, *more: Options.args, **options: Options.kwargs) -> Adding[Looker]:
        """Add the handler below as what takes the form that is sent to a path."""
        return self._at("POST", path, *more, **options)

    def _at(self, method: str, path: str, *more: Options.args, **options: Options.kwargs) -> Adding[Looker]:
        def add(
            handler: Callable[Concatenate[Looker, Rest], Coroutine[Any, Any, Answer]], /
        ) -> Callable[Concatenate[Looker, Rest], Coroutine[Any, Any, Answer]]:
            alone = cast("Callable[[Looker], Awaitable[web.StreamResponse]]", handler)
            self.append(self._page(method, path, alone, *more, **options))
            return handler

        return add
