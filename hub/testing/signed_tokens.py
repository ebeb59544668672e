"""JSON Web Tokens as a platform signs them: with a key that is made for the run and kept nowhere."""

from __future__ import annotations

import base64
import json
from functools import cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

HEAD: Final = {"alg": "RS256", "typ": "JWT"}


@cache
def private_key(name: str = "platform") -> RSAPrivateKey:
    """Return the key of this name; each name has another."""
    del name
    return generate_private_key(public_exponent=65_537, key_size=2_048)


def public_pem(name: str = "platform") -> bytes:
    """Return the public half of a key, as a platform shows it."""
    return private_key(name).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def token(claims: bytes, name: str = "platform", head: dict[str, object] | None = None) -> bytes:
    """Return a token with exactly these claims, signed with a key."""
    said = json.dumps(HEAD if head is None else head).encode()
    signed = b".".join(_written(each) for each in (said, claims))
    return signed + b"." + _written(private_key(name).sign(signed, PKCS1v15(), SHA256()))


def _written(part: bytes) -> bytes:
    return base64.urlsafe_b64encode(part).rstrip(b"=")
