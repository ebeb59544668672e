"""What a process remembers of links, keys and connections is forgotten once a request may have changed it."""

from __future__ import annotations

from typing import Any

import pytest
from aiohttp import web

from hub.http.router import PathValues, Route
from hub.pages.routes import all_pages
from hub.public_routes import OF_STRANGERS, forgetting


async def forgets(method: str, path: str, status: int) -> bool:
    """Return whether an answer of this status makes the process forget."""
    forgotten: list[bool] = []
    unread: Any = None

    async def answer(_: web.BaseRequest, __: PathValues) -> web.StreamResponse:
        return web.Response(status=status)

    (route,) = forgetting([Route(method, path, answer)], lambda: forgotten.append(True))
    assert (await route.handler(unread, {})).status == status
    return bool(forgotten)


@pytest.mark.parametrize(
    ("method", "path", "status", "forgotten"),
    [
        ("POST", "/merchant/keys/{key}/revoke", 303, True),
        ("POST", "/api/admin/v1/keys/{key}/revoke", 200, True),
        ("PATCH", "/api/v1/campaigns/{id}", 200, True),
        ("POST", "/merchant/keys/{key}/revoke", 422, False),
        ("POST", "/api/admin/v1/keys/{key}/revoke", 401, False),
        ("GET", "/merchant/keys", 200, False),
        ("POST", "/api/v1/conversions", 202, False),
        ("POST", "/connect/{connection}", 200, False),
        ("POST", "/login/passkey/options", 200, False),
        ("POST", "/login/recover", 200, False),
        ("POST", "/register", 200, False),
        ("POST", "/join/{name}", 303, False),
    ],
)
async def test_what_changes_something_forgets(method: str, path: str, status: int, forgotten: bool) -> None:
    assert await forgets(method, path, status) is forgotten


def test_no_form_of_a_stranger_makes_the_hub_look_everything_up_again() -> None:
    forms = [page.path for page in all_pages() if page.public and page.method == "POST"]
    assert [path for path in forms if not path.startswith(OF_STRANGERS)] == []
    assert len(forms) > 5
