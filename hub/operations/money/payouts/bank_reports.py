"""What a bank reports about the payments of a run, read from ISO 20022 XML.

pain.002 is its answer to the file that the hub wrote: the status of each payment, or one for all of them. camt.054 and
camt.053 are its notices and statements: what left the account, and what came back, among much that is not the hub's.
The XML comes from outside, so document types and entities are refused before anything is expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from attrs import frozen
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from hub.domain.money import CURRENCIES, MoneyError, parse_money
from hub.operations.errors import OperatorFault

ALL: Final = "*"
"""Stands for the reference of every payment of the run."""
PAID: Final = frozenset({"ACSC", "ACCC"})
"""Statuses that are final: the money has left the account, or reached the payee's."""
RETURNED: Final = frozenset({"RJCT", "CANC"})
_NAMESPACE: Final = re.compile(r"\{urn:iso:std:iso:20022:tech:xsd:(pain\.002|camt\.05[34])\.\d{3}\.\d{2}\}Document")
DEEPEST: Final = 64
"""A message of ISO 20022 nests about twenty deep; what is in each other is looked through once for each level."""
NO_REASON: Final = "The bank returned it."


@frozen
class Report:
    """What a bank says of one payment, or of ALL; `reference` is the end-to-end id that the hub gave it.

    `run` is the message id of the file that a status answers; None in an account's notices, which also report what is
    not the hub's. `amount_minor` is None if the report names no amount.
    """

    reference: str
    paid: bool
    reason: str
    run: str | None = None
    currency: str = ""
    amount_minor: int | None = None


def looks_like_xml(content: bytes) -> bool:
    """Return whether a file is XML rather than CSV."""
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def read_report(content: bytes, name: str) -> list[Report]:
    """Return what a pain.002, camt.054 or camt.053 reports; payments that are still under way are left out.

    `name` is what the file is called in the `OperatorFault` for anything else.
    """
    document = parsed(content, name)
    kind = _NAMESPACE.fullmatch(document.tag)
    if kind is None:
        raise OperatorFault(f"{name} is neither pain.002 nor camt.054 nor camt.053; its root is {document.tag[:80]}.")
    try:
        return list(_statuses(document, name) if kind[1] == "pain.002" else _entries(document))
    except MoneyError as fault:
        raise OperatorFault(f"{name} has an amount that {fault}; nothing was done.") from None


def parsed(content: bytes, name: str) -> Element:
    """Return the root of XML that came from outside; raise `OperatorFault` for anything else."""
    try:
        document: Element = fromstring(content, forbid_dtd=True)
    except (DefusedXmlException, ParseError, ValueError, LookupError) as fault:
        raise OperatorFault(f"{name} is not XML that the hub reads ({str(fault) or type(fault).__name__}).") from None
    level = [document]
    for _ in range(DEEPEST):
        level = [inner for element in level for inner in element]
        if not level:
            return document
    raise OperatorFault(f"{name} nests elements more than {DEEPEST} deep, as no bank does; nothing was done.")


def _statuses(document: Element, name: str) -> Iterator[Report]:
    group = document.find(".//{*}OrgnlGrpInfAndSts")
    run = "" if group is None else text_at(group, "OrgnlMsgId")
    if group is None or not run:
        raise OperatorFault(f"{name} does not say which file it answers (OrgnlMsgId); nothing was done.")
    single = document.findall(".//{*}TxInfAndSts")
    for each in single:
        status = text_at(each, "TxSts")
        if status in PAID | RETURNED:
            yield Report(
                text_at(each, "OrgnlEndToEndId"), status in PAID, _reason(each), run, *amount_at(each, "InstdAmt")
            )
    whole = {text_at(group, "GrpSts"), *(each.text or "" for each in document.findall(".//{*}PmtInfSts"))} - {""}
    if not single and len(whole) == 1 and whole <= PAID | RETURNED:
        yield Report(ALL, whole <= PAID, _reason(document), run)


def _entries(document: Element) -> Iterator[Report]:
    for entry in document.findall(".//{*}Ntry"):
        booked = is_booked(entry)
        for each in entry.findall(".//{*}TxDtls"):
            reference = text_at(each, "Refs/{*}EndToEndId")
            left = (text_at(each, "CdtDbtInd") or text_at(entry, "CdtDbtInd")) == "DBIT"
            came_back = each.find("{*}RtrInf") is not None
            if reference and booked and (left or came_back):
                yield Report(reference, not came_back, _reason(each), None, *amount_at(each, "Amt"))


def is_booked(entry: Element) -> bool:
    """Return whether an entry of an account is final."""
    return "BOOK" in {text_at(entry, "Sts"), text_at(entry, "Sts/{*}Cd")}


def text_at(element: Element, path: str) -> str:
    """Return the text of an element below another, empty if it is not there."""
    found = element.find("{*}" + path)
    return "" if found is None or found.text is None else found.text.strip()


def _reason(element: Element) -> str:
    """Return the code and the words that a bank gives for a return."""
    for name in ("StsRsnInf", "RtrInf"):
        found = element.find(f".//{{*}}{name}")
        if found is not None:
            words = [text_at(found, "Rsn/{*}Cd"), text_at(found, "Rsn/{*}Prtry"), text_at(found, "AddtlInf")]
            return " ".join(each for each in words if each)[:200] or NO_REASON
    return NO_REASON


def amount_at(element: Element, name: str) -> tuple[str, int | None]:
    """Return currency and minor units that a payment is reported with; raise MoneyError for what is no amount."""
    found = element.find(f".//{{*}}{name}")
    currency = "" if found is None else found.get("Ccy", "")
    if found is None or found.text is None or currency not in CURRENCIES:
        return "", None
    return currency, parse_money(found.text.strip(), currency)
