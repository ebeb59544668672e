"""The pages of a module: each handler says above itself at which address it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from hub.pages.visit import Page

Handler = TypeVar("Handler", bound=Callable[..., Any])


class RouteTable(list[Page]):
    """The pages that a module has, made of its handlers by `page`, such as `merchant_page`."""

    def __init__(self, page: Callable[..., Page]) -> None:
        super().__init__()
        self._page = page

    def get(self, path: str, *more: Any, **options: Any) -> Callable[[Handler], Handler]:
        """Add the handler below as the page at a path; what else is given is for `page`."""
        return self._at("GET", path, more, options)

    def post(self, path: str, *more: Any, **options: Any) -> Callable[[Handler], Handler]:
        """Add the handler below as what takes the form that is sent to a path."""
        return self._at("POST", path, more, options)

    def _at(
        self, method: str, path: str, more: tuple[Any, ...], options: dict[str, Any]
    ) -> Callable[[Handler], Handler]:
        def add(handler: Handler) -> Handler:
            self.append(self._page(method, path, handler, *more, **options))
            return handler

        return add
