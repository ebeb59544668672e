"""What of an API will go: since when that is said, from when it may be gone, and what takes its place.

The headers are those of RFC 9745 (`Deprecation`: a structured date, `@` and Unix seconds) and RFC 8594 (`Sunset`: a
date of HTTP).
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from typing import Final

from attrs import frozen

NOTICE: Final = timedelta(days=365)
"""The least time between the day on which something is said to go and the day from which it may be gone."""


@frozen
class Deprecation:
    """Something that will go; without `sunset` it stays for as long as its API's version."""

    since: date
    instead: str
    sunset: date | None = None

    def __attrs_post_init__(self) -> None:
        """Raise `ValueError` if the notice is too short."""
        if self.sunset is not None and self.sunset - self.since < NOTICE:
            raise ValueError(f"{self.sunset} is less than {NOTICE.days} days after {self.since}")

    def headers(self, about: str) -> dict[str, str]:
        """Return the headers of an answer; `about` is the address of the page about it."""
        said = {"Deprecation": f"@{int(_midnight(self.since).timestamp())}",
                "Link": f'<{about}>; rel="deprecation"; type="text/html"'}  # fmt: skip
        if self.sunset is None:
            return said
        return {**said, "Sunset": format_datetime(_midnight(self.sunset), usegmt=True)}

    def sentence(self) -> str:
        """Return what a description says of it."""
        until = "stays for as long as this version" if self.sunset is None else f"may be gone from {self.sunset}"
        return f"Deprecated since {self.since}: it {until}. {self.instead}"


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
