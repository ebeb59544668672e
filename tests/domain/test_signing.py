"""The request signature, against vectors that were made with another tool, and against tampering."""

from __future__ import annotations

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.signing import sign, sign_v2, string_to_sign, string_to_sign_v2, timestamp_seconds, verify

SECRET = b"sk_test_secret"
STAMP = "1700000000"
BODY = b'{"externalOrderId":"A-1","orderAmount":"49.90"}'


# printf '%s' "$STAMP.$BODY" | openssl dgst -sha256 -hmac sk_test_secret
@pytest.mark.parametrize(
    ("body", "signature"),
    [
        (BODY, "191a2632f396ed1532ff8c2c26be2cb225241e9745d8eeb86136efede559d11f"),
        (b"", "836b9373ad764878b0651cc65776d402c9ca7e45ef2958dd816f9dd255fa3b5f"),
    ],
)
def test_the_signature_is_what_openssl_makes(body: bytes, signature: str) -> None:
    assert sign(SECRET, STAMP, body) == signature
    assert verify(SECRET, string_to_sign(STAMP, body), signature.encode())


@given(st.binary(max_size=200), st.binary())
def test_the_signature_is_what_the_standard_library_makes(secret: bytes, body: bytes) -> None:
    assert sign(secret, STAMP, body) == hmac.new(secret, string_to_sign(STAMP, body), "sha256").hexdigest()


def test_a_request_without_a_body_signs_the_timestamp_and_the_point() -> None:
    assert string_to_sign(STAMP, b"") == b"1700000000."


@given(st.binary(), st.data())
def test_one_flipped_bit_anywhere_breaks_the_signature(body: bytes, data: st.DataObject) -> None:
    signature = sign(SECRET, STAMP, body).encode()
    signed = bytearray(body + signature)
    bit = data.draw(st.integers(0, 8 * len(signed) - 1))
    signed[bit // 8] ^= 1 << bit % 8
    assert not verify(SECRET, string_to_sign(STAMP, bytes(signed[: len(body)])), bytes(signed[len(body) :]))


@pytest.mark.parametrize("timestamp", ["1700000001", "17000000001", "", "\udcff\udc80"])
def test_another_timestamp_breaks_the_signature(timestamp: str) -> None:
    assert not verify(SECRET, string_to_sign(timestamp, BODY), sign(SECRET, STAMP, BODY).encode())


@pytest.mark.parametrize("signature", [b"", b"0", b"\xff" * 64, sign(SECRET, STAMP, BODY).upper().encode()])
def test_other_bytes_are_no_signature(signature: bytes) -> None:
    assert not verify(SECRET, string_to_sign(STAMP, BODY), signature)


def test_the_point_separates_timestamp_and_body() -> None:
    assert sign(SECRET, "17000000001", b"1") != sign(SECRET, "1700000000", b"11")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1700000000", 1_700_000_000),
        ("0000000001", 1),
        ("170000000", None),
        ("17000000000", None),
        ("1700000000 ", None),
        ("-170000000", None),
        ("1.70000000", None),
        ("1_70000000", None),
        ("\u0661\u0667\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660", None),
        ("\uff11\uff17\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10", None),
        ("", None),
    ],
)
def test_a_timestamp_is_ten_ascii_digits(text: str, seconds: int | None) -> None:
    assert timestamp_seconds(text) == seconds


# printf '%s' "$STAMP.n-1.$BODY" | openssl dgst -sha256 -hmac sk_test_secret
def test_a_nonce_is_signed_between_the_timestamp_and_the_body() -> None:
    assert string_to_sign(STAMP, BODY, "n-1") == b"1700000000.n-1." + BODY
    assert sign(SECRET, STAMP, BODY, "n-1") == "e25bf1c9f02b2bff98dcb500bc9768dc4719c040127c6e6c948c93ee6a5dd05f"


# printf 'v2.%s.n-1.POST./api/v1/conversions?x=1.%s' "$STAMP" "$(printf '%s' "$BODY" | sha256sum | cut -c1-64)" |
#     openssl dgst -sha256 -hmac sk_test_secret
def test_version_2_signs_the_method_and_the_target() -> None:
    target = "/api/v1/conversions?x=1"
    assert (
        sign_v2(SECRET, STAMP, "n-1", "POST", target, BODY)
        == "ba12e02c5d648f68a277551abcfdf2f8093002f784273004e605f39745dea3cc"
    )


@pytest.mark.parametrize(
    "other",
    [
        ("1700000001", "n", "GET", "/a"),
        (STAMP, "m", "GET", "/a"),
        (STAMP, "n", "POST", "/a"),
        (STAMP, "n", "GET", "/b"),
    ],
)
def test_each_part_of_version_2_changes_the_signature(other: tuple[str, str, str, str]) -> None:
    assert sign_v2(SECRET, *other, b"") != sign_v2(SECRET, STAMP, "n", "GET", "/a", b"")


def test_without_a_nonce_its_place_in_version_2_is_empty() -> None:
    assert string_to_sign_v2(STAMP, None, "GET", "/a", "d") == b"v2.1700000000..GET./a.d"


def test_odd_bytes_of_a_header_sign_as_themselves() -> None:
    """They arrive as surrogates."""
    assert string_to_sign("17\udcff", b"b", "n\udc80") == b"17\xff.n\x80.b"
    assert string_to_sign_v2("17\udcff", None, "GET", "/\udc80", "00") == b"v2.17\xff..GET./\x80.00"
