"""What is due is looked for so often that no test of this folder waits for it."""

from __future__ import annotations

import pytest

from hub.notifications import deliverer


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for work fifty times a second, where a hub does twice: tests move the clock and wait for what follows."""
    monkeypatch.setattr(deliverer, "POLL_SECONDS", 0.02)
