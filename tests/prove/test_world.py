"""A network for a simulated year: at its end everybody's books say the same, to the minor unit.

Merchants on five platforms, by the signed API, v1 webhooks and files; affiliates with trackers; a bank; three
currencies. All of them use the hub's own doors: its HTTP, its commands, and the files that go to the bank and come
back. Every part is away now and then: the hub and its plugins are killed, the database ends, receivers, a platform's
API, the bank and the mail server refuse. Traffic and outages are drawn by a seed: `WORLD_SEED=7` lives that one again,
and a year that fails is kept in `world/seeds.txt`, which is lived again each time.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

import attrs
import pytest

from hub.testing.postgres import PostgresServer
from tests.prove.turns import day, wait_for_turn
from tests.prove.world.database import Database, File, Served
from tests.prove.world.kept import DATABASES, Kept, keep, kept_years
from tests.prove.world.reckoning import Reckoning, reckon
from tests.prove.world.troubles import PARTS
from tests.prove.world.year import Scale, Year, lived

pytestmark = pytest.mark.prove

SECONDS: Final = float(os.environ.get("PROVE_SECONDS", "30"))
SEED: Final = int(os.environ.get("WORLD_SEED", day()))
KINDS: Final = 8
"""Five platforms, and three ways of one's own."""


def scale() -> Scale:
    """As large as the time allows, at least with one merchant of every kind; whole from five minutes on."""
    part = min(1.0, SECONDS / 300)
    return Scale(
        max(KINDS, int(20 * part)),
        max(10, int(200 * part)),
        steps=max(len(PARTS), int(73 * part)),
        orders=max(10, int(30 * part)),
    )


def database_of(name: str, folder: Path, postgres: PostgresServer) -> Database:
    return File(folder / "hub.db") if name == "sqlite" else Served(postgres, postgres.create())


def said(year: Year, found: Reckoning, wanted: Kept, seconds: float) -> str:
    network, troubles = year.network, year.troubles.happened
    news = ", ".join(f"{count} {what}" for what, count in sorted(year.news.items()))
    away = ", ".join(f"{part} {troubles[part]}" for part in PARTS)
    return (
        f"WORLD_SEED={wanted.seed} on {wanted.database}: {len(network.shops)} merchants, {len(network.accounts)} "
        f"affiliates, {year.clicks} clicks, {year.orders} orders ({news}), {year.messages} messages and {year.lost} "
        f"lost, away {away}, {network.kills} kills, {network.ears.told} webhooks and postbacks "
        f"({network.ears.refused} refused, {network.ears.repeated} repeated), {network.platform.asked} questions to a "
        f"platform, {len(network.inbox.mails)} mails, {len(year.office.runs)} runs, {year.bank.came_back} payments "
        f"back, {len(year.bank.came_in)} of {len(year.office.billed)} invoices paid, paid {dict(found.minor)} in minor "
        f"units, {len(found.faults)} differences, {seconds:.0f} s"
    )


async def live(folder: Path, postgres: PostgresServer, wanted: Kept, fault: str = "") -> tuple[Year, Reckoning]:
    """Live one year, and reckon."""
    began = time.monotonic()
    database = database_of(wanted.database, folder, postgres)
    async with lived(folder, wanted.seed, wanted.scale, database, fault) as year:
        found = await reckon(year)
    print(said(year, found, wanted, time.monotonic() - began))
    return year, found


async def test_at_the_end_of_a_year_all_books_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer
) -> None:
    """Shops, ledger, bank, invoices, mirrors, webhooks, postbacks, mails; year after year until the time is over."""
    end, seed = time.monotonic() + SECONDS, SEED
    while seed == SEED or time.monotonic() < end:
        wanted = Kept(seed, DATABASES[seed % 2], scale())
        try:
            year, found = await live(tmp_path_factory.mktemp(str(seed)), postgres, wanted)
        except Exception:
            keep(wanted)
            raise
        if found.faults:
            keep(wanted)
        assert found.faults == [], wanted.line
        assert year.network.ears.told > year.orders
        assert sum(found.minor.values()) > 0
        assert {part for part, times in year.troubles.happened.items() if times} == set(PARTS)
        seed += 1


@pytest.mark.parametrize("kept", kept_years(), ids=lambda kept: kept.line)
async def test_a_year_that_was_kept_says_the_same_again(tmp_path: Path, postgres: PostgresServer, kept: Kept) -> None:
    wait_for_turn(kept_years().index(kept), SECONDS, parts=2)
    _, found = await live(tmp_path, postgres, kept)
    assert found.faults == []


@pytest.mark.parametrize(
    ("fault", "noticed"),
    [("round", "shops and ledger"), ("outbox", "webhooks of")],
    ids=["a hub that rounds halves down", "a hub whose outbox is in memory"],
)
async def test_control_a_planted_fault_is_found(
    tmp_path: Path, postgres: PostgresServer, fault: str, noticed: str
) -> None:
    wait_for_turn(["outbox", "round"].index(fault), SECONDS, parts=2)
    wanted = Kept(SEED, "sqlite", attrs.evolve(scale(), merchants=KINDS, affiliates=10, steps=2, orders=16))
    _, found = await live(tmp_path, postgres, wanted, fault)
    assert [each for each in found.faults if noticed in each]


def test_a_year_that_failed_is_lived_again(tmp_path: Path) -> None:
    """Its line is there once, however often it fails."""
    file = tmp_path / "seeds.txt"
    file.write_text("# seeds\n")
    wanted = Kept(7, "postgresql", Scale(8, 10, steps=7, orders=10))
    for _ in range(2):
        keep(wanted, file)
    assert file.read_text() == "# seeds\n7 postgresql 8 10 7 10\n"
    assert kept_years(file) == [wanted]
