"""Signatures of outgoing webhooks, against one that openssl made."""

from __future__ import annotations

import pytest

from hub.domain.messages.webhook_signing import SECRET_BYTES, secret_key, secret_text, signature, webhook_headers

KEY = b"k" * SECRET_BYTES
# printf '%s' 'msg_1.1700000000.{"a":1}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:6b6b... -binary | base64
BY_OPENSSL = "v1,tDnYFrCIK4MQWDoOot4FXQ7/xKQ3Ta7J5hEfw60KmoA="


def test_a_signature_is_what_openssl_makes() -> None:
    assert signature(KEY, "msg_1", 1_700_000_000, b'{"a":1}') == BY_OPENSSL


def test_a_key_is_32_bytes_in_base64_behind_its_mark() -> None:
    assert SECRET_BYTES == 32
    assert secret_text(b"\xff\xfe") == "whsec_//4="
    assert secret_key(secret_text(KEY)) == KEY


@pytest.mark.parametrize("text", ["//4=", "whsec_/", "whsec_\n//4=", "WHSEC_//4="])
def test_what_is_no_secret_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="whsec_"):
        secret_key(text)


def test_a_message_has_its_id_its_second_and_a_signature_by_every_key() -> None:
    assert webhook_headers([KEY, KEY], "msg_1", 1_700_000_000, b'{"a":1}', "1") == {
        "webhook-id": "msg_1",
        "webhook-timestamp": "1700000000",
        "webhook-signature": f"{BY_OPENSSL} {BY_OPENSSL}",
        "webhook-payload-version": "1",
    }
