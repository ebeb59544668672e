"""What the headers of a request say: its id, its media type and whether its body is encoded."""

from __future__ import annotations

import re
from contextvars import ContextVar
from functools import lru_cache
from typing import Final

from multidict import CIMultiDictProxy, istr

from hub.http.errors import ApiError
from hub.ids import new_id

REQUEST_ID: Final = istr("X-Request-ID")
CONTENT_TYPE: Final = istr("Content-Type")
CONTENT_ENCODING: Final = istr("Content-Encoding")
VISIBLE: Final = re.compile(r"[!-~]{1,128}").fullmatch


current_request: ContextVar[str] = ContextVar("current_request", default="")
"""The id of the request that is being answered, for the lines of the log; empty outside of one."""


def request_id_of(headers: CIMultiDictProxy[str]) -> str:
    """Return the caller's X-Request-ID if it is 1 to 128 visible ASCII characters, else a new id."""
    given = headers.get(REQUEST_ID)
    return given if given is not None and VISIBLE(given) else new_id("req")


def readable(value: str) -> str:
    """Return a header's value as text that a store can keep: bytes that are no UTF-8 are replaced."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def check_encoding(headers: CIMultiDictProxy[str]) -> None:
    """Raise a 415 for a compressed body: the signature covers the bytes as they are sent."""
    encoding = headers.get(CONTENT_ENCODING)
    if encoding is not None and encoding.strip().lower() not in ("", "identity"):
        raise ApiError(415, "Send the body without a Content-Encoding.", "unsupported_encoding", close=True)


def check_type(headers: CIMultiDictProxy[str]) -> None:
    """Raise a 415 if the body is declared as anything but JSON in UTF-8; an undeclared type is accepted."""
    given = headers.get(CONTENT_TYPE)
    if given is not None and not _is_json(given):
        raise ApiError(415, "Send the body as application/json in UTF-8.", "unsupported_media_type", close=True)


def check_csv(headers: CIMultiDictProxy[str]) -> None:
    """Raise a 415 if the body is declared as anything but CSV in UTF-8; an undeclared type is accepted.

    So are plain bytes, which is what generated clients send of a file.
    """
    given = headers.get(CONTENT_TYPE)
    if given is not None and not _is_text_of(given, "text/csv", "application/csv", "application/octet-stream"):
        raise ApiError(415, "Send the body as text/csv in UTF-8.", "unsupported_media_type", close=True)


@lru_cache(maxsize=256)
def _is_json(content_type: str) -> bool:
    return _is_text_of(content_type, "application/json")


def _is_text_of(content_type: str, *kinds: str) -> bool:
    kind, *parameters = content_type.split(";")
    if kind.strip().lower() not in kinds:
        return False
    named = (parameter.partition("=") for parameter in parameters)
    charsets = [value.strip().strip('"').lower() for name, _, value in named if name.strip().lower() == "charset"]
    return all(charset in ("utf-8", "utf8") for charset in charsets)
