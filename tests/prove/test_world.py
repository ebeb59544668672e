"""A network for a simulated year: at its end everybody's books say the same, to the minor unit.

Merchants on five platforms, by the signed API, v1 webhooks and files; affiliates with trackers; a bank; three
currencies. All of them use the hub's own doors; it is killed on the way, and receivers are away. The traffic, the
outages and the place of each kill are drawn by a seed: `WORLD_SEED=7` lives that one again.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.prove.world.year import Reckoning, Scale, Year, lived

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
SEED = int(os.environ.get("WORLD_SEED", time.time() // 86_400))
KINDS = 8
"""Five platforms, and three ways of one's own."""


def scale() -> Scale:
    """As large as the time allows, at least with one merchant of every kind; whole from ten minutes on."""
    part = min(1.0, SECONDS / 600)
    return Scale(
        max(KINDS, int(20 * part)),
        max(10, int(200 * part)),
        steps=max(7, int(73 * part)),
        orders=max(10, int(60 * part)),
    )


def said(year: Year, found: Reckoning, seed: int) -> str:
    ears = year.network.ears
    news = ", ".join(f"{count} {what}" for what, count in sorted(year.news.items()))
    return (
        f"WORLD_SEED={seed}: {len(year.network.shops)} merchants, {len(year.network.accounts)} affiliates, "
        f"{year.clicks} clicks, {year.orders} orders ({news}), {year.messages} messages, "
        f"{year.network.kills} kills, {ears.told} webhooks and postbacks ({ears.refused} refused, "
        f"{ears.repeated} repeated), {len(year.runs)} runs, {year.bank.came_back} payments back, "
        f"paid {dict(found.minor)} in minor units, {len(found.faults)} differences"
    )


async def test_at_the_end_of_a_year_all_books_say_the_same(tmp_path: Path) -> None:
    """Shops, ledger, bank, invoices, mirrors, webhooks and postbacks; a year after another until the time is over."""
    end, seed = time.monotonic() + SECONDS, SEED
    while seed == SEED or time.monotonic() < end:
        (folder := tmp_path / str(seed)).mkdir()
        began = time.monotonic()
        year, found = await lived(folder, seed, scale())
        print(f"{said(year, found, seed)}, {time.monotonic() - began:.0f} s")
        assert found.faults == [], f"WORLD_SEED={seed}"
        assert year.network.ears.told > year.orders
        assert sum(found.minor.values()) > 0
        seed += 1


@pytest.mark.parametrize(
    ("fault", "noticed"),
    [("round", "shops and ledger"), ("outbox", "webhooks of")],
    ids=["a hub that rounds halves down", "a hub whose outbox is in memory"],
)
async def test_control_a_planted_fault_is_found(tmp_path: Path, fault: str, noticed: str) -> None:
    _, found = await lived(tmp_path, SEED, Scale(KINDS, 10, steps=3, orders=16), fault)
    assert [each for each in found.faults if noticed in each]
