"""A plugin reads its data as it is loaded, also where its process may open hardly any file."""

from __future__ import annotations

from pathlib import Path

import hub_prestashop

from hub.clock import system_clock
from hub.domain.orders.facts import OrderCreated
from hub.plugin_host.translation import Job
from tests.served_hub import served_with_host

PLACED_AT = 1_772_359_200_000
"""11:00 in Paris, in winter."""


async def test_prestashop_knows_time_zones_in_its_enclosure(sqlite_url: str) -> None:
    raw = (Path(hub_prestashop.__file__).parent / "samples" / "asked-order" / "paid.json").read_bytes()
    async with served_with_host(sqlite_url, system_clock) as hub:
        job = Job(raw, "prestashop", None, "asked-order", "d-1", PLACED_AT, "EUR", live=False)
        (found,) = await hub.parts.plugins.translate([job])
    assert found.unmappable is None
    assert isinstance(found.facts[0], OrderCreated)
    assert found.facts[0].ordered_at == PLACED_AT
