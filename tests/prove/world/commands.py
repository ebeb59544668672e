"""The hub's commands as an operator types them at the terminal, on the world's clock."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from tests.forked import Forked

TERMINAL: Final = "from tests.prove.world.node import terminal; terminal()"
SECONDS: Final = 300.0
"""What takes longer never ends, however busy the machine is."""


@frozen
class Terminal:
    """A terminal with the hub's settings in its environment."""

    environ: Mapping[str, str]

    async def hub(self, *arguments: str) -> Any:
        """Run `hub ARGUMENTS --json`, which has to succeed; return what it printed."""
        status, output, errors = await self._run(arguments)
        assert status == 0, (arguments, output, errors)
        return json.loads(output)

    async def holds(self, *arguments: str) -> str:
        """Run `hub ARGUMENTS --json`, which proves something; return "", or what it printed if it does not hold."""
        status, output, errors = await self._run(arguments)
        return "" if status == 0 else output + errors

    async def _run(self, arguments: Sequence[str]) -> tuple[int, str, str]:
        process = Forked([*arguments, "--json"], {**plain(os.environ), **self.environ}, code=TERMINAL)
        output, errors = await asyncio.to_thread(process.communicate, SECONDS)
        return await asyncio.to_thread(process.wait), output, errors


def plain(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without anything of a hub's."""
    return {name: value for name, value in environment.items() if not name.startswith("HUB_")}
