"""Payees are checked, sealed and slow to change; runs become files that banks take."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

import attrs
import pytest
import xmlschema

from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.payees import Payee
from hub.domain.payouts.sepa import MOST_CENTS, Debtor, Transfer, business_day, credit_transfers, sepa_text
from hub.domain.words import PayoutFormat
from hub.mail.outbox import Outbox
from hub.operations import lists
from hub.operations.errors import OperatorFault
from hub.operations.money.payees.payees import set_payee, show_payee
from hub.operations.money.payouts import transfer_schema
from hub.operations.money.payouts.payout_choice import Part
from hub.operations.money.payouts.payout_documents import ShownRun
from hub.operations.money.payouts.payout_files import export_run
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_previews import preview_run
from hub.operations.money.payouts.payout_results import Result
from hub.operations.money.payouts.payout_runs import Wanted
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.operations.system.mails import list_mails
from hub.operations.system.secret_rotation import rotate_secrets
from hub.operations.trail_lists import ACTS
from hub.sealing import Sealer
from tests.ledger.test_payouts import PAYEE, SEALER, create, payable, release
from tests.processing.harness import DAY, Harness

BANK = PayoutSettings(debtor_name="Hub GmbH", debtor_iban="FR1420041010050500013M02606")
FORMS: Final[tuple[PayoutFormat, ...]] = ("sepa", "paypal", "wise")
IBAN = "DE89370400440532013000"


@cache
def bank_schema() -> xmlschema.XMLSchema:
    """The schema of the banks' files, as another library than the hub's reads it."""
    return xmlschema.XMLSchema(Path(transfer_schema.__file__).with_name("pain.001.001.09.xsd"), allow="local")


async def put(harness: Harness, payee: Payee = PAYEE) -> None:
    await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, payee)


async def preview(harness: Harness) -> ShownRun:
    return await preview_run(harness.store, harness.clock, BANK, Wanted("live"))


async def exported(harness: Harness, payout_id: str, form: PayoutFormat, settings: PayoutSettings = BANK) -> str:
    return (await export_run(harness.store, SEALER, harness.clock, settings, payout_id, form)).content.decode()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"account": "DE89370400440532013001"}, "is not an IBAN"),
        ({"bic": "DEUTDEF"}, "is not a BIC"),
        ({"country": "Germany"}, "is not a country"),
        ({"tax_id": "DE136695970"}, "is not a VAT number"),
        ({"tax_id": "FR83404833048"}, "is of FR, the payee of DE"),
        ({"method": "paypal", "account": "ada"}, "is not an e-mail address"),
        ({"legal_name": ""}, "The legal name has"),
        ({"method": "ach", "account": "12345", "account_type": "checking", "bank_code": "021000020"}, "routing number"),
        ({"method": "ach", "account": "12345", "bank_code": "021000021"}, "checking or savings"),
        ({"method": "ach", "account": "12", "account_type": "savings", "bank_code": "021000021"}, "4 to 17 digits"),
        (
            {
                "method": "ach",
                "account": "12345",
                "account_type": "savings",
                "bank_code": "021000021",
                "legal_name": "愛",
            },
            "no letter that the bank's file can write",
        ),
        ({"country": "ZZ"}, "'ZZ' is not a country"),
        ({"method": "bacs", "account": "1234567", "bank_code": "20-00-00"}, "has eight digits"),
        ({"method": "bacs", "account": "55779911", "bank_code": "2000"}, "A sort code has six digits"),
        ({"method": "bacs", "account": "55779911"}, "A sort code has six digits"),
        ({"method": "stripe", "account": "ada@blog.example"}, "connected account of Stripe"),
    ],
)
async def test_what_cannot_be_right_is_refused(sqlite_url: str, change: dict[str, str], sentence: str) -> None:
    harness = await Harness.open(sqlite_url)
    try:
        with pytest.raises(OperatorFault, match=sentence):
            await put(harness, attrs.evolve(PAYEE, **change))  # type: ignore[arg-type]  # any field
    finally:
        await harness.close()


async def test_a_payee_is_sealed_and_shown_without_its_account(harness: Harness) -> None:
    """Nothing in the database can be read, and a new master key seals it anew."""
    await put(harness, attrs.evolve(PAYEE, tax_id="DE 136695976"))
    shown = await show_payee(harness.store, SEALER, harness.affiliate_id)
    assert (shown["account"], shown["taxId"], shown["waits"]) == ("…3000", "DE136695976", False)
    async with harness.store.read() as tx:
        row = await tx.one("payee_of", affiliate_id=harness.affiliate_id)
        acts = (await lists.read(tx, ACTS, lists.Wanted())).entries
    assert row is not None
    assert not any(IBAN in str(dict(each)) for each in [row, *acts])
    newer = Sealer.of([b"k" * 32, b"n" * 32])
    await rotate_secrets(harness.store, newer, harness.clock, shared=False)
    assert (await show_payee(harness.store, Sealer.of([b"n" * 32]), harness.affiliate_id))["account"] == "…3000"


async def test_a_run_waits_after_a_change_of_payee(harness: Harness) -> None:
    """A payee named before there is money does not wait, the same again changes nothing, another one does."""
    await put(harness)
    await payable(harness, "100.00")
    await put(harness)
    assert (await preview(harness))["items"][0]["carried"] is False
    await put(harness, attrs.evolve(PAYEE, method="paypal", account="thief@mail.example"))
    with pytest.raises(OperatorFault, match="payee_waits"):
        await create(harness)
    harness.clock.advance(3 * DAY)
    assert (await create(harness))["items"][0]["carried"] is False


async def test_a_first_payee_waits_if_money_does(harness: Harness) -> None:
    """Whoever is first to name one would get it, so the affiliate gets a mail, and the run waits."""
    await payable(harness, "100.00", payee=None)
    with pytest.raises(OperatorFault, match="no_payee"):
        await create(harness)
    outbox = Outbox(SEALER, is_on=True)
    await set_payee(harness.store, SEALER, harness.clock, outbox, harness.affiliate_id, PAYEE)
    assert [mail.to for mail in (await list_mails(harness.store, lists.Wanted())).entries] == ["ada@blog.example"]
    with pytest.raises(OperatorFault, match="payee_waits"):
        await create(harness)
    harness.clock.advance(3 * DAY)
    assert (await create(harness))["items"][0]["carried"] is False


async def test_a_run_becomes_a_file_that_the_schema_takes(harness: Harness) -> None:
    """Written again it is the same to the byte; what SEPA cannot pay is left out with the reason."""
    await put(harness)
    await payable(harness, "100.00", currency="EUR")
    await payable(harness, "100.00", start=1, currency="USD")
    run = await create(harness)
    with pytest.raises(OperatorFault, match="is DRAFT; release it first"):
        await exported(harness, run["id"], "sepa")
    await release(harness, run["id"])
    with pytest.raises(OperatorFault, match="debtor_name"):
        await exported(harness, run["id"], "sepa", PayoutSettings())
    with pytest.raises(OperatorFault, match="paid by iban"):
        await exported(harness, run["id"], "paypal")
    found = await export_run(harness.store, SEALER, harness.clock, BANK, run["id"], "sepa")
    harness.clock.advance(DAY)
    again = await export_run(harness.store, SEALER, harness.clock, BANK, run["id"], "sepa")
    assert (again.content, again.document["again"]) == (found.content, True)
    assert [(each["currency"], each["reason"]) for each in found.document["leftOut"]] == [("USD", "SEPA pays EUR only")]
    text = found.content.decode()
    bank_schema().validate(text)
    assert f"<IBAN>{IBAN}</IBAN>" in text
    assert '<InstdAmt Ccy="EUR">5.00</InstdAmt>' in text
    assert "<Nm>Ada Lovelace + Soehne</Nm>" in text
    rest = await exported(harness, run["id"], "csv")
    assert (rest.count(harness.affiliate_id), "5.00,USD" in rest) == (1, True)


async def test_batches_for_paypal_and_wise(harness: Harness) -> None:
    """A file of PayPal has one currency, and ids of at most thirty characters; what it leaves out says why."""
    await put(harness, attrs.evolve(PAYEE, method="paypal", account="ada@mail.example"))
    await payable(harness, "100.00")
    await payable(harness, "200.00", start=1, currency="EUR")
    run = await release(harness, (await create(harness))["id"])
    row = f"ada@mail.example,10.00,EUR,aff_{harness.affiliate_id[-26:]},Payout {run['id']},PAYPAL"
    assert (await exported(harness, run["id"], "paypal")).splitlines()[1:] == [row]
    with pytest.raises(OperatorFault, match="is in part 1"):
        await export_run(harness.store, SEALER, harness.clock, BANK, run["id"], "paypal", Part("USD", 2))
    dollars = await export_run(harness.store, SEALER, harness.clock, BANK, run["id"], "paypal", Part("USD"))
    assert b"ada@mail.example,5.00,USD" in dollars.content
    assert [each["reason"][:11] for each in dollars.document["leftOut"]] == ["is in file "]
    answered = Result(f"aff_{harness.affiliate_id[-26:]}", "EUR", "returned", reference="", reason="unclaimed")
    back = await settle_run(harness.store, harness.clock, run["id"], "SEPA-1", [answered])
    assert [item["status"] for item in back["items"]] == ["RETURNED", "RELEASED"]


async def test_no_file_has_a_payee_that_was_just_named(harness: Harness) -> None:
    """A thief's may have got into a run that was there already; after the wait it is paid, by Wise."""
    await put(harness)
    await payable(harness, "100.00")
    run = await release(harness, (await create(harness))["id"])
    await put(harness, attrs.evolve(PAYEE, method="wise", account="ada@mail.example"))
    for form in (*FORMS, "csv"):
        with pytest.raises(OperatorFault, match="were just changed"):
            await exported(harness, run["id"], form)
    harness.clock.advance(3 * DAY)
    assert "PERSON,target,5.00,USD,USD" in await exported(harness, run["id"], "wise")


async def test_a_test_run_never_leaves_the_house(sqlite_url: str) -> None:
    """It can be looked at as CSV, where every line says TEST."""
    harness = await Harness.open(sqlite_url, mode="test")
    await payable(harness, "100.00")
    await put(harness)
    run = await create_run(harness.store, harness.clock, BANK, Wanted("test"))
    await release(harness, str(run["id"]))
    for form in FORMS:
        with pytest.raises(OperatorFault, match="is a TEST"):
            await exported(harness, str(run["id"]), form)
    assert "\nTEST," in (await exported(harness, str(run["id"]), "csv")).replace("\r", "")
    await harness.close()


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Γιώργος Παπαδόπουλος", "Giorgos Papadopoylos"),
        ("Христо Щерев-Йовчев", "Hristo Shterev-Yovchev"),
        ("Ψυχή Θεού", "Psychi Theoy"),
    ],
)
def test_a_name_in_greek_or_cyrillic_is_written_in_latin(name: str, written: str) -> None:
    assert sepa_text(name, 70) == written


@pytest.mark.parametrize(
    ("day", "paid"),
    [
        ("2026-11-20", "2026-11-20"),
        ("2026-11-21", "2026-11-23"),
        ("2026-12-25", "2026-12-28"),
        ("2027-03-26", "2027-03-30"),
        ("2028-04-14", "2028-04-18"),
        ("2026-05-01", "2026-05-04"),
    ],
    ids=["a friday", "a saturday", "christmas", "good friday 2027", "good friday 2028", "the first of may"],
)
def test_a_file_is_paid_on_a_business_day(day: str, paid: str) -> None:
    assert business_day(date.fromisoformat(day)) == date.fromisoformat(paid)


async def test_an_account_outside_sepa_and_a_wrong_bic_are_named(sqlite_live: Harness) -> None:
    """A bank would refuse the payment or the whole file."""
    harness = sqlite_live
    await put(harness, attrs.evolve(PAYEE, country="TR", account="TR330006100519786457841326"))
    await payable(harness, "100.00", currency="EUR")
    run = await release(harness, (await create(harness))["id"])
    with pytest.raises(OperatorFault, match="is in TR, which is no country of SEPA"):
        await exported(harness, run["id"], "sepa")
    with pytest.raises(OperatorFault, match="debtor_bic 'not a bic' is not a BIC"):
        await exported(harness, run["id"], "csv", attrs.evolve(BANK, debtor_bic="not a bic"))


def test_texts_are_in_the_characters_of_sepa() -> None:
    assert sepa_text("Łódź & Søn \u2013 'x'\n", 35) == "Lodz + Son - 'x'."
    assert len(sepa_text("é" * 100, 70)) == 70


@pytest.mark.parametrize("cents", [0, -1, MOST_CENTS + 1])
def test_an_amount_that_sepa_does_not_take_is_refused(cents: int) -> None:
    transfer = Transfer("1", "Ada", IBAN, None, cents, "Payout")
    with pytest.raises(ValueError, match="does not take"):
        credit_transfers("1", "2026-01-01T00:00:00Z", "2026-01-01", Debtor("Hub", IBAN, ""), [transfer])


def test_control_the_schema_refuses_another_file() -> None:
    transfer = Transfer("1", "Ada", "not an iban", "DEUTDEFFXXX", 1, "Payout")
    made = credit_transfers("1", "2026-01-01T00:00:00Z", "2026-01-01", Debtor("Hub", IBAN, "DEUTDEFF"), [transfer])
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        bank_schema().validate(made.decode())
