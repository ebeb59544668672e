"""VAT numbers looked up in VIES: what is kept and warned of, when it is asked again, and that no bill waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs
import pytest
from attrs import define, field

from hub.config.payout_section import PayoutSettings
from hub.domain.books.vies import VatAnswer
from hub.domain.durations import HOUR
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.money.invoices.merchant_invoices import issue_invoices
from hub.operations.money.tax import vat_checks
from hub.operations.money.tax.vat_checks import (
    VatLooks,
    affiliate_vat,
    check_affiliate_vat,
    check_merchant_vat,
    merchant_vat,
)
from hub.operations.trail_lists import list_acts
from hub.storage import Store
from tests.ledger.test_issuers import GERMAN, owing
from tests.ledger.test_merchant_invoices import profiled
from tests.ledger.test_payees import put
from tests.ledger.test_payouts import PAYEE, SEALER
from tests.processing.harness import DAY, Harness

ASKS: Final = PayoutSettings(issuer_country="DE", issuer_vat_number="DE 136695976", vat_rate="19", vies="https://vies")
VALID: Final = VatAnswer("valid", "WAPI1")
AWAY: Final = VatAnswer("unreached", fault="MS_UNAVAILABLE")
AUSTRIAN: Final = attrs.evolve(PAYEE, country="AT", tax_id="ATU12345675", is_business=True, self_billing=True)


@define
class Answers:
    """A register that says one after the other, the last for ever."""

    says: Iterator[VatAnswer]
    last: VatAnswer = AWAY
    asked: list[tuple[str, str]] = field(factory=list)

    async def check(self, number: str, own: str = "") -> VatAnswer:
        """Say the next answer."""
        self.asked.append((number, own))
        self.last = next(self.says, self.last)
        return self.last


def saying(*answers: VatAnswer) -> Answers:
    return Answers(iter(answers))


async def checked(harness: Harness, *answers: VatAnswer) -> vat_checks.VatStanding:
    register = saying(*answers)
    standings = list[vat_checks.VatStanding]()
    for _ in answers:
        standings.append(await check_merchant_vat(harness.store, harness.clock, ASKS, register, harness.merchant_id))
        harness.clock.advance(1_000)
    return standings[-1]


@pytest.mark.parametrize(
    ("answers", "outcome", "consultation", "fault", "warning"),
    [
        ((VALID,), "valid", "WAPI1", None, None),
        ((VatAnswer("invalid"),), "invalid", None, None, "that VIES says is not valid"),
        ((AWAY,), "unreached", None, "MS_UNAVAILABLE", "that VIES has not confirmed"),
        ((VALID, AWAY), "valid", "WAPI1", "MS_UNAVAILABLE", None),
        ((VALID, VatAnswer("invalid")), "invalid", None, None, "that VIES says is not valid"),
    ],
)
async def test_the_last_answer_counts_and_all_but_a_proved_number_warns(
    harness: Harness, answers: tuple[VatAnswer, ...], outcome: str, consultation: str | None, fault: str | None,
    warning: str | None,
) -> None:  # fmt: skip
    await profiled(harness, "AT", "ATU 12345675")
    before = await merchant_vat(harness.store, ASKS, harness.merchant_id)
    assert (before["number"], before["vatKind"], before["outcome"]) == ("ATU12345675", "reverse_charge", None)
    assert "only the form was checked" in str(before["warning"])
    now = await checked(harness, *answers)
    assert now == await merchant_vat(harness.store, ASKS, harness.merchant_id)
    assert (now["outcome"], now["consultationNumber"], now["fault"]) == (outcome, consultation, fault)
    assert now["warning"] is None if warning is None else warning in str(now["warning"])
    assert (now["checkedAt"] is None) is (outcome == "unreached")


async def test_a_bill_without_vat_keeps_the_proof_and_is_issued_without_one(harness: Harness) -> None:
    """Nothing is blocked: the invoice before the answer has no proof, the one after it has."""
    await profiled(harness, "AT", "ATU12345675")
    month = await owing(harness)
    await checked(harness, AWAY)
    (invoice,) = await issue_invoices(harness.store, harness.clock, harness.merchant_id, month, GERMAN)
    assert (invoice["vatKind"], invoice["billedToDetails"]["vatProof"]) == ("reverse_charge", "")
    second = await owing_again(harness)
    day = (await checked(harness, VALID))["checkedAt"]
    (later,) = await issue_invoices(harness.store, harness.clock, harness.merchant_id, second, GERMAN)
    assert later["billedToDetails"]["vatProof"] == f"VIES, {str(day)[:10]}, consultation number WAPI1"


async def owing_again(harness: Harness) -> str:
    from tests.ledger.test_merchant_invoices import month_of
    from tests.ledger.test_payouts import pay, payable

    await payable(harness, "200.00", start=1)
    await pay(harness)
    month = month_of(harness)
    harness.clock.advance(31 * DAY)
    return month


async def test_another_number_is_not_proved_by_the_answer_about_the_old_one(harness: Harness) -> None:
    await profiled(harness, "AT", "ATU12345675")
    await checked(harness, VALID)
    await profiled(harness, "FR", "FR40303265045")
    now = await merchant_vat(harness.store, ASKS, harness.merchant_id)
    assert (now["number"], now["outcome"], bool(now["warning"])) == ("FR40303265045", None, True)


async def test_a_payee_is_asked_about_and_its_number_is_kept_nowhere_in_clear(
    harness: Harness, tampering: Store
) -> None:  # fmt: skip
    """A change of the payee ends what was known: nothing but its moment says which number it was."""
    store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id
    await put(harness, AUSTRIAN)
    register = saying(VALID)
    now = await check_affiliate_vat(store, SEALER, clock, ASKS, register, affiliate)
    assert (now["number"], now["outcome"], now["warning"]) == ("ATU12345675", "valid", None)
    assert register.asked == [("ATU12345675", "DE136695976")]
    async with tampering.read() as tx:
        rows = await tx.all("vat_check_rows")
    assert [row["outcome"] for row in rows] == ["valid"]
    assert "12345675" not in str([[row[name] for name in row.keys()] for row in rows])  # noqa: SIM118 - a row is no mapping
    assert "12345675" not in str((await list_acts(store, Wanted())).entries)
    clock.advance(1_000)
    await put(harness, attrs.evolve(AUSTRIAN, street="Ring 2"))
    assert (await affiliate_vat(store, SEALER, ASKS, affiliate))["outcome"] is None


async def test_who_does_not_ask_or_has_no_number_of_the_union_is_told_so(harness: Harness) -> None:
    store, clock, merchant = harness.store, harness.clock, harness.merchant_id
    await profiled(harness, "AT", "ATU12345675")
    with pytest.raises(OperatorFault, match="checked by their form alone"):
        await check_merchant_vat(store, clock, PayoutSettings(), None, merchant)
    assert (await merchant_vat(store, PayoutSettings(), merchant))["asks"] is False
    await profiled(harness, "US", "12-3456789")
    with pytest.raises(OperatorFault, match="no VAT number of the European Union"):
        await check_merchant_vat(store, clock, ASKS, saying(VALID), merchant)


async def test_the_clock_asks_about_what_is_new_unanswered_or_old(harness: Harness) -> None:
    """An hour after no answer, a month after an answer; a merchant and a self-billed payee alike."""
    await profiled(harness, "AT", "ATU12345675")
    await put(harness, AUSTRIAN)
    register = saying(AWAY, AWAY, VALID)
    looks = VatLooks(harness.store, SEALER, harness.clock, ASKS, register)
    assert [await looks.look(), await looks.look()] == [2, 0]
    harness.clock.advance(HOUR)
    assert [await looks.look(), await looks.look()] == [2, 0]
    harness.clock.advance(29 * DAY)
    assert await looks.look() == 0
    harness.clock.advance(DAY)
    assert [await looks.look(), await looks.look()] == [2, 0]
    acts = [each["actor"] for each in (await list_acts(harness.store, Wanted({"act": "vat.checked"}))).entries]
    assert acts == ["timer:payouts"] * 6


async def test_a_register_that_is_away_ends_the_turn(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    await profiled(harness, "AT", "ATU12345675")
    await put(harness, AUSTRIAN)
    monkeypatch.setattr(vat_checks, "MOST_UNREACHED", 1)
    assert await VatLooks(harness.store, SEALER, harness.clock, ASKS, saying(AWAY)).look() == 1
