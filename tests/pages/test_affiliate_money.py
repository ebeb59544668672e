"""An affiliate's money: the balance, the statements, and payment details that are never shown whole again."""

from __future__ import annotations

from collections.abc import AsyncIterator

import attrs
import pytest

from hub.domain.durations import DAY
from hub.operations import lists
from hub.operations.money.payees.payees import set_payee, show_payee
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_runs import Wanted
from hub.operations.trail_lists import list_acts
from hub.operations.users.users import NewUser, create_user
from tests.pages.conftest import PAYEE as OWN_PAYEE
from tests.pages.conftest import Network
from tests.pages.visitor import Visitor, browser, enter

HERE = "/affiliate/payouts"
PERIOD = "/affiliate/statement"
PAYEE = "/affiliate/payee"
IBAN = "DE89370400440532013000"
OTHER = "FR1420041010050500013M02606"
BUSINESS = attrs.evolve(OWN_PAYEE, is_business=True, self_billing=True)
MINUTE = 60_000
FIELDS = {"legal_name": "Ada Holm", "street": "Main St 1", "postal_code": "10115", "city": "Berlin", "country": "de",
          "method": "iban"}  # fmt: skip


@pytest.fixture
async def ada(network: Network) -> AsyncIterator[Visitor]:
    await create_user(
        network.hub.parts.store,
        network.clock,
        NewUser("ada@people.example", "affiliate", None, network.ada, name="Ada"),
    )
    async with browser(network.hub) as visitor:
        await enter(visitor, network.hub, network.clock, "ada@people.example")
        yield visitor


async def test_a_statement_is_there_once_the_run_is_released(network: Network, ada: Visitor) -> None:
    """A run that waits is nobody's business yet; another's statement and an unknown one are not there."""
    store, clock, settings = network.hub.parts.store, network.clock, network.hub.parts.settings.payouts
    assert "12,000.00 EUR" in (await ada.get(HERE)).words.replace("\xa0", " ")
    run = await create_run(store, clock, settings, Wanted("test"))
    one = f"{HERE}/{run['id']}"
    assert (await ada.get(one)).status == 404
    assert "No payout yet" in (await ada.get(f"{HERE}?mode=test")).words
    await release_run(store, clock, settings, str(run["id"]))
    listed = await ada.get(f"{HERE}?mode=test")
    assert str(run["id"]) in listed.text
    seen = await ada.get(one)
    assert (seen.status, "TEST statement" in seen.words, "A bonus" in seen.words) == (200, True, True)
    assert "4.00" not in seen.words
    assert (await ada.get(f"{one}?format=pdf")).text.startswith("%PDF-")
    file = await ada.get(f"{one}?format=csv")
    assert "TEST-statement" in file.headers["Content-Disposition"]
    assert (await ada.get(f"{HERE}/pay_none")).status == 404


async def test_a_period_is_shown_to_its_affiliate_and_to_operators(
    network: Network, ada: Visitor, olu: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a page, as PDF and as CSV; dates that cannot be used are explained, and too long a PDF is refused."""
    of_ada = f"/operator/affiliates/{network.ada}/statement"
    assert of_ada in (await olu.get(f"/operator/affiliates/{network.ada}")).text
    assert PERIOD in (await ada.get(HERE)).text
    for visitor, page in ((ada, PERIOD), (olu, of_ada)):
        seen = await visitor.get(f"{page}?from=2000-01-01")
        assert "Closing balance 12,000.00 EUR" in " ".join(seen.words.replace("\xa0", " ").split())
        assert "TEST" in (await visitor.get(f"{page}?from=2000-01-01&mode=test")).words
        assert (await visitor.get(f"{page}?from=2000-01-01&format=pdf")).text.startswith("%PDF-")
        file = await visitor.get(f"{page}?from=2000-01-01&mode=test&format=csv")
        assert "TEST-statement" in file.headers["Content-Disposition"]
        assert file.text.splitlines()[1].startswith("TEST,")
        wrong = await visitor.get(f"{page}?from=soon")
        assert (wrong.status, "neither a date" in wrong.words) == (422, True)
    monkeypatch.setattr("hub.operations.money.invoices.period_statement_files.MOST_PRINTED", 0)
    refused = await ada.get(f"{PERIOD}?from=2000-01-01&format=pdf")
    assert (refused.status, "take the CSV" in refused.words) == (422, True)
    assert (await olu.get("/operator/affiliates/aff_none/statement")).status == 404


async def test_a_self_billed_invoice_is_read_by_its_affiliate_and_by_operators_alone(
    network: Network, ada: Visitor
) -> None:
    """As PDF with its XML inside; in a currency that has none, for others, and before the release there is none."""
    parts = network.hub.parts
    settings = attrs.evolve(
        parts.settings.payouts,
        debtor_name="Hub GmbH",
        issuer_country="DE",
        issuer_vat_number="DE136695976",
        four_eyes_above="100000",
    )
    business = attrs.evolve(BUSINESS, account=OTHER, country="FR", tax_id="FR40303265045")
    await set_payee(parts.store, parts.sealer, network.clock, None, network.ada, business)
    network.clock.advance(4 * DAY)
    await enter(ada, network.hub, network.clock, "ada@people.example")
    run = str((await create_run(parts.store, network.clock, settings, Wanted("live")))["id"])
    one, seen_by_operator = f"{HERE}/{run}", f"/operator/payouts/{run}/affiliates/{network.ada}"
    query = "?format=invoice&currency=EUR"
    assert (await ada.get(one + query)).status == 404
    await release_run(parts.store, network.clock, settings, run)
    async with browser(network.hub) as operator:
        await enter(operator, network.hub, network.clock, "olu@hub.example")
        for visitor, page in ((ada, one), (operator, seen_by_operator)):
            assert f'href="{page}{query.replace("&", "&amp;")}"' in (await visitor.get(page)).text
            file = await visitor.get(page + query)
            assert file.text.startswith("%PDF-")
            assert "factur-x.xml" in file.text
            assert "self-billed-1-" in file.headers["Content-Disposition"]
            assert (await visitor.get(f"{page}?format=invoice&currency=USD")).status == 404
    await create_user(
        parts.store, network.clock, NewUser("bea@people.example", "affiliate", None, network.bea, name="Bea")
    )
    async with browser(network.hub) as bea:
        await enter(bea, network.hub, network.clock, "bea@people.example")
        assert (await bea.get(one + query)).status == 404


async def test_payment_details_are_changed_by_somebody_who_proved_it(network: Network, ada: Visitor) -> None:
    """The whole number is never shown again; after a change payouts wait, and the affiliate reads until when."""
    store, sealer = network.hub.parts.store, network.hub.parts.sealer
    first = await ada.get(PAYEE)
    assert (IBAN in first.text, "…3000" in first.text, "were changed" in first.words) == (False, True, False)
    wrong = await ada.send(PAYEE, **{**FIELDS, "account": "DE00", "country": "Germany"})
    assert (wrong.status, "is not a country" in wrong.words, "is not an IBAN" in wrong.words) == (422, True, True)
    assert (await ada.send(PAYEE, **{**FIELDS, "legal_name": "Ada Holm-Berg"})).location == f"{PAYEE}?done=saved"
    assert (await show_payee(store, sealer, network.ada))["account"] == "…3000"
    assert (await ada.send(PAYEE, **{**FIELDS, "account": OTHER, "country": "FR"})).status == 303
    page = await ada.get(PAYEE)
    assert (OTHER in page.text, "payouts wait until" in page.words) == (False, True)
    assert "payouts wait until" in (await ada.get(HERE)).words
    acts = (await list_acts(store, lists.Wanted({"subject": network.ada}, limit=9))).entries
    assert [act["act"] for act in acts].count("payee.changed") == 3
    assert OTHER not in str(acts)


async def test_after_ten_minutes_the_page_asks_who_one_is_first(network: Network, ada: Visitor) -> None:
    """Neither shown nor changed; what was typed goes nowhere."""
    csrf = (await ada.get(PAYEE)).csrf
    network.clock.advance(11 * MINUTE)
    assert (await ada.get(PAYEE)).location == "/login/confirm?then=/affiliate/payee"
    asked = await ada.post(PAYEE, {"csrf": csrf, **FIELDS, "account": OTHER})
    assert asked.location == "/login/confirm?then=/affiliate/payee"
    assert (await show_payee(network.hub.parts.store, network.hub.parts.sealer, network.ada))["account"] == "…3000"
