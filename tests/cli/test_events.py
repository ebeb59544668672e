"""Events are listed by status and replayed together; what was submitted beside the facts is shown."""

from __future__ import annotations

import asyncio

import pytest

from hub.clock import system_clock
from hub.operations.orders import event_replays
from tests.cli.conftest import Office
from tests.cli.test_lists import said


async def parked(office: Office, *numbers: str) -> list[str]:
    """Statuses of orders that the hub does not know, each parked."""
    accepted = [(await office.harness.status(number, "delivered")).event_id for number in numbers]
    await office.harness.work()
    return accepted


class TestList:
    async def test_events_are_listed_by_status(self, office: Office) -> None:
        """Nothing has failed, so the default list is empty; the filters exclude what they name."""
        first, second = await parked(office, "1001", "1002")
        assert await office.do("event", "list") == []
        found = await office.do("event", "list", "--status", "parked")
        assert [event["eventId"] for event in found] == [second, first]
        assert (found[0]["externalOrderId"], found[0]["merchantName"], found[0]["mode"]) == ("1002", "Shop", "test")
        for filters, ids in (
            (["--merchant", "Shop", "--mode", "test", "--since", "90m"], [second, first]),
            (["--mode", "live"], []),
            (["--since", "1m"], []),
            (["--oldest-first", "--limit", "1"], [first]),
        ):
            listed = await office.do("event", "list", "--status", "PARKED", *filters)
            assert [event["eventId"] for event in listed] == ids

    async def test_a_table_that_is_cut_says_so(self, office: Office) -> None:
        _, second = await parked(office, "1001", "1002")
        table = await said(office, "event", "list", "--status", "PARKED", "--limit", "1")
        assert table.endswith(f"1 of more; the next: --after {second}, or all of them: --all\n")
        assert f"{office.harness.merchant_id} (Shop)" in table


class TestReplay:
    async def test_many_are_counted_first_and_replayed_with_yes(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also over several transactions; what lost its payload is left, and said."""
        monkeypatch.setattr(event_replays, "TOGETHER", 1)
        first, second, third = await parked(office, "1001", "1002", "1003")
        await office.spoil("lose_payload", event_id=second)
        many = ["event", "replay", "--status", "PARKED"]
        assert await office.do(*many) == {"matched": 3, "withoutPayload": 1, "replayed": 0}
        assert (await said(office, *many)).startswith("2 of 3 PARKED events would be replayed; with --yes they are.")
        assert len(await office.do("event", "list", "--status", "PARKED")) == 3
        assert await office.do(*many, "--yes") == {"matched": 3, "withoutPayload": 1, "replayed": 2}
        (left,) = await office.do("event", "list", "--status", "PARKED")
        assert left["eventId"] == second
        acts = await office.do("trail", "--act", "event.replayed")
        assert {act["subject"] for act in acts} == {first, third}
        told = await said(office, *many, "--yes")
        assert told == "0 of 1 PARKED events are queued again. 1 cannot be: their payloads are deleted.\n"

    async def test_filters_choose(self, office: Office) -> None:
        """A part of the explanation in any case, a merchant's name, a mode."""
        order = await office.harness.order("1001")
        await office.harness.work()
        await office.spoil("fail_event", event_id=order.event_id)
        many = ["event", "replay", "--status", "FAILED"]
        for filters, count in (
            (["--reason-like", "CLICK_missing"], 1),
            (["--reason-like", "100%"], 0),
            (["--merchant", "Shop"], 1),
            (["--mode", "live"], 0),
        ):
            assert (await office.do(*many, *filters))["matched"] == count
        assert (await office.do(*many, "--yes"))["replayed"] == 1
        office.harness.clock.now = system_clock() + 1
        await office.harness.work()
        again = await office.do("event", "show", order.event_id)
        assert again["status"] == "SKIPPED"  # its order was decided before it was made to look as if it had failed

    async def test_one_or_many_must_be_meant(self, office: Office) -> None:
        for arguments, mend in (
            ([], "Name one event, or with --status all of one kind."),
            (["evt_1", "--status", "FAILED"], "Name one event, or with --status all of one kind."),
            (["evt_1", "--mode", "test"], "choose among many"),
        ):
            result = await asyncio.to_thread(office.operator.run, "event", "replay", *arguments)
            assert result.exit_code == 2
            assert mend in result.stderr


class TestSubmitted:
    async def test_reason_and_metadata_are_shown(self, office: Office) -> None:
        """With the event, and the status's reason with its fact; gone once the body is deleted."""
        order = await office.harness.order("1001", metadata={"note": "gift"})
        status = await office.harness.status("1001", "cancelled", reason="Out of stock", metadata={"by": "shop"})
        await office.harness.work()
        event = await office.do("event", "show", status.event_id)
        assert (event["reason"], event["metadata"]) == ("Out of stock", {"by": "shop"})
        assert (await office.do("event", "show", order.event_id))["metadata"] == {"note": "gift"}
        found = await office.show("1001")
        assert found["metadata"] == {"note": "gift"}
        assert [fact["reason"] for fact in found["facts"]] == ["Out of stock"]
        shown = await said(office, "conversion", "show", found["id"])
        assert "Out of stock" in shown
        assert '{"note": "gift"}' in shown
        assert '{"by": "shop"}' in await said(office, "event", "show", status.event_id)
        await office.spoil("lose_payload", event_id=status.event_id)
        assert (await office.do("event", "show", status.event_id))["reason"] is None
        assert [fact["reason"] for fact in (await office.show("1001"))["facts"]] == [None]

    async def test_the_trail_keeps_nothing_of_a_buyer(self, office: Office) -> None:
        """Its lines are never erased, so metadata and reasons stay out of them."""
        await office.harness.order("1001", metadata={"note": "gift"})
        status = await office.harness.status("9999", "cancelled", reason="Ann moved")
        await office.harness.work()
        conversion = (await office.show("1001"))["id"]
        await office.do("conversion", "attribute", conversion, "--affiliate", office.harness.affiliate_id)
        await office.do("event", "replay", status.event_id)
        trail = str(await office.do("trail"))
        assert "event.replayed" in trail
        assert "gift" not in trail
        assert "Ann moved" not in trail
