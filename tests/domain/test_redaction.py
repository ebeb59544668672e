"""Secrets in the wrong place are not kept in a log; what helps to find a fault is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.redaction import MASK, redact, redact_path

SECRET = "sec_test_9o4wJ1rX0m2vQ7cB5nL8kT6yH3dF1sA0zE-_uGpRiWx"
SIGNATURE = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
ACCESS_TOKEN = "shpat_0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize("secret", [SECRET, SIGNATURE, ACCESS_TOKEN, "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQgaGVsbG8="])
@pytest.mark.parametrize(
    "place",
    ["{}", '{{"order": "{}", "amount": "1"}}', "/v1/products/{}", "/v1/events/{}/more", "1795176000.{}", "Bearer {}"],
)
def test_long_tokens_are_masked_wherever_they_are(secret: str, place: str) -> None:
    shown = redact(place.format(secret))
    assert secret not in shown
    assert secret[5:] not in shown
    assert MASK in shown


@pytest.mark.parametrize(
    "text",
    ['{"password": "hunter2", "a": 1}', '{"client_secret":"abc"}', "token=abc&a=1", "api_key: abc", "Secret='abc'"],
)
def test_fields_that_are_named_like_secrets_are_masked(text: str) -> None:
    shown = redact(text)
    assert "hunter2" not in shown
    assert "abc" not in shown


@pytest.mark.parametrize(
    "text",
    [
        '1795176000.{"externalOrderId":"A-1001","orderAmount":"49.90","currency":"EUR"}',
        '{"keyId":"ak_test_0123456789abcdef0123456789abcdef"}',
        "/v1/events/evt_01a2041f18f37003882652e1445450e3",
        "/connect/con_01a2041f18f37003882652e1445450e3",
        "/v1/products/import",
        "7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "affiliate_click_id=clk_01a2041f18f37003882652e1445450e3",
    ],
)
def test_what_helps_to_find_a_fault_stays(text: str) -> None:
    assert redact(text) == text


@given(st.text(max_size=300))
def test_it_never_fails_and_is_stable(text: str) -> None:
    assert redact(redact(text)) == redact(text)


SEGMENTS = st.one_of(
    st.text(max_size=40),
    st.from_regex(r"[a-z]{1,5}_[0-9a-f]{31,33}", fullmatch=True),
    st.sampled_from([SECRET, SIGNATURE, "token=abc", "password:abc", "a" * 31, "a" * 32, ""]),
)


@given(st.lists(SEGMENTS, max_size=5).map("/".join))
def test_a_path_is_masked_as_any_text_is(path: str) -> None:
    assert redact_path(path) == redact(path)
    assert redact_path(f"/{path}") == redact(f"/{path}")
