"""What the request log keeps of a refused request, so that its page can show what was sent and answered."""

from __future__ import annotations

import re
from typing import Final

import orjson
from multidict import CIMultiDictProxy

from hub.domain.redaction import redact
from hub.http.request import readable
from hub.http.response import Reply

HEADERS: Final = (
    "Content-Type", "Content-Encoding", "User-Agent", "Accept", "X-API-Key", "X-Timestamp", "X-Nonce",
    "X-Signature-Version", "Idempotency-Key", "X-Idempotency-Key",
)  # fmt: skip
"""The headers that are kept; none of them proves anything."""
MOST_BYTES: Final = 16_384
UNPROVED_BYTES: Final = 4_096
"""Bytes of a body whose sender only named a key."""
MOST_ANSWER: Final = 8_192
LONGEST_VALUE: Final = 300
SIGNATURE: Final = re.compile(r"[0-9a-fA-F]{64}")
"""What is no secret of anybody in the place of a signature; anything else there may be one."""


def kept_request(given: CIMultiDictProxy[str], raw: bytes, reply: Reply) -> str:
    """Return the headers, the body and the answer of a refused request as JSON, with secrets masked.

    A signature is kept only if it was wrong: any other could still be used by who reads it.
    """
    headers = {name: _text(value) for name in HEADERS for value in given.getall(name, ())[:1]}
    if reply.code == "bad_signature":
        signature = given.get("X-Signature", "")
        headers["X-Signature"] = signature if SIGNATURE.fullmatch(signature) else _text(signature)
    most = UNPROVED_BYTES if reply.status == 401 else MOST_BYTES
    sent = raw[:most].decode("utf-8", "replace")
    body = redact(sent)
    answer = reply.body[:MOST_ANSWER].decode("utf-8", "replace") if isinstance(reply.body, bytes) else ""
    kept = {
        "headers": headers,
        "body": body,
        "bytes": len(raw),
        "whole": len(raw) <= most and body.encode() == raw,
        "answer": redact(answer),
    }
    return orjson.dumps(kept).decode().replace("\\u0000", "�")


def _text(value: str) -> str:
    return redact(readable(value)[:LONGEST_VALUE])
