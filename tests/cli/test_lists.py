"""Long lists: filters by mode, merchant and affiliate, a name in place of an id, and nothing left out in silence."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from hub.cli import lists
from tests.cli.conftest import Office
from tests.cli.test_orders import attributed, payable


async def ids(office: Office, *arguments: str) -> list[str]:
    return [entry["id"] for entry in await office.do(*arguments)]


async def said(office: Office, *arguments: str) -> str:
    result = await asyncio.to_thread(office.operator.run, *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


class TestParts:
    @pytest.mark.parametrize("noun", ["conversion", "commission"])
    async def test_a_table_that_is_cut_says_so(self, office: Office, noun: str) -> None:
        """Its last line has the cursor of the next part, which begins where this one ended."""
        for number in ("1001", "1002", "1003"):
            await attributed(office, number)
        newest = await ids(office, noun, "list")
        assert len(newest) == 3
        table = await said(office, noun, "list", "--limit", "2")
        assert table.endswith(f"2 of more; the next: --after {newest[1]}, or all of them: --all\n")
        rest = await said(office, noun, "list", "--after", newest[1])
        assert newest[2] in rest
        assert newest[1] not in rest
        assert "of more" not in rest
        assert "of more" not in await said(office, noun, "list", "--limit", "3")

    async def test_a_table_has_a_hundred_rows_unless_all_are_asked_for(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A hundred, here two; --all and --json list all of them, as the next test's order does."""
        monkeypatch.setattr(lists, "TABLE_ROWS", 2)
        for number in ("1001", "1002", "1003"):
            await attributed(office, number)
        assert "2 of more" in await said(office, "commission", "list")
        assert "of more" not in await said(office, "commission", "list", "--all")
        assert len(await office.do("commission", "list")) == 3
        assert len(await office.do("commission", "list", "--limit", "1")) == 1

    @pytest.mark.parametrize("noun", ["conversion", "commission"])
    async def test_the_oldest_can_come_first(self, office: Office, noun: str) -> None:
        for number in ("1001", "1002", "1003"):
            await attributed(office, number)
        newest = await ids(office, noun, "list")
        assert await ids(office, noun, "list", "--oldest-first") == newest[::-1]
        assert await ids(office, noun, "list", "--oldest-first", "--after", newest[1]) == newest[:1]

    async def test_what_contradicts_itself_is_refused(self, office: Office) -> None:
        result = await asyncio.to_thread(office.operator.run, "commission", "list", "--all", "--limit", "3")
        assert result.exit_code == 2
        assert "--all and --limit contradict each other" in result.stderr
        told = await office.refused("commission", "list", "--after", "mer_1")
        assert "begins after an id of the list, like com_…" in told


class TestFilters:
    async def test_modes_are_apart_and_shown(self, office: Office, live_office: Office) -> None:
        """Two hubs' merchants in one database: the table has the mode and the merchant's name beside its id."""
        await attributed(office)
        await attributed(live_office, "2001")
        for noun in ("conversion", "commission"):
            (test,) = await office.do(noun, "list", "--mode", "test")
            (live,) = await office.do(noun, "list", "--mode", "live")
            assert (test["mode"], live["mode"]) == ("test", "live")
            assert len(await office.do(noun, "list")) == 2
            assert await office.do(noun, "list", "--merchant", live["merchantId"]) == [live]
            table = await said(office, noun, "list")
            assert re.search(r"live +" + live["merchantId"] + r" \(Shop\)", table)
            assert f"{live_office.harness.affiliate_id} (Ada)" in table

    async def test_a_name_or_an_address_stands_for_an_id(self, office: Office) -> None:
        """As long as only one has it; the id itself always works."""
        made = await attributed(office)
        for reference in (office.harness.merchant_id, "Shop", "shop@shop.example"):
            assert await ids(office, "conversion", "list", "--merchant", reference) == [made["id"]]
            assert await ids(office, "conversion", "list", "--order", "1001", "--merchant", reference) == [made["id"]]
        for reference in (office.harness.affiliate_id, "Ada", "ada@blog.example"):
            assert await ids(office, "commission", "list", "--affiliate", reference) == [made["commission"]["id"]]

    async def test_a_reference_that_names_nothing_or_several_is_refused(
        self, office: Office, live_office: Office
    ) -> None:
        """With the candidates, so that one can be copied."""
        told = await office.refused("conversion", "list", "--merchant", "Shop")
        assert "Several merchants are called 'Shop'; name one by its id: " in told
        for each in (office, live_office):
            assert f"{each.harness.merchant_id} (Shop, shop@shop.example)" in told
        told = await office.refused("commission", "list", "--affiliate", "ad")
        assert "There is no affiliate 'ad'. Did you mean one of these? " in told
        assert "(Ada, ada@blog.example)" in told
        told = await office.refused("commission", "list", "--merchant", "100%")
        assert told.endswith("There is no merchant '100%'. `hub merchant list` shows them all.\n")


class TestPayable:
    async def test_a_test_commission_is_never_paid(self, office: Office) -> None:
        commission = await payable(office)
        told = await office.refused("commission", "pay", commission["id"], "--reference", "R")
        assert "is of test mode: no money was earned, so none is paid" in told
        assert (await office.show("1001"))["commission"]["paidAt"] is None

    async def test_a_suspended_merchants_commission_waits_for_the_approval(self, live_office: Office) -> None:
        """The control is the approval: after it the same command pays."""
        commission = await payable(live_office)
        pay = ["commission", "pay", commission["id"], "--reference", "R"]
        await live_office.do("merchant", "suspend", live_office.harness.merchant_id)
        told = await live_office.refused(*pay)
        assert "is SUSPENDED, so its commissions are not paid. Approve it first: hub merchant approve " in told
        await live_office.do("merchant", "approve", live_office.harness.merchant_id)
        paid = await live_office.do(*pay)
        assert paid["state"] == "PAID"
        await live_office.do("merchant", "suspend", live_office.harness.merchant_id)
        assert await live_office.do(*pay) == paid


async def test_a_long_list_is_read_in_pages(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of two give what one page gives, in both directions."""
    for number in ("1001", "1002", "1003", "1004"):
        await attributed(office, number)
    every: list[Any] = await office.do("conversion", "list")
    monkeypatch.setattr("hub.operations.orders.conversions.CHUNK", 2)
    assert await office.do("conversion", "list") == every
    assert await office.do("conversion", "list", "--oldest-first") == every[::-1]
    assert await office.do("conversion", "list", "--limit", "3") == every[:3]
