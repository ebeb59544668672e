"""What a merchant owes, on its pages and the operator's: by month, by line, with the network's fee."""

from __future__ import annotations

from hub.operations.money.books.books import set_books
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_returns import return_payment
from hub.operations.money.payouts.payout_runs import Wanted
from hub.operations.money.rates.fees import fee_history
from hub.operations.users.users import NewUser, create_user
from tests.pages.conftest import Network, owed
from tests.pages.visitor import Visitor, browser, enter


async def paid(network: Network) -> str:
    """Pay everything of the live accounts; return the run's id."""
    store, clock, settings = network.hub.parts.store, network.clock, network.hub.parts.settings.payouts
    run = await create_run(store, clock, settings, Wanted("live"))
    async with store.write() as tx:
        await tx.run("begin_release", payout_id=run["id"], released_by="usr_second", now=clock())
    await release_run(store, clock, settings, str(run["id"]))
    clock.advance(1)
    return str(run["id"])


async def test_a_fee_is_set_once_and_charged_with_each_correction_by_hand(network: Network, olu: Visitor) -> None:
    """The same fee again is the one in force; a month has the sum and its lines; what came back is not owed twice."""
    one = f"/operator/owed/{network.merchant_id}"
    for _ in range(2):
        assert (await olu.send(one, f"{one}/fee", percentage="10")).location == f"{one}?done=saved"
    assert len(await fee_history(network.hub.parts.store, network.merchant_id)) == 1
    assert (await olu.send(one, f"{one}/fee", percentage="101")).status == 422
    await owed(network.hub, network.clock, f"{network.merchant_id}:live", network.ada, "100.00")
    payout_id = await paid(network)
    sums = "12,104.00 EUR 10.00 EUR 12,114.00 EUR"
    assert sums in (await olu.get("/operator/owed?month=2026-11")).words.replace("\xa0", " ")
    await return_payment(network.hub.parts.store, network.clock, payout_id, network.ada, "Account closed")
    network.clock.advance(1)
    await paid(network)
    assert sums in (await olu.get("/operator/owed")).words.replace("\xa0", " ")
    month = await olu.get(f"{one}?month=2026-11")
    assert (month.words.count("Network fee"), "A bonus" in month.words) == (2, True)
    assert len((await olu.get(f"{one}?month=2026-11&format=csv")).text.splitlines()) == 5
    assert (await olu.get(f"{one}?month=soon")).status == 404
    assert (await olu.get("/operator/owed?month=soon")).status == 422


async def test_a_merchant_reads_what_it_owes(network: Network) -> None:
    """Its own months only; test data says TEST."""
    hub, clock = network.hub, network.clock
    wanted = NewUser("marit@fern.example", "merchant", network.merchant_id, name="Marit", level="viewer")
    await create_user(hub.parts.store, clock, wanted)
    await owed(hub, clock, f"{network.merchant_id}:live", network.bea, "-1.00")
    await paid(network)
    async with browser(hub) as marit:
        await enter(marit, hub, clock, "marit@fern.example")
        words = (await marit.get("/merchant/statements?mode=live")).words.replace("\xa0", " ")
        assert "12,003.00 EUR" in words
        assert (
            "owed once it is paid to its affiliate, and the network fee with it. Months begin at midnight UTC." in words
        )
        await set_books(hub.parts.store, clock, "Europe/Berlin", "payable")
        words = (await marit.get("/merchant/statements?mode=live")).words
        assert "owed once it becomes payable to its affiliate" in words
        assert "Months begin at midnight in Europe/Berlin." in words
        await set_books(hub.parts.store, clock, "UTC", "paid")
        month = await marit.get("/merchant/statements/month?month=2026-11")
        assert "\N{MINUS SIGN}1.00" in month.words
        assert '<table class="folds lines">' in month.text, "two lines an order on a phone, not six"
        file = await marit.get("/merchant/statements/month?month=2026-11&format=csv")
        assert (len(file.text.splitlines()), "-1.00" in file.text) == (4, True)
        assert (await marit.get("/merchant/statements/month?month=soon")).status == 303
        assert "Nothing is owed" in (await marit.get("/merchant/statements/month?mode=test&month=2020-01")).words
        assert "TEST statement" in (await marit.get("/merchant/statements/month?mode=test")).words


async def test_a_deposit_is_required_and_paid_in_on_a_page(network: Network, olu: Visitor) -> None:
    """A reference counts once, what is not there cannot be taken out, and the merchant reads what is left."""
    one = f"/operator/owed/{network.merchant_id}/deposit"
    assert (await olu.send(one, f"{one}/require", required="1")).location == f"{one}?done=saved"
    payment = {"amount": "500.00", "currency": "eur", "reference": "PAY-1"}
    for _ in range(2):
        assert (await olu.send(one, f"{one}/add", **payment)).location == f"{one}?done=noted"
    refused = await olu.send(one, f"{one}/withdraw", **{**payment, "amount": "600.00", "reference": "OUT-1"})
    assert (refused.status, "is left of the deposit" in refused.words) == (422, True)
    taken = await olu.send(one, f"{one}/withdraw", **{**payment, "amount": "20.00", "reference": "OUT-1"})
    assert taken.status == 303
    words = (await olu.get(one)).words.replace("\xa0", " ")
    assert ("480.00 EUR" in words, "recorded by Olu" in words) == (True, True)
    wanted = NewUser("marit@fern.example", "merchant", network.merchant_id, name="Marit", level="viewer")
    await create_user(network.hub.parts.store, network.clock, wanted)
    async with browser(network.hub) as marit:
        await enter(marit, network.hub, network.clock, "marit@fern.example")
        assert "480.00" in (await marit.get("/merchant/statements/deposit")).words
        assert "/merchant/statements/deposit" in (await marit.get("/merchant/statements")).text


async def test_a_month_that_is_over_is_invoiced_once(network: Network, olu: Visitor) -> None:
    """Not before; a second press shows the same invoice; the merchant has it as a file, and no other's."""
    await paid(network)
    one = f"/operator/owed/{network.merchant_id}"
    assert (await olu.send(one, f"{one}/invoices", month="2026-11")).status == 422
    network.clock.advance(30 * 86_400_000)
    await enter(olu, network.hub, network.clock, "olu@hub.example")
    for _ in range(2):
        assert (await olu.send(one, f"{one}/invoices", month="2026-11")).location == f"{one}?done=issued"
    assert (await olu.get(one)).words.count("Invoice no. ") == 1
    assert (await olu.send(one, f"{one}/invoices", month="2026-09")).location == f"{one}?done=nothing-owed"
    assert (await olu.get(f"{one}?invoice=1&format=pdf")).text.startswith("%PDF-")
    assert (await olu.get(f"{one}?invoice=2")).status == 404
    wanted = NewUser("marit@fern.example", "merchant", network.merchant_id, name="Marit", level="viewer")
    await create_user(network.hub.parts.store, network.clock, wanted)
    async with browser(network.hub) as marit:
        await enter(marit, network.hub, network.clock, "marit@fern.example")
        here = "/merchant/statements/invoices"
        assert "12,004.00" in (await marit.get(here)).words
        assert "12004.00" in (await marit.get(f"{here}?number=1&format=csv")).text
        for unknown in ("2", "x", "%C2%B2"):
            assert (await marit.get(f"{here}?mode=live&number={unknown}")).status == 404
