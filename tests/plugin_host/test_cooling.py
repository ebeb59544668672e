"""Pauses that grow while a connector goes on costing time, and end with its first success."""

from __future__ import annotations

from hub.plugin_host.cooling import FIRST_SECONDS, LONGEST_SECONDS, Cooling


def test_pauses_double_until_the_name_does_well() -> None:
    now = 100.0
    cooling = Cooling(lambda: now)
    assert cooling.left("acme") == 0
    assert [cooling.cool("acme") for _ in range(3)] == [FIRST_SECONDS, 2 * FIRST_SECONDS, 4 * FIRST_SECONDS]
    assert (cooling.left("acme"), cooling.left("other")) == (4 * FIRST_SECONDS, 0)
    now += 4 * FIRST_SECONDS
    assert cooling.left("acme") == 0
    assert cooling.cool("acme") == 8 * FIRST_SECONDS
    cooling.clear("acme")
    assert (cooling.left("acme"), cooling.cool("acme")) == (0, FIRST_SECONDS)
    assert max(cooling.cool("acme") for _ in range(20)) == LONGEST_SECONDS
