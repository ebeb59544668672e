"""Whether a delivery is genuine, and where it says what it is."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64encode
from typing import Any

import pytest

from hub.domain.connectors.connector import FieldPlace, FixedPlace, HeaderPlace, HmacHeader, Place, SecretHeader
from hub.domain.connectors.deliveries import genuine, secret_fault, value_at

RAW = b'{"id": 1}'


def proof(algorithm: str = "sha256", key: bytes = b"secret") -> bytes:
    return hmac.digest(key, RAW, algorithm)


@pytest.mark.parametrize(
    ("auth", "secret", "given"),
    [
        (HmacHeader("S"), b"secret", b64encode(proof()).decode()),
        (HmacHeader("S"), b"secret", f" {b64encode(proof()).decode()} "),
        (HmacHeader("S", "sha1"), b"secret", b64encode(proof("sha1")).decode()),
        (HmacHeader("S", "sha512", "hex"), b"secret", proof("sha512").hex()),
        (HmacHeader("S", encoding="hex"), b"secret", proof().hex().upper()),
        (HmacHeader("S", encoding="hex", prefix="sha256="), b"secret", "sha256=" + proof().hex()),
        (HmacHeader("S", encoding="hex", secret_encoding="hex"), b"00ff", proof(key=b"\x00\xff").hex()),
        (SecretHeader("S"), b"secret", "secret"),
    ],
)
def test_each_way_of_signing_proves_its_secret_and_no_other(
    auth: HmacHeader | SecretHeader, secret: bytes, given: str
) -> None:
    """The right secret proves it, among others too; no other does, nor none."""
    assert genuine(auth, [secret], given, RAW)
    assert genuine(auth, [b"0a", secret, b"0b"], given, RAW)
    assert not genuine(auth, [b"0a", b"0b"], given, RAW)
    assert not genuine(auth, [], given, RAW)
    if isinstance(auth, HmacHeader):
        assert not genuine(auth, [secret], given, RAW + b"\n")


@pytest.mark.parametrize("given", ["", "é", "\udcff", "====", "=", "!" * 44, "0" * 64, "sha256=", " ", "a" * 10_000])
@pytest.mark.parametrize(
    "auth", [HmacHeader("S"), HmacHeader("S", encoding="hex", prefix="sha256="), HmacHeader("S", secret_encoding="hex")]
)
def test_a_malformed_signature_is_a_wrong_one(auth: HmacHeader, given: str) -> None:
    """Whatever a stranger sends is a wrong signature, never a fault; a secret that is no hex proves nothing."""
    assert not genuine(auth, [b"secret", b""], given, RAW)


def test_an_empty_secret_proves_nothing() -> None:
    """Everybody has it."""
    assert not genuine(SecretHeader("S"), [b""], "", RAW)
    assert not genuine(HmacHeader("S"), [b""], b64encode(proof(key=b"")).decode(), RAW)


def test_all_secrets_are_tried_whichever_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first that fits does not end the work: time does not tell which it was."""
    counted: list[bytes] = []
    real = hmac.compare_digest

    def counting(a: bytes, b: bytes) -> bool:
        counted.append(a)
        return real(a, b)

    monkeypatch.setattr(hmac, "compare_digest", counting)
    assert genuine(HmacHeader("S"), [b"secret", b"b", b"c"], b64encode(proof()).decode(), RAW)
    assert len(counted) == 3
    assert {len(a) for a in counted} == {hashlib.sha256().digest_size}


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (HeaderPlace("X-Topic"), "orders/create"),
        (HeaderPlace("X-None"), None),
        (HeaderPlace("X-Odd"), None),
        (HeaderPlace("X-Long"), None),
        (FieldPlace("data.type"), "order"),
        (FieldPlace("data.id"), "7"),
        (FieldPlace("data.flag"), None),
        (FieldPlace("data.type.more"), None),
        (FieldPlace("list.0"), None),
        (FixedPlace("all"), "all"),
        (None, None),
    ],
)
def test_a_delivery_says_its_name_in_a_header_a_field_or_nowhere(place: Place | None, said: str | None) -> None:
    """A header, a field or a fixed word; what could be no name is none."""
    headers = {"x-topic": "orders/create", "x-odd": "a\nb", "x-long": "x" * 256}
    body: Any = {"data": {"type": "order", "id": 7, "flag": True}, "list": [1]}
    assert value_at(place, headers, body) == said


def test_a_secret_that_was_pasted_wrongly_is_refused() -> None:
    """What an operator pastes wrongly is found at once."""
    assert secret_fault(HmacHeader("S"), "abc") is None
    assert secret_fault(HmacHeader("S", secret_encoding="hex"), "00ff") is None
    assert secret_fault(HmacHeader("S", secret_encoding="hex"), "xyz") is not None
    for text in ("", " abc", "abc\n", "a\0"):
        assert secret_fault(SecretHeader("S"), text) is not None
