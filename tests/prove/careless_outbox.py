"""A hub whose messages to subscribers are not part of the change's transaction: they are in memory until it is done."""

from __future__ import annotations

from hub.cli import main
from hub.processing import write_decisions

KEPT: list[object] = []


def _in_memory(decisions: object, now: int) -> list[object]:
    KEPT.append((decisions, now))  # to be sent by this process, if it lives long enough
    return []


if __name__ == "__main__":
    write_decisions._messages = _in_memory  # type: ignore[assignment]  # the guard is taken away
    main()
