"""What came into an account, read from a bank's statement: camt.053, or CSV.

A movement is told from all others by all that the statement says of it, and by how many equal ones there are before it
on its day. So a statement that is read again, or one that overlaps another, names what is known already.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from hashlib import sha256
from typing import Final
from xml.etree.ElementTree import Element

from attrs import frozen

from hub.domain.money import CURRENCIES, MoneyError, parse_money
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.bank_reports import amount_at, is_booked, looks_like_xml, parsed, text_at

COLUMNS: Final = ("bookedon", "amount", "currency")
"""What a line of CSV has to say, in any case; `payer`, `remittance` and `reference` are read, too."""
LONGEST: Final = 500
_CAMT: Final = re.compile(r"\{urn:iso:std:iso:20022:tech:xsd:camt\.053\.\d{3}\.\d{2}\}Document")
_FAR_PAYER: Final = ("RltdPties/{*}Dbtr/{*}Nm", "RltdPties/{*}Dbtr/{*}Pty/{*}Nm", "RltdPties/{*}UltmtDbtr/{*}Nm")


@frozen
class Movement:
    """Money that came in, in minor units, on the bank's day (ISO 8601); `said` is what tells it apart.

    `account` is the IBAN that it came to, empty if the statement does not say it.
    """

    booked_on: str
    amount_minor: int
    currency: str
    payer: str
    remittance: str
    said: str
    account: str = ""


@frozen
class Statement:
    """What came in, with the key of each movement, and how many other movements were passed over."""

    movements: tuple[tuple[str, Movement], ...]
    passed_over: int
    sha256: str


def statement_in(content: bytes, name: str) -> Statement:
    """Read the content of a statement; `name` is what it is called in the `OperatorFault` for anything else."""
    try:
        found = list(_entries(parsed(content, name), name) if looks_like_xml(content) else _rows(content, name))
    except MoneyError as fault:
        raise OperatorFault(f"{name} has an amount that {fault}; nothing was done.") from None
    came_in = [each for each in found if each is not None]
    return Statement(tuple(_keyed(came_in)), len(found) - len(came_in), sha256(content).hexdigest())


def _keyed(movements: Iterable[Movement]) -> Iterator[tuple[str, Movement]]:
    equal = Counter[str]()
    for each in movements:
        said = "\0".join(
            [each.booked_on, str(each.amount_minor), each.currency, each.payer, each.remittance, each.said]
        )
        equal[said] += 1
        yield sha256(f"{said}\0{equal[said]}".encode()).hexdigest(), each


def _entries(document: Element, name: str) -> Iterator[Movement | None]:
    """Yield what came in, None for what is something else: money that left, came back, or is not booked yet."""
    if _CAMT.fullmatch(document.tag) is None:
        raise OperatorFault(
            f"{name} is no statement that the hub reads: camt.053, or CSV with {', '.join(COLUMNS)}; its root is "
            f"{document.tag[:80]}."
        )
    for statement in document.findall(".//{*}Stmt"):
        account = text_at(statement, "Acct/{*}Id/{*}IBAN") or text_at(statement, "Acct/{*}Id/{*}Othr/{*}Id")
        for entry in statement.findall("{*}Ntry"):
            for part in entry.findall(".//{*}TxDtls") or [entry]:
                yield _movement(account, entry, part, name)


def _movement(account: str, entry: Element, part: Element, name: str) -> Movement | None:
    comes_in = (text_at(part, "CdtDbtInd") or text_at(entry, "CdtDbtInd")) == "CRDT"
    if not comes_in or not is_booked(entry) or part.find("{*}RtrInf") is not None:
        return None
    amounts = (amount_at(each, "Amt") for each in (part, entry))
    currency, minor = next(((code, value) for code, value in amounts if value is not None), ("", None))
    booked = text_at(entry, "BookgDt/{*}Dt") or text_at(entry, "BookgDt/{*}DtTm")[:10]
    if minor is None:
        raise OperatorFault(f"{name} has an entry without an amount in a currency; nothing was done.")
    written = [each.text or "" for each in part.findall(".//{*}RmtInf/{*}Ustrd")]
    written += [each.text or "" for each in part.findall(".//{*}CdtrRefInf/{*}Ref")]
    reference = text_at(part, "Refs/{*}EndToEndId")
    written += [] if reference in ("", "NOTPROVIDED") else [reference]
    payer = next((each for path in _FAR_PAYER if (each := _cut(text_at(part, path)))), "")
    own = [text_at(entry, "AcctSvcrRef"), text_at(part, "Refs/{*}AcctSvcrRef"), text_at(entry, "NtryRef")]
    remittance, said = _cut(" ".join(written)), "|".join([account, *own])
    return Movement(_day(booked, name), minor, currency, payer, remittance, said, account)


def _rows(content: bytes, name: str) -> Iterator[Movement | None]:
    try:
        lines = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    except (UnicodeDecodeError, csv.Error) as error:
        raise OperatorFault(f"{name} cannot be read: {error}.") from error
    if not lines:
        raise OperatorFault(f"{name} has no line of a movement; its columns are {', '.join(COLUMNS)}.")
    for number, line in enumerate(lines, start=2):
        cells = {(column or "").strip().lower(): (value or "").strip() for column, value in line.items()
                 if column is not None and not isinstance(value, list)}  # fmt: skip
        yield _of_cells(cells, f"Line {number} of {name}")


def _of_cells(cells: Mapping[str, str], where: str) -> Movement | None:
    missing = [column for column in COLUMNS if not cells.get(column)]
    currency = cells.get("currency", "").upper()
    if missing or currency not in CURRENCIES:
        lacks = ", ".join(missing) or f"a currency instead of {currency!r}"
        raise OperatorFault(f"{where} lacks {lacks}; nothing was done.")
    if cells["amount"].startswith("-"):
        return None
    minor = parse_money(cells["amount"], currency)
    payer, written = _cut(cells.get("payer", "")), _cut(cells.get("remittance", ""))
    day, account = _day(cells["bookedon"], where), "".join(cells.get("account", "").split()).upper()
    return Movement(day, minor, currency, payer, written, cells.get("reference", ""), account)


def _day(text: str, where: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise OperatorFault(f"{where} has the day {text!r}; write it like 2026-11-30. Nothing was done.") from None


def _cut(text: str) -> str:
    return " ".join(text.replace("\0", " ").split())[:LONGEST]
