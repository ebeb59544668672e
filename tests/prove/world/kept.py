"""The years that failed once: each is a line of `seeds.txt`, and is lived again."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from attrs import frozen

from tests.prove.world.year import Scale

SEEDS: Final = Path(__file__).with_name("seeds.txt")
DATABASES: Final = ("sqlite", "postgresql")


@frozen
class Kept:
    """A year: its seed, its database, and how large it is."""

    seed: int
    database: str
    scale: Scale

    @property
    def line(self) -> str:
        """Its line in the file."""
        size = self.scale
        return f"{self.seed} {self.database} {size.merchants} {size.affiliates} {size.steps} {size.orders}"


def kept_years(file: Path = SEEDS) -> list[Kept]:
    """Return the years that a file has; whatever follows a # is for its readers."""
    lines = (line.partition("#")[0].split() for line in file.read_text().splitlines())
    return [_kept(*words) for words in lines if words]


def keep(year: Kept, file: Path = SEEDS) -> None:
    """Write a year's line into a file, unless it is there."""
    if year not in kept_years(file):
        with file.open("a") as lines:
            lines.write(f"{year.line}\n")


def _kept(seed: str, database: str, *size: str) -> Kept:
    merchants, affiliates, steps, orders = map(int, size)
    return Kept(int(seed), database, Scale(merchants, affiliates, steps=steps, orders=orders))
