"""Codes of authenticator apps, by the examples of the standard, and each only once."""

from __future__ import annotations

import pytest

from hub.domain.totp import STEP_MS, matching_step, provisioning_uri, secret_text, totp_code

SECRET = b"12345678901234567890"


@pytest.mark.parametrize(
    ("second", "code"),
    [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (20_000_000_000, "353130")],
)
def test_the_codes_are_those_of_rfc_6238(second: int, code: str) -> None:
    """Appendix B, the last six of its eight digits."""
    assert totp_code(SECRET, second * 1000 // STEP_MS) == code


def test_a_code_of_the_step_before_and_after_counts_and_none_further() -> None:
    now = 40_000 * STEP_MS
    fits = [matching_step(SECRET, totp_code(SECRET, 40_000 + n), now, None) is not None for n in (-2, -1, 0, 1, 2)]
    assert fits == [False, True, True, True, False]


def test_a_step_that_was_used_or_passed_counts_no_more() -> None:
    now = 40_000 * STEP_MS
    code = totp_code(SECRET, 40_000)
    assert matching_step(SECRET, code, now, None) == 40_000
    assert matching_step(SECRET, code, now, 40_000) is None
    assert matching_step(SECRET, code, now, 39_999) == 40_000


def test_blanks_in_a_code_do_not_matter_and_other_texts_are_none() -> None:
    now = 40_000 * STEP_MS
    code = totp_code(SECRET, 40_000)
    assert matching_step(SECRET, f" {code[:3]} {code[3:]} ", now, None) == 40_000
    for text in ("", "\uff11\uff12\uff13\uff14\uff15\uff16", "abc", code + "0", "\ud800"):
        assert matching_step(SECRET, text, now, None) is None


def test_an_app_is_set_up_by_one_address() -> None:
    uri = provisioning_uri(SECRET, "ann@hub.example", "Affiliate hub")
    assert uri.startswith("otpauth://totp/Affiliate%20hub%3Aann%40hub.example?secret=GEZDGNBV")
    assert secret_text(SECRET) == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
