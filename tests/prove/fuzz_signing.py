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
    """Puts a signature of either version, with a nonce or without, on a request that is ready to be sent."""

    def __init__(self, keys: list[tuple[str, str]]) -> None:
        self._keys = keys
        self._used: set[tuple[str, str]] = set()
        self._dice = random.Random(20_261_120)

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        given = request.body or b""
        body = given.encode() if isinstance(given, str) else given
        if not isinstance(body, bytes):
            raise TypeError("a body that is streamed cannot be signed")
        nonce = self._dice.choice([None, f"n-{self._dice.getrandbits(64)}"])
        version = self._dice.choice(["1", "2"])
        key_id, timestamp, signature = self._fresh(request, body, nonce, version)
        request.headers.update({"X-API-Key": key_id, "X-Timestamp": timestamp, "X-Signature": signature})
        request.headers.update({"X-Signature-Version": version} | ({} if nonce is None else {"X-Nonce": nonce}))
        return request

    def _fresh(
        self, request: requests.PreparedRequest, body: bytes, nonce: str | None, version: str
    ) -> tuple[str, str, str]:
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


if "HUB_TEST_KEYS" in os.environ:
    GLOBAL_AUTH_STORAGE.set_from_requests(Signing([tuple(pair) for pair in json.loads(os.environ["HUB_TEST_KEYS"])]))
