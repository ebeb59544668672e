"""What people type as they would say it is taken: "10 %", "14 days", a web address that was pasted for a domain."""

from __future__ import annotations

import pytest

from hub.domain.durations import DAY, DurationError, parse_duration
from hub.operations.checks import checked_domain
from hub.operations.errors import OperatorFault
from hub.pages.form_faults import worded
from hub.pages.rate_forms import rate_value


def test_a_percentage_may_have_its_sign_and_an_amount_may_not() -> None:
    assert [rate_value("PERCENTAGE", typed) for typed in ("10%", "10 %", " 12.5")] == ["10", "10", "12.5"]
    assert rate_value("FIXED", "5.00 %") == "5.00 %"


def test_a_duration_is_written_in_words_or_by_a_letter() -> None:
    assert {parse_duration(text) for text in ("14d", "14 days", "336 hours")} == {14 * DAY}
    assert parse_duration("1 day") == DAY
    for wrong in ("14 weeks", "days", "14  days", "a day"):
        with pytest.raises(DurationError):
            parse_duration(wrong)


def test_a_pasted_web_address_stands_for_its_domain() -> None:
    assert {checked_domain(text) for text in ("shop.example", "https://shop.example/", "HTTP://shop.example/a/b")} == {
        "shop.example"
    }
    with pytest.raises(OperatorFault, match="write it bare"):
        checked_domain("ftp://shop.example")


def test_a_fault_names_a_field_as_the_page_does() -> None:
    fault = '`defaultCommissionValue` must be a decimal number as a string such as "8"'
    assert worded({"value": fault}, {}) == {"value": 'The rate must be a decimal number such as "8"'}
