"""Bearer tokens in requests: read from the one header that they may stand in, and bounded by their scopes."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from multidict import CIMultiDictProxy, istr

from hub.domain.scopes import reaches_one
from hub.http.errors import ApiError, unauthorized

AUTHORIZATION: Final = istr("Authorization")
LONGEST_TOKEN: Final = 200
IN_ADDRESS: Final = re.compile(r"tok_[0-9a-f]{32}_")
"""The beginning of a token with its secret; its id alone is none."""


def bearer_of(headers: CIMultiDictProxy[str]) -> str:
    """Return the token that a request carries; raise the 401 if there is not exactly one."""
    values = headers.getall(AUTHORIZATION, ())
    scheme, _, token = values[0].strip().partition(" ") if len(values) == 1 else ("", "", "")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > LONGEST_TOKEN or not token.isascii():
        raise unauthorized("token_missing")
    return token


def is_in_address(target: str) -> bool:
    """Return whether the path and query as sent hold a token with its secret: proxies and browsers keep addresses."""
    return "tok_" in target and IN_ADDRESS.search(target) is not None


def require_scope(scopes: Collection[str] | None, needed: Collection[str]) -> None:
    """Raise the 403 of a token whose scopes reach none of those that would do; a signing key has None, and may all."""
    if not reaches_one(scopes, needed):
        raise ApiError(403, f"This needs a token with the scope {' or '.join(needed)}.", "insufficient_scope")
