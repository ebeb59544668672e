"""Payouts to American and British bank accounts and to Stripe, from the payee's form to the file that is kept."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.payees import Payee
from hub.domain.words import PayoutFormat
from hub.operations.errors import OperatorFault
from hub.operations.money.payees.payees import load_payees, set_payee, show_payee
from hub.operations.money.payees.payers import payer_of
from hub.operations.money.payouts.payout_files import Exported, export_run, withdraw_file
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_results import Result
from hub.operations.money.payouts.payout_runs import Wanted
from hub.operations.money.payouts.payout_settlement import settle_run
from tests.domain.test_bank_formats import read_nacha
from tests.ledger.test_payees import bank_schema
from tests.ledger.test_payouts import PAYEE, SEALER, payable, release
from tests.processing.harness import DAY, Harness

BANK = PayoutSettings(
    debtor_name="Hub Network", ach_routing="021000021", ach_company_id="1234567890", bacs_user_number="123456",
    bacs_sort_code="40-12-34", bacs_account="1234 5678",
)  # fmt: skip
EUROPEAN = attrs.evolve(BANK, debtor_iban="FR1420041010050500013M02606")
BY_ACH = attrs.evolve(PAYEE, method="ach", account="12 3456-7890", bank_code="0210-0002 1", account_type="savings")
BY_BACS = attrs.evolve(PAYEE, method="bacs", account="5577 9911", bank_code="20-00-00")
BY_STRIPE = attrs.evolve(PAYEE, method="stripe", account="acct_1032D82eZvKYlo2C")


async def paid_by(harness: Harness, payee: Payee, currency: str) -> str:
    """Release a run of one payment in this way, and return its id."""
    await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, payee)
    await payable(harness, "100.00", currency=currency, payee=None)
    harness.clock.advance(4 * DAY)
    made = await create_run(harness.store, harness.clock, BANK, Wanted("live"))
    return str((await release(harness, str(made["id"])))["id"])


async def exported(harness: Harness, payout_id: str, form: PayoutFormat, settings: PayoutSettings = BANK) -> Exported:
    return await export_run(harness.store, SEALER, harness.clock, settings, payout_id, form)


async def test_an_american_account_is_paid_by_a_file_of_nacha_and_its_return_finds_the_payment(
    harness: Harness,
) -> None:
    run = await paid_by(harness, BY_ACH, "USD")
    with pytest.raises(OperatorFault, match="set .payouts. debtor_name, ach_routing and ach_company_id"):
        await exported(harness, run, "ach", attrs.evolve(BANK, ach_routing=""))
    with pytest.raises(OperatorFault, match="is paid by ach"):
        await exported(harness, run, "bacs")
    first = await exported(harness, run, "ach")
    (entry,) = read_nacha(first.content)
    assert (entry["code"], entry["account"].strip(), entry["bank"], int(entry["amount"])) == (
        "32", "1234567890", "02100002", 500,
    )  # fmt: skip
    assert (await exported(harness, run, "ach")).content == first.content, "Written again it is the same to the byte."
    answered = Result(entry["id"], "USD", "returned", reference="", reason="R03 no account")
    back = await settle_run(harness.store, harness.clock, run, "ACH-1", [answered])
    assert [item["status"] for item in back["items"]] == ["RETURNED"]


async def test_each_file_of_a_day_has_a_letter_of_its_own(harness: Harness) -> None:
    run = await paid_by(harness, BY_ACH, "USD")
    letters = []
    for wait in (0, 0, DAY):
        harness.clock.advance(wait)
        made = await exported(harness, run, "ach")
        letters.append(made.content[33:34])
        assert made.document["file"] is not None
        await withdraw_file(harness.store, harness.clock, BANK, made.document["file"].id)
    assert letters == [b"A", b"B", b"A"]


@pytest.mark.parametrize(
    ("account", "currency"), [(PAYEE.account, "USD"), ("TR330006100519786457841326", "EUR"), (PAYEE.account, "JPY")]
)
async def test_what_sepa_does_not_pay_is_a_transfer_of_another_kind(
    harness: Harness, account: str, currency: str
) -> None:
    """Other currencies, and accounts elsewhere: valid by the schema, with the payee's bank, and not in SEPA's file."""
    run = await paid_by(harness, attrs.evolve(PAYEE, account=account, bic="COBADEFFXXX"), currency)
    with pytest.raises(OperatorFault, match="SEPA pays EUR only|which is no country of SEPA"):
        await exported(harness, run, "sepa", EUROPEAN)
    content = (await exported(harness, run, "pain001", EUROPEAN)).content
    bank_schema().validate(content.decode())
    amount = "5" if currency == "JPY" else "5.00"
    assert f'<InstdAmt Ccy="{currency}">{amount}</InstdAmt>' in content.decode()
    assert f"<CtrlSum>{amount}</CtrlSum>" in content.decode()
    assert b"<ChrgBr>SHAR</ChrgBr>" in content
    assert b"<CdtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></CdtrAgt>" in content
    assert b"SvcLvl" not in content


async def test_a_transfer_that_sepa_pays_is_left_out(harness: Harness) -> None:
    with pytest.raises(OperatorFault, match="SEPA pays it"):
        await exported(harness, await paid_by(harness, PAYEE, "EUR"), "pain001", EUROPEAN)


async def test_a_transfer_abroad_names_the_bank(harness: Harness) -> None:
    with pytest.raises(OperatorFault, match="needs a BIC"):
        await exported(harness, await paid_by(harness, PAYEE, "USD"), "pain001", EUROPEAN)


async def test_a_british_account_is_paid_by_bacs(harness: Harness) -> None:
    run = await paid_by(harness, BY_BACS, "GBP")
    with pytest.raises(OperatorFault, match="bacs_user_number, bacs_sort_code"):
        await exported(harness, run, "bacs", attrs.evolve(BANK, bacs_account=""))
    lines = (await exported(harness, run, "bacs")).content.decode().split("\r\n")
    assert (lines[4][:17], lines[4][35:46], lines[4][82:].strip()) == (
        "20000055779911099", "00000000500", "ADA LOVELACE + SOE".replace("+", "&"),
    )  # fmt: skip


async def test_a_connected_account_is_paid_by_lines_for_the_api_of_stripe(harness: Harness) -> None:
    run = await paid_by(harness, BY_STRIPE, "USD")
    head, line = (await exported(harness, run, "stripe")).content.decode().splitlines()
    assert head.split(",")[:3] == ["destination", "amount", "currency"]
    assert line.startswith(f"acct_1032D82eZvKYlo2C,500,usd,Payout {run},{run},{harness.affiliate_id},")


@pytest.mark.parametrize(("payee", "shown"), [(BY_ACH, "…7890"), (BY_BACS, "…9911"), (BY_STRIPE, "…lo2C")])
async def test_of_an_account_its_last_digits_are_shown(harness: Harness, payee: Payee, shown: str) -> None:
    made = await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, payee)
    assert (made["account"], (await show_payee(harness.store, SEALER, harness.affiliate_id))["account"]) == (shown,) * 2
    known = attrs.evolve(payee, account="", bank_code=None, account_type=None)
    again = await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, known)
    assert again["changedAt"] == made["changedAt"], "Without an account the known one stays, with its bank."
    async with harness.store.read() as tx:
        (kept,) = await tx.all("payees_of", affiliates=[harness.affiliate_id])
    assert payee.account[-8:] not in str(kept["sealed"])


async def test_what_the_way_of_being_paid_does_not_have_is_not_kept(harness: Harness) -> None:
    more = attrs.evolve(PAYEE, bank_code="021000021", account_type="savings")
    await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, more)
    async with harness.store.read() as tx:
        payees = await load_payees(tx, SEALER, [harness.affiliate_id])
    kept = payees[harness.affiliate_id]
    assert (kept.method, kept.bank_code, kept.account_type) == ("iban", None, None)


async def test_another_currency_is_carried_on_because_the_way_of_being_paid_does_not_take_it(harness: Harness) -> None:
    await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, BY_BACS)
    await payable(harness, "100.00", currency="USD", payee=None)
    harness.clock.advance(4 * DAY)
    with pytest.raises(OperatorFault, match="no_method"):
        await create_run(harness.store, harness.clock, BANK, Wanted("live"))


@pytest.mark.parametrize(
    ("name", "value"),
    [("ach_routing", "021000020"), ("ach_company_id", "12345678901"), ("bacs_user_number", "12345"),
     ("bacs_sort_code", "40123x"), ("bacs_account", "1234567"), ("debtor_bic", "not a bic")],
)  # fmt: skip
def test_a_setting_that_cannot_be_right_is_named(name: str, value: str) -> None:
    wrong: Any = {"debtor_iban": "FR1420041010050500013M02606", name: value}
    settings = attrs.evolve(BANK, **wrong)
    with pytest.raises(OperatorFault, match=f"{name} '{value}' is not"):
        payer_of(settings)


def test_settings_that_say_nothing_name_nobody() -> None:
    nobody = payer_of(PayoutSettings())
    assert (nobody.sepa, nobody.ach, nobody.bacs) == (None, None, None)
