"""The commands of money, from a payable commission to a settled run, and a shop's list compared with the hub's."""

from __future__ import annotations

import asyncio
import hashlib
import re
from datetime import UTC
from pathlib import Path
from typing import Any

from hub.clock import system_clock
from hub.domain.books.book_time import month_of
from hub.domain.words import JOURNAL_FORMATS
from tests.cli.conftest import Office
from tests.ledger.test_verify import jobs_of
from tests.processing.harness import DAY


async def payable(office: Office, *amounts: str) -> None:
    """Orders of a fortnight ago, whose commissions are payable."""
    harness = office.harness
    harness.clock.now = system_clock() - 20 * DAY
    click = await harness.click()
    for number, amount in enumerate(amounts):
        await harness.order(f"O-{number}", amount, clickId=click, orderStatus="confirmed")
    await harness.work()
    harness.clock.now = system_clock() - 3_600_000
    assert await jobs_of(harness).release_holds() == len(amounts)


async def what_the_bank_said(office: Office, settled: Any, folder: Path) -> None:
    """The bank's file is kept, with what became of its only line."""
    do, affiliate, file = office.do, office.harness.affiliate_id, folder / "verdicts.csv"
    (sent,) = await do("bank", "list", "--payout", settled["id"])
    assert (sent["id"], sent["status"], sent["verdicts"]) == (settled["reportId"], "DONE", {"ARRIVED": 1})
    assert await do("bank", "show", sent["id"]) == sent
    await do("bank", "verdicts", sent["id"], "--output", str(file))
    assert f"2,{affiliate},{affiliate},ARRIVED,PP-9" in file.read_text("utf-8")


async def test_a_payout_to_its_end(live_office: Office, tmp_path: Path) -> None:
    """Every command of the way, and the shapes that scripts rely on."""
    do, affiliate = live_office.do, live_office.harness.affiliate_id
    payee = ("--street", "Main St 1", "--postal-code", "10115", "--city", "Berlin", "--country", "DE")
    await do("payee", "set", "--affiliate", affiliate, "--legal-name", "Ada", "--paypal", "ada@mail.example", *payee)
    await payable(live_office, "100.00", "50.00")
    preview = await do("payout", "preview", "--mode", "live")
    assert await do("payout", "next", "--affiliate", affiliate) == [], "no setting says on which day"
    run = await do("payout", "create", "--mode", "live")
    assert run["items"] == [{**preview["items"][0], "affiliateName": "Ada"}]
    assert {"id", "status", "items"} <= run.keys()
    assert {"affiliateId", "currency", "amount", "commissions", "adjustments", "carried"} <= run["items"][0].keys()
    assert (await do("payee", "show", "--affiliate", affiliate))["account"] == "a…@mail.example"
    await released(live_office, run["id"])
    file = tmp_path / "paypal.csv"
    exported = await do("payout", "export", run["id"], "--format", "paypal", "--output", str(file))
    assert (exported["payments"], "ada@mail.example,7.50,USD" in file.read_text("utf-8")) == (1, True)
    assert await do("ledger", "balances", "--before", "2020-01-01T00:00:00Z") == []
    places = {each["place"]: each["amount"] for each in await do("ledger", "balances")}
    assert (places["merchant"], places["payout"]) == ("-7.50", "7.50")
    (kept,) = await do("payout", "files", run["id"])
    assert (kept["id"], kept["sha256"]) == (exported["fileId"], hashlib.sha256(file.read_bytes()).hexdigest())
    await do("payout", "file", kept["id"], "--output", str(tmp_path / "again.csv"))
    assert (tmp_path / "again.csv").read_bytes() == file.read_bytes()
    assert (await do("payout", "withdraw", kept["id"]))["withdrawnAt"]
    await do("payout", "export", run["id"], "--format", "paypal", "--output", str(file))
    (results := tmp_path / "results.csv").write_text(f"affiliateId,status,reference\n{affiliate},PAID,PP-9\n", "utf-8")
    settled = await do("payout", "settle", run["id"], "--reference", "PP", "--results", str(results))
    assert (settled["status"], settled["items"][0]["reference"]) == ("SETTLED", "PP-9")
    await what_the_bank_said(live_office, settled, tmp_path)
    stated = await do("statement", "show", "--payout", run["id"], "--affiliate", affiliate)
    assert stated["parts"][0]["paid"] == "7.50"
    self_billed = ("statement", "self-billed", "--payout", run["id"], "--affiliate", affiliate)
    assert "has no self-billed invoice" in await live_office.refused(*self_billed)
    returned = await do("payout", "returned", run["id"], "--affiliate", affiliate, "--reason", "account closed")
    assert returned["items"][0]["status"] == "RETURNED"
    reason = ("--reason", "A mistake")
    reinstated = await do("payout", "reinstate", run["id"], "--affiliate", affiliate, *reason)
    assert reinstated["items"][0]["status"] == "SETTLED"
    await do("payout", "returned", run["id"], "--affiliate", affiliate, "--reason", "account closed")
    await contradicted(live_office, run["id"], affiliate, results)
    (balance,) = await do("balance", "show", "--affiliate", affiliate)
    assert balance == {"currency": "USD", "pending": "0.00", "payable": "7.50", "paid": "0.00", "underWay": "0.00",
                       "negative": "0.00"}  # fmt: skip
    assert [each["id"] for each in await do("payout", "list")] == [run["id"]]
    assert (await do("ledger", "verify"))["ok"] is True
    assert len((await do("payout", "show", run["id"]))["lines"]) == 2
    assert (await do("payee", "hold", "--affiliate", affiliate, "--reason", "A dispute"))["until"] is None
    assert "on_hold" in await live_office.refused("payout", "create", "--mode", "live")
    assert (await do("payee", "free", "--affiliate", affiliate))["reason"] == "A dispute"
    draft = await do("payout", "create", "--mode", "live")
    assert (await do("payout", "cancel", draft["id"], *reason))["status"] == "CANCELLED"


async def contradicted(office: Office, run: str, affiliate: str, results: Path) -> None:
    """The bank says that a payment arrived which came back: a person reads both, and what settles it."""
    await office.do("payout", "settle", run, "--reference", "PP", "--results", str(results))
    await said(office, run, "in USD came back: account closed", f"hub payout reinstate {run} --affiliate {affiliate}")


async def released(office: Office, run: str) -> None:
    """A person reads what comes next, before and after."""
    await said(office, run, f"Next: hub payout release {run}")
    assert (await office.do("payout", "release", run))["status"] == "RELEASED"
    await said(office, run, f"Next: hub payout export {run} --format FORMAT --output FILE")


async def said(office: Office, run: str, *sentences: str) -> None:
    """A person who looks at a run reads these."""
    shown = await asyncio.to_thread(office.operator.run, "payout", "show", run)
    assert [each for each in sentences if each not in shown.stdout] == [], shown.stdout


async def test_the_ledger_is_verified_and_exported(live_office: Office, tmp_path: Path) -> None:
    await payable(live_office, "100.00")
    found = await live_office.do("ledger", "verify")
    assert (found["ok"], found["entries"], found["faults"]) == (True, 2, [])
    exported = await live_office.do("ledger", "export", "--output", str(tmp_path / "ledger.csv"))
    assert (exported["entries"], exported["head"]) == (2, found["head"])
    assert (tmp_path / "ledger.csv").read_text("utf-8").count("\n") == 3
    assert (await live_office.do("audit"))["ledgerEntriesChecked"] == 2


async def test_a_correction_takes_two_people(live_office: Office) -> None:
    """The system user proposes, an administrator approves by name."""
    do, harness = live_office.do, live_office.harness
    await do("user", "create", "--email", "olu@hub.example", "--role", "operator-admin")
    account = f"{harness.merchant_id}:live"
    made = await do(
        "adjustment", "create", "--affiliate", harness.affiliate_id, "--account", account, "--amount", "-3.00",
        "--currency", "USD", "--reason", "Paid twice",
    )  # fmt: skip
    assert {"id", "affiliateId", "amount", "currency", "reason", "externalOrderId", "commissionId", "payoutId",
            "status"} <= made.keys()  # fmt: skip
    assert "another person approves it" in await live_office.refused("adjustment", "approve", made["id"])
    assert "operator-admin has the address" in await live_office.refused(
        "adjustment", "approve", made["id"], "--by", "eve@hub.example"
    )
    assert (await do("adjustment", "approve", made["id"], "--by", "olu@hub.example"))["status"] == "APPROVED"
    assert [each["amount"] for each in await do("adjustment", "list")] == ["-3.00"]


async def test_a_shops_list_is_reconciled(live_office: Office, tmp_path: Path) -> None:
    """Missing, extra, another amount and another status are told apart; --apply sends what is missing."""
    harness = live_office.harness
    for number, amount in enumerate(("10.00", "20.00", "30.00", "40.00")):
        await harness.order(f"O-{number}", amount, orderStatus="confirmed")
        harness.clock.advance(1_000)
    await harness.work()
    file = tmp_path / "shop.csv"
    file.write_text(
        "externalOrderId,orderAmount,orderStatus\nO-0,10.00,confirmed\nO-1,21.00,confirmed\nO-3,40.00,returned\n"
        "O-9,90.00,confirmed\nO-8,x,\n",
        "utf-8",
    )
    options = ("--merchant", harness.merchant_id, "--mode", "live")
    found = await live_office.do("reconcile", str(file), *options)
    names = ("orders", "agree", "missing", "extra", "amountDiffers", "statusDiffers", "applied")
    assert [found[name] for name in names] == [4, 1, 1, 1, 1, 1, None]
    assert (found["missingOrders"][0]["externalOrderId"], found["extraOrders"][0]["externalOrderId"]) == ("O-9", "O-2")
    assert found["amounts"] == [{"externalOrderId": "O-1", "shop": "21.00 USD", "hub": "20.00 USD"}]
    assert found["faults"][0].startswith("line 6: `orderAmount`")
    applied = await live_office.do("reconcile", str(file), *options, "--apply")
    assert applied["applied"] == {"created": 1, "duplicate": 0, "failed": 0}
    assert await harness.conversion("O-9") is None
    harness.clock.now = system_clock() + 1_000
    await harness.work()
    assert (await live_office.do("reconcile", str(file), *options))["missing"] == 0


async def test_a_rate_is_tried_on_real_orders(live_office: Office) -> None:
    """For a merchant and for one product; nothing is published, and refunds count on neither side."""
    harness = live_office.harness
    click = await harness.click()
    for number, product in enumerate(("mug", "mug", None)):
        more = {} if product is None else {"externalProductId": product}
        await harness.order(f"O-{number}", "100.00", clickId=click, orderStatus="confirmed", **more)
    await harness.order("O-9", "100.00")
    await harness.work()
    preview = ("rule", "preview", "--merchant", harness.merchant_id, "--commission")
    found = await live_office.do(*preview, "PERCENTAGE:12")
    assert (found["priced"], found["changed"]) == (3, 3)
    change = {"currency": "USD", "before": "15.00", "after": "36.00", "difference": "21.00"}
    assert found["totals"] == [change]
    assert found["affiliates"] == [{"id": harness.affiliate_id, **change}]
    assert [each["id"] for each in found["orders"]] == ["O-2", "O-1", "O-0"]
    same = await live_office.do(*preview, "PERCENTAGE:5")
    assert (same["priced"], same["changed"], same["orders"]) == (3, 0, [])
    assert "is not a commission" in await live_office.refused(*preview, "12")
    assert "There is no product" in await live_office.refused(*preview, "PERCENTAGE:1", "--product", "mug")
    assert (await harness.commission("O-0") or {})["amount_minor"] == 500


async def test_a_rate_is_drafted_published_and_dropped(live_office: Office) -> None:
    do, campaign = live_office.do, await live_office.harness.campaign()
    preview = ("rule", "preview", "--campaign", campaign, "--draft", "--commission")
    kept = [(await do(*preview, rate))["draft"] for rate in ("PERCENTAGE:12", "PERCENTAGE:90")]
    assert (await do("rule", "publish", kept[0]))["status"] == "PUBLISHED"
    assert (await do("rule", "drop", kept[1]))["status"] == "DROPPED"
    assert "PUBLISHED already" in await live_office.refused("rule", "drop", kept[0])
    assert [each["status"] for each in await do("rule", "list")] == ["DROPPED", "PUBLISHED"]
    (changed,) = await do("rule", "history", "--campaign", campaign)
    assert (changed["before"], changed["after"]) == ("PERCENTAGE:10", "PERCENTAGE:12")
    assert (await do("campaign", "policy", campaign))["rule"] == "CLICK"
    told = await do("campaign", "policy", campaign, "--rule", "coupon-without-click", "--without-coupon", "sale")
    assert (told["rule"], told["excludedCoupons"]) == ("COUPON_WITHOUT_CLICK", ["SALE"])
    assert (await do("campaign", "policy", campaign, "--clear"))["excludedCoupons"] == []
    for typed, expected in (("always", ("ALWAYS", 0)), ("3", ("TIMES", 3)), ("never", ("NEVER", 0))):
        told = await do("campaign", "policy", campaign, "--renewals", typed)
        assert (told["renewals"], told["renewalTimes"]) == expected


async def test_rates_by_volume_are_tried_and_set_by_commands(live_office: Office) -> None:
    harness, do, campaign = live_office.harness, live_office.do, await live_office.harness.campaign()
    click = await harness.click(campaign)
    for number in range(3):
        await harness.order(f"O-{number}", "100.00", clickId=click, orderStatus="confirmed")
    await harness.work()
    tiers = ("--volume", "MONTH:ORDERS", "--tier", "2: 12 %", "--tier", "3: 14.50")
    found = await do("rule", "preview", "--campaign", campaign, *tiers)
    assert (found["priced"], found["changed"]) == (3, 2)
    assert found["totals"] == [{"currency": "USD", "before": "30.00", "after": "36.50", "difference": "6.50"}]
    assert "12 % from the 2nd order of a month" in found["commission"]
    for wrong, told in (
        (tiers, "name it with --campaign"),
        (("--campaign", campaign), "--volume with --tier"),
        (("--campaign", campaign, "--volume", "MONTH:ORDERS", "--tier", "12 %"), "written like 11: 12 %"),
    ):
        refused = await asyncio.to_thread(live_office.operator.run, "rule", "preview", *wrong)
        assert (refused.exit_code, told in refused.stderr) == (2, True)
    made = await do("campaign", "update", campaign, *tiers)
    assert made["volumeRates"]["tiers"][1] == {"from": "3", "commissionType": "FIXED", "commissionValue": "14.50"}
    same = await do("rule", "preview", "--campaign", campaign, *tiers)
    assert same["changed"] == 2  # they count for orders that are placed from now on
    assert (await do("campaign", "update", campaign, "--volume", "NONE"))["volumeRates"] is None


async def test_a_deposit_and_an_invoice_by_commands(live_office: Office, tmp_path: Path) -> None:
    do, merchant = live_office.do, live_office.harness.merchant_id
    assert (await do("deposit", "require", "--merchant", merchant))["required"] is True
    paid = ("--merchant", merchant, "--amount", "9.00", "--currency", "USD", "--reference")
    assert (await do("deposit", "add", *paid, "D-1"))["balances"][0]["balance"] == "9.00"
    assert (await do("deposit", "withdraw", *paid, "D-2"))["balances"][0]["balance"] == "0.00"
    assert "Only 0.00 USD is left" in await live_office.refused("deposit", "withdraw", *paid, "D-3")
    assert len((await do("deposit", "show", "--merchant", merchant))["payments"]) == 2
    assert (await do("deposit", "require", "--merchant", merchant, "--off"))["required"] is False
    assert await do("statement", "invoice", "--merchant", merchant, "--month", "2026-01") == []
    month = ("statement", "invoice", "--merchant", merchant, "--month", "2099-01")
    assert "an hour after its end" in await live_office.refused(*month)
    assert await do("statement", "invoices") == []
    assert "99" in await live_office.refused("statement", "invoices", "--number", "99", "--output", str(tmp_path / "i"))


async def test_a_self_billed_invoice_is_written_as_text_and_pdf(live_office: Office, tmp_path: Path) -> None:
    """As XML not before the settings say where the network is."""
    do, affiliate = live_office.do, live_office.harness.affiliate_id
    payee = ("--street", "2 Rue", "--postal-code", "75001", "--city", "Paris", "--country", "FR")
    await do("payee", "set", "--affiliate", affiliate, "--legal-name", "Ada", "--paypal", "ada@mail.example", *payee,
             "--business", "--self-billing", "--tax-id", "FR40303265045")  # fmt: skip
    await payable(live_office, "100.00")
    run = await do("payout", "create", "--mode", "live")
    await do("payout", "release", run["id"])
    words = ("statement", "self-billed", "--payout", run["id"], "--affiliate", affiliate)
    found = await do(*words)
    assert (found["invoiceNumber"], found["amount"], found["supplier"]["vatNumber"]) == ("1", "5.00", "FR40303265045")
    told = await asyncio.to_thread(live_office.operator.run, *words)
    assert told.stdout.startswith("Self-billed invoice no. 1\n")
    pdf = ("--format", "pdf", "--output", str(tmp_path / "invoice.pdf"))
    assert (await asyncio.to_thread(live_office.operator.run, *words, *pdf)).exit_code == 0
    assert (tmp_path / "invoice.pdf").read_bytes().startswith(b"%PDF-")
    refused = await asyncio.to_thread(live_office.operator.run, *words, "--format", "xml")
    assert (refused.exit_code, "payouts.issuer_country" in refused.stderr) == (1, True)


def names_in(folder: Path, *beginnings: str) -> set[str]:
    return {file.name for file in folder.iterdir() if file.name.startswith(beginnings)}


async def test_a_months_journal_is_written_whole_for_each_program(live_office: Office, tmp_path: Path) -> None:
    """A file that is there is left, and what is refused leaves none."""
    await payable(live_office, "100.00")
    words = ("ledger", "journal", "--month", month_of(live_office.harness.clock(), UTC))
    files = {form: tmp_path / f"journal.{form}" for form in JOURNAL_FORMATS}
    for form in ("csv", "hledger", "beancount"):
        written = await live_office.do(*words, "--format", form, "--output", str(files[form]))
        assert written["bytes"] == files[form].stat().st_size > 0
    datev = (*words, "--format", "datev", "--output", str(files["datev"]))
    assert "Set [payouts] datev" in await live_office.refused(*datev)
    told = await asyncio.to_thread(live_office.operator.run, *datev, HUB_PAYOUTS_DATEV="29098/55003")
    assert re.search(r"Entries that are not in it: [12] in USD\.$", told.stdout, re.MULTILINE)
    assert "exists already" in await live_office.refused(*words, "--output", str(files["csv"]))
    wrong = ("ledger", "journal", "--month", "2026-13", "--output", str(tmp_path / "none.csv"))
    assert "is not a month" in await live_office.refused(*wrong)
    assert names_in(tmp_path, "journal", "none") == {file.name for file in files.values()}
