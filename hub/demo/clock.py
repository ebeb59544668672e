"""The demo's clock: it is in the past while the demo's history is played, and then the real one."""

from __future__ import annotations

from hub.clock import Clock


class DemoClock:
    """Return the time at which it was set, in milliseconds UTC; the real time once it was released."""

    def __init__(self, real: Clock) -> None:
        self._real = real
        self._set_to: int | None = None

    def __call__(self) -> int:
        """Return the time (ms UTC)."""
        return self._real() if self._set_to is None else self._set_to

    def set_to(self, moment: int) -> None:
        """Stand still at a moment (ms UTC)."""
        self._set_to = moment

    def release(self) -> None:
        """Show the real time from now on."""
        self._set_to = None
