"""Conversions, commissions, events and the audit from the command line, beside a running hub."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hub.clock import system_clock
from hub.domain.instants import format_instant
from hub.domain.orders.refunds import settle
from hub.operations.audits.orders_audit import differences
from hub.operations.orders.conversions import require_conversion
from tests.cli.conftest import ENVIRONMENT, Office
from tests.ledger.test_verify import jobs_of
from tests.processing.harness import DAY


async def attributed(office: Office, number: str = "1001", **body: Any) -> Any:
    """An order with a click of a campaign that pays 10 percent, decided."""
    click = await office.harness.click(await office.harness.campaign())
    await office.harness.order(number, clickId=click, **body)
    await office.harness.work()
    return await office.show(number)


async def payable(office: Office, number: str = "1001") -> Any:
    """The commission of an order whose hold has passed, as a hub that runs leaves it."""
    office.harness.clock.now -= 15 * DAY
    await attributed(office, number)
    await office.harness.status(number, "delivered")
    await office.harness.work()
    office.harness.clock.now += 15 * DAY
    assert await jobs_of(office.harness).release_holds() == 1
    return (await office.show(number))["commission"]


class TestConversions:
    async def test_show_has_the_whole_story(self, office: Office) -> None:
        """The issue's shape: the order, its commission with the rule, and each fact with what it did."""
        await attributed(office, couponCode="X")
        await office.harness.status("1001", "delivered")
        await office.harness.status("1001", "refunded")
        await office.harness.status("1001", "delivered", at=office.harness.clock())
        await office.harness.work()
        found = await office.show("1001")
        commission = found.pop("commission")
        facts = found.pop("facts")
        assert (found["externalOrderId"], found["orderAmount"], found["currency"]) == ("1001", "100.00", "USD")
        assert (found["confidence"], found["reason"], found["review"]) == ("HIGH", "matched", None)
        assert (found["affiliateId"], found["couponCode"]) == (office.harness.affiliate_id, "X")
        assert found["campaignId"].startswith("cmp_")
        assert (commission["state"], commission["amount"], commission["base"]) == ("REJECTED", "10.00", "100.00")
        assert (commission["source"], commission["type"], commission["value"]) == ("CAMPAIGN", "PERCENTAGE", "10")
        assert (commission["holdUntil"], commission["paidAt"]) == (None, None)
        at = format_instant(office.harness.clock())
        assert {fact["status"] for fact in facts} == {"delivered", "refunded"}
        assert {fact["at"] for fact in facts} == {at}
        assert facts[-1]["applied"] is True
        assert await office.do("conversion", "show", found["id"]) == found | {"commission": commission, "facts": facts}

    async def test_the_operator_reads_and_answers_a_thread(self, office: Office) -> None:
        """The affiliate's side is a page; nothing is written about an order that nobody earned."""
        found = await attributed(office)
        assert await office.do("conversion", "thread", found["id"]) == []
        (message,) = await office.do("conversion", "answer", found["id"], "It was a refund.")
        assert (message["author"], message["text"], message["readAt"]) == ("operator", "It was a refund.", None)
        assert await office.do("conversion", "thread", found["id"]) == [message]
        await office.harness.order("1002")
        await office.harness.work()
        lonely = await office.show("1002")
        assert "no one to write to" in await office.refused("conversion", "answer", lonely["id"], "Hello?")

    async def test_a_list_can_be_filtered(self, office: Office) -> None:
        """Newest first; by merchant, by order, by open review."""
        await attributed(office, "1001")
        await office.harness.order("1002")
        await office.harness.work()
        every = await office.do("conversion", "list")
        assert [c["externalOrderId"] for c in every] == ["1002", "1001"]
        assert await office.do("conversion", "list", "--merchant", office.harness.merchant_id) == every
        assert await office.do("conversion", "list", "--review") == every[:1]
        assert await office.do("conversion", "list", "--limit", "1") == every[:1]
        assert await office.do("conversion", "list", "--order", "1001", "--review") == []
        assert "There is no conversion 'cnv_x'" in await office.refused("conversion", "show", "cnv_x")


class TestReview:
    async def test_attribute_follows_all_facts_so_far(self, office: Office) -> None:
        """An attributed order gets the commission that it would have had, in the state its facts lead to."""
        await office.harness.order("1001", orderStatus="confirmed")
        await office.harness.work()
        waiting = await office.show("1001")
        assert (waiting["review"], waiting["commission"]) == ("OPEN", None)
        assert [fact["applied"] for fact in waiting["facts"]] == [False]
        found = await office.do("conversion", "attribute", waiting["id"], "--affiliate", office.harness.affiliate_id)
        assert (found["review"], found["affiliateId"]) == ("ATTRIBUTED", office.harness.affiliate_id)
        assert (found["commission"]["state"], found["commission"]["source"]) == ("HOLD", "PLATFORM")
        assert found["commission"]["amount"] == "5.00"
        assert [fact["applied"] for fact in found["facts"]] == [True]
        told = await office.refused("conversion", "attribute", found["id"], "--affiliate", office.harness.affiliate_id)
        assert "was attributed to" in told
        assert (await office.do("audit"))["violations"] == []

    async def test_attribute_counts_the_rule_of_the_campaign(self, office: Office) -> None:
        """The named campaign's rule counts; without a name, the one of the order's own late click."""
        campaign = await office.harness.campaign(value="20")
        await office.harness.order("1001")
        await office.harness.order("1002", clickId=await office.harness.click(campaign, before_ms=40 * DAY))
        await office.harness.work()
        for order, extra in (("1001", ["--campaign", campaign]), ("1002", [])):
            waiting = await office.show(order)
            arguments = ["conversion", "attribute", waiting["id"], "--affiliate", office.harness.affiliate_id, *extra]
            found = await office.do(*arguments)
            assert found["campaignId"] == campaign
            assert (found["commission"]["amount"], found["commission"]["source"]) == ("20.00", "CAMPAIGN")

    async def test_a_dismissed_order_stays_without_a_commission(self, office: Office) -> None:
        """A dismissed order stays without a commission, and out of the queue."""
        await office.harness.order("1001")
        await office.harness.work()
        waiting = await office.show("1001")
        assert (await office.do("conversion", "dismiss", waiting["id"]))["review"] == "DISMISSED"
        assert await office.do("conversion", "list", "--review") == []
        affiliate = office.harness.affiliate_id
        told = await office.refused("conversion", "attribute", waiting["id"], "--affiliate", affiliate)
        assert "was dismissed already; only one with an open review can be attributed" in told
        assert "was dismissed already" in await office.refused("conversion", "dismiss", waiting["id"])

    async def test_what_is_attributed_is_not_reviewed(self, office: Office) -> None:
        found = await attributed(office)
        assert "by its click" in await office.refused("conversion", "dismiss", found["id"])

    async def test_an_inactive_affiliate_cannot_earn(self, office: Office) -> None:
        await office.harness.order("1001")
        await office.harness.work()
        waiting = await office.show("1001")
        await office.do("affiliate", "deactivate", office.harness.affiliate_id)
        told = await office.refused(
            "conversion", "attribute", waiting["id"], "--affiliate", office.harness.affiliate_id
        )
        assert "hub affiliate activate" in told


class TestPayout:
    async def test_a_commission_is_paid_once(self, live_office: Office) -> None:
        """The same reference again changes nothing; another one is refused; what follows is recorded and skipped."""
        commission = await payable(live_office)
        paid = await live_office.do("commission", "pay", commission["id"], "--reference", " PO-7 ")
        assert (paid["state"], paid["reference"], paid["amount"]) == ("PAID", "PO-7", "10.00")
        assert await live_office.do("commission", "pay", commission["id"], "--reference", "PO-7") == paid
        told = await live_office.refused("commission", "pay", commission["id"], "--reference", "PO-8")
        assert "was PAID already" in told
        assert "'PO-7'" in told
        await live_office.harness.status("1001", "refunded")
        await live_office.harness.work()
        found = await live_office.show("1001")
        assert found["commission"]["state"] == "PAID"
        assert (found["facts"][-1]["applied"], found["facts"][-1]["skipReason"]) == (False, "commission_paid")
        assert (await live_office.do("audit"))["violations"] == []

    async def test_only_a_payable_commission_is_paid(self, live_office: Office) -> None:
        commission = (await attributed(live_office))["commission"]
        told = await live_office.refused("commission", "pay", commission["id"], "--reference", "R")
        assert "is PENDING; only a PAYABLE one can be paid" in told
        assert "There is no commission" in await live_office.refused("commission", "pay", "com_x", "--reference", "R")

    async def test_of_racing_payouts_one_pays(self, live_office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of several payouts with different references exactly one pays.

        click's runner sets the environment and puts back what was there, which in several threads is another's: so it
        is set here before, and taken back at the end.
        """
        for name, value in {**ENVIRONMENT, "HUB_DATABASE_URL": live_office.operator.url}.items():
            monkeypatch.setenv(name, value)
        commission = await payable(live_office)
        arguments = ["commission", "pay", commission["id"], "--json", "--reference"]
        runs = [asyncio.to_thread(live_office.operator.run, *arguments, f"R{n}") for n in range(4)]
        codes = sorted(result.exit_code for result in await asyncio.gather(*runs))
        assert codes == [0, 1, 1, 1]
        (listed,) = await live_office.do("commission", "list", "--state", "PAID")
        assert listed["id"] == commission["id"]


class TestEvents:
    async def test_an_event_is_shown_with_its_explanation(self, office: Office) -> None:
        accepted = await office.harness.order("1001")
        await office.harness.work()
        found = await office.do("event", "show", accepted.event_id)
        assert (found["type"], found["status"], found["attempts"]) == ("conversion", "PROCESSED", 1)
        assert found["explanation"]["attribution"]["reason"] == "click_missing"
        assert "There is no event 'evt_x'" in await office.refused("event", "show", "evt_x")

    async def test_only_an_unfinished_event_is_replayed(self, office: Office) -> None:
        """What failed, was parked or never matched is worked on again; the rest says why it is not."""
        parked = await office.harness.status("1001", "delivered")
        await office.harness.work()
        assert (await office.do("event", "show", parked.event_id))["status"] == "PARKED"
        assert (await office.do("event", "replay", parked.event_id))["status"] == "RECEIVED"
        assert "already waiting for the worker" in await office.refused("event", "replay", parked.event_id)
        office.harness.clock.now = system_clock() + 1
        await office.harness.work()
        assert (await office.do("event", "show", parked.event_id))["status"] == "PARKED"
        order = await office.harness.order("1001")
        await office.harness.work()
        told = await office.refused("event", "replay", order.event_id)
        assert "is PROCESSED and is not replayed" in told

    async def test_an_expired_payload_cannot_be_replayed(self, office: Office) -> None:
        parked = await office.harness.status("1001", "delivered")
        await office.harness.work()
        await office.spoil("lose_payload", event_id=parked.event_id)
        assert "its payload was deleted" in await office.refused("event", "replay", parked.event_id)


class TestAudit:
    async def test_a_busy_day_is_clean(self, office: Office) -> None:
        """Every submission is counted once, whatever became of it."""
        await attributed(office, "1001")
        await office.harness.status("1001", "delivered")
        await office.harness.status("1001", "delivered")
        await office.harness.webhook(
            "order-refunded", "w1", external_order_id="1001", refund_amount="40.00", refund_id="r1"
        )
        await office.harness.order("1001")
        await office.harness.status("9999", "delivered")
        await office.harness.work()
        await office.harness.order("1002")
        found = await office.do("audit")
        assert found["violations"] == []
        assert found["accepted"] == sum(found[name] for name in ("processed", "skipped", "waiting", "parked",
                                                                 "unmatched", "failed"))  # fmt: skip
        assert (found["waiting"], found["parked"], found["conversionsChecked"]) == (1, 1, 1)

    async def test_every_law_can_fail(self, office: Office) -> None:
        """The control: each kind of damage is found, named and ends with exit status 1."""
        found = await attributed(office, "1001")
        await attributed(office, "1002")
        third = await attributed(office, "1003")
        fourth = await attributed(office, "1004", orderStatus="confirmed")
        await office.spoil("lose_event", event_id=found["eventId"])
        await office.spoil("lose_claim", event_id=third["eventId"])
        await office.spoil("lose_commission", commission_id=third["commission"]["id"])
        await office.spoil("bend_review", conversion_id=found["id"])
        await office.spoil("bend_amount", commission_id=fourth["commission"]["id"])
        await office.spoil("lose_facts", external_order_id="1004")
        result = await asyncio.to_thread(office.operator.run, "audit")
        assert result.exit_code == 1
        for rule in ("lost_events", "unclaimed_events", "missing_commissions", "unearned_commissions", "fold"):
            assert rule in result.stdout
        assert "its amount is 10.01 and should be 10.00" in result.stdout

    async def test_a_lost_event_breaks_conservation(self, office: Office) -> None:
        found = await attributed(office)
        await office.spoil("lose_event", event_id=found["eventId"])
        document = await asyncio.to_thread(office.operator.run, "audit", "--json")
        assert '"rule": "conservation"' in document.stdout
        assert "1 submissions were accepted, but 0 are accounted for." in document.stdout

    async def test_a_due_release_is_no_fault(self, office: Office) -> None:
        """While no server runs, a hold may have ended without anybody to say so."""
        await attributed(office, orderStatus="confirmed")
        found = await office.show("1001")
        async with office.harness.store.read() as tx:
            details = await require_conversion(tx, found["id"])
        assert details.commission is not None
        assert details.commission.state == "HOLD"
        assert differences(details, office.harness.clock() + 15 * DAY) == []
        assert settle(details.commission.terms, 10_000, (), ()).amount_minor == 1000


class TestHuman:
    async def say(self, office: Office, *arguments: str) -> str:
        result = await asyncio.to_thread(office.operator.run, *arguments)
        assert result.exit_code == 0, result.output
        return result.stdout

    async def test_a_person_reads_the_same(self, live_office: Office) -> None:
        """Tables and fields tell what the documents tell; ids are whole."""
        commission = await payable(live_office)
        found = await live_office.show("1001")
        listed = await self.say(live_office, "conversion", "list")
        assert found["id"] in listed
        assert "100.00 USD" in listed
        shown = await self.say(live_office, "conversion", "show", found["id"])
        for text in ("100.00 USD", "matched", commission["id"], "CAMPAIGN PERCENTAGE 10 of 100.00", "delivered"):
            assert text in shown
        assert commission["id"] in await self.say(live_office, "commission", "list", "--state", "payable")
        assert '"reason": "matched"' in await self.say(live_office, "event", "show", found["eventId"])
        paid = await self.say(live_office, "commission", "pay", commission["id"], "--reference", "PO-1")
        assert paid == f"{commission['id']} is PAID: 10.00 USD under PO-1.\n"
        assert "CMP" not in await self.say(live_office, "campaign", "list")

    async def test_a_person_decides(self, office: Office) -> None:
        campaign = await office.harness.campaign()
        await office.spoil("require_approval", campaign_id=campaign)
        assert "is APPROVED and ACTIVE" in await self.say(office, "campaign", "approve", campaign)
        assert "is REJECTED and PAUSED" in await self.say(office, "campaign", "reject", campaign)
        await office.harness.order("1001")
        await office.harness.order("1002")
        parked = await office.harness.status("9999", "paid")
        await office.harness.work()
        first, second = [(await office.show(number))["id"] for number in ("1001", "1002")]
        assert "nobody earns from it" in await self.say(office, "conversion", "dismiss", first)
        affiliate = office.harness.affiliate_id
        assert "ATTRIBUTED" in await self.say(office, "conversion", "attribute", second, "--affiliate", affiliate)
        assert "is RECEIVED again" in await self.say(office, "event", "replay", parked.event_id)
