"""Signatures over more than the body: a timestamp, and maybe the message's id, joined with it.

Stripe and Standard Webhooks 1.0 sign so. The work is the same for every secret and every signature given. What cannot
be read is a wrong signature.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hub.domain.connectors.connector import Headers, TimestampHmac

MOST_SIGNATURES: Final = 8
"""While a secret is changed a platform signs with both; more than a few are not honest."""
_READERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "base64": lambda text: base64.b64decode(text, validate=True),
    "hex": lambda text: bytes.fromhex(text.decode("ascii")),
    "utf-8": lambda text: text,
}
_PLACES: Final = re.compile(r"(\{timestamp\}|\{id\}|\{body\})")


def is_stamped(
    auth: TimestampHmac, secrets: Sequence[bytes], given: str, raw: bytes, headers: Headers, now: int
) -> bool:
    """Return whether one of the signatures in `given` proves one of the secrets, at most the tolerance ago.

    `headers` are the delivery's, in lower case; `now` is ms UTC.
    """
    stamp, signatures, message = _received(auth, given, raw, headers)
    matches = [
        hmac.compare_digest(_digest(auth, secret, message), shown)
        for secret in secrets
        for shown in [_decoded(auth, text) for text in signatures] or [b""]
    ]
    return any(matches) and _is_fresh(auth, stamp, now)


def stamped_digests(
    auth: TimestampHmac, secrets: Sequence[bytes], given: str, raw: bytes, headers: Headers
) -> tuple[str, str]:
    """Return the digest that the newest of the secrets makes of a delivery, and the first that was given, as text.

    Each is empty if there is none.
    """
    _, signatures, message = _received(auth, given, raw, headers)
    made = _written(auth, _digest(auth, secrets[-1], message)) if secrets else ""
    return made, signatures[0] if signatures else ""


def stamped_headers(auth: TimestampHmac, secret: str, raw: bytes, at: int, delivery_id: str) -> Mapping[str, str]:
    """Return the headers that a platform which knows the secret sends at a moment (ms UTC)."""
    stamp = str(at // 1000)
    digest = _digest(auth, secret.encode(), _message(auth, stamp, delivery_id, raw))
    written = _written(auth, digest)
    pairs = auth.form == "pairs"
    headers = {auth.header: f"t={stamp},{auth.version}={written}" if pairs else f"{auth.version},{written}"}
    if auth.timestamp_header:
        headers[auth.timestamp_header] = stamp
    if auth.id_header:
        headers[auth.id_header] = delivery_id
    return headers


def secret_key(auth: TimestampHmac, secret: bytes) -> bytes | None:
    """Return the key that a secret's text stands for; None if it stands for none."""
    text = secret.removeprefix(auth.secret_prefix.encode())
    try:
        return _READERS[auth.secret_encoding](text) or None
    except (binascii.Error, ValueError):
        return None


def _read(auth: TimestampHmac, given: str) -> tuple[str, list[str]]:
    """Return the timestamp (empty if the header has none) and the signatures of the version."""
    mark, separator = ("=", ",") if auth.form == "pairs" else (",", " ")
    parts = [part.strip().partition(mark) for part in given.split(separator)[: 2 * MOST_SIGNATURES]]
    stamps = [value for name, _, value in parts if name == "t"] if auth.form == "pairs" else []
    signatures = [value for name, _, value in parts if name == auth.version]
    return stamps[0] if len(stamps) == 1 else "", signatures[:MOST_SIGNATURES]


def _received(auth: TimestampHmac, given: str, raw: bytes, headers: Headers) -> tuple[str, list[str], bytes]:
    """Return the timestamp of a delivery, its signatures, and what they sign."""
    stamp, signatures = _read(auth, given)
    if auth.timestamp_header:
        stamp = headers.get(auth.timestamp_header.lower(), "")
    return (
        stamp,
        signatures,
        _message(auth, stamp, headers.get(auth.id_header.lower(), "") if auth.id_header else "", raw),
    )


def _message(auth: TimestampHmac, stamp: str, delivery_id: str, raw: bytes) -> bytes:
    words = {"{timestamp}": stamp.encode(errors="replace"), "{id}": delivery_id.encode(errors="replace"), "{body}": raw}
    return b"".join(words.get(part, part.encode()) for part in _PLACES.split(auth.signed))


def _digest(auth: TimestampHmac, secret: bytes, message: bytes) -> bytes:
    key = secret_key(auth, secret)
    digest = hmac.digest(key or b"", message, auth.algorithm)
    # Without a key nothing is proved: a digest longer than any that can be given never compares equal.
    return digest if key else digest + b"\0"


def _written(auth: TimestampHmac, digest: bytes) -> str:
    return digest.hex() if auth.encoding == "hex" else base64.b64encode(digest).decode("ascii")


def _decoded(auth: TimestampHmac, text: str) -> bytes:
    try:
        return bytes.fromhex(text) if auth.encoding == "hex" else base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _is_fresh(auth: TimestampHmac, stamp: str, now: int) -> bool:
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 12):
        return False
    return abs(now - int(stamp) * 1000) <= auth.tolerance_seconds * 1000
