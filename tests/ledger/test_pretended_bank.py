"""A pretended bank: it pays what it is given, twice if it is given it twice, and its books must equal the hub's.

Each affiliate of a network is a history of its own, drawn from a seed: what it earns and owes, holds, runs, files that
are written again and again, payments that arrive, are delayed, come back, come back after they had arrived, or are said
to have come back while the payee has the money. Some of what is earned is in dollars, and all is sent in euros, by a
rate that changes from run to run. What the bank has paid is read from the bytes of the files alone.
"""

from __future__ import annotations

import csv
import io
import os
import random
import shutil
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

import attrs
import pytest
from stdnum import iban as iban_number

from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.sepa import NAMESPACE
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.errors import OperatorFault
from hub.operations.money.books.exchange_rates import approve_rates, propose_rates
from hub.operations.money.ledger.ledger import chain_ends, entry_pages, verify_ledger
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payees.payout_terms import set_terms
from hub.operations.money.payouts import payout_files
from hub.operations.money.payouts.payout_files import export_run
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_results import results_in
from hub.operations.money.payouts.payout_returns import reinstate_payment
from hub.operations.money.payouts.payout_runs import show_run
from hub.operations.money.payouts.payout_settlement import Chosen, settle_run
from hub.operations.money.rates.payabilities import end_hold, hold_payments
from hub.operations.trail import Actor, acting_as
from hub.processing.adjustments import BY_RULE, Adjustment, adjusting
from hub.processing.noted_rows import note_rows
from hub.processing.post_entries import post
from hub.storage import Store
from tests.ledger.conftest import FOLDERS
from tests.ledger.test_payouts import LIVE, PAYEE, SEALER
from tests.processing.harness import DAY, Harness

SETTINGS: Final = PayoutSettings(
    debtor_name="Hub GmbH", debtor_iban="FR1420041010050500013M02606", four_eyes_above="100000000", minimum="1"
)
SECONDS: Final = float(os.environ.get("PROVE_SECONDS", "30"))
FATES: Final = {
    ("PAID",): 60, ("ACSP", "PAID"): 12, ("RETURNED",): 10, ("PAID", "RETURNED"): 6, ("RETURNED", "PAID"): 8,
    ("PENDING", "ACCP", "RETURNED"): 4,
}  # fmt: skip
"""What the bank says of a payment, word after word, and how often; RETURNED and then PAID is a word that was wrong."""
SECOND: Final = Actor("user", "usr_second", "page")
STAYS: Final = "PAID"
"""The payee has the money if that is the last word."""


class Paid(NamedTuple):
    """A payment as the bank read it."""

    reference: str
    account: str
    cents: int


class Bank:
    """Pays every transfer of every file that it is given; `paid` is what payees have, by account, in cents."""

    def __init__(self, seed: int) -> None:
        self.paid: Counter[str] = Counter()
        self.messages: Counter[str] = Counter()
        self._random = random.Random(seed)

    def take(self, file: bytes) -> list[tuple[Paid, list[str]]]:
        """Pay a file, and return what will be said of each payment."""
        root, name = ET.fromstring(file), {"p": NAMESPACE}
        self.messages[root.findtext(".//p:MsgId", "", name)] += 1
        said = []
        for each in root.iterfind(".//p:CdtTrfTxInf", name):
            amount = each.findtext("p:Amt/p:InstdAmt", "", name)
            paid = Paid(
                each.findtext("p:PmtId/p:EndToEndId", "", name), each.findtext("p:CdtrAcct/p:Id/p:IBAN", "", name),
                int(amount.replace(".", "")),
            )  # fmt: skip
            (words,) = self._random.choices(list(FATES), list(FATES.values()))
            if words[-1] == STAYS:
                self.paid[paid.account] += paid.cents
            said.append((paid, list(words)))
        return said


def answer(words: list[tuple[Paid, str]]) -> bytes:
    """The bank's file of results."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["endToEndId", "status", "currency", "reference", "reason"])
    writer.writerows([paid.reference, word, "EUR", f"B-{paid.reference}", "closed"] for paid, word in words)
    return text.getvalue().encode()


@attrs.define
class Network:
    """A hub with affiliates that are each paid to an account of their own, and the bank."""

    harness: Harness
    random: random.Random
    bank: Bank
    accounts: dict[str, str] = attrs.Factory(dict)
    runs: list[str] = attrs.Factory(list)
    words: defaultdict[str, list[tuple[Paid, list[str]]]] = attrs.Factory(lambda: defaultdict(list))
    held: set[str] = attrs.Factory(set)
    exchanged: int = 0
    """How many payments were sent in another currency than was earned."""

    async def grow(self, affiliates: int) -> None:
        """Add affiliates with their payees."""
        store, clock = self.harness.store, self.harness.clock
        for number in range(affiliates):
            made = await create_affiliate(store, clock, name=f"A{number}", email=f"a{number}@blog.example")
            plain = f"DE0037040044{number:010d}"
            account = "DE" + iban_number.calc_check_digits(plain) + plain[4:]
            payee = attrs.evolve(PAYEE, legal_name=f"A{number}", account=account)
            await set_payee(store, SEALER, clock, None, made.id, payee)
            await set_terms(store, clock, made.id, paid_in="EUR")
            self.accounts[made.id] = account

    async def quote(self) -> None:
        """Let two people set another rate of the dollar, most of the time."""
        store, clock = self.harness.store, self.harness.clock
        if self.random.random() < 0.8:
            (rate, *_) = await propose_rates(store, clock, f"USD:EUR:{self.random.uniform(0.7, 1.3):.6f}", "drawn")
            with acting_as(SECOND):
                await approve_rates(store, clock, SETTINGS, rate.set_id)
            clock.advance(1)

    async def earn(self) -> None:
        """Let most affiliates earn something, and some owe something, in one transaction as the worker does it."""
        now, account = self.harness.clock(), self.harness.account_id
        made = [
            Adjustment(account, f"adj_{now:x}_{number}{currency}", affiliate, "manual", minor, currency, "drawn", None,
                       None, None, None, "APPROVED", BY_RULE, now, BY_RULE, now, None)
            for number, affiliate in enumerate(self.accounts)
            for currency, share in (("EUR", 0.8), ("USD", 0.3))
            if self.random.random() < share and (minor := self.random.randint(-6_000, 50_000))
        ]  # fmt: skip
        async with self.harness.store.write() as tx:
            await tx.run("insert_adjustments", adjustments=made)
            await post(tx, [(account, entry) for each in made for entry in adjusting(each)], now)
            await note_rows(tx, now, {"adjustments": [(account, each.adjustment_id) for each in made]})
        self.harness.clock.advance(1)

    async def hold_some(self) -> None:
        """End all holds, and hold the payments of a few."""
        store, clock = self.harness.store, self.harness.clock
        for affiliate in self.held:
            await end_hold(store, clock, affiliate)
        self.held = {each for each in self.accounts if self.random.random() < 0.04}
        for affiliate in self.held:
            await hold_payments(store, clock, affiliate, "A dispute")

    async def pay(self) -> None:
        """Create and release a run, if there is something to pay."""
        store, clock = self.harness.store, self.harness.clock
        try:
            run = str((await create_run(store, clock, SETTINGS, LIVE))["id"])
        except OperatorFault:
            return
        await release_run(store, clock, SETTINGS, run)
        self.runs.append(run)

    async def send(self) -> None:
        """Write what of each run has no file, again and again, and give the bank what was not written before.

        A file has one payment to an affiliate, so what it earned in the other currency is in the next one.
        """
        for run in self.runs:
            for _ in range(3):
                try:
                    made = await export_run(self.harness.store, SEALER, self.harness.clock, SETTINGS, run, "sepa")
                except OperatorFault:
                    break
                if not made.document["again"]:
                    said = self.bank.take(made.content)
                    self.words[run] += said
                    self.exchanged += sum(paid.reference.endswith("/USD") for paid, _ in said)

    async def hear(self, share: float) -> None:
        """Read what the bank says next of a share of the payments, some of it twice; a person answers questions."""
        store, clock = self.harness.store, self.harness.clock
        for run in self.runs:
            now = [each for each in self.words[run] if each[1] and self.random.random() < share]
            file = answer([(paid, words.pop(0)) for paid, words in now])
            for _ in range(self.random.choice((1, 2)) if now else 0):
                done = await settle_run(store, clock, run, "B", list(results_in(file, "answer.csv")))
                questions = [(item["affiliateId"], item["currency"]) for item in done["items"] if item["question"]]
                for affiliate, earned in questions:
                    await reinstate_payment(store, clock, run, affiliate, "The bank's statement has it", earned)
                if questions:
                    await settle_run(store, clock, run, "B", list(results_in(file, "answer.csv")))

    async def live(self, rounds: int) -> None:
        """Live some months, and let the bank say all it has to say."""
        for _ in range(rounds):
            await self.earn()
            await self.quote()
            await self.hold_some()
            await self.pay()
            await self.hold_some()
            await self.send()
            await self.hear(0.6)
        await self.end()

    async def end(self) -> None:
        """End the holds, pay what waited for that, and hear the bank out."""
        for affiliate in self.held:
            await end_hold(self.harness.store, self.harness.clock, affiliate)
        self.held = set()
        await self.send()
        while any(words for said in self.words.values() for _, words in said):
            await self.hear(1.0)

    async def books(self) -> Counter[str]:
        """What the hub says that payees have, by account: its ledger's `bank`, and nothing is under way."""
        found: Counter[str] = Counter()
        for end in await chain_ends(self.harness.store):
            async for page in entry_pages(self.harness.store, end.head):
                for entry in page:
                    for place, sign in ((entry.credit, 1), (entry.debit, -1)):
                        if place in ("bank", "payout"):
                            found[self.accounts[entry.affiliate_id] + place[4:]] += sign * entry.amount_minor
        return +found

    async def agree(self) -> bool:
        """Whether both books are the same; the proof holds in any case."""
        assert (await verify_ledger(self.harness.store, SEALER))["faults"] == []
        return await self.books() == +self.bank.paid


@asynccontextmanager
async def network(url: str, seed: int, affiliates: int) -> AsyncIterator[Network]:
    harness = await Harness.open(url, mode="live")
    harness.clock.advance(seed % 28 * DAY)
    found = Network(harness, random.Random(seed), Bank(seed))
    await found.grow(affiliates)
    harness.clock.advance(5 * DAY)
    try:
        yield found
    finally:
        await harness.close()


async def lived(url: str, seed: int, affiliates: int, rounds: int) -> None:
    async with network(url, seed, affiliates) as found:
        await found.live(rounds)
        assert await found.agree(), seed
        assert set(found.bank.messages.values()) == {1}
        assert sum(found.bank.paid.values()) > 0
        assert found.exchanged > 0


@pytest.mark.parametrize("seed", [1, *(pytest.param(each, marks=pytest.mark.prove) for each in (2, 3))])
async def test_the_banks_books_equal_the_hubs(sqlite_url: str, seed: int) -> None:
    """Three hundred histories of three months each."""
    await lived(sqlite_url, seed, affiliates=100, rounds=3)


@pytest.mark.prove
async def test_the_banks_books_equal_the_hubs_in_thousands_of_histories(migrated_file: Path, tmp_path: Path) -> None:
    """Three thousand of six months; in a bounded run as many as there is time for, three hundred at least."""
    began = time.monotonic()
    for seed in range(100, 130):
        if seed >= 103 and time.monotonic() - began > SECONDS:
            break
        file = tmp_path / f"{seed}.db"
        shutil.copyfile(migrated_file, file)
        await lived(f"sqlite:///{file}", seed, affiliates=100, rounds=6)
        file.unlink()  # nothing else waits


class TestControls:
    """What the review did: without its guard, each makes the bank's books another than the hub's."""

    @pytest.fixture
    async def small(self, sqlite_url: str) -> AsyncIterator[Network]:
        async with network(sqlite_url, 7, 6) as found:
            await found.earn()
            await found.pay()
            yield found

    async def test_control_a_file_that_is_written_again_pays_again(self, small: Network) -> None:
        """The guard is that a payment remembers its file."""
        (run,) = small.runs
        await small.send()
        assert set(small.bank.messages.values()) == {1}
        store, clock = small.harness.store, small.harness.clock
        async with store.write() as tx:
            for file in await tx.all("payout_files_of", payout_id=run):
                await tx.run("free_payments_of_file", payout_id=run, file_id=file["file_id"])
        small.bank.take((await export_run(store, SEALER, clock, SETTINGS, run, "sepa")).content)
        await small.end()
        assert await small.books() != +small.bank.paid

    async def test_control_what_is_settled_without_a_file_is_paid_by_nobody(self, small: Network) -> None:
        """The guard is that a run is settled by its files; a person may still say so of one affiliate."""
        (run,) = small.runs
        store, clock = small.harness.store, small.harness.clock
        with pytest.raises(OperatorFault, match="are in no file"):
            await settle_run(store, clock, run, "B")
        for item in (await show_run(store, run))["items"]:
            if not item["carried"]:
                await settle_run(store, clock, run, "B", chosen=Chosen(affiliate=item["affiliateId"]))
        await small.end()
        assert +small.bank.paid == Counter()
        assert not await small.agree()

    async def test_control_an_amount_that_was_altered_is_paid(
        self, small: Network, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The guard is that no byte is written before payments, lines and entries agree."""
        (run,) = small.runs
        async with await Store.open(sqlite_url, query_folders=FOLDERS) as tampering, tampering.write() as tx:
            assert await tx.run("tamper_payment_amount")
        await small.send()
        assert +small.bank.paid == Counter()
        with pytest.raises(OperatorFault, match="Nothing was written"):
            await export_run(small.harness.store, SEALER, small.harness.clock, SETTINGS, run, "sepa")
        monkeypatch.setattr(payout_files, "_prove_amounts", _nothing)
        await small.send()
        await small.end()
        assert await small.books() != +small.bank.paid


async def _nothing(*_: object) -> None:
    """Prove nothing."""
