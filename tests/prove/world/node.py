"""The hub of the world: the real server, on a clock that stands in a file until the world moves it.

`WORLD_FAULT` plants one fault, for the controls of the proof.
"""

from __future__ import annotations

import asyncio
import mmap
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from hub.app import serve
from hub.config.settings import load_settings
from hub.domain import rule_kinds
from hub.processing import write_decisions
from tests.prove import careless_outbox

CLOCK: Final = "WORLD_CLOCK"
FAULT: Final = "WORLD_FAULT"
_BYTES: Final = 8


class FileClock:
    """The time in milliseconds UTC that a file holds; whoever has the file open sees it move."""

    def __init__(self, path: Path, now: int | None = None) -> None:
        if now is not None:
            path.write_bytes(now.to_bytes(_BYTES, "little"))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _BYTES)

    def __call__(self) -> int:
        """Tell the time."""
        return int.from_bytes(self._memory[:], "little")

    def advance(self, milliseconds: int) -> None:
        """Move it on."""
        self._memory[:] = (self() + milliseconds).to_bytes(_BYTES, "little")


def main() -> None:
    """Serve until SIGTERM, as `hub serve` does."""
    if fault := os.environ.get(FAULT):
        FAULTS[fault]()
    clock = FileClock(Path(os.environ[CLOCK]))
    asyncio.run(serve(load_settings(None, hub_settings(os.environ)), lambda line: print(line, flush=True), clock=clock))


def _down(numerator: int, denominator: int) -> int:
    return numerator // denominator


def _round_down() -> None:
    """Pay halves to the merchant: a minor unit of some orders."""
    rule_kinds.divide_half_up = _down  # type: ignore[attr-defined]  # the rule that is planted


def _keep_messages_in_memory() -> None:
    """Send nothing that the outbox should have."""
    write_decisions._messages = careless_outbox._in_memory  # type: ignore[assignment]  # the guard is taken away


FAULTS: Final[Mapping[str, Callable[[], None]]] = {"round": _round_down, "outbox": _keep_messages_in_memory}


def hub_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the hub's own variables of an environment."""
    return {name: value for name, value in environment.items() if name.startswith("HUB_")}
