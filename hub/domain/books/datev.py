"""A month's entries as DATEV's batch of bookings, which tax advisers in Germany read.

DATEV's developer portal describes the file ("DATEV-Format", category 21, version 13): a line about the batch, one that
names its 125 columns, and a line for each booking. Fields are parted by semicolons, texts are quoted, amounts have a
comma, lines end with CR and LF, and characters are those of Windows-1252. All bookings are in the currency of the
client's books, and of one year: the books of the network are those of calendar years.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

from attrs import frozen

from hub.domain.books.ledger import Entry, Place
from hub.domain.money import MoneyError, format_money, minor_digits

MOST_BOOKINGS: Final = 99_999
"""So many lines one file may have."""
ENCODING: Final = "cp1252"
_CONSULTANTS: Final = range(1_001, 10_000_000)
_CLIENTS: Final = range(1, 100_000)
_NUMBER_LENGTHS: Final = range(4, 9)
_DECIMALS: Final = 2
_MOST_WHOLE_DIGITS: Final = 10
_DOCUMENT_CHARS: Final = 36
_TEXT_CHARS: Final = 60
_NO_DOCUMENT: Final = re.compile(r"[^A-Za-z0-9_$&%*+/-]+")
_NO_TEXT: Final = re.compile(r"[\x00-\x1f\x7f]+")

COLUMNS: Final = (
    "Umsatz (ohne Soll/Haben-Kz)", "Soll/Haben-Kennzeichen", "WKZ Umsatz", "Kurs", "Basis-Umsatz", "WKZ Basis-Umsatz",
    "Konto", "Gegenkonto (ohne BU-Schlüssel)", "BU-Schlüssel", "Belegdatum", "Belegfeld 1", "Belegfeld 2", "Skonto",
    "Buchungstext", "Postensperre", "Diverse Adressnummer", "Geschäftspartnerbank", "Sachverhalt", "Zinssperre",
    "Beleglink", *(f"Beleginfo - {what} {n}" for n in range(1, 9) for what in ("Art", "Inhalt")),
    "KOST1 - Kostenstelle", "KOST2 - Kostenstelle", "Kost-Menge", "EU-Land u. UStID (Bestimmung)",
    "EU-Steuersatz (Bestimmung)", "Abw. Versteuerungsart", "Sachverhalt L+L", "Funktionsergänzung L+L",
    "BU 49 Hauptfunktionstyp", "BU 49 Hauptfunktionsnummer", "BU 49 Funktionsergänzung",
    *(f"Zusatzinformation{what} {n}" for n in range(1, 21) for what in (" - Art", "- Inhalt")),
    "Stück", "Gewicht", "Zahlweise", "Forderungsart", "Veranlagungsjahr", "Zugeordnete Fälligkeit", "Skontotyp",
    "Auftragsnummer", "Buchungstyp", "USt-Schlüssel (Anzahlungen)", "EU-Land (Anzahlungen)",
    "Sachverhalt L+L (Anzahlungen)", "EU-Steuersatz (Anzahlungen)", "Erlöskonto (Anzahlungen)", "Herkunft-Kz",
    "Buchungs GUID", "KOST-Datum", "SEPA-Mandatsreferenz", "Skontosperre", "Gesellschaftername", "Beteiligtennummer",
    "Identifikationsnummer", "Zeichnernummer", "Postensperre bis", "Bezeichnung SoBil-Sachverhalt",
    "Kennzeichen SoBil-Buchung", "Festschreibung", "Leistungsdatum", "Datum Zuord. Steuerperiode", "Fälligkeit",
    "Generalumkehr (GU)", "Steuersatz", "Land", "Abrechnungsreferenz", "BVV-Position", "EU-Land u. UStID (Ursprung)",
    "EU-Steuersatz (Ursprung)", "Abw. Skontokonto",
)  # fmt: skip
"""The columns as DATEV names them, its own spaces included."""
_TEXTS: Final = frozenset({
    2, 3, 6, 9, 11, 12, 14, 16, 19, *range(20, 39), 40, 42, *range(48, 88), 91, 95, 96, 98, 102, 103, 105, 107, 109,
    110, 112, 118, 120, 121, 123,
})  # fmt: skip
"""The numbers of the columns, from 1, that hold text: an empty one is a pair of quotes."""


@frozen
class DatevClient:
    """Whose books they are: the tax adviser's number, and that of the client there."""

    consultant: int
    client: int


@frozen
class Batch:
    """What a file says of its bookings: whose books, a month from its first day to its last, and its currency."""

    whose: DatevClient
    first: date
    last: date
    currency: str
    number_length: int
    made_at: datetime


def datev_client(text: str) -> DatevClient | None:
    """Return whose books a text such as "29098/55003" means, None for an empty one; raise ValueError for others."""
    if not text.strip():
        return None
    numbers = [part.strip() for part in text.split("/")]
    if len(numbers) != 2 or not all(part.isascii() and part.isdigit() for part in numbers):
        raise ValueError(f"{text!r} is not a consultant's and a client's number, like 29098/55003")
    whose = DatevClient(*map(int, numbers))
    if whose.consultant not in _CONSULTANTS or whose.client not in _CLIENTS:
        raise ValueError(f"{text!r} has a consultant's number from 1001 to 9999999, or a client's from 1 to 99999, not")
    return whose


def number_length(numbers: Mapping[Place, str]) -> int:
    """Return how long a chart's numbers are; raise ValueError unless all are digits and of one length from 4 to 8."""
    lengths = {len(number) if number.isascii() and number.isdigit() else 0 for number in numbers.values()}
    if len(lengths) > 1 or not lengths <= set(_NUMBER_LENGTHS):
        raise ValueError("DATEV takes numbers of accounts that all have the same four to eight digits")
    return lengths.pop()


def batch_lines(batch: Batch) -> str:
    """Return the first two lines of a file."""
    made_at = f"{batch.made_at:%Y%m%d%H%M%S}{batch.made_at.microsecond // 1000:03}"
    fields = [
        _quoted("EXTF"), "700", "21", _quoted("Buchungsstapel"), "13", made_at, "", _quoted("HB"),
        _quoted("AffiliateHub"), _quoted(""), str(batch.whose.consultant), str(batch.whose.client),
        f"{batch.first:%Y}0101", str(batch.number_length), f"{batch.first:%Y%m%d}", f"{batch.last:%Y%m%d}",
        _quoted(f"Affiliates {batch.first:%m/%Y}"), _quoted(""), "1", "0", "0", _quoted(batch.currency), "",
        _quoted(""), "", "", _quoted(""), "", "", _quoted(""), _quoted(""),
    ]  # fmt: skip
    return f"{';'.join(fields)}\r\n{';'.join(COLUMNS)}\r\n"


def booking_line(entry: Entry, day: date, numbers: Mapping[Place, str]) -> str:
    """Return an entry as a booking: what it debits is its account, what it credits the one against it.

    The order is its document, and where it stands in the ledger its further information. Raise ValueError for an
    amount that the format cannot hold.
    """
    values = {
        1: _amount(entry), 2: "S", 3: entry.currency,
        7: numbers[entry.debit], 8: numbers[entry.credit],  # type: ignore[index]  # places
        10: f"{day:%d%m}", 11: _NO_DOCUMENT.sub("-", entry.external_order_id or "")[:_DOCUMENT_CHARS],
        14: _NO_TEXT.sub(" ", f"{entry.kind} {entry.external_order_id or entry.cause}")[:_TEXT_CHARS],
        21: "Hub", 22: f"{entry.account_id}:{entry.entry_no}", 114: "0",
    }  # fmt: skip
    fields = (_quoted(values.get(n, "")) if n in _TEXTS else values.get(n, "") for n in range(1, len(COLUMNS) + 1))
    return f"{';'.join(fields)}\r\n"


def _amount(entry: Entry) -> str:
    if minor_digits(entry.currency) > _DECIMALS:
        raise MoneyError(f"{entry.currency} has more than two decimals, which DATEV's format has no place for")
    whole, _, part = format_money(entry.amount_minor, entry.currency).partition(".")
    if len(whole) > _MOST_WHOLE_DIGITS:
        raise MoneyError(f"{whole} {entry.currency} is more than DATEV's format has digits for")
    return f"{whole},{part:0<{_DECIMALS}}"


def _quoted(text: str) -> str:
    return f'"{text.replace(chr(34), chr(34) * 2)}"'
