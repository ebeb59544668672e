"""Files for American and British banks and for Stripe, read again by the places that their rules publish."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.payouts.bacs import DirectCredit, ServiceUser, bacs_text, submission
from hub.domain.payouts.bank_days import english_holidays, federal_holidays, next_bank_day, target_holidays
from hub.domain.payouts.connect_transfers import stripe_amount, why_not_stripe
from hub.domain.payouts.fixed_records import number, record, words
from hub.domain.payouts.nacha import Credit, Originator, ach_name, credits_file, is_routing_number
from hub.domain.payouts.payout_batches import ach_id, bacs_id

Fields = Mapping[str, tuple[int, int]]
ENTRY: Fields = {
    "code": (2, 3), "bank": (4, 11), "check": (12, 12), "account": (13, 29), "amount": (30, 39), "id": (40, 54),
    "name": (55, 76), "addenda": (79, 79), "trace": (80, 94),
}  # fmt: skip
BATCH: Fields = {
    "service": (2, 4), "company": (5, 20), "company id": (41, 50), "class": (51, 53), "says": (54, 63),
    "effective": (70, 75), "settled": (76, 78), "status": (79, 79), "bank": (80, 87), "number": (88, 94),
}  # fmt: skip
BATCH_END: Fields = {
    "service": (2, 4), "entries": (5, 10), "hash": (11, 20), "debits": (21, 32), "credits": (33, 44),
    "company id": (45, 54), "bank": (80, 87), "number": (88, 94),
}  # fmt: skip
FILE: Fields = {
    "priority": (2, 3), "to": (4, 13), "from": (14, 23), "day": (24, 29), "time": (30, 33), "modifier": (34, 34),
    "size": (35, 37), "blocking": (38, 39), "format": (40, 40), "origin": (64, 86), "reference": (87, 94),
}  # fmt: skip
FILE_END: Fields = {
    "batches": (2, 7), "blocks": (8, 13), "entries": (14, 21), "hash": (22, 31), "debits": (32, 43), "credits": (44, 55)
}  # fmt: skip
PAYER = Originator("Hub Network Inc", "021000021", "1234567890")
ADA = Credit("011000015", "0012345678", "checking", 1_050, "ABCDEF012345678", "Ada Łovelace", is_business=False)
BOB = Credit("121000358", "987654321", "savings", 99, "0123456789ABCDE", "Bob & Söhne LLC", is_business=True)
THANKSGIVING_EVE = "2026-11-25T23:59:00Z"

USER = ServiceUser("Hub & Söhne Ltd", "123456", "401234", "12345678")
EVE = DirectCredit("200000", "55779911", 123_456, "AFF0000000000000F1", "Éve O'Neil & Co")


def read(line: str, fields: Fields) -> dict[str, str]:
    """Return the fields of a record by their first and last places, counted from 1 as the rules do."""
    return {name: line[first - 1 : last] for name, (first, last) in fields.items()}


def read_nacha(content: bytes) -> list[dict[str, str]]:
    """Return the entries of a file; fail unless every total in it is what its entries add up to."""
    lines = content.decode("ascii").splitlines()
    assert {len(line) for line in lines} == {94}
    assert len(lines) % 10 == 0
    kept = [line for line in lines if line != "9" * 94]
    assert lines == kept + ["9" * 94] * (len(lines) - len(kept))
    assert (kept[0][0], kept[-1][0]) == ("1", "9")
    found, open_batch, batches = list[dict[str, str]](), list[dict[str, str]](), 0
    header = dict[str, str]()
    for line in kept[1:-1]:
        match line[0]:
            case "5":
                header, open_batch = read(line, BATCH), []
            case "6":
                entry = {**read(line, ENTRY), "class": header["class"], "effective": header["effective"]}
                assert is_routing_number(entry["bank"] + entry["check"])
                assert entry["trace"] == header["bank"] + f"{len(open_batch) + 1:07d}"
                open_batch.append(entry)
            case "8":
                batches += 1
                end = read(line, BATCH_END)
                assert (end["number"], end["bank"]) == (header["number"], header["bank"])
                assert int(header["number"]) == batches
                check_totals(end, open_batch)
                found += open_batch
            case other:
                raise AssertionError(f"a record {other!r}")
    end = read(kept[-1], FILE_END)
    check_totals(end, found)
    assert (int(end["batches"]), int(end["blocks"])) == (batches, len(lines) // 10)
    return found


def check_totals(end: Mapping[str, str], entries: list[dict[str, str]]) -> None:
    """Fail unless a control record has the count, the sums and the hash of its entries."""
    assert int(end["entries"]) == len(entries)
    assert (int(end["debits"]), int(end["credits"])) == (0, sum(int(each["amount"]) for each in entries))
    assert end["hash"] == str(sum(int(each["bank"]) for each in entries))[-10:].zfill(10)


def test_persons_and_businesses_are_paid_by_batches_of_their_own_on_the_next_day_that_banks_work() -> None:
    content = credits_file(PAYER, "0123456789abcdef", THANKSGIVING_EVE, 2, [BOB, ADA])
    head = read(content.decode().splitlines()[0], FILE)
    assert head == {
        "priority": "01", "to": " 021000021", "from": "1234567890", "day": "261125", "time": "2359", "modifier": "C",
        "size": "094", "blocking": "10", "format": "1", "origin": "Hub Network Inc".ljust(23), "reference": "89abcdef",
    }  # fmt: skip
    ada, bob = read_nacha(content)
    assert ada == {
        "code": "22", "bank": "01100001", "check": "5", "account": "0012345678".ljust(17), "amount": "0000001050",
        "id": "ABCDEF012345678", "name": "Ada Lovelace".ljust(22), "addenda": "0", "trace": "021000020000001",
        "class": "PPD", "effective": "261127",
    }  # fmt: skip
    assert (bob["class"], bob["code"], bob["name"].strip(), int(bob["amount"])) == ("CCD", "32", "Bob + Soehne LLC", 99)


def test_control_a_total_that_is_not_what_the_entries_add_up_to_is_noticed() -> None:
    content = credits_file(PAYER, "ref", THANKSGIVING_EVE, 0, [ADA])
    with pytest.raises(AssertionError):
        read_nacha(content.replace(b"0000001050", b"0000001051", 1))


@given(st.lists(st.tuples(st.sampled_from(["011000015", "121000358", "021000021"]), st.integers(1, 9_999_999_999),
                          st.booleans()), min_size=1, max_size=25))  # fmt: skip
def test_every_cent_is_in_the_file_and_every_file_is_of_whole_blocks(paid: list[tuple[str, int, bool]]) -> None:
    entries = read_nacha(credits_file(PAYER, "ref", THANKSGIVING_EVE, 0, [
        Credit(routing, "1234", "checking", cents, "ID", "Ada", is_business) for routing, cents, is_business in paid
    ]))  # fmt: skip
    assert sorted(int(each["amount"]) for each in entries) == sorted(cents for _, cents, _ in paid)


def test_what_a_file_of_nacha_cannot_say_is_refused() -> None:
    with pytest.raises(ValueError, match="no payments"):
        credits_file(PAYER, "ref", THANKSGIVING_EVE, 0, [])
    with pytest.raises(ValueError, match="36 files a day"):
        credits_file(PAYER, "ref", THANKSGIVING_EVE, 36, [ADA])
    assert read_nacha(credits_file(PAYER, "ref", THANKSGIVING_EVE, 35, [ADA]))
    with pytest.raises(ValueError, match="no room in 10 digits"):
        credits_file(PAYER, "ref", THANKSGIVING_EVE, 0, [ADA._replace(cents=10_000_000_000)])
    with pytest.raises(ValueError, match="no room in 17 characters"):
        credits_file(PAYER, "ref", THANKSGIVING_EVE, 0, [ADA._replace(account="1" * 18)])


def test_the_entry_hash_keeps_its_last_ten_digits() -> None:
    many = [ADA._replace(routing="999999992")] * 101
    assert read_nacha(credits_file(PAYER, "ref", THANKSGIVING_EVE, 0, many))
    assert len(str(99_999_999 * 101)) == 11


@pytest.mark.parametrize(
    ("text", "right"),
    [("021000021", True), ("011000015", True), ("021000020", False), ("012000021", False), ("02100002", False),
     ("0210000210", False), ("000000000", False), ("02100002a", False), ("٠٢١٠٠٠٠٢١", False)],
)  # fmt: skip
def test_a_routing_number_has_its_check_digit(text: str, right: bool) -> None:
    assert is_routing_number(text) is right


def test_names_are_written_in_letters_that_the_file_has() -> None:
    assert (ach_name("Γιώργος Παπαδόπουλος"), ach_name("愛")) == ("Giorgos Papadopoylos", "")
    assert (bacs_text("Éve O'Neil & Co"), bacs_text("愛")) == ("EVE O NEIL & CO", "")
    assert bacs_text("A very long name of a company") == "A VERY LONG NAME O"


def test_a_submission_of_bacs_has_its_labels_its_records_and_the_contra_that_pays_them() -> None:
    content = submission(USER, "2026-12-24T12:00:00Z", 4, [EVE, EVE._replace(pence=1)])
    lines = content.decode("ascii").split("\r\n")
    assert lines.pop() == ""
    assert [len(line) for line in lines] == [80, 80, 80, 80, 100, 100, 100, 80, 80, 80]
    volume, first, form, day, paid, _, contra, end, end_form, totals = lines
    assert read(volume, {"label": (1, 4), "serial": (5, 10), "owner": (38, 51), "level": (80, 80)}) == {
        "label": "VOL1", "serial": "000005", "owner": "    123456    ", "level": "1",
    }  # fmt: skip
    assert read(first, {"label": (1, 4), "file": (5, 21), "set": (22, 27), "section": (28, 31), "sequence": (32, 35),
                        "made": (42, 47), "ends": (48, 53), "blocks": (55, 60)}) == {
        "label": "HDR1", "file": "A123456S  1123456", "set": "000005", "section": "0001", "sequence": "0001",
        "made": " 26358", "ends": " 26358", "blocks": "000000",
    }  # fmt: skip
    places = {"label": (1, 4), "format": (5, 5), "block": (6, 10), "record": (11, 15), "offset": (51, 52)}
    assert read(form, places) == {
        "label": "HDR2", "format": "F", "block": "02000", "record": "00100", "offset": "00"
    }  # fmt: skip
    # Christmas is a Friday and Boxing Day a Saturday, which is kept on Monday: Bacs works on Tuesday again.
    assert read(day, {"label": (1, 4), "day": (5, 10), "to": (11, 20), "money": (21, 22), "country": (23, 28),
                      "work": (29, 37), "number": (38, 40)}) == {
        "label": "UHL1", "day": " 26363", "to": "999999    ", "money": "00", "country": "000000", "work": "1 DAILY  ",
        "number": "001",
    }  # fmt: skip
    places = {"sort": (1, 6), "account": (7, 14), "type": (15, 15), "code": (16, 17), "from sort": (18, 23),
              "from": (24, 31), "free": (32, 35), "pence": (36, 46), "user": (47, 64), "reference": (65, 82),
              "name": (83, 100)}  # fmt: skip
    assert read(paid, places) == {
        "sort": "200000", "account": "55779911", "type": "0", "code": "99", "from sort": "401234", "from": "12345678",
        "free": "    ", "pence": "00000123456", "user": "HUB & SOEHNE LTD  ", "reference": "AFF0000000000000F1",
        "name": "EVE O NEIL & CO   ",
    }  # fmt: skip
    assert read(contra, places) == {
        "sort": "401234", "account": "12345678", "type": "0", "code": "17", "from sort": "401234", "from": "12345678",
        "free": "    ", "pence": "00000123457", "user": "COMMISSIONS       ", "reference": "CONTRA            ",
        "name": "HUB & SOEHNE LTD  ",
    }  # fmt: skip
    assert (end[:4], end[4:], end_form[:4], end_form[4:]) == ("EOF1", first[4:], "EOF2", form[4:])
    assert read(totals, {"label": (1, 4), "debits": (5, 17), "credits": (18, 30), "debit": (31, 37),
                         "credit": (38, 44)}) == {
        "label": "UTL1", "debits": "0000000123457", "credits": "0000000123457", "debit": "0000001", "credit": "0000002",
    }  # fmt: skip
    with pytest.raises(ValueError, match="no payments"):
        submission(USER, "2026-12-24T12:00:00Z", 0, [])


def test_the_holidays_are_those_that_were_published() -> None:
    def of(year: int, days: str) -> set[date]:
        return {date.fromisoformat(f"{year}-{day}") for day in days.split()}

    # federalreserve.gov/aboutthefed/k8.htm: one on a Saturday is not kept on another day.
    assert set(federal_holidays(2026)) == of(
        2026, "01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25")  # fmt: skip
    assert set(federal_holidays(2027)) == of(
        2027, "01-01 01-18 02-15 05-31 06-19 07-05 09-06 10-11 11-11 11-25 12-25")  # fmt: skip
    # gov.uk/bank-holidays, England and Wales.
    assert set(english_holidays(2026)) == of(2026, "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28")
    assert set(english_holidays(2027)) == of(2027, "01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28")
    assert date(2028, 1, 3) in set(english_holidays(2028))
    assert set(target_holidays(2026)) == of(2026, "01-01 04-03 04-06 05-01 12-25 12-26")
    assert next_bank_day(date(2026, 12, 31), english_holidays) == date(2027, 1, 4)
    assert next_bank_day(date(2026, 7, 2), federal_holidays) == date(2026, 7, 3)


@pytest.mark.parametrize(
    ("currency", "minor", "moved"),
    [("USD", 1_050, 1_050), ("JPY", 900, 900), ("KWD", 1_230, 1_230), ("MGA", 500, 5), ("ISK", 7, 700)],
)
def test_stripe_is_told_amounts_in_its_own_smallest_unit(currency: str, minor: int, moved: int) -> None:
    assert (why_not_stripe(currency, minor), stripe_amount(currency, minor)) == (None, moved)


def test_what_stripe_does_not_move_is_refused() -> None:
    assert why_not_stripe("KWD", 1_231) == "Stripe moves KWD in steps of 0.01"
    assert why_not_stripe("MGA", 501) == "Stripe moves no decimals of MGA"


def test_a_payment_is_named_by_the_end_of_its_affiliates_id() -> None:
    affiliate = "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"
    assert (ach_id("aff_0-a"), bacs_id("aff_0-a")) == ("0A", "0A")
    assert (ach_id(affiliate), bacs_id(affiliate)) == ("D5A4C2B1F0E8D84", "3E9D5A4C2B1F0E8D84")


def test_a_field_that_has_no_room_is_never_cut() -> None:
    assert (words("ab", 3), number(7, 3), record(6, "ab ", "007")) == ("ab ", "007", "ab 007")
    too_long: list[Callable[[], str]] = [
        lambda: words("abcd", 3), lambda: number(1_000, 3), lambda: number(-1, 3), lambda: record(5, "abc")
    ]  # fmt: skip
    for wrong in too_long:
        with pytest.raises(ValueError, match=r"no room|characters for"):
            wrong()
