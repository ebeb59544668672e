"""Findings of a review of the books, each by its number: what an accountant or a thief would have found."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import attrs
import pytest

from hub.config.payout_section import PayoutSettings
from hub.domain.books.book_time import month_of, zone_named
from hub.operations.errors import OperatorFault
from hub.operations.money.books.adjustments import approve_adjustment
from hub.operations.money.books.books import RUN_LOCK, set_books
from hub.operations.money.books.write_offs import list_debts, propose_write_off
from hub.operations.money.invoices.merchant_invoices import issue_invoices
from hub.operations.money.invoices.merchant_months import owed_months
from hub.operations.money.invoices.period_statements import period_of
from hub.operations.money.invoices.statements import affiliate_statement, merchant_statement
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payees import shared_accounts
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payouts.payout_returns import return_payment
from hub.operations.money.payouts.payout_runs import Wanted
from hub.operations.money.payouts.payouts import pay_commission
from hub.operations.trail import Actor, acting_as
from tests.ledger.test_payees import BANK, bank_schema, exported, put
from tests.ledger.test_payout_files import second_affiliate
from tests.ledger.test_payouts import OTHER, PAYEE, SEALER, balance, create, pay, payable, refund, release
from tests.ledger.test_verify import holds
from tests.processing.harness import DAY, NOON, Harness
from tests.storage.test_account_locks import one_waits

SELF_BILLED = attrs.evolve(PAYEE, is_business=True, self_billing=True)
OWNER = Actor("user", "usr_owner", "page")


async def invoice_of(harness: Harness, run: str) -> tuple[int | None, str | None, list[int]]:
    """The self-billed invoice of a run: its number, its amount and what it corrects."""
    found = await affiliate_statement(harness.store, SEALER, run, harness.affiliate_id, "Network")
    (part,) = found["parts"]
    return part["invoice"], part["invoiceAmount"], part["corrects"]


class TestFinding6:
    """Self-billed invoices are of supplies, each invoiced once; a payment is none."""

    async def test_6_a_returned_payment_is_not_invoiced_again(self, harness: Harness) -> None:
        """5.00 come back and are paid with 10.00 more: the second invoice is over 10.00, and a third run has none."""
        await payable(harness, "100.00", payee=SELF_BILLED)
        first = await pay(harness)
        assert await invoice_of(harness, first["id"]) == (1, "5.00", [])
        await return_payment(harness.store, harness.clock, first["id"], harness.affiliate_id, "closed")
        await payable(harness, "200.00", start=1)
        second = await pay(harness)
        assert second["items"][0]["amount"] == "15.00"
        assert await invoice_of(harness, second["id"]) == (2, "10.00", [])
        await return_payment(harness.store, harness.clock, second["id"], harness.affiliate_id, "closed again")
        harness.clock.advance(1)
        third = await pay(harness)
        assert third["items"][0]["amount"] == "15.00"
        assert await invoice_of(harness, third["id"]) == (None, None, [])
        await holds(harness.store)

    async def test_6_a_refund_takes_back_from_the_invoice_that_it_names(self, harness: Harness) -> None:
        await payable(harness, "100.00", payee=SELF_BILLED)
        await pay(harness)
        await refund(harness, "O-0", "r-1", "40.00")
        await payable(harness, "200.00", start=1)
        second = await pay(harness)
        assert await invoice_of(harness, second["id"]) == (2, "8.00", [1])
        await holds(harness.store)

    async def test_6_a_payee_that_agreed_later_is_invoiced_for_what_nobody_invoiced(self, harness: Harness) -> None:
        """The control: what came back of a payment without an invoice is a supply that has none yet."""
        await payable(harness, "100.00")
        first = await pay(harness)
        await return_payment(harness.store, harness.clock, first["id"], harness.affiliate_id, "closed")
        await put(harness, SELF_BILLED)
        harness.clock.advance(4 * DAY)
        second = await pay(harness)
        assert await invoice_of(harness, second["id"]) == (1, "5.00", [])
        await holds(harness.store)


class TestFinding8:
    """A balance below zero is the network's receivable: it has an age, and two people write it off."""

    async def owing(self, harness: Harness) -> None:
        await payable(harness, "100.00")
        await pay(harness)
        await refund(harness, "O-0", "r-1", "100.00")
        harness.clock.advance(40 * DAY)

    async def test_8_a_debt_has_an_age_and_is_written_off_by_two(self, harness: Harness) -> None:
        """The merchant had its credit with the refund, so what it owes does not change."""
        await self.owing(harness)
        store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id
        (debt,) = await list_debts(store, clock)
        assert (debt["amount"], debt["currency"], debt["days"], debt["proposed"]) == ("5.00", "USD", 40, "0.00")
        before = await owed_months(store, harness.merchant_id, "live", clock())
        made = await propose_write_off(store, clock, affiliate, currency="USD", reason="The blog is gone")
        assert (made["amount"], made["kind"]) == ("5.00", "written_off")
        with pytest.raises(OperatorFault, match="another person approves it"):
            await approve_adjustment(store, clock, PayoutSettings(), made["id"])
        with pytest.raises(OperatorFault, match=r"owes 0.00 USD that nobody has proposed"):
            await propose_write_off(store, clock, affiliate, currency="USD", reason="Once more")
        with acting_as(OTHER):
            await approve_adjustment(store, clock, PayoutSettings(), made["id"])
        assert await list_debts(store, clock) == []
        assert (await balance(harness))["negative"] == "0.00"
        assert await owed_months(store, harness.merchant_id, "live", clock()) == before
        await holds(store)

    async def test_8_what_was_earned_meanwhile_is_not_written_off(self, harness: Harness) -> None:
        await self.owing(harness)
        store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id
        made = await propose_write_off(
            store, clock, affiliate, currency="USD", reason="The blog is gone", amount="4.00"
        )
        await payable(harness, "60.00", start=1)
        with acting_as(OTHER), pytest.raises(OperatorFault, match=r"owes 2.00 USD by now, less than"):
            await approve_adjustment(store, clock, PayoutSettings(), made["id"])
        await holds(store)

    async def test_8_nodes_that_write_off_take_turns_with_runs(self, postgres_live: Harness) -> None:
        """Two proposals of the same debt at one moment, then an approval beside a run, which may take the debt back."""
        harness = postgres_live
        await self.owing(harness)
        store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id

        async def beside_a_run(*works: Coroutine[Any, Any, Any]) -> list[Any]:
            async with store.write() as tx:
                await tx.lock_orders(RUN_LOCK)
                tasks = [asyncio.create_task(work) for work in works]
                for task in tasks:
                    await one_waits(tx, task)
                    assert not task.done()
            return await asyncio.gather(*tasks, return_exceptions=True)

        wanted = {"currency": "USD", "reason": "The blog is gone"}
        ended = await beside_a_run(*(propose_write_off(store, clock, affiliate, **wanted) for _ in range(2)))
        (made,) = [each for each in ended if isinstance(each, dict)]
        with acting_as(OTHER):
            (approved,) = await beside_a_run(approve_adjustment(store, clock, PayoutSettings(), made["id"]))
        assert approved["status"] == "APPROVED"
        assert (await balance(harness))["negative"] == "0.00"


class TestFinding10:
    """What one person pays alone is limited, however it is cut and whichever way it is paid."""

    async def test_10_one_person_pays_no_more_than_the_limit_commission_by_commission(self, harness: Harness) -> None:
        """9,000.00 by `hub commission pay` were PAID by one person; now runs and single payments are one sum a day."""
        strict = PayoutSettings(four_eyes_above="9.00")
        await payable(harness, "100.00", "100.00", "300.00")
        ids = [row["commission_id"] for row in sorted(await harness.rows("commission_rows"),
                                                      key=lambda row: row["amount_minor"])]  # fmt: skip
        store, clock = harness.store, harness.clock
        with acting_as(OWNER):
            with pytest.raises(OperatorFault, match=r"is 15.00 USD, more than 9.00, so it is paid by a run"):
                await pay_commission(store, clock, strict, ids[2], "B-3")
            await pay_commission(store, clock, strict, ids[0], "B-1")
            for _ in range(2):
                with pytest.raises(OperatorFault, match=r"you released 5.00 within a day, more than 9.00"):
                    await pay_commission(store, clock, strict, ids[1], "B-2")
            run = await create(harness, strict)
            with pytest.raises(OperatorFault, match=r"you released 5.00 within a day, more than 9.00"):
                await release(harness, run["id"], strict)
        with acting_as(OTHER):
            assert (await release(harness, run["id"], strict))["status"] == "RELEASED"
        await holds(store)


class TestFinding11:
    """One account for several affiliates is shown, and nothing of it is kept."""

    async def test_11_affiliates_that_are_paid_to_one_account_are_named(
        self, harness: Harness, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """However it is written, and page by page. The control: another account is nobody else's."""
        monkeypatch.setattr(shared_accounts, "OPENED_AT_ONCE", 1)
        store, ada = harness.store, harness.affiliate_id
        await put(harness, PAYEE)
        bea, cy = await second_affiliate(harness), await second_affiliate(harness, "Cy")
        other = attrs.evolve(PAYEE, account="DE02 1203 0000 0000 2020 51")
        await set_payee(store, SEALER, harness.clock, None, cy, other)
        await set_payee(store, SEALER, harness.clock, None, bea, attrs.evolve(PAYEE, account="de89370400440532013000"))
        found = await shared_accounts.shared_accounts(store, SEALER)
        assert found == [{"method": "iban", "account": "…3000", "affiliateIds": sorted([ada, bea])}]
        assert await shared_accounts.shares_account(store, SEALER, ada) == [bea]
        assert await shared_accounts.shares_account(store, SEALER, cy) == []


class TestFinding20:
    """The cut-off is about when a commission became payable, not about its last change."""

    async def test_20_a_refund_after_the_cut_off_leaves_the_rest_in_the_run(self, harness: Harness) -> None:
        await payable(harness, "200.00")
        harness.clock.advance(1)
        cut_off = harness.clock()
        harness.clock.advance(DAY)
        await refund(harness, "O-0", "r-1", "2.00")
        run = await create(harness, wanted=Wanted("live", before=cut_off))
        assert run["items"][0]["amount"] == "9.90"

    async def test_20_control_what_became_payable_later_is_left_out(self, harness: Harness) -> None:
        cut_off = harness.clock() + DAY
        await payable(harness, "200.00")
        with pytest.raises(OperatorFault, match="nothing to pay"):
            await create(harness, wanted=Wanted("live", before=cut_off))


async def test_22_sepa_files_have_structured_addresses(sqlite_live: Harness) -> None:
    """Town and country in elements of their own, as the EPC asks for from November 2026; the schema takes it."""
    await payable(sqlite_live, "100.00", currency="EUR")
    run = await release(sqlite_live, (await create(sqlite_live))["id"])
    text = await exported(sqlite_live, run["id"], "sepa")
    bank_schema().validate(text)
    address = "<StrtNm>Main St 1</StrtNm><PstCd>10115</PstCd><TwnNm>Berlin</TwnNm><Ctry>DE</Ctry>"
    assert f"<PstlAdr>{address}</PstlAdr>" in text
    assert f"<Ustrd>{BANK.debtor_name}, commissions paid " in text


class TestFinding23:
    """Months and days of the books are those of the network's time zone."""

    async def test_23_a_month_ends_at_midnight_in_the_zone_of_the_books(self, harness: Harness) -> None:
        """Paid in the first hours of a month in Tokyo, on the last day of the month before in London."""
        store, clock, merchant = harness.store, harness.clock, harness.merchant_id
        await set_books(store, clock, "Asia/Tokyo")
        await payable(harness, "100.00")
        tokyo = zone_named("Asia/Tokyo")
        month = month_of(clock(), tokyo)
        while month_of(clock() + 1_800_000, tokyo) == month:
            clock.advance(3_600_000)
        clock.advance(3_600_000)
        here, there = month_of(clock(), tokyo), month_of(clock(), zone_named("UTC"))
        assert here > there
        await pay(harness)
        assert [each.currency for each in (await merchant_statement(store, merchant, here)).owed] == ["USD"]
        assert (await merchant_statement(store, merchant, there)).owed == ()
        assert [each.month for each in await owed_months(store, merchant, "live", clock())] == [here]
        first = period_of(None, None, clock(), tokyo).since
        assert 0 <= clock() - first < DAY
        clock.advance(32 * DAY)
        (invoice,) = await issue_invoices(store, clock, merchant, here)
        assert (invoice["month"], invoice["timeZone"], invoice["total"]) == (here, "Asia/Tokyo", "5.00")
        await holds(store)
        with pytest.raises(OperatorFault, match="kept in Asia/Tokyo since the first invoice"):
            await set_books(store, clock, "UTC")

    async def test_23_a_name_of_no_zone_is_refused(self, sqlite_live: Harness) -> None:
        with pytest.raises(OperatorFault, match="'Tokyo' is not a time zone"):
            await set_books(sqlite_live.store, sqlite_live.clock, "Tokyo")
        assert (await verify_ledger(sqlite_live.store))["ok"]
        assert month_of(NOON, zone_named("UTC"))
