"""Worlds that are made once and copied with their database: to make one takes longer than most tests that read it.

A file imports `keeper`, and takes its hub's database from it in place of an empty one; the world is there already then.
On PostgreSQL, in `make prove`, each world is made anew.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from attrs import evolve, frozen

from hub.app import Hub
from hub.testing.clock import FakeClock
from tests.pages.world import World, world_of
from tests.served_hub import served


@frozen
class Kept:
    """An SQLite file with these worlds; `now` is when the last of them was made."""

    file: Path
    now: int
    worlds: Sequence[World]

    def copied(self, folder: Path, clock: FakeClock) -> str:
        """Return the address of a copy in a folder, and set the clock to go on from there."""
        clock.now = self.now
        return f"sqlite:///{shutil.copyfile(self.file, folder / 'hub.db')}"

    def served_by(self, hub: Hub, clock: FakeClock) -> list[World]:
        """Return the worlds as a hub over a copy has them."""
        return [evolve(world, hub=hub, clock=clock) for world in self.worlds]


class Keeper:
    """Makes each list of worlds when it is asked for first."""

    def __init__(self, migrated_file: Path, folder: Path) -> None:
        self._migrated_file = migrated_file
        self._folder = folder
        self._kept: dict[tuple[object, ...], Kept] = {}

    def of(self, *names: str, subscribed: bool = True) -> Kept:
        """Return the file with worlds of these names, as `world_of` makes them."""
        wanted = (*names, subscribed)
        if wanted not in self._kept:
            with ThreadPoolExecutor(1) as pool:  # the test's own loop may run
                self._kept[wanted] = pool.submit(asyncio.run, self._make(names, subscribed=subscribed)).result()
        return self._kept[wanted]

    async def world_in(self, hub: Hub, clock: FakeClock, name: str, *, subscribed: bool = True) -> World:
        """Return the world of a hub over a copy; on PostgreSQL make it."""
        if hub.parts.store.dialect != "sqlite":
            return await world_of(hub, clock, name, subscribed=subscribed)
        (world,) = self.of(name, subscribed=subscribed).served_by(hub, clock)
        return world

    async def _make(self, names: Sequence[str], *, subscribed: bool) -> Kept:
        clock = FakeClock()
        file = Path(shutil.copyfile(self._migrated_file, self._folder / f"{len(self._kept)}.db"))
        async with served(f"sqlite:///{file}", clock) as hub:
            worlds = [await world_of(hub, clock, name, subscribed=subscribed) for name in names]
        assert not file.with_name(f"{file.name}-wal").exists(), "a copy of the file alone would lack what is in its log"
        return Kept(file, clock.now, worlds)


@pytest.fixture(scope="session")
def keeper(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Keeper:
    """Keeps worlds for the whole run."""
    return Keeper(migrated_file, tmp_path_factory.mktemp("worlds"))
