"""What an API error says beside the specification's three members: a code to branch on, and where to read about it."""

from __future__ import annotations

import re
from typing import Final

import orjson
from aiohttp import web

from hub.http.response import Reply

_NAMED: Final = re.compile(r"`([^`]+)`")
_HOST: Final = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


def docs_address(configured: str, request: web.BaseRequest) -> str:
    """Return the address of the page that explains codes: `configured`, else where the request was sent to.

    A hub without a public address has none but that which its caller used; one that is no host stays out of it.
    """
    host = request.headers.get("Host", "")
    if not configured.startswith("/") or not _HOST.fullmatch(host):
        return configured
    return f"{request.scheme}://{host}{configured}"


def with_reference(reply: Reply, request_id: str, docs_url: str, request: web.BaseRequest) -> Reply:
    """Return an error with `code`, `param` (if a field is named), `docUrl` and `requestId` behind its three members.

    A 401 stays as it is: it never says what was wrong (API specification, Authentication rule 5). So does a success.
    """
    if reply.code is None or reply.status == 401 or not isinstance(reply.body, bytes):
        return reply
    return reply._replace(body=reference_body(reply.body, reply.code, request_id, docs_address(docs_url, request)))


def reference_body(body: bytes, code: str, request_id: str, docs_url: str) -> bytes:
    """Return an error body with its reference; the bytes of its three members stay as they are."""
    param = first_param(orjson.loads(body)["message"])
    named = {} if param is None else {"param": param}
    reference = {"code": code, **named, "docUrl": f"{docs_url}#{code}", "requestId": request_id}
    return body[:-1] + b"," + orjson.dumps(reference)[1:]


def first_param(message: str | list[str]) -> str | None:
    """Return the field, parameter or header that the first fault of the input names; None if there is none."""
    if isinstance(message, str) or not message:
        return None
    named = _NAMED.match(message[0])
    return None if named is None else named[1]
