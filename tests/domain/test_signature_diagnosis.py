"""The signature doctor's rules: each usual mistake is made, and named; nothing that signs is given away."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest

from hub.domain.signature_diagnosis import SignedRequest, diagnose, first_difference
from hub.domain.signing import sign, sign_v2

SECRET = b"sk_test_c2VjcmV0IG9mIHRoZSBzaG9w"
NOW = 1_795_176_000_000
STAMP = "1795176000"
BODY = b'{"externalOrderId": "A-1", "orderAmount": "49.90", "note": "caf\xc3\xa9"}'


def hexed(text: bytes, secret: bytes = SECRET) -> str:
    return hmac.new(secret, text, "sha256").hexdigest()


SIGNED = STAMP.encode() + b"." + BODY
MISTAKES = {
    "a line's end that was not sent": hexed(SIGNED + b"\n"),
    "lacks the dot": hexed(STAMP.encode() + BODY),
    "The body alone": hexed(BODY),
    "before the timestamp": hexed(BODY + b"." + STAMP.encode()),
    "plain SHA-256": hashlib.sha256(SIGNED).hexdigest(),
    "changed places": hexed(SECRET, SIGNED),
    "a line's end or a space": hexed(SIGNED, SECRET + b"\n"),
    "without its beginning": hexed(SIGNED, SECRET.rpartition(b"_")[2]),
    "decoded from base64": hexed(SIGNED, base64.b64decode(SECRET.rpartition(b"_")[2])),
    "SHA-1": hmac.new(SECRET, SIGNED, "sha1").hexdigest(),
    "SHA-512": hmac.new(SECRET, SIGNED, "sha512").hexdigest(),
    "signature of version 2": sign_v2(SECRET, STAMP, None, "POST", "/", BODY),
    "in milliseconds": hexed(STAMP.encode() + b"000." + BODY),
    "written anew": hexed(STAMP.encode() + b"." + json.dumps(json.loads(BODY), separators=(",", ":")).encode()),
    "Nothing was signed": hexed(STAMP.encode() + b"."),
    "not 64 lower-case hex digits": hexed(SIGNED).upper(),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_usual_mistake_is_named(mistake: str) -> None:
    found = diagnose(SECRET, SignedRequest(STAMP, MISTAKES[mistake], BODY), NOW)
    assert not found.genuine
    assert mistake in (found.mistake or "")


@pytest.mark.parametrize(
    "written", [base64.b64encode(bytes.fromhex(hexed(SIGNED))).decode(), "sha256=" + hexed(SIGNED)]
)
def test_a_digest_in_another_form_is_recognised(written: str) -> None:
    assert "not 64 lower-case hex digits" in (diagnose(SECRET, SignedRequest(STAMP, written, BODY), NOW).mistake or "")


@pytest.mark.parametrize(
    "request_",
    [
        SignedRequest(STAMP, sign(SECRET, STAMP, BODY), BODY),
        SignedRequest(STAMP, sign(SECRET, STAMP, BODY, "n0nce"), BODY, "n0nce"),
        SignedRequest(STAMP, sign_v2(SECRET, STAMP, None, "GET", "/api/v1/products?page=1", b""), b"", None, 2, "GET",
                      "/api/v1/products?page=1"),
    ],
)  # fmt: skip
def test_a_genuine_signature_is_said_to_be_one(request_: SignedRequest) -> None:
    found = diagnose(SECRET, request_, NOW + 299_000)
    assert (found.genuine, found.mistake, found.skew, found.fresh) == (True, None, -299, True)


def test_a_clock_that_is_off_is_noticed() -> None:
    found = diagnose(SECRET, SignedRequest(STAMP, sign(SECRET, STAMP, BODY), BODY), NOW - 301_000)
    assert (found.genuine, found.skew, found.fresh) == (True, 301, False)
    assert diagnose(SECRET, SignedRequest("soon", "x", BODY), NOW).skew is None


@pytest.mark.parametrize("signature", ["", "x", "é" * 64, "0" * 64, "\x00", "=" * 8])
def test_control_what_is_wrong_otherwise_has_no_name(signature: str) -> None:
    """Nothing is guessed; whatever is pasted is answered."""
    assert diagnose(SECRET, SignedRequest(STAMP, signature, BODY), NOW)[:2] == (False, None)


def test_the_diagnosis_signs_nothing() -> None:
    """Neither the secret nor any digest that the key makes is in it."""
    found = repr(diagnose(SECRET, SignedRequest(STAMP, "0" * 64, BODY), NOW))
    assert SECRET.decode() not in found
    assert hexed(SIGNED)[:12] not in found


def test_the_first_byte_that_differs_is_shown() -> None:
    found = first_difference(SIGNED, SIGNED.replace(b"49.90", b"49.9"))
    assert found is not None
    assert SIGNED[found.place : found.place + 1] == b"0"
    assert ('49.90"' in found.expected, '49.9",' in found.given) == (True, True)
    assert first_difference(SIGNED, SIGNED) is None
    shorter = first_difference(b"abc", b"ab")
    assert shorter is not None
    assert shorter.place == 2
