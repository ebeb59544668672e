"""The Idempotency-Key headers (API specification, common rules 1 and 2)."""

from __future__ import annotations

import re
from hashlib import sha256

from multidict import CIMultiDictProxy, istr

from hub.http.errors import invalid
from hub.intake.submission import IdempotencyUse

NAMES = (istr("X-Idempotency-Key"), istr("Idempotency-Key"))
VISIBLE = re.compile(r"[!-~]{1,255}")
QUOTED = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])*)"')
"""A string of RFC 8941, which the standard header has to be; most clients send the bare key."""


def idempotency_use(headers: CIMultiDictProxy[str], route: str, query: str, raw: bytes) -> IdempotencyUse | None:
    """Return the key that a request claims, None if it claims none; raise a 400 for a malformed or ambiguous one."""
    if NAMES[0] not in headers and NAMES[1] not in headers:
        return None
    given = [value for name in NAMES for value in headers.getall(name, ())]
    keys = {_bare(value.strip()) for value in given}
    if len(keys) > 1:
        raise invalid(["`Idempotency-Key` and `X-Idempotency-Key` must not name different keys"])
    key = keys.pop()
    if not VISIBLE.fullmatch(key):
        raise invalid(["`Idempotency-Key` must be 1 to 255 visible ASCII characters"])
    return IdempotencyUse(route, key, _fingerprint(query, raw))


def _bare(value: str) -> str:
    quoted = QUOTED.fullmatch(value)
    return value if quoted is None else re.sub(r"\\(.)", r"\1", quoted[1])


def _fingerprint(query: str, raw: bytes) -> str:
    """The query's length comes first, so that no part of one can pass for a part of the other."""
    text = query.encode("utf-8", "surrogateescape")
    return sha256(b"%d:%s%s" % (len(text), text, raw)).hexdigest()
