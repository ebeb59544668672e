"""Calls into a plugin: what ends them, what they may raise, and where a fault is said to be."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from hub.api import Uninteresting, Unmappable
from hub.testing import calls
from hub.testing.calls import CallFault, called


def spin() -> None:
    while True:
        try:
            time.sleep(0.01)
        except Exception:  # noqa: BLE001 - a plugin that swallows everything
            continue


def catastrophe() -> None:
    re.match(r"(a+)+$", "a" * 40 + "b")


def ends() -> None:
    sys.exit(3)


def stumbles() -> None:
    nothing: dict[str, str] = {}
    assert nothing["nobody expects"]


def complains() -> None:
    sys.stderr.write("oh dear")


@pytest.mark.parametrize("endless", [spin, catastrophe])
def test_a_call_has_a_time_limit(endless: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the plugin catches everything, or is inside C."""
    monkeypatch.setattr(calls, "LIMIT_SECONDS", 0.05)
    with pytest.raises(CallFault, match=r"takes longer than 0.05 s, last seen at testing/test_calls.py:\d+, in "):
        called(endless)


def test_a_call_elsewhere_has_none() -> None:
    """A signal reaches the main thread only."""
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(called, lambda: 7).result() == 7


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (ends, r"raises SystemExit: 3 at testing/test_calls.py:\d+, in ends"),
        (stumbles, r"raises KeyError: 'nobody expects' at testing/test_calls.py:\d+, in stumbles"),
        (complains, r"prints 'oh dear'; a plugin has no output"),
    ],
)
def test_what_no_plugin_may_do(act: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(CallFault, match=sentence):
        called(act)


@pytest.mark.parametrize("refusal", [Unmappable, Uninteresting, KeyboardInterrupt])
def test_refusals_go_through(refusal: type[BaseException]) -> None:
    def refuses() -> None:
        raise refusal("so it is")

    with pytest.raises(refusal):
        called(refuses)
