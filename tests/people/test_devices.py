"""The short names of browsers."""

from __future__ import annotations

import pytest

from hub.people.devices import LONGEST, device_name

CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME} Safari/537.36", "Chrome on Windows"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME} Safari/537.36 Edg/156.0", "Edge on Windows"),
        (f"Mozilla/5.0 (Linux; Android 15) {CHROME} Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1", "Safari on iPhone"),
        ("curl/8.0", "curl/8.0"),
        ("", "unknown"),
        ("\x1b[31m" + "x" * 99, "[31m" + "x" * (LONGEST - 4)),
    ],
)
def test_a_browser_is_named_as_people_name_it(user_agent: str, name: str) -> None:
    """What is unknown is cut, and shows no control characters."""
    assert device_name(user_agent) == name
