"""The webservice says what the module says, in the shop's own time; what all orders share is asked for once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import hub_prestashop
import pytest
from hub_prestashop.requests import REQUESTS, RESOURCES
from hub_prestashop.webservice import as_module_says

from hub.api import Unmappable
from hub.domain.connectors.request_pages import Prepared
from hub.outbound.platform_client import PlatformAnswer, PlatformClient

SAMPLES = Path(hub_prestashop.__file__).parent / "samples" / "asked-order"
GIVEN = {"site": "https://shop.example", "key": "Q3C2KT7XYM1LN4P9B8RVZ6WDHGJ5FSAE"}


def sample(name: str, **changes: Any) -> dict[str, Any]:
    """Return an order with all that was asked for beside it."""
    return {**json.loads((SAMPLES / f"{name}.json").read_text()), **changes}


class TestTimes:
    def test_a_moment_is_the_shops_own_in_winter_and_in_summer(self) -> None:
        said = as_module_says(sample("delivered-in-summer-time"))
        assert said["order"]["date"] == "2026-03-01T10:00:00Z"
        assert said["order"]["history"][-1]["date"] == said["sent_at"] == "2026-04-02T08:00:00Z"

    def test_a_change_of_a_slip_is_one_of_the_order(self) -> None:
        """PrestaShop need not touch the order when a slip is made."""
        assert as_module_says(sample("one-mug-back"))["sent_at"] == "2026-03-09T08:30:00Z"

    @pytest.mark.parametrize("said", ["0000-00-00 00:00:00", "", None, "yesterday", 7])
    def test_what_is_no_moment_is_none(self, said: Any) -> None:
        assert as_module_says(sample("placed", date_add=said))["order"]["date"] is None

    def test_a_shop_that_names_no_zone_is_not_guessed(self) -> None:
        with pytest.raises(Unmappable, match="time zone None"):
            as_module_says(sample("placed", settings=[]))


class TestRequests:
    async def test_settings_are_asked_for_once_and_an_order_by_four_requests(self) -> None:
        asked: list[str] = []

        async def ask(request: Prepared) -> PlatformAnswer:
            asked.append(request.url.removeprefix("https://shop.example/api/").partition("?")[0])
            is_order = asked[-1].startswith("orders/")
            return PlatformAnswer(200, {}, {"order": {"id": 1}} if is_order else [])

        client = PlatformClient(REQUESTS, ask, GIVEN)
        assert REQUESTS.order is not None
        for number in ("1", "2", "3"):
            await client.whole(REQUESTS.order, number)
        assert len(asked) == 3 * 4 + 3
        assert {each.partition("/")[0] for each in asked} == set(RESOURCES)
