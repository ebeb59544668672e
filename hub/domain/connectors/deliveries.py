"""A platform's own delivery: whether it is genuine and what it says of itself, by pure functions over its raw bytes.

Verification does the same work for every secret and never stops at the first that fits (RFC 2104 digests, compared as
bytes in constant time). A signature that cannot be decoded is a wrong one, not a fault.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from hub.domain.connectors.connector import (
    Auth,
    Body,
    Connector,
    Erasure,
    FieldPlace,
    FixedPlace,
    HeaderPlace,
    Headers,
    HmacHeader,
    Place,
    SecretHeader,
    TimestampHmac,
    Topic,
    Uninteresting,
    Unmappable,
)
from hub.domain.connectors.jwt_body import JwtBody, claims_of, is_token_of, public_key
from hub.domain.connectors.timestamp_hmac import is_stamped, secret_key, stamped_digests

LONGEST_WORD = 255
NO_HEADERS: Headers = MappingProxyType({})
HEX = "hex"
MOST_SECRETS = 8
"""How many secrets of a connection may be live at once: each is tried with each delivery."""
BEGINNING = 8
"""How many letters of a proof are shown: the shortest proof has 28."""


def genuine(
    auth: Auth, secrets: Sequence[bytes], given: str, raw: bytes, headers: Headers = NO_HEADERS, now: int = 0
) -> bool:
    """Return whether `given` (the value of the auth's header, empty if it is missing) proves one of the secrets.

    `headers` (in lower case) and `now` (ms UTC) matter to signatures over more than the body.
    """
    if isinstance(auth, JwtBody):
        return is_token_of(auth, secrets, raw, now)
    if isinstance(auth, TimestampHmac):
        return is_stamped(auth, secrets, given, raw, headers, now)
    if isinstance(auth, HmacHeader):
        shown = _decoded(auth, given)
        matches = [hmac.compare_digest(_digest(auth, secret, raw), shown) for secret in secrets]
    else:
        # Digests are compared, so that not even the length of a secret shows in the time.
        shown = hashlib.sha256(given.encode("utf-8", "surrogateescape")).digest()
        matches = [bool(s) & hmac.compare_digest(hashlib.sha256(s).digest(), shown) for s in secrets]
    return any(matches)


def beginnings(
    auth: Auth, secrets: Sequence[bytes], given: str, raw: bytes, headers: Headers = NO_HEADERS
) -> tuple[str | None, str | None]:
    """Return how the proof begins that the hub makes with the newest of the secrets, and the one that was given.

    They are for people to compare: too short to prove anything. Both are None for a platform that sends the secret
    itself, of which nothing is shown, or signs with a key that the hub has not, and each if it cannot be made or read.
    """
    if isinstance(auth, SecretHeader | JwtBody):
        return None, None
    if isinstance(auth, TimestampHmac):
        made, shown = stamped_digests(auth, secrets, given, raw, headers)
    else:
        made = _written(auth, _digest(auth, secrets[-1], raw)) if secrets else ""
        shown = given.removeprefix(auth.prefix).strip()
    return made[:BEGINNING] or None, shown[:BEGINNING] or None


def body_digest(raw: bytes) -> str:
    """Return by what the log knows a body again: the first 24 hex digits of its SHA-256.

    The log masks longer ones, since they may be secrets.
    """
    return hashlib.sha256(raw).hexdigest()[:24]


def secret_fault(auth: Auth, secret: str) -> str | None:
    """Return why a text cannot be a secret for this way of signing, to complete "The secret ..."; None if it can be."""
    if isinstance(auth, JwtBody):
        return None if public_key(secret.encode()) is not None else "must be an RSA public key of 2048 bits, in PEM"
    if not secret or secret != secret.strip() or not secret.isprintable():
        return "must be printable text without blanks around it"
    if isinstance(auth, HmacHeader) and auth.secret_encoding == HEX and _key(auth, secret.encode()) is None:
        return "must be hex digits, two for each byte"
    if isinstance(auth, TimestampHmac) and secret_key(auth, secret.encode()) is None:
        return f"must be {auth.secret_encoding} text after {auth.secret_prefix or 'nothing'!r}"
    return None


def stated_body(auth: Auth | None, raw: bytes) -> bytes:
    """Return what a genuine delivery states: its body, or what the token states that its body is."""
    return claims_of(raw) if isinstance(auth, JwtBody) else raw


def value_at(place: Place | None, headers: Headers, body: Any) -> str | None:
    """Return what a delivery says in a place; None if that is nothing, or nothing that could be a name."""
    if place is None:
        return None
    if isinstance(place, FixedPlace):
        return place.value
    value = headers.get(place.name.lower()) if isinstance(place, HeaderPlace) else _inside(body, place)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_WORD or not value.isprintable():
        return None
    return value


def known_topic(connector: Connector, name: str | None, body: Body) -> Topic:
    """Return the topic of a delivery, if its body has the topic's shape.

    Raise `Unmappable` if it has not, since a topic in a header is not signed, and `Uninteresting` for an unknown topic.
    """
    if name is None:
        raise Unmappable("the delivery does not name its topic")
    topic = next((each for each in connector.topics if each.name == name), None)
    if topic is None:
        raise Uninteresting(f"the hub counts nothing of the topic {name!r}")
    missing = [field for field in topic.required if field not in body]
    strange = [] if topic.allowed is None else [field for field in body if field not in topic.allowed]
    if missing or strange:
        found = f"it has no `{missing[0]}`" if missing else f"it has `{strange[0][:40]}`"
        raise Unmappable(f"the body does not have the shape of the topic {name}: {found}")
    return topic


def erasure_of(connector: Connector, name: str | None, body: Body) -> Erasure | None:
    """Return the privacy request that a delivery makes, None if it makes none.

    A topic that does not state its `required` fields makes none. Raise `Unmappable` if the body has not their shape.
    """
    topic = next((each for each in connector.topics if each.name == name), None)
    if topic is None or not topic.required or (found := connector.erasure(topic.name, body)) is None:
        return None
    known_topic(connector, name, body)
    return found


def site_of(address: str) -> str | None:
    """Return what tells one site from another in the way a platform names it; None if nothing does.

    The scheme, "www.", letter case and a last slash may change in the same shop; a folder and a port tell two apart.
    """
    site = address.strip().lower().removeprefix("https://").removeprefix("http://")
    return site.removeprefix("www.").partition("?")[0].rstrip("/") or None


def _inside(body: Any, place: FieldPlace) -> Any:
    for step in place.path.split("."):
        body = _read(body) if isinstance(body, str) else body
        body = body.get(step) if isinstance(body, dict) else None
    return body


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _digest(auth: HmacHeader, secret: bytes, raw: bytes) -> bytes:
    key = _key(auth, secret)
    digest = hmac.digest(key or b"", raw, auth.algorithm)
    # Without a key nothing is proved: a digest longer than any that can be given never compares equal.
    return digest if key else digest + b"\0"


def _written(auth: HmacHeader, digest: bytes) -> str:
    return base64.b64encode(digest).decode("ascii") if auth.encoding == "base64" else digest.hex()


def _key(auth: HmacHeader, secret: bytes) -> bytes | None:
    if auth.secret_encoding != HEX:
        return secret
    try:
        return bytes.fromhex(secret.decode("ascii"))
    except ValueError:
        return None


def _decoded(auth: HmacHeader, given: str) -> bytes:
    """Return the bytes of a digest; none, which no digest is, if the text is malformed."""
    if not given.startswith(auth.prefix):
        return b""
    text = given.removeprefix(auth.prefix).strip()
    try:
        return base64.b64decode(text, validate=True) if auth.encoding == "base64" else bytes.fromhex(text)
    except (binascii.Error, ValueError):
        return b""


def secret_identity(connection_id: str, secret_id: str) -> str:
    """Return what a connection's sealed secret is bound to."""
    return f"{connection_id}/{secret_id}"
