"""The journal of a month: every entry once, by account number, and text that adds up to nought for hledger."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC
from pathlib import Path

import pytest

from hub.domain.books.book_time import month_of
from hub.domain.books.datev import DatevClient
from hub.domain.books.journal import CHART, chart_of
from hub.domain.books.ledger import deltas
from hub.domain.money import read_money
from hub.operations.errors import OperatorFault
from hub.operations.money.ledger import journal
from hub.operations.money.ledger.journal import DatevJournal, journal_beancount, journal_csv, journal_hledger
from hub.operations.money.ledger.ledger_balances import ledger_balances
from hub.operations.money.rates.fees import set_fee
from tests.ledger.test_payouts import pay, payable, refund
from tests.ledger.test_verify import entries_of
from tests.processing.harness import DAY, Harness


async def text_of(blocks: AsyncIterator[bytes], encoding: str = "utf-8") -> str:
    return b"".join([block async for block in blocks]).decode(encoding)


@pytest.fixture
async def lived(harness: Harness) -> Harness:
    """A month with a fee, a payout and a refund after it; the month before has entries, too."""
    await set_fee(harness.store, harness.clock, harness.merchant_id, "20")
    harness.clock.advance(DAY)
    await payable(harness, "100.00", "70.00")
    await pay(harness)
    await refund(harness, "O-0", "r-1", "40.00")
    return harness


async def test_balances_are_as_of_any_moment(lived: Harness) -> None:
    """Before each entry they are what the entries before it add up to; a place that is even is left out."""
    entries = await entries_of(lived)
    for moment in sorted({entry.posted_at for entry in entries} | {entries[-1].posted_at + 1}):
        expected: Counter[tuple[str, str]] = Counter()
        for entry in entries:
            for place, minor in deltas(entry) if entry.posted_at < moment else ():
                expected[place, entry.currency] += minor
        found = await ledger_balances(lived.store, moment)
        assert {each["accountId"] for each in found} <= {lived.account_id}
        assert {(each["place"], each["currency"]): read_money(each["amount"]) for each in found} == {
            key: minor for key, minor in expected.items() if minor
        }
    now = {each["place"]: each["amount"] for each in await ledger_balances(lived.store, lived.clock() + 1)}
    assert now["fees"] == "1.30"


async def test_every_entry_is_a_line_of_its_month_by_account_number(lived: Harness) -> None:
    """The lines of all months are the ledger's entries; an account's sum is what is in its place."""
    entries = await entries_of(lived)
    months = sorted({month_of(entry.posted_at, UTC) for entry in entries})
    assert len(months) == 2
    numbers, lines = chart_of("bank=1800"), list[dict[str, str]]()
    for month in months:
        lines += csv.DictReader((await text_of(journal_csv(lived.store, month, numbers))).splitlines())
    assert [int(line["entry"]) for line in lines] == [entry.entry_no for entry in entries]
    sums: Counter[str] = Counter()
    for line in lines:
        sums[line["creditNumber"]] += read_money(line["amount"])
        sums[line["debitNumber"]] -= read_money(line["amount"])
    places: Counter[str] = Counter()
    for entry in entries:
        for place, minor in deltas(entry):
            places[place] += minor
    assert {numbers[place]: minor for place, minor in places.items()} == dict(sums)  # type: ignore[index]  # places
    assert sums["1800"] > 0


async def test_the_text_for_hledger_adds_up(lived: Harness, tmp_path: Path) -> None:
    """Each transaction to nought; hledger itself checks it where it is installed."""
    month = month_of(lived.clock(), UTC)
    text = await text_of(journal_hledger(lived.store, month))
    for transaction in text.strip().split("\n\n"):
        amounts = [read_money(each) for each in re.findall(r"  (-?[0-9.]+) USD", transaction)]
        assert (len(amounts), sum(amounts)) == (2, 0)
    if hledger := shutil.which("hledger"):
        file = tmp_path / "books.journal"
        file.write_text(text)  # nothing else waits
        subprocess.run([hledger, "-f", file, "check"], check=True)  # noqa: ASYNC221  # as above


async def test_beancount_proves_each_month_from_what_was_there_to_what_is_left(lived: Harness) -> None:
    """By its own checker; the control is a month whose last entry is left out, which it names."""
    loader = pytest.importorskip("beancount.loader", reason="beancount is not installed")
    lived.clock.advance(62 * DAY)
    months = sorted({month_of(entry.posted_at, UTC) for entry in await entries_of(lived)})
    texts = [await text_of(journal_beancount(lived.store, lived.clock, month)) for month in months]
    for text in texts:
        entries, faults, _ = loader.load_string(text)
        assert [fault.message for fault in faults] == []
        assert Counter(type(each).__name__ for each in entries).keys() >= {"Open", "Transaction", "Balance"}
    transactions, closing = texts[-1].rstrip().rsplit("\n\n", 1)
    shorter = f"{transactions.rsplit(chr(10) * 2, 1)[0]}\n\n{closing}"
    faults = loader.load_string(shorter)[1]
    assert len(faults) == 2
    assert all("Balance failed" in fault.message for fault in faults)


async def test_a_month_that_goes_on_asserts_no_end(sqlite_live: Harness) -> None:
    await payable(sqlite_live, "100.00")
    month = month_of(sqlite_live.clock(), UTC)
    text = await text_of(journal_beancount(sqlite_live.store, sqlite_live.clock, month))
    assert " balance " not in text
    assert text.count(" open ") == len(CHART)


async def test_what_is_no_month_is_refused(sqlite_live: Harness) -> None:
    with pytest.raises(OperatorFault, match="is not a month"):
        await text_of(journal_csv(sqlite_live.store, "2026-13", chart_of("")))


@pytest.mark.parametrize("text", ["cash=1000", "bank", "bank=1210,fees=1210", "bank=12 10"])
def test_what_is_no_chart_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="number"):
        chart_of(text)


def test_every_place_has_an_account_of_its_own() -> None:
    assert chart_of("") == {place: number for place, (number, _) in CHART.items()}
    assert len({name for _, name in CHART.values()}) == len(CHART)


WHOSE = DatevClient(29_098, 55_003)


async def datev_text(datev: DatevJournal, harness: Harness, chart: str = "") -> str:
    month = month_of(harness.clock(), UTC)
    return await text_of(datev.written(harness.store, harness.clock, month, chart_of(chart)), "cp1252")


async def test_datevs_bookings_are_the_entries_of_the_month(lived: Harness) -> None:
    month, numbers = month_of(lived.clock(), UTC), chart_of("bank=1800")
    entries = [entry for entry in await entries_of(lived) if month_of(entry.posted_at, UTC) == month]
    datev = DatevJournal(WHOSE, "USD")
    first, columns, *lines = (await datev_text(datev, lived, "bank=1800")).splitlines()
    assert first.startswith('"EXTF";700;21;"Buchungsstapel";13;')
    bookings = [
        (row["Konto"], row["Gegenkonto (ohne BU-Schlüssel)"], row["Umsatz (ohne Soll/Haben-Kz)"])
        for row in csv.DictReader([columns, *lines], delimiter=";")
    ]
    assert bookings == [
        (numbers[entry.debit], numbers[entry.credit], f"{entry.amount_minor / 100:.2f}".replace(".", ","))  # type: ignore[index]  # places
        for entry in entries
    ]
    assert (datev.bookings, datev.parts, datev.others) == (len(entries), 1, Counter())


async def test_entries_in_other_currencies_are_counted_and_left_out(lived: Harness) -> None:
    datev = DatevJournal(WHOSE, "EUR")
    assert len((await datev_text(datev, lived)).splitlines()) == 2
    assert datev.others["USD"] > 0
    assert datev.bookings == 0


async def test_a_long_month_takes_several_files(lived: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every booking is in one of them; a part that there is not is refused."""
    whole = (await datev_text(DatevJournal(WHOSE, "USD"), lived)).splitlines()[2:]
    monkeypatch.setattr(journal, "MOST_BOOKINGS", 2)
    parts, found = -(-len(whole) // 2), list[str]()
    for part in range(1, parts + 1):
        datev = DatevJournal(WHOSE, "USD", part)
        found += (await datev_text(datev, lived)).splitlines()[2:]
        assert datev.parts == parts > 1
    assert found == whole
    with pytest.raises(OperatorFault, match=f"has {parts} parts in USD, and part {parts + 1} is none"):
        await datev_text(DatevJournal(WHOSE, "USD", parts + 1), lived)


async def test_a_chart_that_datev_does_not_take_is_refused(sqlite_live: Harness) -> None:
    with pytest.raises(OperatorFault, match="the same four to eight digits"):
        await datev_text(DatevJournal(WHOSE, "USD"), sqlite_live, "fees=84000")
