"""The schema of a bank's file, which each one is held against before it is kept: what it refuses, no bank gets.

Checks before it (payees, settings, texts) should leave nothing to refuse; the schema is the last word because a bank
refuses the whole file for one wrong field. It is libxml2's validator, outside of Python: 10,000 payments take a quarter
of a second, a validator in Python takes 13. It reads nothing but what the hub itself wrote.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

from hub.domain.payouts.payout_formats import Batch, Format
from hub.operations.errors import OperatorFault

_FILE: Final = Path(__file__).with_name("pain.001.001.09.xsd")
_ONE_AT_A_TIME: Final = Lock()
"""A schema keeps the faults of its last file, so two threads must not ask it at once."""
_SHOWN: Final = 300


def written_file(format_: Format, batch: Batch) -> bytes:
    """Return what a format writes of a batch, which takes seconds for 10,000 payments.

    Raise `OperatorFault` for what cannot be written, and for a file that is not what its schema allows.
    """
    try:
        content = format_.write(batch)
    except ValueError as fault:
        raise OperatorFault(f"The {format_.name} file cannot be written: {fault}.") from None
    if format_.has_schema:
        refuse_invalid_transfers(content)
    return content


def refuse_invalid_transfers(content: bytes) -> None:
    """Raise `OperatorFault` unless a file is valid by the schema of pain.001.001.09.

    The fault names the element, its payment, and the rule of the schema.
    """
    from lxml import etree  # hubs that write no such file need not load it

    try:
        document = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    except etree.XMLSyntaxError as broken:
        raise OperatorFault(f"The file is not XML; nothing was written: {broken.msg}.") from None
    with _ONE_AT_A_TIME:
        if _schema().validate(document):
            return
        fault = _schema().error_log[0]
    raise OperatorFault(f"The file is not what the schema pain.001.001.09 allows; nothing was written: "
                        f"{_sentence(document, fault)}")  # fmt: skip


@cache
def _schema() -> Any:
    from lxml import etree

    return etree.XMLSchema(etree.parse(_FILE))


def _sentence(document: Any, fault: Any) -> str:
    """Return a fault with the payment that it is in, and the rule of XML Schema that it breaks, such as cvc-pattern."""
    rule = fault.type_name.removeprefix("SCHEMAV_").replace("_", "-").lower()
    namespace = f"{{{document.nsmap[None]}}}"
    said = fault.message.replace(namespace, "")[:_SHOWN].rstrip(".")
    payments = document.xpath(f"{fault.path}/ancestor-or-self::*[local-name() = 'CdtTrfTxInf']") if fault.path else []
    ids = [each.findtext(f"{namespace}PmtId/{namespace}EndToEndId") for each in payments]
    return f"{said} (rule {rule}{f', payment {ids[0]}' if ids else ''})."
