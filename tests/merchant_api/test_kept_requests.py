"""What the request log keeps of a refused request never makes another answer of the refusal."""

from __future__ import annotations

import json

import pytest
from multidict import CIMultiDict, CIMultiDictProxy

from hub.app import Hub
from hub.http.errors import unauthorized
from hub.merchant_api.kept_requests import HEADERS, kept_request
from tests.served_hub import Api, exchange

SIGNED = ("Content-Type", "X-API-Key", "X-Timestamp", "X-Nonce", "X-Signature-Version")
"""Those with a value that the request needs as it is."""


@pytest.mark.parametrize("name", [each for each in HEADERS if each not in SIGNED])
async def test_bytes_that_are_no_text_in_a_header(hub: Hub, api: Api, name: str) -> None:
    """A proven caller's refusal stays the refusal, as a fuzzer found that it did not."""
    signed = {**api.headers(b"{}"), "Content-Type": "application/json", "Content-Length": "2"}
    head = "".join(f"{key}: {value}\r\n" for key, value in signed.items()).encode()
    lines = b"POST /api/v1/conversions HTTP/1.1\r\nHost: hub\r\n" + head + name.encode() + b": a\xff\xfe\r\n\r\n{}"
    status, _, body = await exchange(hub, lines)
    assert (status.split()[1] in ("400", "415"), json.loads(body)["statusCode"] < 500) == (True, True), (status, body)


def test_a_secret_in_a_header_is_masked() -> None:
    """As it is in the body: somebody puts the secret where the key's id belongs."""
    secret = "sec_live_nnV5xV4rnYtTzf4mQenE-syRuHeEBTE2iLLR4B6trmU"
    given = CIMultiDictProxy(CIMultiDict({"Idempotency-Key": secret, "X-Signature": "\udcff"}))
    kept = kept_request(given, b"", unauthorized("bad_signature").reply)
    assert secret not in kept
    assert json.loads(kept)["headers"]["X-Signature"] == "\N{REPLACEMENT CHARACTER}"
