"""Tokens that are whole deliveries (RFC 7519): only the platform's key, only RS256, only until they end."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1
from cryptography.hazmat.primitives.asymmetric.ec import generate_private_key as curve_key
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hub.domain.connectors.connector import FieldPlace
from hub.domain.connectors.deliveries import beginnings, genuine, secret_fault, stated_body, value_at
from hub.domain.connectors.delivery_diagnosis import KnownSecrets, SentDelivery, diagnose_delivery
from hub.domain.connectors.jwt_body import OF_SHA256, JwtBody, claims_of, public_key
from hub.testing.signed_tokens import public_pem, token

AUTH = JwtBody()
NOW = 1_772_359_200_000
ENDS = NOW // 1000 + 60
CLAIMS = json.dumps({"data": '{"eventType":"order_created","instanceId":"i-1"}', "exp": ENDS}).encode()


def taken(raw: bytes, *keys: bytes, now: int = NOW) -> bool:
    return genuine(AUTH, keys or [public_pem()], "", raw, {}, now)


def with_claims(claims: object) -> bytes:
    return token(json.dumps(claims).encode())


def test_a_token_of_the_platforms_key_is_taken_and_its_claims_are_the_body() -> None:
    signed = token(CLAIMS)
    assert taken(signed)
    assert taken(b" " + signed + b"\n")
    assert taken(signed, public_pem("another"), public_pem())
    assert stated_body(AUTH, signed) == CLAIMS == claims_of(signed)
    assert beginnings(AUTH, [public_pem()], "", signed) == (None, None)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (token(CLAIMS, "another"), "another key"),
        (token(CLAIMS, head={"alg": "none"}), "no algorithm"),
        (token(CLAIMS, head={"alg": "HS256"}), "another algorithm"),
        (token(CLAIMS, head={"alg": "RS256", "crit": ["exp"]}), "an extension that must be understood"),
        (token(CLAIMS).rsplit(b".", 1)[0] + b".", "no signature"),
        (token(CLAIMS) + b".e30", "four parts"),
        (token(CLAIMS).replace(b".", b".e30", 1), "other claims"),
        (token(b"[]"), "claims that are no object"),
        (with_claims({"data": ""}), "no end"),
        (with_claims({"exp": True}), "an end that is no number"),
        (with_claims({"exp": ENDS - 361}), "one that has ended"),
        (CLAIMS, "bare claims"),
        (b"", "nothing"),
        (b"\xff.\xff.\xff", "no text"),
    ],
)
def test_everything_else_is_refused(raw: bytes, why: str) -> None:
    assert not taken(raw), why


def test_a_digest_with_the_public_key_as_its_secret_is_no_signature() -> None:
    """The classic confusion of algorithms: whoever knows the public key could else sign with it."""
    head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()).rstrip(b"=")
    signed = head + b"." + base64.urlsafe_b64encode(CLAIMS).rstrip(b"=")
    digest = base64.urlsafe_b64encode(hmac.digest(public_pem(), signed, "sha256")).rstrip(b"=")
    assert not taken(signed + b"." + digest)


def test_a_signature_is_compared_whole() -> None:
    """Not with its digest at another place, nor as another number of the same rest, nor shorter."""
    signed, _, signature = token(CLAIMS).rpartition(b".")
    number = base64.urlsafe_b64decode(signature + b"==")
    key = public_key(public_pem())
    assert key is not None
    size = len(number)
    larger = (int.from_bytes(number, "big") + key.modulus).to_bytes(size + 1, "big")
    said = hashlib.sha256(signed).digest()
    for forged in (
        larger,
        larger[-size:],
        number[:-1],
        b"\x00" + number,
        b"\x00\x01\x00" + OF_SHA256 + said,
        said,
        b"",
    ):
        assert not taken(signed + b"." + base64.urlsafe_b64encode(forged).rstrip(b"=")), forged


@pytest.mark.parametrize("bits", [2_048, 3_072])
def test_keys_of_several_sizes_are_read_as_the_library_reads_them(bits: int) -> None:
    made = generate_private_key(public_exponent=65_537, key_size=bits).public_key()
    pem = made.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    assert public_key(pem) == (made.public_numbers().n, 65_537)
    der = made.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    for broken in (der[:-1], der + b"\x00", der[:30], b""):
        text = base64.b64encode(broken).decode()
        assert public_key(f"-----BEGIN PUBLIC KEY-----{text}-----END PUBLIC KEY-----".encode()) is None


def test_a_key_that_is_too_small_is_none() -> None:
    small = generate_private_key(public_exponent=65_537, key_size=1_024).public_key()
    assert public_key(small.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)) is None


def test_a_token_counts_a_little_longer_than_it_says() -> None:
    end = (ENDS + AUTH.tolerance_seconds) * 1000
    assert taken(token(CLAIMS), now=end)
    assert not taken(token(CLAIMS), now=end + 1000)


@pytest.mark.parametrize(
    "written",
    [public_pem(), public_pem().replace(b"\n", b""), public_pem().replace(b"\n", b" "), base64.b64encode(public_pem())],
)
def test_a_key_may_have_lost_its_lines_or_stand_in_base64(written: bytes) -> None:
    assert public_key(written) is not None
    assert taken(token(CLAIMS), written)
    assert secret_fault(AUTH, written.decode()) is None


def test_what_is_no_rsa_key_is_no_secret() -> None:
    curve = curve_key(SECP256R1()).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for text in ("s3cret", public_pem().decode()[:200], curve.decode(), ""):
        assert secret_fault(AUTH, text) == "must be an RSA public key of 2048 bits, in PEM"


def test_a_place_leads_into_a_json_text() -> None:
    body = json.loads(CLAIMS)
    assert value_at(FieldPlace("data.instanceId"), {}, body) == "i-1"
    for text in ("{", "[]", "3", ""):
        assert value_at(FieldPlace("data.instanceId"), {}, {"data": text}) is None


@pytest.mark.parametrize(
    ("raw", "now", "known", "blame"),
    [
        (b"no token", NOW, KnownSecrets([public_pem()], [], {}), "body"),
        (token(CLAIMS), NOW + 86_400_000, KnownSecrets([public_pem()], [], {}), "time"),
        (token(CLAIMS), NOW, KnownSecrets([public_pem("another")], [public_pem()], {}), "secret"),
        (token(CLAIMS), NOW, KnownSecrets([public_pem("another")], [], {"Lamps": [public_pem()]}), "secret"),
        (token(CLAIMS), NOW, KnownSecrets([public_pem("another")], [], {}), None),
    ],
)
def test_the_doctor_says_what_is_wrong_with_a_token(
    raw: bytes, now: int, known: KnownSecrets, blame: str | None
) -> None:
    assert diagnose_delivery(AUTH, known, SentDelivery("", raw, {}), now).blame == blame


def test_control_the_doctor_finds_nothing_wrong_with_a_good_one() -> None:
    sent = SentDelivery("", token(CLAIMS), {})
    assert diagnose_delivery(AUTH, KnownSecrets([public_pem()], [], {}), sent, NOW).genuine
