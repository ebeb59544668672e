"""Credit transfers as ISO 20022 pain.001.001.09, the file that a bank takes: those of SEPA, and all others.

Written by hand: the same payments make the same bytes, under ids of our own. Beside the schema the rules of the EPC
hold (Credit Transfer implementation guidelines): a small set of characters, texts of 35, 70 and 140 characters, EUR, at
least a cent and less than a thousand millions. Transfers in other currencies, or to accounts outside of SEPA, are
written in the same way without SEPA's service level, share their charges, and name the bank of the payee.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from hub.domain.money import format_money
from hub.domain.payouts.bank_days import bank_day, target_holidays

NAMESPACE: Final = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"
MOST_CENTS: Final = 99_999_999_999
MOST_SPELLINGS: Final = 4_096
"""So many characters have their spelling kept; names in any writing must not fill the memory."""
_ALLOWED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-?:().,'+ ")
_PLAIN: Final = str.maketrans({
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "æ": "ae", "Æ": "Ae", "ø": "o",
    "Ø": "O", "å": "a", "Å": "A", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "\u0131": "i", "&": "+", "€": "EUR",
    "\u2013": "-", "\u2019": "'", "þ": "th", "Þ": "Th", "ð": "d", "œ": "oe", "Œ": "Oe",
})  # fmt: skip

_LETTERS: Final = str.maketrans({
    # Greek and Cyrillic, as the passports of Greece and Bulgaria write names: SEPA has Latin letters only.
    **dict(zip("αβγδεζηικλμνξοπρσςτυφω", "avgdeziiklmnxoprsstyfo", strict=True)),
    **dict(zip("абвгдезийклмнопрстуфхъьіѕј", "abvgdeziyklmnoprstufhayisj", strict=True)),
    "θ": "th", "χ": "ch", "ψ": "ps", "ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sht", "ю": "yu", "я": "ya",
    "ы": "y", "э": "e", "ё": "yo", "є": "ye", "ї": "yi", "ґ": "g", "ћ": "c", "ђ": "dj", "љ": "lj", "њ": "nj", "џ": "dz",
})  # fmt: skip
COUNTRIES: Final = frozenset({
    "AD", "AL", "AT", "BE", "BG", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GI", "GR", "HR", "HU",
    "IE", "IS", "IT", "LI", "LT", "LU", "LV", "MC", "MD", "ME", "MK", "MT", "NL", "NO", "PL", "PT", "RO", "RS", "SE",
    "SI", "SK", "SM", "VA",
})  # fmt: skip
"""The countries of SEPA by the first letters of their IBANs (EPC409-09, List of SEPA scheme countries)."""


class Debtor(NamedTuple):
    """The account that pays; `bic` may be empty."""

    name: str
    iban: str
    bic: str


class Address(NamedTuple):
    """Where a payee lives, in parts: from November 2026 SEPA takes no address of lines alone (EPC153-22)."""

    street: str
    postal_code: str
    town: str
    country: str


class Transfer(NamedTuple):
    """One payment; `end_to_end_id` comes back in the bank's report, `remittance` is what the payee reads."""

    end_to_end_id: str
    name: str
    iban: str
    bic: str | None
    cents: int
    remittance: str
    address: Address | None = None
    currency: str = "EUR"


class _Scheme(NamedTuple):
    """What the transfers of a file are: their service level (empty: none is asked for), and who bears charges."""

    service_level: str
    charges: str


_SEPA: Final = _Scheme("SEPA", "SLEV")
_OTHER: Final = _Scheme("", "SHAR")


def credit_transfers(
    message_id: str, created: str, execution_day: str, debtor: Debtor, transfers: Sequence[Transfer]
) -> bytes:
    """Return the file for these payments; `created` is an RFC 3339 time, `execution_day` an ISO date.

    Raise ValueError without payments, and for an amount that SEPA does not take.
    """
    for each in transfers:
        if not 0 < each.cents <= MOST_CENTS:
            raise ValueError(f"{each.end_to_end_id} is an amount that SEPA does not take")
    return _file(message_id, created, execution_day, debtor, transfers, _SEPA)


def other_transfers(
    message_id: str, created: str, execution_day: str, debtor: Debtor, transfers: Sequence[Transfer]
) -> bytes:
    """Return the file for payments of one currency that SEPA does not make; the rest is as of `credit_transfers`."""
    if len({each.currency for each in transfers}) > 1:
        raise ValueError("its payments are in several currencies")
    return _file(message_id, created, execution_day, debtor, transfers, _OTHER)


def _file(
    message_id: str, created: str, execution_day: str, debtor: Debtor, transfers: Sequence[Transfer], scheme: _Scheme
) -> bytes:
    if not transfers:
        raise ValueError("there are no payments")
    document = ET.Element("Document", xmlns=NAMESPACE)
    initiation = ET.SubElement(document, "CstmrCdtTrfInitn")
    header = ET.SubElement(initiation, "GrpHdr")
    count, total = str(len(transfers)), format_money(sum(each.cents for each in transfers), transfers[0].currency)
    _put(header, MsgId=sepa_text(message_id, 35), CreDtTm=created, NbOfTxs=count, CtrlSum=total)
    _put(ET.SubElement(header, "InitgPty"), Nm=sepa_text(debtor.name, 70))
    payment = ET.SubElement(initiation, "PmtInf")
    _put(payment, PmtInfId=sepa_text(message_id, 35), PmtMtd="TRF", BtchBookg="true", NbOfTxs=count, CtrlSum=total)
    if scheme.service_level:
        _put(ET.SubElement(ET.SubElement(payment, "PmtTpInf"), "SvcLvl"), Cd=scheme.service_level)
    _put(ET.SubElement(payment, "ReqdExctnDt"), Dt=execution_day)
    _put(ET.SubElement(payment, "Dbtr"), Nm=sepa_text(debtor.name, 70))
    _put(ET.SubElement(ET.SubElement(payment, "DbtrAcct"), "Id"), IBAN=debtor.iban)
    agent = ET.SubElement(ET.SubElement(payment, "DbtrAgt"), "FinInstnId")
    if debtor.bic:
        _put(agent, BICFI=debtor.bic)
    else:
        _put(ET.SubElement(agent, "Othr"), Id="NOTPROVIDED")
    _put(payment, ChrgBr=scheme.charges)
    for each in transfers:
        _add_transfer(payment, each)
    text: str = ET.tostring(document, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _add_transfer(payment: ET.Element, transfer: Transfer) -> None:
    element = ET.SubElement(payment, "CdtTrfTxInf")
    _put(ET.SubElement(element, "PmtId"), EndToEndId=sepa_text(transfer.end_to_end_id, 35))
    amount = ET.SubElement(ET.SubElement(element, "Amt"), "InstdAmt", Ccy=transfer.currency)
    amount.text = format_money(transfer.cents, transfer.currency)
    if transfer.bic:
        _put(ET.SubElement(ET.SubElement(element, "CdtrAgt"), "FinInstnId"), BICFI=transfer.bic)
    creditor = ET.SubElement(element, "Cdtr")
    _put(creditor, Nm=sepa_text(transfer.name, 70))
    if transfer.address is not None:
        _add_address(creditor, transfer.address)
    _put(ET.SubElement(ET.SubElement(element, "CdtrAcct"), "Id"), IBAN=transfer.iban)
    _put(ET.SubElement(element, "RmtInf"), Ustrd=sepa_text(transfer.remittance, 140))


def _add_address(party: ET.Element, address: Address) -> None:
    """Add a structured address: town and country are what the rules ask for, the rest is what is known."""
    texts = {"StrtNm": (address.street, 70), "PstCd": (address.postal_code, 16), "TwnNm": (address.town, 35)}
    _put(ET.SubElement(party, "PstlAdr"), **{name: sepa_text(text, most) for name, (text, most) in texts.items()
                                             if text.strip()}, Ctry=address.country)  # fmt: skip


def sepa_text(text: str, most: int) -> str:
    """Return a text in the characters of SEPA, at most so many; what has no such character becomes a dot."""
    return text.translate(_SPELLINGS)[:most].strip() or "."


class _Spellings(dict[int, str]):
    """What each character is written as, worked out when it is met first: a file has a million of few kinds."""

    def __missing__(self, code: int) -> str:
        spelled = _spelled(chr(code))
        if len(self) < MOST_SPELLINGS:
            self[code] = spelled
        return spelled


_SPELLINGS: Final = _Spellings()


def _spelled(char: str) -> str:
    plain = unicodedata.normalize("NFKD", _latin(char).translate(_PLAIN))
    bare = "".join(_latin(each) for each in plain if not unicodedata.combining(each))
    return "".join(each if each in _ALLOWED else "." for each in bare)


def _latin(char: str) -> str:
    """Return a Greek or Cyrillic letter as Latin ones, of which a capital's first is a capital; others as they are."""
    low = char.lower()
    found = low.translate(_LETTERS)
    if found == low:
        return char
    return found.capitalize() if char != low else found


def business_day(day: date) -> date:
    """Return a day on which SEPA pays: the day itself, or the next that is no weekend and no holiday of TARGET."""
    return bank_day(day, target_holidays)


def _put(parent: ET.Element, **texts: str) -> None:
    for name, text in texts.items():
        ET.SubElement(parent, name).text = text
