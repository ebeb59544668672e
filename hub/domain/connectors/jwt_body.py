"""Deliveries whose whole body is a JSON Web Token that the platform signs with a key of its own (RFC 7519, RS256).

The hub has the public half of that key. Only RS256 is taken, whatever the token says of itself; what cannot be read is
a wrong signature. It is verified as RFC 8017 has it (8.2.2): what the signature must have been made of is written down
and compared whole, so that nothing of a signature is read and believed.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from attrs import frozen

ALGORITHM: Final = "RS256"
PEM: Final = re.compile(r"-----BEGIN PUBLIC KEY-----(.+)-----END PUBLIC KEY-----", re.DOTALL)
KEY_BITS: Final = range(2_048, 8_193)
LARGEST_EXPONENT: Final = 2**32
SEQUENCE, INTEGER, BITS = 0x30, 0x02, 0x03
OF_RSA: Final = bytes.fromhex("300d06092a864886f70d0101010500")
"""What a public key of RSA begins with (RFC 3279): the name of the algorithm."""
OF_SHA256: Final = bytes.fromhex("3031300d060960864801650304020105000420")
"""What stands before the digest that is signed (RFC 8017, 9.2)."""


@frozen
class JwtBody:
    """The platform sends nothing but a JSON Web Token, signed (RS256) with a key of its own (Wix).

    The connection's secret is the public key, in PEM. Once the token is verified, what it states takes the body's
    place. It counts until its `exp`, and `tolerance_seconds` longer, for clocks that differ.
    """

    tolerance_seconds: int = 300

    @property
    def header(self) -> str:
        """The header with the proof: none, the body is the proof."""
        return ""


class PublicKey(NamedTuple):
    """A public key of RSA."""

    modulus: int
    exponent: int


def is_token_of(auth: JwtBody, keys: Sequence[bytes], raw: bytes, now: int) -> bool:
    """Return whether one of the keys signed a token, which has not ended at `now` (ms UTC)."""
    signed = [_is_signed(key, raw) for key in keys]
    return any(signed) and _is_fresh(auth, raw, now)


def claims_of(raw: bytes) -> bytes:
    """Return what a token states, byte for byte; empty if it is none."""
    parts = raw.strip().split(b".")
    return _decoded(parts[1]) or b"" if len(parts) == 3 else b""


@lru_cache(maxsize=256)
def public_key(text: bytes) -> PublicKey | None:
    """Return the key of a PEM, whose line ends may be lost, or which base64 may stand around; None if it is none."""
    written = text.decode("ascii", "replace")
    found = PEM.search(written) or PEM.search((_base64(written) or b"").decode("ascii", "replace"))
    der = None if found is None else _base64(found[1])
    try:
        key = None if der is None else _key_in(der)
    except ValueError:
        return None
    if key is None or key.modulus.bit_length() not in KEY_BITS or key.exponent % 2 == 0:
        return None
    return key if 3 <= key.exponent <= LARGEST_EXPONENT else None


def _is_signed(key: bytes, raw: bytes) -> bool:
    signed, _, signature = raw.strip().rpartition(b".")
    head, shown, found = _object(_decoded(signed.partition(b".")[0])), _decoded(signature), public_key(key)
    if found is None or shown is None or head.get("alg") != ALGORITHM or "crit" in head or signed.count(b".") != 1:
        return False
    size = (found.modulus.bit_length() + 7) // 8
    number = int.from_bytes(shown, "big")
    if len(shown) != size or number >= found.modulus:
        return False
    said = OF_SHA256 + hashlib.sha256(signed).digest()
    due = b"\x00\x01" + b"\xff" * (size - len(said) - 3) + b"\x00" + said
    return hmac.compare_digest(pow(number, found.exponent, found.modulus).to_bytes(size, "big"), due)


def _is_fresh(auth: JwtBody, raw: bytes, now: int) -> bool:
    ends = _object(claims_of(raw)).get("exp")
    return isinstance(ends, int) and not isinstance(ends, bool) and now // 1000 <= ends + auth.tolerance_seconds


def _key_in(der: bytes) -> PublicKey:
    """Return the key of a SubjectPublicKeyInfo (RFC 5280, 4.1); raise `ValueError` if it is none of RSA."""
    whole = _only(der, SEQUENCE)
    if not whole.startswith(OF_RSA):
        raise ValueError("another algorithm")
    bits = _only(whole.removeprefix(OF_RSA), BITS)
    modulus, rest = _element(_only(bits[1:], SEQUENCE), INTEGER)
    return PublicKey(int.from_bytes(modulus, "big"), int.from_bytes(_only(rest, INTEGER), "big"))


def _only(der: bytes, tag: int) -> bytes:
    content, rest = _element(der, tag)
    if rest:
        raise ValueError("more than one element")
    return content


def _element(der: bytes, tag: int) -> tuple[bytes, bytes]:
    """Return the content of the element that bytes begin with, and the bytes after it; raise `ValueError`."""
    if len(der) < 2 or der[0] != tag:
        raise ValueError("another element")
    more = der[1] & 0x7F if der[1] & 0x80 else 0
    length = int.from_bytes(der[2 : 2 + more], "big") if more else der[1]
    content = der[2 + more : 2 + more + length]
    if len(content) != length:
        raise ValueError("an element that breaks off")
    return content, der[2 + more + length :]


def _object(text: bytes | None) -> dict[str, Any]:
    try:
        found = json.loads(text or b"")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _decoded(part: bytes) -> bytes | None:
    """Return the bytes of a part, which is base64 for URLs without its padding (RFC 7515)."""
    try:
        return base64.b64decode(part + b"=" * (-len(part) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None


def _base64(text: str) -> bytes | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
