"""The operator's pages of payouts: previewed, created, released by a second person, exported, settled, taken back."""

from __future__ import annotations

import html
import re

import aiohttp
import pytest
from attrs import evolve

from hub.operations.lists import Wanted
from hub.operations.money.books.adjustments import first_adjustments
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payouts.payout_files import list_files
from hub.operations.money.payouts.payout_runs import first_runs
from hub.operations.money.receipts import bank_report_runs
from hub.pages.operator import bank_reports
from hub.pages.operator.payout import offered_files
from tests.pages.conftest import PAYEE, Network
from tests.pages.visitor import Seen, Visitor, browser, enter, seen

HERE = "/operator/payouts"
MINUTE = 60_000


async def created(visitor: Visitor, **asked: str) -> str:
    """Create a run by the preview's form; return its address."""
    page = f"{HERE}/preview?" + "&".join(f"{name}={value}" for name, value in asked.items())
    made = await visitor.send(page, HERE, **asked)
    assert made.status == 303, made.words
    return str(made.location).partition("?")[0]


async def test_a_payout_goes_from_its_preview_to_the_banks_answer(network: Network, olu: Visitor) -> None:
    """Above the limit a second person releases it; every step twice does nothing more; one payment comes back."""
    preview = await olu.get(f"{HERE}/preview?mode=live&minimum=5")
    assert "This run would pay 12,000.00 EUR to 1 affiliate." in preview.words.replace("\xa0", " ")
    assert "below the minimum" in preview.words
    one = await created(olu, mode="live", minimum="5")
    assert "is awaiting release" in (await olu.get(f"{HERE}/preview?mode=live&minimum=5")).words
    again = await olu.post(HERE, {"csrf": (await olu.get(HERE)).csrf, "mode": "live", "minimum": "5"})
    assert str(again.location).partition("?")[0] == one
    assert f'href="{one}"' in (await olu.get("/operator/approvals")).text
    refused = await olu.send(f"{one}/release")
    assert (refused.status, "another person" in refused.words) == (422, True)
    async with browser(network.hub) as una:
        await enter(una, network.hub, network.clock, "una@hub.example")
        for _ in range(2):
            assert (await una.send(one, f"{one}/release")).location == f"{one}?done=released"
    assert "1 of 1 payments have no file" in (await olu.get(one)).words
    assert (await olu.send(one, f"{one}/settle", reference="SEPA-7")).status == 422
    first, file = [await olu.send(one, f"{one}/files", format="csv") for _ in range(2)]
    assert first.text == file.text
    assert "DE89370400440532013000" in file.text
    assert 'filename="pay_' in file.headers["Content-Disposition"]
    (kept,) = await list_files(network.hub.parts.store, one.rpartition("/")[2])
    assert (await olu.get(f"{one}/files/{kept.id}")).text == file.text
    assert (await olu.get(f"{one}/files/fil_none")).status == 404
    assert "payments have no file" not in (await olu.get(one)).words
    assert (await olu.send(one, f"{one}/files", format="paypal")).status == 422
    alone = await olu.send(one, f"{one}/files/{kept.id}/withdraw")
    assert (alone.status, "another person than the one who wrote it" in alone.words) == (422, True)
    async with browser(network.hub) as una:
        await enter(una, network.hub, network.clock, "una@hub.example")
        assert (await una.send(one, f"{one}/files/{kept.id}/withdraw")).location == f"{one}?done=withdrawn"
    assert (await olu.send(one, f"{one}/files", format="csv")).status == 200
    unnamed = await olu.send(one, f"{one}/settle", reference="")
    assert (unnamed.status, 'id="reference-fault"' in unnamed.text) == (422, True)
    csrf = (await olu.get(one)).csrf
    for _ in range(2):
        settled = await olu.post(f"{one}/settle", {"csrf": csrf, "reference": "SEPA-7"})
        assert settled.location == f"{one}?done=settled"
    other = await olu.post(f"{one}/settle", {"csrf": csrf, "reference": "SEPA-8"})
    assert (other.status, "settled already" in other.words) == (422, True)
    statement = f"{one}/affiliates/{network.ada}"
    assert "SEPA-7" in (await olu.get(statement)).words
    assert (await olu.get(f"{statement}?format=pdf")).text.startswith("%PDF-")
    assert "A bonus" in (await olu.get(f"{statement}?format=csv")).text
    for _ in range(2):
        back = await olu.post(f"{statement}/returned", {"csrf": csrf, "currency": "EUR", "reason": "Account closed"})
        assert back.location == f"{statement}?done=returned"
    assert "Account closed" in (await olu.get(one)).words
    kinds = [each["kind"] for each in await first_adjustments(network.hub.parts.store, Wanted({"status": "APPROVED"}))]
    assert kinds.count("returned") == 1
    taken = await olu.send(statement, f"{statement}/reinstate", currency="EUR", reason="The bank was wrong")
    assert taken.location == f"{statement}?done=reinstated"
    assert "Account closed" not in (await olu.get(one)).words


async def test_what_one_file_pays_is_settled_while_others_have_none(network: Network, olu: Visitor) -> None:
    """All cannot be settled then, which is said without a command, and the file is what is offered."""
    one = await created(olu, mode="live", minimum="1")
    async with browser(network.hub) as una:
        await enter(una, network.hub, network.clock, "una@hub.example")
        await una.send(f"{one}/release")
    assert "There is nothing to release The run is under way." in (await olu.get(f"{one}/release")).words
    hub, moved = network.hub, evolve(PAYEE, account="NO9386011117947")
    await set_payee(hub.parts.store, hub.parts.sealer, network.clock, None, network.bea, moved)
    assert (await olu.send(one, f"{one}/files", format="csv")).status == 200
    (kept,) = await list_files(network.hub.parts.store, one.rpartition("/")[2])
    refused = await olu.send(one, f"{one}/settle", reference="SEPA-7")
    assert (refused.status, "1 of 2 payments" in refused.words, "--file" in refused.words) == (422, True, False)
    withdraw = f"{one}/files/{kept.id}/withdraw"
    assert "pays twice" in (await olu.get(withdraw)).words, "a button alone does not withdraw it"
    assert (await olu.get(withdraw.replace(kept.id, "fil_none"))).status == 404
    assert ("those in file" in refused.words, "all of them" in refused.words) == (True, False)
    settled = await olu.send(one, f"{one}/settle", reference="SEPA-7", file=kept.id)
    assert settled.location == f"{one}?done=settled"
    assert "Under way" in (await olu.get(one)).words


async def test_a_draft_is_cancelled_and_a_held_affiliate_is_carried_on(network: Network, olu: Visitor) -> None:
    """What was reserved is payable again; a balance on hold says so in the preview."""
    one = await created(olu, mode="live", minimum="1")
    assert (await olu.send(one, f"{one}/cancel", reason="")).status == 422
    assert (await olu.send(one, f"{one}/cancel", reason="A wrong minimum")).location == f"{one}?done=cancelled"
    assert "The run was cancelled" in (await olu.get(one)).words
    affiliate = f"/operator/affiliates/{network.ada}"
    assert (await olu.send(affiliate, f"{affiliate}/hold", reason="A dispute")).location == f"{affiliate}?done=held"
    assert "on hold: A dispute" in (await olu.get(affiliate)).words
    assert "Payments to the affiliate are on hold" in (await olu.get(f"{HERE}/preview?mode=live&minimum=1")).words
    assert (await olu.send(affiliate, f"{affiliate}/free")).location == f"{affiliate}?done=freed"
    assert await created(olu, mode="live", minimum="1") != one


async def test_the_affiliates_of_a_run_are_shown_in_pages(
    network: Network, olu: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all totals on each; the control is the page as it is, which has room for all."""
    one = await created(olu, mode="live", minimum="1")
    whole = await olu.get(one)
    names = re.findall(rf'href="{one}/affiliates/(\w+)"', whole.text)
    assert len(names) == len(set(names)) > 1
    assert "More affiliates" not in whole.words
    monkeypatch.setattr("hub.pages.operator.payout.ROWS", 1)
    shown, further = [], one
    while further:
        page = await olu.get(further)
        shown += re.findall(rf'href="{one}/affiliates/(\w+)"', page.text)
        assert "to 2 affiliates" in page.words
        next_page = re.search(r'href="([^"]+)" rel="next"', page.text)
        further = html.unescape(next_page[1]) if next_page else ""
    assert shown == names


async def test_a_test_run_says_so_everywhere_and_never_becomes_a_banks_file(network: Network, olu: Visitor) -> None:
    """The marks of the pages, the names of the files and their rows."""
    one = await created(olu, mode="test")
    assert (await olu.send(f"{one}/release")).status == 303
    for page in (one, f"{one}/affiliates/{network.ada}", f"{HERE}?mode=test", f"{HERE}/preview?mode=test"):
        assert "TEST" in (await olu.get(page)).words, page
    for form in ("sepa", "paypal", "wise"):
        refused = await olu.send(one, f"{one}/files", format=form)
        assert (refused.status, "pays nobody" in refused.words) == (422, True)
    file = await olu.send(one, f"{one}/files", format="csv")
    assert "TEST-pay_" in file.headers["Content-Disposition"]
    assert all(row.startswith("TEST,") for row in file.text.splitlines()[1:])


async def test_a_result_file_settles_each_payment_as_the_bank_says(
    network: Network, olu: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uploaded beside the reference; a file that names a stranger changes nothing."""
    monkeypatch.setattr(bank_reports, "PATIENCE_SECONDS", 60)
    one = await created(olu, mode="live", minimum="1")
    async with browser(network.hub) as una:
        await enter(una, network.hub, network.clock, "una@hub.example")
        await una.send(f"{one}/release")
    stranger = await upload(olu, one, "affiliateId,status\naff_none,PAID\n")
    assert (stranger.status, "nothing was done" in stranger.words) == (422, True)
    rows = f"affiliateId,status,reason\n{network.ada},PAID,\n{network.bea},RETURNED,No such account\n"
    assert (await upload(olu, one, rows)).location == f"{one}?done=settled"
    (run,) = await first_runs(network.hub.parts.store, Wanted({"mode": "live"}))
    assert [item["status"] for item in run["items"]] == ["SETTLED", "RETURNED"]
    assert "No such account" in (await olu.get(one)).words


async def test_a_large_result_file_says_how_far_it_is(
    network: Network, olu: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken at once, read by a timer, and hands out what became of each line."""
    monkeypatch.setattr(bank_reports, "PATIENCE_SECONDS", 0)
    monkeypatch.setattr(bank_report_runs.BankReports, "read_one", never)
    one = await created(olu, mode="live", minimum="1")
    async with browser(network.hub) as una:
        await enter(una, network.hub, network.clock, "una@hub.example")
        await una.send(f"{one}/release")
    sent = await upload(olu, one, f"affiliateId,status\n{network.ada},PAID\n")
    page = str(sent.location)
    assert page.startswith("/operator/bank-reports/bkr_")
    before = await olu.get(page)
    assert ('data-poll="2000"' in before.text, "is checked before any of it" in before.words) == (True, True)
    assert page in (await olu.get(f"/operator/bank-reports?payout_id={one.rpartition('/')[2]}")).text
    monkeypatch.undo()
    parts = network.hub.parts
    await bank_report_runs.BankReports(parts.store, parts.sealer, network.clock).read()
    after = await olu.get(page)
    assert ("data-poll" in after.text, "Every line is recorded" in after.words) == (False, True)
    verdicts = await olu.get(f"{page}/verdicts")
    assert f"2,{network.ada},{network.ada},ARRIVED,SEPA-9" in verdicts.text
    assert (await olu.get("/operator/bank-reports/bkr_none")).status == 404


async def never(*_: object) -> None:
    """Read no report, as a process that has no time for it."""


async def upload(visitor: Visitor, one: str, content: str) -> Seen:
    """Settle with a result file."""
    form = aiohttp.FormData()
    form.add_field("csrf", (await visitor.get(one)).csrf)
    form.add_field("reference", "SEPA-9")
    form.add_field("results", content.encode(), filename="results.csv", content_type="text/csv")
    async with visitor.session.post(f"{one}/settle", data=form, allow_redirects=False) as response:
        return await seen(response)


async def test_money_needs_an_administrator_who_just_proved_who_they_are(network: Network, olu: Visitor) -> None:
    """An operator may look; after 10 minutes an administrator is asked first, and nothing is done meanwhile."""
    async with browser(network.hub) as pat:
        await enter(pat, network.hub, network.clock, "pat@hub.example")
        page = await pat.get(f"{HERE}/preview?mode=live")
        assert (page.status, "An administrator creates the run" in page.words) == (200, True)
        assert (await pat.post(HERE, {"csrf": (await pat.get("/account")).csrf, "mode": "live"})).status == 404
    csrf = (await olu.get(HERE)).csrf
    network.clock.advance(11 * MINUTE)
    asked = await olu.post(HERE, {"csrf": csrf, "mode": "live", "minimum": "5"})
    assert str(asked.location).startswith("/login/confirm?then=/operator/payouts/preview%3Fmode%3Dlive")
    assert await first_runs(network.hub.parts.store, Wanted()) == []


def test_only_formats_are_offered_that_a_payment_without_a_file_may_be_in() -> None:
    """By its method, and for a file of one currency by that; a list is offered while anything has no file."""
    ways = [("iban", "EUR"), ("iban", "USD"), ("paypal", "USD")]
    offered = [(each.name, currency) for each, currency in offered_files(ways, is_test=False)]
    assert offered == [("sepa", ""), ("pain001", "EUR"), ("pain001", "USD"), ("paypal", "USD"), ("csv", "")]
    assert offered_files([], is_test=False) == []
    assert [each.name for each, _ in offered_files([], is_test=True)] == ["csv"]


async def test_what_cannot_be_previewed_is_said(olu: Visitor) -> None:
    """A date, a currency and a minimum of another form; and a run of nothing."""
    for asked in ("before=soon", "currency=ABC", "minimum=lots"):
        assert (await olu.get(f"{HERE}/preview?mode=live&{asked}")).status == 422
    nothing = await olu.get(f"{HERE}/preview?mode=live&before=2001-01-01")
    assert (nothing.status, "Nothing is payable" in nothing.words) == (200, True)
    assert (await olu.get(f"{HERE}/preview?mode=live&format=csv")).text.startswith("affiliateId,id,")


async def test_an_administrator_may_set_an_affiliates_payment_details(network: Network, olu: Visitor) -> None:
    """With each wrong field named, only the last digits of a bank account, and a run that says that it just changed."""
    one = f"/operator/affiliates/{network.bea}/payee"
    fields = {"legal_name": "Bea", "street": "Side St 2", "postal_code": "1050", "city": "Oslo", "country": "NO",
              "method": "iban", "account": "NO9386011117947"}  # fmt: skip
    wrong = await olu.send(one, **{**fields, "account": "NO00", "city": ""})
    assert (wrong.status, "is not an IBAN" in wrong.words, "The town has" in wrong.words) == (422, True, True)
    assert (await olu.send(one, **fields)).location == f"{one}?done=saved"
    run = await created(olu, mode="live", minimum="1")
    assert "just changed, so in no file yet" in (await olu.get(run)).words
    assert (await olu.send(one, **fields)).location == f"{one}?done=saved"
    shown = await olu.get(one)
    assert ("NO9386011117947" in shown.text, "\N{HORIZONTAL ELLIPSIS}7947" in shown.words) == (False, True)
    assert "Payable in EUR 4.00" in (await olu.get(f"/operator/affiliates/{network.bea}")).words.replace("\xa0", " ")
