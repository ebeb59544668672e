"""A software authenticator that makes and uses a passkey as a device does, for tests without a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import struct
from typing import Any

import cbor2
from attrs import define, field
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT_AND_VERIFIED = 0x1D
"""Present, verified, may be backed up, and is."""
PRESENT_ONLY = 0x19
WITH_CREDENTIAL = 0x40


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@define
class SoftPasskey:
    """A passkey for one site; `flags` are what it says of the person before it."""

    host: str
    origin: str
    flags: int = PRESENT_AND_VERIFIED
    count: int = 0
    id: bytes = field(factory=lambda: os.urandom(32))
    key: ec.EllipticCurvePrivateKey = field(factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    user: bytes = b""

    def create(self, options: dict[str, Any]) -> str:
        """Answer the challenge of a registration."""
        self.user = base64.urlsafe_b64decode(options["user"]["id"] + "==")
        numbers = self.key.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        cose = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        extra = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cose
        statement = {"fmt": "none", "attStmt": {}, "authData": self._data(self.flags | WITH_CREDENTIAL, extra)}
        client = self._client("webauthn.create", options)
        return self._answer(clientDataJSON=client, attestationObject=cbor2.dumps(statement))

    def get(self, options: dict[str, Any]) -> str:
        """Answer the challenge of a sign-in."""
        self.count += 1
        client, data = self._client("webauthn.get", options), self._data(self.flags)
        signed = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signed, userHandle=self.user)

    def _data(self, flags: int, extra: bytes = b"") -> bytes:
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + struct.pack(">I", self.count) + extra

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        stated = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}
        return json.dumps(stated).encode()

    def _answer(self, **parts: bytes) -> str:
        response = {name: b64(part) for name, part in parts.items()}
        return json.dumps({"id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": response})
