"""Say in an answer that what was asked for will go."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.domain.deprecations import Deprecation
from hub.http.response import Reply
from hub.merchant_api.error_references import docs_address

SECTION: Final = "api#deprecations"
"""Beside the page of error codes, where the policy is written down."""


def with_deprecation(reply: Reply, said: Deprecation, docs_url: str, request: web.BaseRequest) -> Reply:
    """Return the reply with `Deprecation`, `Sunset` and `Link`; `docs_url` is that of the page of codes.

    A 401 stays as it is: it tells a stranger nothing.
    """
    if reply.status == 401:
        return reply
    about = docs_address(docs_url, request).rpartition("/")[0] + f"/{SECTION}"
    return reply._replace(headers={**said.headers(about), **reply.headers})
