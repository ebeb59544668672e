"""Bacs direct credits as a Standard 18 file: labels of 80 characters around records of 100, for one processing day.

The layout is that of the banks' guides to Standard 18: VOL1, HDR1, HDR2 and UHL1, a record for each payment (code 99),
the contra record that takes their sum from the account that pays (code 17), EOF1, EOF2 and UTL1 with the totals. Bacs
knows capital letters, digits, blanks and `. & / -` alone. The submission is signed by the software of Bacstel-IP.

A sort code and an account number are checked in form only: the modulus check needs a table of Pay.UK that changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from hub.domain.payouts.bank_days import english_holidays, next_bank_day
from hub.domain.payouts.fixed_records import number, record, words
from hub.domain.payouts.sepa import sepa_text

LABEL: Final = 80
RECORD: Final = 100
FIELD: Final = 18
"""The characters of a name and of a reference."""
MOST_PENCE: Final = 2_000_000_000
"""Bacs takes twenty million pounds in one payment at most."""
_CREDIT: Final = "99"
_CONTRA: Final = "17"
_ALLOWED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.&/- ")


class ServiceUser(NamedTuple):
    """Who pays: its service user number (six digits), and the account that the contra record names."""

    name: str
    number: str
    sort_code: str
    account: str


class DirectCredit(NamedTuple):
    """One payment; the payee reads `reference` on its statement."""

    sort_code: str
    account: str
    pence: int
    reference: str
    name: str


def bacs_text(text: str) -> str:
    """Return a text as a field has it: in the characters of Bacs, cut to its width; empty if nothing of it is left."""
    latin = sepa_text(text.replace("&", "/and/"), 2 * FIELD).replace("/and/", "&").upper()
    kept = "".join(char if char in _ALLOWED else " " for char in latin)
    found = kept[:FIELD].strip()
    return found if any(char.isalnum() for char in found) else ""


def submission(user: ServiceUser, written: str, file_of_day: int, paid: Sequence[DirectCredit]) -> bytes:
    """Return the file; `written` is an RFC 3339 time, `file_of_day` counts from 0 the files of a day.

    Raise ValueError without payments, and for a value without room.
    """
    if not paid:
        raise ValueError("there are no payments")
    day = date.fromisoformat(written[:10])
    total, serial = sum(each.pence for each in paid), number(file_of_day + 1, 6)
    name = words(bacs_text(user.name), FIELD)
    source = user.sort_code + user.account
    lines = [
        record(LABEL, "VOL1", serial, words("", 31), user.number, words("", 32), "1"),
        _file_label("HDR", user, serial, day),
        _form_label("HDR"),
        record(LABEL, "UHL1", _julian(next_bank_day(day, english_holidays)), words("999999", 10), "00", "000000",
               words("1 DAILY", 9), "001", words("", 40)),
        *(record(RECORD, each.sort_code, each.account, "0", _CREDIT, source, words("", 4), number(each.pence, 11), name,
                 words(bacs_text(each.reference), FIELD), words(bacs_text(each.name), FIELD)) for each in paid),
        record(RECORD, source, "0", _CONTRA, source, words("", 4), number(total, 11), words("COMMISSIONS", FIELD),
               words("CONTRA", FIELD), name),
        _file_label("EOF", user, serial, day),
        _form_label("EOF"),
        record(LABEL, "UTL1", number(total, 13), number(total, 13), number(1, 7), number(len(paid), 7), words("", 36)),
    ]  # fmt: skip
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def _file_label(kind: str, user: ServiceUser, serial: str, day: date) -> str:
    return record(
        LABEL, f"{kind}1", "A", user.number, "S", words("", 2), "1", user.number, serial, "0001", "0001", words("", 6),
        _julian(day), _julian(day), words("", 1), number(0, 6), words("", 20),
    )  # fmt: skip


def _form_label(kind: str) -> str:
    return record(LABEL, f"{kind}2", "F", "02000", number(RECORD, 5), words("", 35), "00", words("", 28))


def _julian(day: date) -> str:
    """Return a date as labels have it: a blank, two digits of the year and three of its day."""
    return f" {day:%y%j}"
