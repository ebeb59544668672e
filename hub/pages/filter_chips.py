"""The filters in force in a list's address, as chips that can be taken off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from attrs import frozen

LONGEST: Final = 255


@frozen
class Filters:
    """The filters in force at an address, by name, without what is empty or unknown."""

    address: str
    given: Mapping[str, str]

    @classmethod
    def of(cls, address: str, query: Mapping[str, str], names: tuple[str, ...]) -> Filters:
        """Read the query string of a list whose filters have these names."""
        asked = {name: query.get(name, "").strip()[:LONGEST] for name in names}
        return cls(address, {name: value for name, value in asked.items() if value})

    def get(self, name: str) -> str | None:
        """Return a filter; None if it is not in force."""
        return self.given.get(name)

    def value(self, name: str) -> str:
        """Return a filter as its field shows it."""
        return self.given.get(name, "")

    def with_filters(self, **changed: str | None) -> str:
        """Return the address with filters set, or taken off by None; on the first page."""
        filters = {**self.given, **changed}
        return self._to({name: value for name, value in filters.items() if value})

    @property
    def csv(self) -> str:
        """The address of all pages as CSV."""
        return self._to(self.given, f"{self.address}.csv")

    def chips(self, words: Mapping[str, str], names: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
        """Return for each filter in force its words and the address without it; `names` are words for values."""
        shown = names or {}
        return [
            (f"{words.get(name, name)}: {shown.get(value, value)}", self.with_filters(**{name: None}))
            for name, value in self.given.items()
        ]

    def _to(self, values: Mapping[str, str], address: str | None = None) -> str:
        base = address or self.address
        return f"{base}?{urlencode(values)}" if values else base
