"""What is wrong with a request's signature: the usual mistakes are tried, and the one that was made is named.

Nothing here returns a signature or a secret: a page with this would else sign requests for whoever may see it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Final, NamedTuple

from hub.domain.signing import TOLERANCE_SECONDS, string_to_sign, string_to_sign_v2, timestamp_seconds

SHOWN: Final = 24
"""How many bytes are shown on each side of the first that differs."""
BEGINNING: Final = 8
"""How many of the 64 digits of a computed signature are shown."""


class SignedRequest(NamedTuple):
    """A request as it was sent: its headers' texts, the exact body, and what version 2 covers beside."""

    timestamp: str
    signature: str
    body: bytes
    nonce: str | None = None
    version: int = 1
    method: str = "POST"
    target: str = "/"


class Difference(NamedTuple):
    """The first byte in which two texts differ: its place from 0, and what each has around it."""

    place: int
    expected: str
    given: str


class Diagnosis(NamedTuple):
    """Whether the signature is genuine, the mistake that explains it, and how far its clock is off (seconds).

    `signed` is what the hub signs, `begins` how the signature of it begins that the hub computes: too little of it to
    sign anything. `skew` is None for a timestamp that is none.
    """

    genuine: bool
    mistake: str | None
    skew: int | None
    fresh: bool
    signed: bytes
    begins: str


def diagnose(secret: bytes, request: SignedRequest, now: int) -> Diagnosis:
    """Return what is wrong with a request at `now` (ms UTC)."""
    signed = _signed(request)
    seconds = timestamp_seconds(request.timestamp)
    skew = None if seconds is None else seconds - now // 1000
    given = request.signature.strip()
    genuine = given == request.signature and hmac.compare_digest(_digest(secret, signed), _bytes(request.signature))
    mistake = None if genuine else next((name for name, text in _attempts(secret, request) if _same(text, given)), None)
    fresh, begins = skew is not None and abs(skew) <= TOLERANCE_SECONDS, _digest(secret, signed).hex()[:BEGINNING]
    return Diagnosis(genuine, mistake, skew, fresh, signed, begins)


def first_difference(expected: bytes, given: bytes) -> Difference | None:
    """Return where two texts first differ, None if they do not."""
    if expected == given:
        return None
    pairs = zip(expected, given, strict=False)
    place = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(given)))
    start = max(0, place - SHOWN)
    return Difference(place, _shown(expected[start : place + SHOWN]), _shown(given[start : place + SHOWN]))


def _signed(request: SignedRequest) -> bytes:
    if request.version == 1:
        return string_to_sign(request.timestamp, request.body, request.nonce)
    digest = hashlib.sha256(request.body).hexdigest()
    return string_to_sign_v2(request.timestamp, request.nonce, request.method, request.target, digest)


def _attempts(secret: bytes, request: SignedRequest) -> Iterator[tuple[str, bytes]]:
    """Yield each usual mistake with the digest that it makes."""
    signed, body, stamp = _signed(request), request.body, request.timestamp.encode("utf-8", "surrogateescape")
    for name, other in other_bodies(body):
        if other != body:
            yield name, _digest(secret, _signed(request._replace(body=other)))
    yield "The signed string lacks the dot between the timestamp and the body.", _digest(secret, stamp + body)
    yield "The body alone was signed: the timestamp and a dot belong before it.", _digest(secret, body)
    yield "The body was put before the timestamp.", _digest(secret, body + b"." + stamp)
    yield "The signature is a plain SHA-256: it has to be an HMAC with the secret.", hashlib.sha256(signed).digest()
    yield "Secret and text changed places: the secret is the key of the HMAC.", _digest(signed, secret)
    for name, key in other_secrets(secret):
        yield name, _digest(key, signed)
    yield "SHA-1 was used instead of SHA-256.", hmac.new(secret, signed, "sha1").digest()
    yield "SHA-512 was used instead of SHA-256.", hmac.new(secret, signed, "sha512").digest()
    for version, nonce in ((1, request.nonce), (1, None), (2, request.nonce)):
        other_version = request._replace(version=version, nonce=nonce)
        if other_version != request:
            name = (
                f"It is a signature of version {version}{'' if nonce else ' without a nonce'}, not of the one stated."
            )
            yield name, _digest(secret, _signed(other_version))
    if len(stamp) == 10:
        name = "The timestamp was signed in milliseconds, but sent in seconds."
        yield name, _digest(secret, stamp + b"000." + body)
    yield "The digits are right, but not 64 lower-case hex digits: write the HMAC as hex.", _digest(secret, signed)


def other_bodies(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the bodies that may have been signed in place of the one that was sent, each after its sentence."""
    yield "The body was signed with a line's end that was not sent.", body + b"\n"
    yield "The body was sent with a line's end that was not signed.", body.removesuffix(b"\n").removesuffix(b"\r")
    yield "Line ends were changed after signing.", body.replace(b"\r\n", b"\n")
    yield "Line ends were changed after signing.", body.replace(b"\n", b"\r\n")
    yield "Nothing was signed in the place of the body.", b""
    try:
        value = json.loads(body)
    except ValueError:
        return
    for ascii_only in (True, False):
        for separators in ((",", ":"), (", ", ": ")):
            text = json.dumps(value, separators=separators, ensure_ascii=ascii_only)
            yield "The JSON was written anew after signing: sign the very bytes that are sent.", text.encode()
        text = json.dumps(value, indent=2, ensure_ascii=ascii_only)
        yield "The JSON was written anew after signing: sign the very bytes that are sent.", text.encode()


def other_secrets(secret: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the keys that may have been made of a secret in place of its text, each after its sentence."""
    yield "The secret was used with a line's end or a space behind it.", secret + b"\n"
    yield "The secret was used with a line's end or a space behind it.", secret + b" "
    prefix, _, rest = secret.rpartition(b"_")
    if prefix:
        yield "The secret was used without its beginning: take it as it was shown.", rest
    for part in (secret, rest):
        for name, decoded in (("hex", _unhex(part)), ("base64", _unbase64(part))):
            if decoded:
                yield f"The secret was decoded from {name} before it was used: take its text as it is.", decoded


def _digest(secret: bytes, text: bytes) -> bytes:
    return hmac.new(secret, text, "sha256").digest()


def _same(digest: bytes, given: str) -> bool:
    """Return whether a header has this digest, in whatever way it is written."""
    text = given.rpartition("=")[2] if given.lower().startswith(("sha256=", "v1=", "hmac=")) else given
    return digest in (_unhex(_ascii(text)), _unbase64(_ascii(text)))


def _bytes(signature: str) -> bytes:
    """Return the digest of a well-formed signature; anything else is that of nothing."""
    well_formed = len(signature) == 64 and signature == signature.lower()
    return (_unhex(_ascii(signature)) or b"") if well_formed else b""


def _ascii(text: str) -> bytes:
    return text.encode("ascii", "replace")


def _unhex(text: bytes) -> bytes | None:
    try:
        return binascii.unhexlify(text)
    except ValueError:
        return None


def _unbase64(text: bytes) -> bytes | None:
    try:
        return base64.b64decode(
            text + b"=" * (-len(text) % 4), altchars=b"-_" if b"-" in text or b"_" in text else None
        )
    except ValueError:
        return None


def _shown(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace").replace("\r", "\\r").replace("\n", "\\n")
