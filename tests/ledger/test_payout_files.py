"""Between the run and the bank: files that are written once and proved by the ledger, and outcomes of each payment."""

from __future__ import annotations

from collections import Counter

import attrs
import pytest

from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.payout_batches import paypal_id
from hub.operations.affiliates.affiliates import create_affiliate, set_affiliate_status
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted, read
from hub.operations.money.books.adjustments import approve_adjustment, create_adjustment, first_adjustments
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payouts.payout_documents import end_to_end_id
from hub.operations.money.payouts.payout_files import export_run, list_files, stored_file, withdraw_file
from hub.operations.money.payouts.payout_results import Matching, Result, results_in
from hub.operations.money.payouts.payout_returns import reinstate_payment, return_payment
from hub.operations.money.payouts.payout_runs import cancel_run, loose_payments, show_run
from hub.operations.money.payouts.payout_settlement import Chosen, settle_run
from hub.operations.money.rates.payabilities import end_hold, hold_payments
from hub.operations.system.secret_rotation import rotate_secrets
from hub.operations.trail import acting_as
from hub.operations.trail_lists import ACTS
from hub.sealing import Sealer
from hub.storage import Store
from tests.ledger.test_payouts import OTHER, PAYEE, PLAIN, SEALER, balance, create, payable, release, written
from tests.ledger.test_verify import holds
from tests.processing.harness import DAY, Harness


async def second_affiliate(harness: Harness, name: str = "Bea") -> str:
    """Another affiliate with 3.00 USD coming, and a payee."""
    store, clock = harness.store, harness.clock
    affiliate = (await create_affiliate(store, clock, name=name, email=f"{name}@blog.example")).id
    await set_payee(store, SEALER, clock, None, affiliate, attrs.evolve(PAYEE, legal_name=name))
    made = await create_adjustment(store, clock, affiliate=affiliate, account=f"{harness.merchant_id}:live",
                                   amount="3.00", currency="USD", reason="A bonus")  # fmt: skip
    with acting_as(OTHER):
        await approve_adjustment(store, clock, PayoutSettings(), made["id"])
    clock.advance(1)
    return affiliate


async def released(harness: Harness) -> str:
    """A released run of 5.00 USD."""
    await payable(harness, "100.00")
    return str((await release(harness, (await create(harness))["id"]))["id"])


async def paid_again(harness: Harness) -> tuple[str, str]:
    """A run whose payment of 5.00 USD came back after it was written, and the released run that pays it again."""
    run = await released(harness)
    await written(harness, run)
    await return_payment(harness.store, harness.clock, run, harness.affiliate_id, "No such account")
    harness.clock.advance(1)
    again = (await create(harness))["id"]
    await release(harness, again)
    return run, again


async def faults(harness: Harness, sealer: Sealer | None = SEALER) -> list[str]:
    return [each["message"] for each in (await verify_ledger(harness.store, sealer))["faults"]]


async def acts(harness: Harness, run: str) -> list[str]:
    async with harness.store.read() as tx:
        rows = (await read(tx, ACTS, Wanted({"subject": run}))).entries
    return [row["act"] for row in rows][::-1]


class TestFiles:
    async def test_a_payment_is_in_one_file_however_often_it_is_written(self, harness: Harness) -> None:
        """Again means the same bytes under the same message id, and what is paid is never written twice."""
        run = await released(harness)
        first = await written(harness, run)
        kept = first.document["file"]
        assert kept is not None
        for _ in range(2):
            again = await written(harness, run)
            assert (again.content, again.document["again"], again.document["file"]) == (first.content, True, kept)
            harness.clock.advance(DAY)
            await settle_run(harness.store, harness.clock, run, "SEPA-1")
        assert await stored_file(harness.store, SEALER, kept.id) == (first.content, kept)
        assert len(await list_files(harness.store, run)) == 1
        assert await acts(harness, run) == ["payout.created", "payout.released", "payout.exported", "payout.settled"]
        assert await faults(harness) == []

    async def test_what_was_left_out_gets_a_file_of_its_own(self, harness: Harness) -> None:
        """Under another message id; those of the first file are not in it, so nobody is paid twice."""
        bea = await second_affiliate(harness)
        await payable(harness, "100.00")
        run = (await create(harness))["id"]
        await release(harness, run)
        await hold_payments(harness.store, harness.clock, bea, "A dispute")
        first = await written(harness, run)
        assert [(each["affiliateId"], each["reason"]) for each in first.document["leftOut"]] == [
            (bea, "its payments are on hold")
        ]
        assert await loose_payments(harness.store, run) == (1, 2)
        await end_hold(harness.store, harness.clock, bea)
        second = await written(harness, run)
        assert (bea.encode() in second.content, harness.affiliate_id.encode() in second.content) == (True, False)
        assert len({each.message_id for each in await list_files(harness.store, run)}) == 2
        with pytest.raises(OperatorFault, match="is in 2 files already"):
            await written(harness, run)

    async def test_a_file_that_was_never_sent_is_withdrawn(self, harness: Harness) -> None:
        """Its payments may be in another; one that the bank has cannot be."""
        run = await released(harness)
        first = (await written(harness, run)).document["file"]
        assert first is not None
        for _ in range(2):
            assert (await withdraw_file(harness.store, harness.clock, PLAIN, first.id)).withdrawn_by
        second = (await written(harness, run)).document["file"]
        assert second is not None
        assert second.message_id != first.message_id
        await settle_run(harness.store, harness.clock, run, "SEPA-1")
        with pytest.raises(OperatorFault, match="was sent"):
            await withdraw_file(harness.store, harness.clock, PLAIN, second.id)
        assert "payout.file-withdrawn" in await acts(harness, run)
        assert await faults(harness) == []

    async def test_a_new_master_key_seals_files_anew(self, sqlite_live: Harness) -> None:
        run = await released(sqlite_live)
        made = await written(sqlite_live, run)
        kept = made.document["file"]
        assert kept is not None
        await rotate_secrets(sqlite_live.store, Sealer.of([b"k" * 32, b"n" * 32]), sqlite_live.clock, shared=False)
        newer = Sealer.of([b"n" * 32])
        assert (await stored_file(sqlite_live.store, newer, kept.id))[0] == made.content
        assert await faults(sqlite_live, newer) == []


class TestProof:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ("payment_amount", "is 9100.00 USD, but its lines add up to 5.00 and its entries in the ledger to 5.00"),
            ("payment_row", "but has no such payment"),
            ("file_payment", "do not agree"),
            ("file_of_payment", "do not agree"),
            ("file_hash", "is not as it was written"),
        ],
    )
    async def test_what_is_changed_behind_the_hub_is_named(
        self, harness: Harness, tampering: Store, change: str, words: str
    ) -> None:
        """Run, payment, lines, entries and file agree, or the proof says which does not."""
        run = await released(harness)
        await written(harness, run)
        assert await faults(harness) == []
        async with tampering.write() as tx:
            assert await tx.run(f"tamper_{change}")
        assert [words in each for each in await faults(harness)].count(True) >= 1

    async def test_no_byte_is_written_of_a_changed_amount(self, harness: Harness, tampering: Store) -> None:
        """The amounts come from the ledger: a payment of 5.00 that says 9,100.00 refuses the file."""
        run = await released(harness)
        async with tampering.write() as tx:
            assert await tx.run("tamper_payment_amount")
        with pytest.raises(OperatorFault, match="Nothing was written: .* is 9100.00 USD"):
            await written(harness, run)
        assert await list_files(harness.store, run) == []


class TestCarriedOn:
    async def test_nobody_is_paid_without_a_payee(self, harness: Harness) -> None:
        await payable(harness, "100.00", payee=None)
        with pytest.raises(OperatorFault, match="no_payee"):
            await create(harness)

    async def test_an_affiliate_that_is_turned_off_is_not_paid(self, harness: Harness) -> None:
        """Its balance waits; turned on again it is paid. A hold of another reason stays."""
        store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id
        await payable(harness, "100.00")
        await set_affiliate_status(store, clock, affiliate, "INACTIVE")
        with pytest.raises(OperatorFault, match="on_hold"):
            await create(harness)
        await set_affiliate_status(store, clock, affiliate, "ACTIVE")
        await hold_payments(store, clock, affiliate, "Sanctions are being checked", clock() + DAY)
        await set_affiliate_status(store, clock, affiliate, "INACTIVE")
        await set_affiliate_status(store, clock, affiliate, "ACTIVE")
        with pytest.raises(OperatorFault, match="on_hold"):
            await create(harness)
        clock.advance(DAY)
        assert (await create(harness))["items"][0]["carried"] is False

    async def test_a_currency_that_the_way_does_not_take_is_carried_on(self, harness: Harness) -> None:
        paypal = attrs.evolve(PAYEE, method="paypal", account="ada@mail.example")
        await payable(harness, "100.00", currency="KWD", payee=paypal)
        with pytest.raises(OperatorFault, match="no_method"):
            await create(harness)

    async def test_a_draft_is_cancelled_and_its_balance_gathered_anew(self, harness: Harness) -> None:
        """What comes later is gathered too; a released run cannot be cancelled."""
        await payable(harness, "100.00")
        first = (await create(harness))["id"]
        for _ in range(2):
            done = await cancel_run(harness.store, harness.clock, first, "A wrong cut-off")
            assert (done["status"], done["items"][0]["carriedReason"]) == ("CANCELLED", "cancelled")
        await payable(harness, "100.00", start=1)
        second = await create(harness)
        assert (second["id"] != first, second["items"][0]["amount"]) == (True, "10.00")
        await release(harness, second["id"])
        with pytest.raises(OperatorFault, match="only a DRAFT can be cancelled"):
            await cancel_run(harness.store, harness.clock, second["id"], "Too late")
        with pytest.raises(OperatorFault, match="is CANCELLED"):
            await settle_run(harness.store, harness.clock, first, "SEPA-1")
        await holds(harness.store)


class TestOutcomes:
    async def test_only_what_a_file_had_is_settled_together(self, harness: Harness) -> None:
        """By file, or by name; the control is the whole run, of which one payment has no file."""
        bea = await second_affiliate(harness)
        await payable(harness, "100.00")
        run = (await create(harness))["id"]
        await release(harness, run)
        await hold_payments(harness.store, harness.clock, bea, "A dispute")
        file = (await written(harness, run)).document["file"]
        assert file is not None
        with pytest.raises(OperatorFault, match="1 of 2 payments of payout .* are in no file"):
            await settle_run(harness.store, harness.clock, run, "BANK-8")
        with pytest.raises(OperatorFault, match="no payments in a file"):
            await settle_run(harness.store, harness.clock, run, "BANK-8", chosen=Chosen(file_id="fil_none"))
        done = await settle_run(harness.store, harness.clock, run, "BANK-8", chosen=Chosen(file_id=file.id))
        assert (done["settled"], done["status"]) == (1, "RELEASED")
        done = await settle_run(harness.store, harness.clock, run, "HAND-1", chosen=Chosen(affiliate=bea))
        assert (done["settled"], done["status"]) == (1, "SETTLED")
        await holds(harness.store)

    async def test_another_reference_changes_nothing_at_all(self, harness: Harness) -> None:
        """What was said to be done nothing of is done nothing of: the other payment is still under way."""
        bea = await second_affiliate(harness)
        await payable(harness, "100.00")
        run = (await create(harness))["id"]
        await release(harness, run)
        await written(harness, run)
        await settle_run(harness.store, harness.clock, run, "B1", chosen=Chosen(affiliate=bea))
        with pytest.raises(OperatorFault, match="settled already, under 'B1'; nothing was done"):
            await settle_run(harness.store, harness.clock, run, "BANK-8")
        statuses = Counter(item["status"] for item in (await show_run(harness.store, run))["items"])
        assert statuses == {"SETTLED": 1, "RELEASED": 1}

    @pytest.mark.parametrize("word", ["UNCLAIMED", "ACSP", "ACCP", "PENDING"])
    async def test_what_is_not_final_stays_under_way(self, sqlite_live: Harness, word: str) -> None:
        """An unclaimed payment may be claimed for thirty days, so the balance is not open again."""
        run = await released(sqlite_live)
        await written(sqlite_live, run)
        rows = results_in(f"affiliateId,status\n{sqlite_live.affiliate_id},{word}\n".encode(), "answer.csv")
        done = await settle_run(sqlite_live.store, sqlite_live.clock, run, "PP-1", rows)
        assert (done["items"][0]["status"], done["pending"]) == ("RELEASED", 1)
        assert (await balance(sqlite_live))["payable"] == "0.00"

    async def test_a_word_that_contradicts_an_earlier_one_is_a_question(self, harness: Harness) -> None:
        """Nothing moves until a person decides; the return was a mistake, so the money is not paid again."""
        run = await released(harness)
        await written(harness, run)
        store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id
        await return_payment(store, clock, run, affiliate, "No such account")
        arrived = [Result(affiliate, "", "paid", "BANK-9", "")]
        done = await settle_run(store, clock, run, "BANK-9", arrived)
        assert (done["questions"], done["items"][0]["status"]) == (1, "RETURNED")
        assert "BANK-9" in str(done["items"][0]["question"])
        assert (await balance(harness))["payable"] == "5.00"
        back = await reinstate_payment(store, clock, run, affiliate, "The bank's statement has it")
        assert (back["items"][0]["status"], back["items"][0]["question"]) == ("RELEASED", None)
        assert (await balance(harness))["payable"] == "0.00"
        assert (await settle_run(store, clock, run, "BANK-9", arrived))["settled"] == 1
        assert {"payout.questioned", "payout.reinstated"} <= set(await acts(harness, run))
        await holds(store)
        assert await faults(harness) == []

    async def test_a_settled_payment_that_came_back_by_mistake_is_settled_again(self, harness: Harness) -> None:
        run = await released(harness)
        await written(harness, run)
        store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id
        await settle_run(store, clock, run, "BANK-9")
        await return_payment(store, clock, run, affiliate, "Mixed up")
        back = await reinstate_payment(store, clock, run, affiliate, "It was another affiliate's")
        assert (back["status"], back["items"][0]["status"]) == ("SETTLED", "SETTLED")
        assert [each["status"] for each in await first_adjustments(store, Wanted())] == ["REJECTED"]
        await holds(store)

    async def test_a_return_that_a_run_has_paid_again_cannot_be_taken_back(self, harness: Harness) -> None:
        """Until that run is cancelled."""
        run = await released(harness)
        await written(harness, run)
        store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id
        await return_payment(store, clock, run, affiliate, "Mixed up")
        draft = (await create(harness))["id"]
        with pytest.raises(OperatorFault, match="is in a run already"):
            await reinstate_payment(store, clock, run, affiliate, "A mistake")
        await cancel_run(store, clock, draft, "The return was a mistake")
        await reinstate_payment(store, clock, run, affiliate, "A mistake")
        await holds(store)

    async def test_a_payment_that_had_arrived_and_was_paid_again_is_owed(self, harness: Harness) -> None:
        """The bank was wrong, and a run paid the balance meanwhile: the affiliate has it twice, and owes it."""
        run, _ = await paid_again(harness)
        store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id
        await reinstate_payment(store, clock, run, affiliate, "The bank's statement has it")
        assert await balance(harness) == {"payable": "0.00", "paid": "10.00", "underWay": "10.00", "negative": "-5.00"}
        await settle_run(store, clock, run, "B-1", [Result(affiliate, "", "paid", "B-1", "")])
        assert await faults(harness) == []

    async def test_a_payment_that_came_back_twice_is_owed_once(self, harness: Harness) -> None:
        """What it owes since the first mistake is no balance that the second return reopened."""
        run, again = await paid_again(harness)
        store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id
        for _ in range(2):
            await reinstate_payment(store, clock, run, affiliate, "The bank's statement has it")
            assert (await balance(harness))["negative"] == "-5.00"
            await return_payment(store, clock, run, affiliate, "It came back after all")
            assert (await balance(harness))["negative"] == "0.00"
        await settle_run(store, clock, again, "B-2", [Result(affiliate, "", "paid", "B-2", "")])
        assert await balance(harness) == {"payable": "0.00", "paid": "5.00", "underWay": "0.00", "negative": "0.00"}
        assert await faults(harness) == []

    async def test_results_are_checked_whole_before_anything_is_settled(self, harness: Harness) -> None:
        """The last row names a stranger, or contradicts the first: not even what fits is noted."""
        run = await released(harness)
        await written(harness, run)
        good = Result(harness.affiliate_id, "USD", "paid", "", "")
        for bad, words in (
            (Result("aff_none", "USD", "paid", "", ""), "which no payment of the run is called"),
            (attrs.evolve(good, outcome="returned"), "contradict themselves"),
            (attrs.evolve(good, amount_minor=501), "another amount"),
        ):
            with pytest.raises(OperatorFault, match=words):
                await settle_run(harness.store, harness.clock, run, "B1", [good, bad])
        assert (await show_run(harness.store, run))["items"][0]["status"] == "RELEASED"

    def test_results_are_found_by_name_and_not_by_a_search_for_each(self) -> None:
        """Each payment's ids are computed once: twice the payments cost twice as many look-ups, not four times."""
        assert [looked_at(number) for number in (200, 400)] == [200, 400]


def looked_at(number: int) -> int:
    """Return how often payments are looked at while the results of a run of so many are matched."""
    looks = 0

    class Item(dict[str, object]):
        def __getitem__(self, name: str) -> object:
            nonlocal looks
            looks += name == "currency"
            return super().__getitem__(name)

    ids = [f"aff_{each:032x}" for each in range(number)]
    items = [Item(affiliate_id=each, currency="EUR", amount_minor=1, file_id=None, sent_currency=None) for each in ids]
    names = [each if n % 3 == 0 else paypal_id(each) if n % 3 == 1 else end_to_end_id("pay_1", each)
             for n, each in enumerate(ids)]  # fmt: skip
    results = [Result(each, "EUR", "paid", "", "", amount_minor=1) for each in names]
    matching = Matching("pay_1", {}, results)
    matching.look_at(items)
    assert [paid.affiliate_id for paid, _ in matching.matches()] == ids
    return looks // 2


async def test_a_value_that_a_batch_file_cannot_carry_is_refused_with_the_payee(sqlite_live: Harness) -> None:
    """An apostrophe before it would pay another account, or none."""
    for change in ({"legal_name": "=Ada"}, {"method": "paypal", "account": "+ada@mail.example"}):
        with pytest.raises(OperatorFault, match="begins with"):
            await set_payee(
                sqlite_live.store, SEALER, sqlite_live.clock, None, sqlite_live.affiliate_id,
                attrs.evolve(PAYEE, **change),  # type: ignore[arg-type]  # any field
            )  # fmt: skip
    run = await released(sqlite_live)
    with pytest.raises(OperatorFault, match="paid by iban"):
        await export_run(sqlite_live.store, SEALER, sqlite_live.clock, PLAIN, run, "paypal")
