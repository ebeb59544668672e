"""Money, times and statuses on pages: one way each, and escaped."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

import pytest
from markupsafe import Markup

from hub.domain.instants import parse_instant
from hub.domain.money import MoneyError
from hub.pages.markup import coded, count, instant, like, money, month_words, read_by, span_text, status, until
from hub.pages.rendering import HERE, script

NOON = parse_instant("2026-11-22T12:00:00Z")
MINUTE = 60_000
DAY = 24 * 60 * MINUTE


def words(html: Markup) -> str:
    return re.sub(r"<[^>]*>", "", html).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("amount", "currency", "shown", "value"),
    [
        (123450, "USD", "1,234.50 USD", "1234.50"),
        (123450, "JPY", "123,450 JPY", "123450"),
        (123450, "KWD", "123.450 KWD", "123.450"),
        (-768, "EUR", "\u22127.68 EUR", "-7.68"),
        ("-1234567.00", "EUR", "\u22121,234,567.00 EUR", "-1234567.00"),
        (0, "EUR", "0.00 EUR", "0.00"),
    ],
)
def test_money_has_the_digits_of_its_currency(amount: int | str, currency: str, shown: str, value: str) -> None:
    assert words(money(amount, currency)) == shown
    assert f'value="{value}"' in money(amount, currency)


def test_money_without_a_known_currency_is_refused() -> None:
    with pytest.raises(MoneyError):
        money(1, "XXX")


def test_an_amount_is_exemplified_as_its_currency_is_typed() -> None:
    assert [like(25, currency) for currency in ("USD", "JPY", "KWD")] == ["25.00", "25", "25.000"]


def test_a_count_is_capped() -> None:
    assert [words(count(*each)) for each in [(1000,), (1000, 1000), (1001, 1000)]] == ["1,000", "1,000", "1,000+"]


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        (0, "just now"),
        (3 * MINUTE, "3 min ago"),
        (DAY - MINUTE, "23 h ago"),
        (DAY, "21 Nov, 13:00"),
        (400 * DAY, "18 Oct 2025, 14:00"),
        (-DAY, "23 Nov, 13:00"),
    ],
)
def test_a_list_says_how_long_ago_and_then_the_day(before: int, shown: str) -> None:
    """In the reader's zone, daylight saving included; the exact time is in its title."""
    with read_by(ZoneInfo("Europe/Paris"), NOON):
        assert words(instant(NOON - before, "list")) == shown
        assert " CE" in instant(NOON - before, "list")


def test_an_exact_time_names_its_zone() -> None:
    with read_by(ZoneInfo("Europe/Paris"), NOON):
        assert words(instant(NOON)) == "22 Nov 2026, 13:00:00 CET"
        assert 'datetime="2026-11-22T12:00:00.000Z"' in instant(NOON)
        assert words(instant("2026-07-01T12:00:00Z", "minute")) == "1 Jul 2026, 14:00 CEST"
    with read_by(None, NOON):
        assert words(instant(NOON)) == "22 Nov 2026, 12:00:00 UTC"


def test_what_is_to_come_counts_down() -> None:
    with read_by(None, NOON):
        assert words(until(NOON + 11 * DAY)) == "in 11 days"
        assert words(until(NOON - 60 * MINUTE)) == "1 hour ago"
    assert span_text(42_000) == "42 seconds"


def test_a_status_has_a_word_and_a_shape() -> None:
    assert words(status("HOLD")) == "On hold"
    assert "<svg" in status("HOLD")
    assert words(status("SOMETHING_NEW")) == "Something new"
    assert "<b>" not in status("<b>")


def test_reading_ends_with_its_page() -> None:
    with read_by(ZoneInfo("Asia/Tokyo"), NOON):
        pass
    assert "UTC" in instant(NOON)


def test_templates_have_no_way_around_escaping_and_the_policy() -> None:
    """No inline style or script, no handler, no text marked as safe; the script builds no HTML from text."""
    for file in sorted(HERE.rglob("templates/**/*.html")):
        found = re.findall(
            r"\bstyle=|\son[a-z]+=|<script(?! src=)|\|\s*safe\b|autoescape|javascript:", file.read_text()
        )
        assert found == [], file.name
    assert b"innerHTML =" not in script().body
    assert len(script().body) < 4_096


def test_a_month_is_written_in_words() -> None:
    assert (month_words("2026-11"), month_words("soon")) == ("November 2026", "soon")


def test_what_stands_between_backticks_is_set_as_code_and_escaped() -> None:
    assert coded("`a<b` is <missing>") == "<code>a&lt;b</code> is &lt;missing&gt;"
    assert coded("an odd ` stays") == "an odd ` stays"
