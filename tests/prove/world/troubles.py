"""What goes wrong in a year: every part is away now and then, each step another one, in an order that a seed draws."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Final

from attrs import define, field

from tests.prove.world.network import Network

POINTED: Final = ("the hub", "the database", "the plugins")
"""Those that end in the midst of traffic and come back at once."""
LASTING: Final = ("the receivers", "the platform's API", "the bank", "the mail")
"""Those that are away for a whole step."""
PARTS: Final = POINTED + LASTING
KILLS: Final = 0.2
"""How often the hub is killed beside that."""


@define
class Troubles:
    """Draws the part that is away in each step; every part once before any is drawn again."""

    network: Network
    dice: random.Random
    happened: Counter[str] = field(factory=Counter)
    now: str = ""
    _deck: list[str] = field(factory=list)

    def begin(self) -> None:
        """Let another part go wrong."""
        if not self._deck:
            self._deck = self.dice.sample(PARTS, len(PARTS))
        self.now = self._deck.pop()
        self._open()

    def end(self) -> None:
        """Let everything be there again."""
        self.now = ""
        self._open()

    def _open(self) -> None:
        self.happened[self.now] += self.now in LASTING
        self.network.ears.closed = self.now == "the receivers"
        self.network.platform.closed = self.now == "the platform's API"
        self.network.inbox.answers = ["451 4.3.0 later"] * 10_000 if self.now == "the mail" else []

    def among(self, messages: int) -> dict[int, str]:
        """Return before which of so many messages something ends."""
        if not messages:
            return {}
        found = {self.dice.randrange(messages): "the hub"} if self.dice.random() < KILLS else {}
        if self.now in POINTED:
            found[self.dice.randrange(messages)] = self.now
        return found

    async def strike(self, what: str) -> None:
        """End it; a database is away while messages go on."""
        self.happened[what] += 1
        match what:
            case "the hub":
                await self.network.strike()
            case "the plugins":
                self.network.end_plugins()
            case "the database":
                await asyncio.to_thread(self.network.database.stop)
