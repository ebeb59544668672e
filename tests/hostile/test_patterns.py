"""No pattern of the hub can be made to take longer than the length of its text allows."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from types import ModuleType

import pytest

import hub

pytestmark = pytest.mark.prove
LONGEST = 3_000
SECONDS = 0.04
"""A pattern that is linear takes a hundredth of it for the longest text, a quadratic one several times as much."""
ATTEMPTS = 4
"""A busy machine slows any pattern down now and then; one that is slow is so each time."""
PIECES = (
    "a", "A", "1", "_", "-", ".", " ", ":", ";", ",", '"', "\\", "/", "=", "@", "{", "<", "(", "[", "`", "\n", "\t",
    "a.", "a-", "a:", "1.", "1:", '\\"', "; ", "a=", "a@", "{}", "--", "\\\\", "token", "secret=", "re ", "inv", "RF",
)  # fmt: skip
BEFORE = ("", "a", '"', "<a>", "1:1:1:1:1", "`", "v1.")
AFTER = ("\0", "g")
BOUNDED = {
    "hub.domain.books.exchange._RATE": "only whole texts are compared with it, and for them it is linear",
    "hub.domain.connectors.scrubbing._STRING": "its texts are JSON that was read before, where each string ends",
    "hub.merchant_api.writes.QUOTED_KEY": "only whole headers are compared with it, and for them it is linear",
    "hub.operations.checks.EMAIL": "only whole texts of a bounded length are compared with it",
    "hub.pages.merchant.spoken.COMMAND": "its texts are the hub's own sentences",
    "hub.storage.named_queries.list_blocks._COLUMN": "its texts are the hub's own files of queries",
    "hub.storage.named_queries.list_blocks._FILTER": "as above",
    "hub.storage.named_queries.list_blocks._SET": "as above",
}


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(hub.__path__, "hub."):
        if "__main__" not in found.name:
            yield importlib.import_module(found.name)


def patterns() -> dict[str, re.Pattern[str] | re.Pattern[bytes]]:
    """Return every compiled pattern that a module of the hub has, also behind its bound method, by its place."""
    found: dict[str, re.Pattern[str] | re.Pattern[bytes]] = {}
    for module in modules():
        for name, value in vars(module).items():
            owner = getattr(value, "__self__", value)
            if isinstance(owner, re.Pattern) and owner not in found.values():
                found[f"{module.__name__}.{name}"] = owner
    return found


def hostile(pattern: re.Pattern[str] | re.Pattern[bytes], longest: int = LONGEST) -> str | None:
    """Return the start of a text for which a pattern takes too long, None if none of those tried is one."""
    for before in BEFORE:
        for piece in PIECES:
            for after in AFTER:
                for length in (12, 24, 40, longest):
                    text = before + piece * (length // len(piece)) + after
                    if all(seconds(pattern, text) > SECONDS for _ in range(ATTEMPTS)):
                        return text[:60]
    return None


def seconds(pattern: re.Pattern[str] | re.Pattern[bytes], text: str) -> float:
    """Return the processor time that a pattern takes to search a text."""
    given = text.encode() if isinstance(pattern.pattern, bytes) else text
    began = time.process_time()
    pattern.fullmatch(given)  # type: ignore[arg-type]  # made for it
    for _ in pattern.finditer(given):  # type: ignore[arg-type]  # made for it
        pass
    return time.process_time() - began


@pytest.mark.parametrize("place", sorted(patterns()))
def test_a_pattern_takes_as_long_as_its_text(place: str) -> None:
    found = hostile(patterns()[place])
    assert found is None or place in BOUNDED, f"{place} is slow for {found!r}"


@pytest.mark.parametrize("bad", [r"(a+)+$", r"(?:a|a)*b", r"(?:\w*\.?)*!", r"\s+$", r"[\w.]+@[\w-]+(?:\.\w+)+"])
def test_control_patterns_that_are_known_to_be_slow_are_found(bad: str) -> None:
    assert hostile(re.compile(bad), 12_000) is not None


def test_control_the_pattern_of_ipv6_that_recordings_had_is_found() -> None:
    """It could part a run of digits in more ways than there are atoms."""
    had = r"(?<![\w:])(?:[0-9a-fA-F]{1,4}:){3,7}(?::|[0-9a-fA-F]{1,4})(?::?[0-9a-fA-F]{1,4})*(?![\w:])"
    assert hostile(re.compile(had), 12_000) is not None
