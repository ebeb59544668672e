"""ACH credits as a file of Nacha: 94 characters a record, ten records a block, in the order of the Nacha rules.

The layout is that of "ACH File Exchange Specifications" (Appendix Three of the Nacha Operating Rules): a file header
(1), for each kind of receiver a batch of its own (5 to 8; PPD for persons, CCD for businesses) with an entry (6) for
each payment, and a file control (9). Only credits are written (service class 220), to accounts at banks of the United
States, in US dollars.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final, Literal, NamedTuple

from hub.domain.payouts.bank_days import federal_holidays, next_bank_day
from hub.domain.payouts.fixed_records import number, record, words
from hub.domain.payouts.sepa import sepa_text
from hub.domain.words import ACCOUNT_TYPES, AccountType

WIDTH: Final = 94
BLOCK: Final = 10
MOST_CENTS: Final = 9_999_999_999
MOST_FILES: Final = 36
NAME_WIDTH: Final = 22
ACCOUNT_WIDTH: Final = 17
ID_WIDTH: Final = 15
_HASH: Final = 10**10
_CREDITS: Final = "220"
_WEIGHTS: Final = (3, 7, 1) * 3
_MODIFIERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_CODES: Final = dict(zip(ACCOUNT_TYPES, ("22", "32"), strict=True))
"""The codes of credits, by the kind of account."""
EntryClass = Literal["PPD", "CCD"]


class Originator(NamedTuple):
    """Who pays: the routing number of its bank, and the ten characters by which that bank knows the company."""

    name: str
    routing: str
    company_id: str


class Credit(NamedTuple):
    """One payment; `identification` comes back with a return."""

    routing: str
    account: str
    account_type: AccountType
    cents: int
    identification: str
    name: str
    is_business: bool


def is_routing_number(text: str) -> bool:
    """Return whether a text is a routing number: nine digits whose sum by the weights 3, 7, 1 is a multiple of ten."""
    if len(text) != len(_WEIGHTS) or not (text.isascii() and text.isdigit()) or not text.strip("0"):
        return False
    return sum(int(digit) * weight for digit, weight in zip(text, _WEIGHTS, strict=True)) % 10 == 0


def ach_name(text: str) -> str:
    """Return a name as a record has it; empty if no letter and no digit of it is left."""
    name = sepa_text(text, NAME_WIDTH)
    return name if any(char.isalnum() for char in name) else ""


def credits_file(
    originator: Originator, reference: str, written: str, file_of_day: int, credits_: Sequence[Credit]
) -> bytes:
    """Return the file; `written` is an RFC 3339 time, `file_of_day` counts from 0 the files of a day.

    Raise ValueError without payments, for a file that is one too many on a day, and for a value without room.
    """
    if not credits_:
        raise ValueError("there are no payments")
    if file_of_day >= MOST_FILES:
        raise ValueError(f"a bank takes {MOST_FILES} files a day, and this would be one more")
    day = date.fromisoformat(written[:10])
    lines = [record(
        WIDTH, "101", " ", originator.routing, words(originator.company_id, 10), f"{day:%y%m%d}",
        written[11:13] + written[14:16], _MODIFIERS[file_of_day], "094", "10", "1", words("", 23),
        words(sepa_text(originator.name, 23), 23), words(reference[-8:], 8),
    )]  # fmt: skip
    entry_classes: dict[EntryClass, Callable[[Credit], bool]] = {
        "PPD": lambda each: not each.is_business, "CCD": lambda each: each.is_business,
    }  # fmt: skip
    batches = 0
    for entry_class, belongs in entry_classes.items():
        paid = [each for each in credits_ if belongs(each)]
        if paid:
            batches += 1
            lines += _batch(originator, entry_class, next_bank_day(day, federal_holidays), batches, paid)
    blocks = -(-(len(lines) + 1) // BLOCK)
    lines.append(record(
        WIDTH, "9", number(batches, 6), number(blocks, 6), number(len(credits_), 8), number(_hash(credits_), 10),
        number(0, 12), number(sum(each.cents for each in credits_), 12), words("", 39),
    ))  # fmt: skip
    lines += ["9" * WIDTH] * (blocks * BLOCK - len(lines))
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def _batch(
    originator: Originator, entry_class: EntryClass, paid_on: date, batch: int, paid: Sequence[Credit]
) -> list[str]:
    odfi, batch_number = originator.routing[:8], number(batch, 7)
    lines = [record(
        WIDTH, "5", _CREDITS, words(sepa_text(originator.name, 16), 16), words("", 20),
        words(originator.company_id, 10), entry_class, "COMMISSION", words("", 6), f"{paid_on:%y%m%d}", words("", 3),
        "1", odfi, batch_number,
    )]  # fmt: skip
    for place, each in enumerate(paid, start=1):
        lines.append(record(
            WIDTH, "6", _CODES[each.account_type], each.routing, words(each.account, ACCOUNT_WIDTH),
            number(each.cents, 10), words(each.identification, ID_WIDTH), words(ach_name(each.name), NAME_WIDTH),
            words("", 2), "0", odfi, number(place, 7),
        ))  # fmt: skip
    lines.append(record(
        WIDTH, "8", _CREDITS, number(len(paid), 6), number(_hash(paid), 10), number(0, 12),
        number(sum(each.cents for each in paid), 12), words(originator.company_id, 10), words("", 19), words("", 6),
        odfi, batch_number,
    ))  # fmt: skip
    return lines


def _hash(paid: Sequence[Credit]) -> int:
    """Return the entry hash: the sum of the receiving banks' eight digits, of which the last ten places count."""
    return sum(int(each.routing[:8]) for each in paid) % _HASH
