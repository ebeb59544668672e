"""Signs what the fuzzer sends: schemathesis loads this module (SCHEMATHESIS_HOOKS) in its own process.

`HUB_TEST_KEYS` holds the keys as JSON, `[[key id, secret], ...]`, all of one account. A fuzzer repeats bodies, most of
all the empty one, so each request takes a key and a second that have not signed its bytes yet.
"""

from __future__ import annotations

import json
import os
import random
import time

import requests
from requests.auth import AuthBase
from schemathesis.auths import GLOBAL_AUTH_STORAGE

from hub.domain.signing import sign, sign_v2

SPREAD_SECONDS = 240
"""How far from now the timestamps are at most: well within the tolerance."""


class Signing(AuthBase):
    """Puts the signature on a request that is ready to be sent, with the nonce and in the version that it states."""

    def __init__(self, keys: list[tuple[str, str]]) -> None:
        self._keys = keys
        self._used: set[tuple[str, str]] = set()
        self._dice = random.Random(20_261_120)

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        given = request.body or b""
        body = given.encode() if isinstance(given, str) else given
        if not isinstance(body, bytes):
            raise TypeError("a body that is streamed cannot be signed")
        key_id, timestamp, signature = self._fresh(request, body)
        request.headers.update({"X-API-Key": key_id, "X-Timestamp": timestamp, "X-Signature": signature})
        return request

    def _fresh(self, request: requests.PreparedRequest, body: bytes) -> tuple[str, str, str]:
        nonce, version = (_header(request, name) for name in ("X-Nonce", "X-Signature-Version"))
        while True:
            key_id, secret = self._dice.choice(self._keys)
            timestamp = str(int(time.time()) + self._dice.randint(-SPREAD_SECONDS, SPREAD_SECONDS))
            if version == "2":
                method, target = request.method or "", request.path_url
                signature = sign_v2(secret.encode(), timestamp, nonce, method, target, body)
            else:
                signature = sign(secret.encode(), timestamp, body, nonce)
            if (key_id, signature) not in self._used:
                self._used.add((key_id, signature))
                return key_id, timestamp, signature


def _header(request: requests.PreparedRequest, name: str) -> str | None:
    value = request.headers.get(name)
    return value.decode("latin-1") if isinstance(value, bytes) else value


if "HUB_TEST_KEYS" in os.environ:
    GLOBAL_AUTH_STORAGE.set_from_requests(Signing([tuple(pair) for pair in json.loads(os.environ["HUB_TEST_KEYS"])]))
