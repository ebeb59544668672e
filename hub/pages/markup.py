"""Money, instants and statuses as HTML: each in one way only, on every page.

A page is rendered for one reader at one moment, so both are context variables that `rendering` sets around a template,
and a macro need not pass them on. Rendering is synchronous: nothing else runs in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, tzinfo
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from hub.domain.instants import format_instant, parse_instant
from hub.domain.money import format_money, minor_digits

MINUS: Final = "\N{MINUS SIGN}"
MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS


class Reading(NamedTuple):
    """Where and when a page is read: the reader's zone, and the time (ms UTC) at which the page is made."""

    zone: tzinfo
    now: int


class Status(NamedTuple):
    """How a status is shown: its word, its colour by name, and its shape."""

    word: str
    tone: str
    shape: str


_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)

_SHAPES: Final = {
    "ring": '<circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/>',
    "quarter": '<circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/>'
    '<path d="M6 6V1.5A4.5 4.5 0 0 1 10.5 6z" fill="currentColor"/>',
    "half": '<circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/>'
    '<path d="M6 1.5a4.5 4.5 0 0 1 0 9z" fill="currentColor"/>',
    "disc": '<circle cx="6" cy="6" r="5" fill="currentColor"/>',
    "check": '<path d="M2 6.5 5 9.5 10.5 3" fill="none" stroke="currentColor" stroke-width="2"/>',
    "cross": '<path d="M2.5 2.5l7 7m0-7l-7 7" fill="none" stroke="currentColor" stroke-width="2"/>',
    "bars": '<path d="M4 2v8M8 2v8" fill="none" stroke="currentColor" stroke-width="2.5"/>',
    "diamond": '<path d="M6 1 11 6 6 11 1 6z" fill="none" stroke="currentColor" stroke-width="1.5"/>',
    "dash": '<path d="M2 6h8" fill="none" stroke="currentColor" stroke-width="2"/>',
}

_STATUSES: Final = {
    # A commission's states, and the confidence of an order.
    "PENDING": Status("Pending", "brass", "ring"),
    "HOLD": Status("On hold", "brass", "quarter"),
    "APPROVED": Status("Approved", "sky", "half"),
    "PAYABLE": Status("Payable", "fern", "disc"),
    "PAID": Status("Paid", "full", "check"),
    "REJECTED": Status("Rejected", "brick", "cross"),
    "HIGH": Status("Certain", "fern", "disc"),
    "LOW": Status("Uncertain", "brass", "diamond"),
    # A review.
    "OPEN": Status("To review", "brass", "diamond"),
    "ATTRIBUTED": Status("Attributed", "fern", "check"),
    "DISMISSED": Status("Dismissed", "plain", "dash"),
    # A message.
    "RECEIVED": Status("Received", "plain", "ring"),
    "QUEUED": Status("Queued", "plain", "ring"),
    "PROCESSED": Status("Processed", "fern", "check"),
    "SKIPPED": Status("Skipped", "plain", "dash"),
    "PARKED": Status("Parked", "brass", "bars"),
    "UNMATCHED": Status("Unmatched", "brick", "cross"),
    "FAILED": Status("Failed", "brick", "cross"),
    # What belongs to merchants and affiliates.
    "ACTIVE": Status("Active", "fern", "disc"),
    "HEALTHY": Status("Healthy", "fern", "disc"),
    "INACTIVE": Status("Inactive", "plain", "dash"),
    "DISABLED": Status("Disabled", "plain", "dash"),
    "REVOKED": Status("Revoked", "brick", "cross"),
    "EXPIRED": Status("Expired", "brick", "cross"),
    "CLOSED": Status("Closed", "plain", "dash"),
    "SUSPENDED": Status("Suspended", "brick", "cross"),
    "IN_REVIEW": Status("In review", "brass", "quarter"),
    "DRAFT": Status("Draft", "plain", "ring"),
    "PAUSED": Status("Paused", "brass", "bars"),
    "ARCHIVED": Status("Archived", "plain", "dash"),
    "OUT_OF_STOCK": Status("Out of stock", "brass", "ring"),
    "NOT_REQUIRED": Status("Not needed", "plain", "dash"),
    # An affiliate's part in a campaign.
    "MEMBER": Status("Taking part", "fern", "check"),
    "APPLIED": Status("Applied", "brass", "quarter"),
    "INVITED": Status("Invited", "plain", "ring"),
    "REMOVED": Status("Ended", "plain", "dash"),
    # An upload.
    "RUNNING": Status("Running", "sky", "half"),
    "DONE": Status("Done", "fern", "check"),
    "REFUSED": Status("Refused", "brick", "cross"),
    # A payout run, its payments and its lines; a correction.
    "PREVIEW": Status("Preview", "plain", "ring"),
    "GATHERING": Status("Gathering", "sky", "half"),
    "RELEASING": Status("Being released", "sky", "half"),
    "RELEASED": Status("Under way", "sky", "half"),
    "SETTLED": Status("Paid", "full", "check"),
    "CANCELLED": Status("Cancelled", "plain", "dash"),
    "RETURNED": Status("Came back", "brick", "cross"),
    "CARRIED": Status("Carried over", "brass", "bars"),
    "RESERVED": Status("To be paid", "fern", "disc"),
    "DROPPED": Status("Dropped", "plain", "dash"),
    # An invoice to a merchant, and what was paid of it.
    "UNPAID": Status("Open", "brass", "ring"),
    "OVERDUE": Status("Overdue", "brick", "diamond"),
    "CREDIT": Status("Credit", "sky", "half"),
    "MATCHED": Status("On its invoice", "fern", "check"),
    "PUBLISHED": Status("In force", "fern", "check"),
    "PROPOSED": Status("Awaiting approval", "brass", "quarter"),
}


@contextmanager
def read_by(zone: tzinfo | None, now: int) -> Iterator[None]:
    """Make what is rendered inside for a reader in this zone (None: UTC), at `now` (ms UTC)."""
    token = _reading.set(Reading(zone or UTC, now))
    try:
        yield
    finally:
        _reading.reset(token)


def money(amount: int | str, currency: str, *, signed: bool = False) -> Markup:
    """Return an amount with its currency, as "1,234.50 USD"; `amount` is in minor units, or decimal text.

    With `signed` it has a plus if it is more than nought, as a difference should. Raise `MoneyError` for an unknown
    currency.
    """
    text = format_money(amount, currency) if isinstance(amount, int) else amount
    plus = "+" if signed and text.strip("0.") and not text.startswith("-") else ""
    shown = f"{plus}{grouped(text)}"
    return Markup('<data class="money" value="{}">{}\N{NO-BREAK SPACE}{}</data>').format(text, shown, currency)


def like(units: int, currency: str) -> str:
    """Return so many whole units as they are typed in a currency: "25.00" in USD, "25" in JPY, "25.000" in KWD."""
    return format_money(units * 10 ** minor_digits(currency), currency)


def grouped(text: str) -> str:
    """Return decimal text with commas between thousands, as in "1,234.50", and a minus as wide as a plus."""
    whole, point, fraction = text.removeprefix("-").partition(".")
    sign = MINUS if text.startswith("-") else ""
    return f"{sign}{int(whole):,}{point}{fraction}"


def count(number: int, most: int | None = None) -> Markup:
    """Return a count with commas between thousands; beyond `most` it is that with a plus: "1,000+"."""
    shown = f"{most:,}+" if most is not None and number > most else f"{number:,}"
    return Markup('<data value="{}">{}</data>').format(number, shown)


def many(number: int, one: str, more: str, most: int | None = None) -> Markup:
    """Return a count and what is counted: "1 order waits", "1,000+ orders wait"."""
    return Markup("{} {}").format(count(number, most), one if number == 1 else more)


def instant(moment: int | str, how: str = "exact") -> Markup:
    """Return a time in the reader's zone; `moment` is in ms UTC, or RFC 3339 text.

    `how` is "exact" ("18 Nov 2026, 10:19:26 UTC"), "minute" (without seconds), "day", or "list": "3 min ago" within a
    day, then "18 Nov, 10:19", with the year once it is another.
    """
    at = moment if isinstance(moment, int) else parse_instant(moment)
    reading = _reading.get() or Reading(UTC, at)
    here = datetime.fromtimestamp(at // 1000, reading.zone)
    text = _written(here, at, reading, how)
    exact = f"{_day(here)}, {here:%H:%M:%S} {zone_name(here)}"
    title = Markup("") if how == "exact" else Markup(' title="{}"').format(exact)
    return Markup('<time datetime="{}"{}>{}</time>').format(format_instant(at), title, text)


def day_words(day: int | str) -> str:
    """Return a day since 1970 as words; days are UTC whatever the reader's zone."""
    return _day(datetime.fromtimestamp(int(day) * DAY_MS // 1000, UTC))


def month_words(month: str) -> str:
    """Return a month of the form "2026-11" in words: "November 2026"; any other text as it is."""
    try:
        return f"{datetime.strptime(month, '%Y-%m').replace(tzinfo=UTC):%B %Y}"
    except ValueError:
        return month


def coded(text: str) -> Markup:
    """Return a text in which what stands between backticks is set as code; an odd backtick stays as it is."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    shown = (Markup("<code>{}</code>").format(part) if place % 2 else escape(part) for place, part in enumerate(parts))
    return Markup("").join(shown)


def until(moment: int | str) -> Markup:
    """Return how far off a time is, in words: "in 11 days", "3 hours ago"."""
    at = moment if isinstance(moment, int) else parse_instant(moment)
    reading = _reading.get() or Reading(UTC, at)
    span = span_text(abs(at - reading.now))
    return Markup('<time datetime="{}">{}</time>').format(
        format_instant(at), f"in {span}" if at > reading.now else f"{span} ago"
    )


def span_text(milliseconds: int) -> str:
    """Return a length of time in its largest unit, in words: "11 days", "1 hour", "42 seconds"."""
    for size, unit in ((DAY_MS, "day"), (HOUR_MS, "hour"), (MINUTE_MS, "minute")):
        if milliseconds >= size:
            return _many(milliseconds // size, unit)
    return _many(milliseconds // 1000, "second") if milliseconds >= 1000 else "less than a second"


def status(code: str) -> Markup:
    """Return a status as a shape and a word; a code without a word of its own is shown as it is."""
    known = _STATUSES.get(code, Status(code.replace("_", " ").capitalize(), "plain", "ring"))
    return Markup('<span class="chip {}">{}{}</span>').format(known.tone, shape(known.shape), known.word)


def shape(name: str) -> Markup:
    """Return a shape of the status chips; raise KeyError for an unknown one."""
    drawn = Markup(_SHAPES[name])  # noqa: S704 - one of the constants above
    return Markup('<svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">{}</svg>').format(drawn)


def status_word(code: str) -> str:
    """Return the word of a status, for sentences and options."""
    return _STATUSES[code].word if code in _STATUSES else code.replace("_", " ").capitalize()


def identifier(text: str) -> Markup:
    """Return an id in the type of code, to be copied."""
    return Markup("<code>{}</code>").format(escape(text))


def zone_words(now: int) -> str:
    """Return the reader's time zone: "Europe/Oslo (CET)", or "UTC"; `now` is in ms UTC."""
    zone = (_reading.get() or Reading(UTC, now)).zone
    short, known = zone_name(datetime.fromtimestamp(now // 1000, zone)), str(zone)
    return short if known == short else f"{known} ({short})"


def zone_name(here: datetime) -> str:
    """Return the short name of a time's zone: "UTC", "CET", "+0530" for one that has none."""
    return here.tzname() or f"{here:%z}"


def _written(here: datetime, at: int, reading: Reading, how: str) -> str:
    if how == "exact":
        return f"{_day(here)}, {here:%H:%M:%S} {zone_name(here)}"
    if how == "minute":
        return f"{_day(here)}, {here:%H:%M} {zone_name(here)}"
    if how == "day":
        return _day(here)
    passed = reading.now - at
    if 0 <= passed < DAY_MS:
        return _short_ago(passed)
    now = datetime.fromtimestamp(reading.now // 1000, reading.zone)
    return f"{here.day} {here:%b}, {here:%H:%M}" if here.year == now.year else f"{_day(here)}, {here:%H:%M}"


def _short_ago(passed: int) -> str:
    if passed < MINUTE_MS:
        return "just now"
    return f"{passed // MINUTE_MS} min ago" if passed < HOUR_MS else f"{passed // HOUR_MS} h ago"


def _day(here: datetime) -> str:
    return f"{here.day} {here:%b %Y}"


def _many(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
