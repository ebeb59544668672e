"""The short name of a browser, as a list of sessions shows it."""

from __future__ import annotations

from typing import Final

BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
"""In the order in which they count: each names those below it, too."""
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)
LONGEST: Final = 40


def device_name(user_agent: str) -> str:
    """Return a name like "Firefox on Linux"; of anything else its first printable characters, or "unknown"."""
    browser = next((name for mark, name in BROWSERS if mark in user_agent), None)
    system = next((name for mark, name in SYSTEMS if mark in user_agent), None)
    if browser is not None:
        return browser if system is None else f"{browser} on {system}"
    return "".join(filter(str.isprintable, user_agent))[:LONGEST].strip() or "unknown"
