"""A bank's file is held against its schema before it is kept: one that is not valid is neither kept nor handed out."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import attrs
import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st

from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.payees import Payee
from hub.domain.payouts.payout_formats import FORMATS, Batch, Payer, Payment, format_of
from hub.domain.payouts.sepa import MOST_CENTS, Address, Debtor, Transfer, credit_transfers, other_transfers
from hub.domain.spreadsheets import defused
from hub.domain.words import PayoutFormat
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted, read
from hub.operations.money.payees.payees import checked_payee, set_payee
from hub.operations.money.payees.payers import payer_of
from hub.operations.money.payouts import payout_files, transfer_schema
from hub.operations.money.payouts.payout_files import export_run, list_files
from hub.operations.money.payouts.transfer_schema import refuse_invalid_transfers, written_file
from hub.operations.trail_lists import ACTS
from tests.ledger.test_payees import bank_schema
from tests.ledger.test_payouts import PAYEE, SEALER, create, payable, release
from tests.processing.harness import Harness

IBAN = "DE89370400440532013000"
BANK = PayoutSettings(debtor_name="Hub GmbH", debtor_iban=IBAN)
GOOD = Transfer("pay-1/aff-1", "Ada", IBAN, "DEUTDEFFXXX", 1, "Payout", Address("Ring 1", "1010", "Wien", "AT"))
DEBTOR = Debtor("Hub", IBAN, "DEUTDEFF")


def written(transfer: Transfer = GOOD, debtor: Debtor = DEBTOR) -> bytes:
    write = credit_transfers if transfer.currency == "EUR" else other_transfers
    return write("m-1", "2026-01-01T00:00:00Z", "2026-01-02", debtor, [GOOD if write is credit_transfers else transfer,
                                                                      transfer])  # fmt: skip


@pytest.mark.parametrize("currency", ["EUR", "CHF"])
def test_what_is_written_for_sepa_and_for_other_currencies_is_valid(currency: str) -> None:
    refuse_invalid_transfers(written(attrs_of(currency=currency)))


def attrs_of(**change: object) -> Transfer:
    return GOOD._replace(**change)  # type: ignore[arg-type]  # any field


BAD = [
    (written(attrs_of(end_to_end_id="pay-1/aff-2", iban="not an iban")), "IBAN", "cvc-pattern-valid", "pay-1/aff-2"),
    (written(attrs_of(end_to_end_id="pay-1/aff-2", bic="DEUTDEF")), "BICFI", "cvc-pattern-valid", "pay-1/aff-2"),
    (
        written(attrs_of(end_to_end_id="pay-1/aff-2", address=Address("", "", "Wien", "Austria"))),
        "Ctry",
        "cvc-pattern-valid",
        "pay-1/aff-2",
    ),
    (written(debtor=DEBTOR._replace(bic="not a bic")), "BICFI", "cvc-pattern-valid", ""),
    (written().replace(b"CdtrAgt>", b"CdtAgt>"), "CdtAgt", "element-content", "pay-1/aff-1"),
    (written().replace(b"pain.001.001.09", b"pain.001.001.03"), "Document", "cvc-elt-1", ""),
]
"""A file, the element that is wrong, the rule of XML Schema that it breaks, and the payment that it is in."""


@pytest.mark.parametrize(("content", "element", "rule", "payment"), BAD, ids=[each[1] + each[2] for each in BAD])
def test_a_refusal_names_the_element_the_rule_and_the_payment(
    content: bytes, element: str, rule: str, payment: str
) -> None:
    """The same files are refused by another implementation of XML Schema, which the hub does not use."""
    with pytest.raises(OperatorFault) as refused:
        refuse_invalid_transfers(content)
    assert f"Element '{element}'" in str(refused.value)
    assert rule in str(refused.value)
    assert (f"payment {payment})" if payment else rule) in str(refused.value)
    assert "urn:iso" not in str(refused.value)
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        bank_schema().validate(content.decode())


BICS = ["DEUTDEFFXXX", "deutdeff", " DEUT DE FF "]
COUNTRIES = ["DE", "fr", "GR", "MC", "US"]
LINES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=120).filter(
    lambda text: text.isprintable() and defused(text) == text
)


@given(
    lines=st.tuples(LINES, LINES, LINES, LINES), country=st.sampled_from(COUNTRIES), bic=st.sampled_from(["", *BICS]),
    own_name=LINES, own_bic=st.sampled_from(["", *BICS]), cents=st.integers(1, MOST_CENTS),
    form=st.sampled_from([("sepa", "EUR"), ("pain001", "JPY"), ("pain001", "BHD")]),
)  # fmt: skip
def test_what_payee_and_settings_let_pass_the_schema_takes(
    lines: tuple[str, str, str, str], country: str, bic: str, own_name: str, own_bic: str, cents: int,
    form: tuple[PayoutFormat, str],
) -> None:  # fmt: skip
    """Or a person who did nothing wrong could not pay: every alphabet, and numbers as people write them."""
    payee = checked_payee(Payee(*lines, country, "iban", "de89 3704 0044 0532 0130 00", bic=bic))
    payer = payer_of(PayoutSettings(debtor_name=own_name, debtor_iban=f" {IBAN.lower()}", debtor_bic=own_bic))
    payment = Payment("pay-1/aff-1", "aff-1", "Ada", form[1], cents, "RELEASED", "", payee)
    batch = Batch("m-1", "pay_1", "", "2026-11-27T00:00:00.000Z", 0, payer, [(payment, payee)], [payment])
    assert b"<InstdAmt" in written_file(format_of(form[0]), batch)


def test_an_amount_of_more_digits_than_the_schema_has_is_refused() -> None:
    with pytest.raises(OperatorFault, match="totalDigits|total"):
        refuse_invalid_transfers(written(attrs_of(currency="JPY", cents=10**18)))


def test_what_is_no_xml_is_refused() -> None:
    """A setting with a character that XML has not would be written as it is."""
    with pytest.raises(OperatorFault, match="is not XML; nothing was written"):
        refuse_invalid_transfers(written(debtor=DEBTOR._replace(iban="DE\x01")))


def test_both_judges_agree_about_what_is_right() -> None:
    bank_schema().validate(written().decode())
    refuse_invalid_transfers(written())


async def _released(harness: Harness, payee: Payee, currency: str) -> str:
    await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, payee)
    await payable(harness, "100.00", currency=currency)
    return str((await release(harness, (await create(harness))["id"]))["id"])


@pytest.mark.parametrize(("form", "currency"), [("sepa", "EUR"), ("pain001", "CHF")])
async def test_a_field_that_slipped_past_every_check_is_never_kept_nor_handed_out(
    sqlite_live: Harness, form: PayoutFormat, currency: str
) -> None:
    """With the guard of the settings taken away, the schema refuses; nothing of it is kept, and it is in no act.

    Control: with the schema taken away as well, the wrong file is kept and handed out.
    """
    harness = sqlite_live
    run = await _released(harness, attrs.evolve(PAYEE, bic="DEUTDEFFXXX"), currency)
    with patch.object(payout_files, "payer_of", lambda _: Payer(sepa=DEBTOR._replace(bic="not a bic"))):
        with pytest.raises(OperatorFault, match="BICFI.*'not a bic'.*rule cvc-pattern-valid"):
            await export_run(harness.store, SEALER, harness.clock, BANK, run, form)
        assert await list_files(harness.store, run) == []
        async with harness.store.read() as tx:
            acts = (await read(tx, ACTS, Wanted())).entries
        assert [each for each in acts if each["act"] == "payout.exported"] == []
        with patch.object(transfer_schema, "refuse_invalid_transfers", lambda _: None):
            wrong = await export_run(harness.store, SEALER, harness.clock, BANK, run, form)
    assert b"not a bic" in wrong.content
    assert len(await list_files(harness.store, run)) == 1


async def test_a_refused_file_is_written_once_its_field_is_right(sqlite_live: Harness) -> None:
    harness = sqlite_live
    run = await _released(harness, PAYEE, "EUR")
    with (
        patch.object(payout_files, "payer_of", lambda _: Payer(sepa=DEBTOR._replace(iban="1"))),
        pytest.raises(OperatorFault, match="Element 'IBAN'"),
    ):
        await export_run(harness.store, SEALER, harness.clock, BANK, run, "sepa")
    found = await export_run(harness.store, SEALER, harness.clock, BANK, run, "sepa")
    assert found.document["again"] is False
    bank_schema().validate(found.content.decode())


def test_every_format_of_pain001_is_held_against_the_schema() -> None:
    assert {each.name for each in FORMATS if each.has_schema} == {
        each.name for each in FORMATS if "pain.001" in each.words
    }


async def test_files_that_are_written_at_once_get_each_its_own_fault() -> None:
    """The validator keeps the faults of one file: those of files of this size are lost if threads take no turns."""
    names = [f"pay-1/aff-{number:03}" for number in range(40)]
    wrong = attrs_of(end_to_end_id="NAME", iban="not an iban")
    whole = credit_transfers("m-1", "2026-01-01T00:00:00Z", "2026-01-02", DEBTOR, [*[GOOD] * 200, wrong])
    files = [whole.replace(b"NAME", name.encode()) for name in names]

    def refusal(content: bytes) -> str:
        with pytest.raises(OperatorFault) as refused:
            refuse_invalid_transfers(content)
        return str(refused.value)

    with ThreadPoolExecutor(8) as threads:
        loop = asyncio.get_running_loop()
        said = await asyncio.gather(*(loop.run_in_executor(threads, refusal, each) for each in files))
    assert [name in sentence for name, sentence in zip(names, said, strict=True)] == [True] * 40
