"""Corrections and the ledger on the operator's pages: two people for each, and entries that can be read."""

from __future__ import annotations

import re

from hub.domain.books.ledger import KINDS, PLACES
from hub.operations.audits.audit import audit
from hub.operations.audits.audit_runs import note_audit
from hub.operations.lists import Wanted
from hub.operations.money.books.adjustments import first_adjustments
from hub.pages import money_words
from tests.pages.conftest import Network
from tests.pages.visitor import Visitor, browser, enter

HERE = "/operator/adjustments"


async def test_a_correction_takes_two_people_and_one_form_makes_one(network: Network, olu: Visitor) -> None:
    """Proposed by one, approved by another; the form sent twice makes one correction."""
    page = await olu.get(HERE)
    assert page.text.count('list="those-affiliate"') == 2  # the filter's and the form's
    assert [page.text.count(f'<datalist id="those-{noun}"') for noun in ("affiliate", "merchant")] == [1, 1]
    assert re.search(r'<option value="Bea">[^<]+@', page.text)
    form_id = re.search(r'name="id" value="(adj_[0-9a-f]{32})"', page.text)
    assert form_id is not None
    fields = {"csrf": page.csrf, "id": form_id[1], "affiliate": "Bea", "merchant": network.merchant_id, "mode": "live",
              "amount": "-3.00", "currency": "eur", "reason": "Paid twice"}  # fmt: skip
    for _ in range(2):
        made = await olu.post(HERE, fields)
        assert made.location == f"{HERE}/{form_id[1]}?done=proposed"
    proposed = await first_adjustments(network.hub.parts.store, Wanted({"status": "PROPOSED"}))
    assert [each["amount"] for each in proposed] == ["-3.00"]
    one = f"{HERE}/{form_id[1]}"
    assert "You proposed it" in (await olu.get(one)).words
    assert (await olu.post(f"{one}/approve", {"csrf": page.csrf})).status == 422
    async with browser(network.hub) as una:
        await enter(una, network.hub, network.clock, "una@hub.example")
        assert (await una.send(one, f"{one}/reject")).status == 422
        assert (await una.send(one, f"{one}/approve")).location == f"{one}?done=approved"
    assert "Una" in (await olu.get(one)).words
    wrong = await olu.post(HERE, {**fields, "id": "adj_1"})
    assert (wrong.status, "Open the page again" in wrong.words) == (422, True)


async def test_the_ledger_is_read_by_account_and_proved(network: Network, olu: Visitor) -> None:
    """The head, the last audit, an account's entries in words, and all of them as CSV."""
    store, clock = network.hub.parts.store, network.clock
    page = await olu.get("/operator/ledger")
    assert "never: hub audit" in page.words
    await note_audit(store, clock, clock(), await audit(store, clock))
    page = await olu.get("/operator/ledger")
    assert "everything held" in page.words
    account = re.search(r"account=(\w+)", page.text)
    assert account is not None
    entries = await olu.get(f"/operator/ledger?account={account[1]}&affiliate=Bea")
    assert "Correction approved" in entries.words
    assert "4.00" in entries.words
    assert "12,000.00" not in entries.words
    file = await olu.get("/operator/ledger.csv")
    assert len(file.text.splitlines()) == 5
    for unknown in ("account=acc_none", "commission=com_none", f"account={account[1]}&affiliate=nobody"):
        assert (await olu.get(f"/operator/ledger?{unknown}")).status == 422


def test_every_entry_and_every_place_has_words() -> None:
    assert set(money_words.ENTRIES) == KINDS
    assert set(money_words.PLACES) == PLACES
