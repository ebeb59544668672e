"""Affiliates paid in another currency than they earn: the rate, the file, the bank, the books, and what comes back."""

from __future__ import annotations

import asyncio
import csv
import io
import random
import sqlite3
from contextlib import closing
from typing import Any

import attrs
import pytest

from hub.config.payout_section import PayoutSettings
from hub.domain.books.exchange import exchanged
from hub.domain.money import format_money, read_money
from hub.domain.words import PayoutFormat
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted, read
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.operations.money.books.adjustments import approve_adjustment, create_adjustment
from hub.operations.money.books.exchange_rates import (
    approve_rates,
    drop_rates,
    list_rates,
    propose_rates,
    rates_in_file,
)
from hub.operations.money.invoices.own_payouts import own_statement
from hub.operations.money.invoices.statement_files import statement_text
from hub.operations.money.ledger.ledger import chain_ends, verify_ledger
from hub.operations.money.payees.payout_terms import set_terms
from hub.operations.money.payouts.pay_dates import next_payouts
from hub.operations.money.payouts.payout_files import export_run
from hub.operations.money.payouts.payout_previews import preview_run
from hub.operations.money.payouts.payout_results import Result
from hub.operations.money.payouts.payout_returns import reinstate_payment, return_payment
from hub.operations.money.payouts.payout_runs import cancel_run, show_run
from hub.operations.money.payouts.payout_settlement import Chosen, settle_run
from hub.operations.money.tax.year_payments import year_payments
from hub.operations.trail import acting_as
from hub.operations.trail_lists import ACTS
from hub.storage import Store
from tests.ledger.books import books_of
from tests.ledger.test_payout_files import second_affiliate
from tests.ledger.test_payouts import LIVE, OTHER, PAYEE, SEALER, create, payable, refund, release
from tests.ledger.test_verify import holds
from tests.processing.harness import DAY, Harness
from tests.storage.test_account_locks import one_waits

SETTINGS = PayoutSettings(pay_day="15")
BANK = PayoutSettings(debtor_name="Network GmbH", debtor_iban="DE89370400440532013000")


async def rated(harness: Harness, rates: str = "USD:EUR:0.9231") -> str:
    """Rates that two people set; the id of their set."""
    (first, *_) = await propose_rates(harness.store, harness.clock, rates, "ECB, that day")
    with acting_as(OTHER):
        await approve_rates(harness.store, harness.clock, SETTINGS, first.set_id)
    harness.clock.advance(1)
    return first.set_id


async def in_euros(harness: Harness, *amounts: str) -> None:
    """An affiliate that earned 5 % of these in USD, and is paid in EUR."""
    await payable(harness, *amounts)
    await set_terms(harness.store, harness.clock, harness.affiliate_id, paid_in="EUR")


async def run_of(harness: Harness) -> Any:
    """A released run."""
    return await release(harness, (await create(harness))["id"])


async def filed(harness: Harness, run: str, form: PayoutFormat = "sepa") -> Any:
    return await export_run(harness.store, SEALER, harness.clock, BANK, run, form)


async def places(store: Store, account_id: str) -> dict[tuple[str, str], int]:
    """What lies in `exchange`, `bank` and `adjustments`, by currency; nothing that is nought."""
    found: dict[tuple[str, str], int] = {}
    for row in await books_of(store, account_id):
        if row[1] in ("exchange", "bank", "adjustments", "payout") and len(row) == 4:
            key = str(row[1]), str(row[2])
            found[key] = found.get(key, 0) + int(str(row[3]))
    return {key: minor for key, minor in found.items() if minor}


async def test_two_people_set_a_rate(sqlite_live: Harness) -> None:
    """One proposes, another approves; the next one takes its place, and how far it is from the last is shown."""
    store, clock = sqlite_live.store, sqlite_live.clock
    (proposed,) = await propose_rates(store, clock, "usd:eur:0.90", "A bank")
    assert (proposed.rate, proposed.status, proposed.change) == ("0.9", "PROPOSED", None)
    with pytest.raises(OperatorFault, match="another person approves them"):
        await approve_rates(store, clock, SETTINGS, proposed.set_id)
    with acting_as(OTHER):
        approved = await approve_rates(store, clock, SETTINGS, proposed.set_id)
        assert approved == await approve_rates(store, clock, SETTINGS, proposed.set_id)
    with pytest.raises(OperatorFault, match="are approved; propose others"):
        await drop_rates(store, clock, proposed.set_id)
    clock.advance(1)
    (wrong,) = await propose_rates(store, clock, rates_in_file(b"base,quote,rate\nUSD,EUR,9.0\n", "r.csv"), "A slip")
    assert wrong.change == "+900.00"
    await drop_rates(store, clock, wrong.set_id)
    with acting_as(OTHER), pytest.raises(OperatorFault, match="were dropped"):
        await approve_rates(store, clock, SETTINGS, wrong.set_id)
    assert [(each.rate, each.status) for each in await list_rates(store)] == [("0.9", "APPROVED")]
    with pytest.raises(OperatorFault, match=r"Line 2 of r\.csv needs base"):
        rates_in_file(b"base,quote,rate\nUSD,EUR\n", "r.csv")
    with pytest.raises(OperatorFault, match="There is no set of exchange rates"):
        await drop_rates(store, clock, "exr_none")
    await holds(store)


async def test_what_was_earned_in_dollars_is_paid_in_euros(harness: Harness) -> None:
    """Preview, run, bank file, statement, ledger and the year say the same: 8.05 USD at 0.9231 are 7.43 EUR."""
    store, clock, own = harness.store, harness.clock, harness.affiliate_id
    await in_euros(harness, "100.00", "61.00")
    await rated(harness)
    preview = await preview_run(store, clock, SETTINGS, LIVE)
    assert preview["totals"] == [{"currency": "EUR", "amount": "7.43", "payments": 1}]
    (awaited,) = await next_payouts(store, clock, SETTINGS, own)
    assert (awaited["payable"], awaited["sentCurrency"], awaited["exchangeRate"]) == ("8.05", "EUR", "0.9231")
    run = await run_of(harness)
    (item,) = run["items"]
    assert (item["amount"], item["currency"]) == ("8.05", "USD")
    assert (item["sentAmount"], item["sentCurrency"]) == ("7.43", "EUR")
    file = await filed(harness, run["id"])
    assert b'<InstdAmt Ccy="EUR">7.43</InstdAmt>' in file.content
    assert b"/USD</EndToEndId>" in file.content
    await holds(store)
    await settle_run(store, clock, run["id"], "BANK-1")
    assert await places(store, harness.account_id) == {
        ("exchange", "USD"): 805, ("exchange", "EUR"): -743, ("bank", "EUR"): 743,
    }  # fmt: skip
    statement = await own_statement(store, SEALER, run["id"], own, "Network")
    assert "Sent as 7.43 EUR, at 0.9231 EUR for 1 USD, rounded once" in statement_text(statement)
    year = int(statement["createdAt"][:4])
    assert [(row["currency"], row["total"]) for row in await year_payments(store, SEALER, clock, year)] == [
        ("EUR", "7.43")
    ]
    await holds(store)


async def test_without_a_rate_of_late_the_balance_waits(sqlite_live: Harness) -> None:
    """None, only a proposal, and one that is too old; a draft whose rate grew old is not released."""
    harness = sqlite_live
    await in_euros(harness, "100.00")
    (proposed,) = await propose_rates(harness.store, harness.clock, "USD:EUR:0.9", "A bank")
    with pytest.raises(OperatorFault, match="no_rate"):
        await create(harness)
    with acting_as(OTHER):
        await approve_rates(harness.store, harness.clock, SETTINGS, proposed.set_id)
    harness.clock.advance(1)
    run = await create(harness)
    harness.clock.advance(8 * DAY)
    with pytest.raises(OperatorFault, match="older than .payouts. exchange_age"):
        await release(harness, run["id"])
    await cancel_run(harness.store, harness.clock, run["id"], "Old rate")
    with pytest.raises(OperatorFault, match="no_rate"):
        await create(harness)
    await rated(harness, "USD:EUR:0.8")
    assert (await run_of(harness))["totals"][0]["amount"] == "4.00"
    await holds(harness.store)


async def test_of_two_decisions_at_one_moment_the_first_counts(postgres_live: Harness) -> None:
    """The trail says nothing that did not happen."""
    store, clock = postgres_live.store, postgres_live.clock
    (rate,) = await propose_rates(store, clock, "USD:EUR:0.9", "ECB")
    async with store.write() as tx:
        await tx.run("decide_exchange_rates", set_id=rate.set_id, status="DROPPED", decided_by="usr_1", now=clock())
        with acting_as(OTHER):
            approving = asyncio.create_task(approve_rates(store, clock, SETTINGS, rate.set_id))
        await one_waits(tx, approving)
    with pytest.raises(OperatorFault, match="Somebody else decided"):
        await approving
    async with store.read() as tx:
        acts = [row["act"] for row in (await read(tx, ACTS, Wanted({"subject": rate.set_id}))).entries]
    assert acts == ["exchange.proposed"]


async def test_what_comes_back_is_the_balance_that_was_earned(harness: Harness) -> None:
    """A return undoes the exchange to the minor unit, and a mistaken one does it again; another rate pays it anew."""
    store, clock, own = harness.store, harness.clock, harness.affiliate_id
    await in_euros(harness, "100.00", "61.00")
    await rated(harness)
    run = (await run_of(harness))["id"]
    await filed(harness, run)
    await settle_run(store, clock, run, "BANK-1")
    await return_payment(store, clock, run, own, "Closed")
    assert await places(store, harness.account_id) == {("adjustments", "USD"): 805}
    await holds(store)
    await reinstate_payment(store, clock, run, own, "It had arrived")
    assert (await places(store, harness.account_id))["exchange", "EUR"] == -743
    await holds(store)
    await return_payment(store, clock, run, own, "Closed after all")
    clock.advance(1)
    await rated(harness, "USD:EUR:1.1")
    second = await run_of(harness)
    assert second["items"][0]["sentAmount"] == "8.86"
    await filed(harness, second["id"])
    await settle_run(store, clock, second["id"], "BANK-2")
    await reinstate_payment(store, clock, run, own, "The first had arrived, too")
    assert (await places(store, harness.account_id))["bank", "EUR"] == 743 + 886
    await holds(store)


async def test_refunds_before_the_release_are_not_sent(sqlite_live: Harness) -> None:
    """What is sent is reckoned anew of what is left; if nothing of it is sent, the payment is carried on."""
    harness = sqlite_live
    await in_euros(harness, "100.00", "61.00")
    await rated(harness, "USD:EUR:0.0049")
    run = await create(harness)
    assert run["items"][0]["sentAmount"] == "0.04"
    await refund(harness, "O-0", "r-1", "100.00")
    released = await release(harness, run["id"])
    assert (released["items"][0]["amount"], released["items"][0]["sentAmount"]) == ("3.05", "0.01")
    await holds(harness.store)
    bea = await second_affiliate(harness)
    await set_terms(harness.store, harness.clock, bea, paid_in="EUR")
    await rated(harness, "USD:EUR:0.0001")
    with pytest.raises(OperatorFault, match="below_minimum"):
        await create(harness)


async def test_two_payments_of_one_affiliate_are_two_files_and_two_answers(sqlite_live: Harness) -> None:
    """Its euros and its dollars as euros: each in a file of its own, with a reference of its own."""
    harness = sqlite_live
    store, clock, own = harness.store, harness.clock, harness.affiliate_id
    await payable(harness, "100.00", currency="EUR", payee=attrs.evolve(PAYEE, method="paypal", account="a@b.example"))
    await payable(harness, "100.00", start=1, payee=None)
    await set_terms(store, clock, own, paid_in="EUR")
    await rated(harness)
    run = await run_of(harness)
    assert run["totals"] == [{"currency": "EUR", "amount": "9.62", "payments": 2}]
    first, second = await filed(harness, run["id"], "paypal"), await filed(harness, run["id"], "paypal")
    amounts = [row["Amount"] for file in (first, second) for row in csv.DictReader(io.StringIO(file.content.decode()))]
    assert sorted(amounts) == ["4.62", "5.00"]
    assert "write one more file" in first.document["leftOut"][0]["reason"]
    answer = [Result(own, "EUR", "paid", "PP-1", "")]
    with pytest.raises(OperatorFault, match="which are 2 payments of the run"):
        await settle_run(store, clock, run["id"], "PP", answer)
    for file in (first, second):
        await settle_run(store, clock, run["id"], "PP", answer, Chosen(file_id=file.document["file"].id))
    assert (await show_run(store, run["id"]))["status"] == "SETTLED"
    await holds(store)


async def bonus(harness: Harness, account: str, cents: int) -> None:
    """A correction of an account that a second person approved."""
    made = await create_adjustment(
        harness.store, harness.clock, affiliate=harness.affiliate_id, account=account,
        amount=format_money(cents, "USD"), currency="USD", reason="A bonus",
    )  # fmt: skip
    with acting_as(OTHER):
        await approve_adjustment(harness.store, harness.clock, SETTINGS, made["id"])


async def test_the_accounts_of_three_merchants_bear_one_payment(sqlite_live: Harness) -> None:
    """Seeded amounts, one of them taken back, and rates; the books of each account agree, and come back to nought."""
    harness, luck = sqlite_live, random.Random(7)
    store, clock = harness.store, harness.clock
    await in_euros(harness, "1000.00")
    others = [
        await create_merchant(
            store, clock, NewMerchant(name=name, email=f"{name}@x.example", domains=[f"{name}.example"], approve=True)
        )
        for name in ("fjord", "fern")
    ]
    accounts = [f"{merchant}:live" for merchant in (harness.merchant_id, *(each.id for each in others))]
    for number in range(4):
        for account in accounts:
            await bonus(harness, account, luck.choice([-1, 1]) * luck.randint(1, 333))
        clock.advance(1)
        await rated(harness, f"USD:EUR:0.{luck.randint(1, 9999):04d}")
        run = (await run_of(harness))["id"]
        (item,) = (await show_run(store, run))["items"]
        assert read_money(str(item["sentAmount"])) == exchanged(
            read_money(item["amount"]), "USD", "EUR", str(item["exchangeRate"])
        )
        await filed(harness, run)
        await settle_run(store, clock, run, f"BANK-{number}")
        await holds(store)
        await return_payment(store, clock, run, harness.affiliate_id, "Closed")
        await holds(store)
        clock.advance(1)
    left = [await places(store, end.head.account_id) for end in await chain_ends(store)]
    assert sum(1 for found in left if found) == len(accounts)
    assert {place for found in left for place, _ in found} == {"adjustments"}


@pytest.mark.parametrize("behind", ["rate", "sent", "both"])
async def test_a_rate_that_nobody_set_is_named(sqlite_live: Harness, sqlite_url: str, behind: str) -> None:
    """Even with its note: no such rate was approved, or it makes another amount. The control is the books before."""
    harness = sqlite_live
    await in_euros(harness, "100.00")
    await rated(harness)
    run = await run_of(harness)
    await filed(harness, run["id"])
    await settle_run(harness.store, harness.clock, run["id"], "BANK-1")
    await holds(harness.store)
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection:
        if behind != "sent":
            connection.execute("UPDATE payout_exchanges SET rate = '9.231'")
        if behind != "rate":
            connection.execute("UPDATE payout_exchanges SET sent_minor = 4616")
        connection.commit()
    faults = [each["message"] for each in (await verify_ledger(harness.store, SEALER))["faults"]]
    named = "no such rate was approved" if behind != "sent" else "by its rate that is another amount"
    assert any(named in fault for fault in faults), faults
    assert any("What is sent of the payment" in fault for fault in faults), faults
    assert any("in exchange" in fault for fault in faults) is (behind != "sent"), faults
