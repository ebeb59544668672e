"""The bank of the world: it pays files, says what became of each payment and what came in, and keeps its own books."""

from __future__ import annotations

import csv
import io
import random
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from attrs import define, field

from hub.domain.payouts.sepa import NAMESPACE
from tests.ledger.test_pretended_bank import Paid, answer

WORDS: Final = ("PAID", "RETURNED")
_SOME_COME_BACK: Final = 0.08
CAMT: Final = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></Acct>{entries}</Stmt></BkToCstmrStmt></Document>"""
ENTRY: Final = """<Ntry><NtryRef>{number}</NtryRef><Amt Ccy="{currency}">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>{day}</Dt></BookgDt><NtryDtls><TxDtls>
<RmtInf><Ustrd>{reference}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>"""


class Told(NamedTuple):
    """A payment of a plain list, which a person at the bank makes: to whom, and how much in minor units."""

    affiliate_id: str
    account: str
    currency: str
    minor: int


@define
class Bank:
    """What payees have, by account and currency in minor units; `digits` are those of the currencies."""

    dice: random.Random
    digits: dict[str, int]
    paid: Counter[tuple[str, str]] = field(factory=Counter)
    returns: bool = True
    """Whether any payment comes back now."""
    came_back: int = 0
    came_in: Counter[str] = field(factory=Counter)
    """What merchants paid, by the reference that they gave, in minor units."""
    booked: list[str] = field(factory=list)
    """The entries of the statement that is not sent yet."""

    def transfers(self, file: bytes) -> bytes:
        """Pay a file of SEPA transfers, and return the answer that the bank's file of results has on each."""
        root, name = ET.fromstring(file), {"p": NAMESPACE}
        said = []
        for each in root.iterfind(".//p:CdtTrfTxInf", name):
            account = each.findtext("p:CdtrAcct/p:Id/p:IBAN", "", name)
            cents = int(each.findtext("p:Amt/p:InstdAmt", "", name).replace(".", ""))
            back = self._comes_back()
            if not back:
                self.paid[account, "EUR"] += cents
            said.append((Paid(each.findtext("p:PmtId/p:EndToEndId", "", name), account, cents), WORDS[back]))
        return answer(said)

    def by_hand(self, file: bytes) -> tuple[list[Told], list[Told]]:
        """Pay a plain list; return what arrived, and what came back."""
        arrived, returned = list[Told](), list[Told]()
        for told in _rows(file, self.digits):
            if self._comes_back():
                returned.append(told)
            else:
                self.paid[told.account, told.currency] += told.minor
                arrived.append(told)
        return arrived, returned

    def take(self, reference: str, amount: str, currency: str, minor: int, day: str) -> None:
        """Take what a merchant pays under a reference: `amount` is the text of `minor`, `day` an ISO date."""
        self.came_in[reference] += minor
        said = {"amount": amount, "currency": currency, "day": day, "reference": reference}
        self.booked.append(ENTRY.format(**said, number=f"{reference}-{len(self.booked)}-{day}"))

    def statement(self) -> bytes:
        """Return the statement of what came in since the last one (camt.053)."""
        entries, self.booked = self.booked, []
        return CAMT.format(entries="".join(entries)).encode()

    def _comes_back(self) -> bool:
        back = self.returns and self.dice.random() < _SOME_COME_BACK
        self.came_back += back
        return back


def _rows(file: bytes, digits: dict[str, int]) -> Iterator[Told]:
    for row in csv.DictReader(io.StringIO(file.decode())):
        whole, _, fraction = row["amount"].partition(".")
        minor = int(whole + fraction.ljust(digits[row["currency"]], "0"))
        if row["legalName"]:
            yield Told(row["affiliateId"], row["account"], row["currency"], minor)
