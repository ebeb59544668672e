"""A legal entity of the network that bills merchants."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.records.orders import NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant


@frozen(kw_only=True)
class IssuerDocument:
    """A legal entity that bills merchants."""

    code: Annotated[str, Note("Its code.", "at")]
    name: Annotated[str, Note("Its legal name.", "Ferry Network Austria GmbH")]
    address: Annotated[str, Note("Its address, in one line.", "Ring 1, 1010 Wien")]
    country: Annotated[str, Note("Where it is taxed, ISO 3166.", "AT")]
    vat_number: Annotated[str, Note("Its VAT number; empty for none.", "ATU12345675")]
    vat_rate: Annotated[str, Note("VAT in percent on invoices to merchants of its own country.", "20")]
    pay_to: Annotated[str, Note("Where its merchants pay, as their invoices say it.")]
    iban: Annotated[str, Note("Its account: a bank's statement of it pays its invoices alone; empty for none.")]
    next_number: Annotated[str, Note("The number of its next invoice.", "AT-1")]
    set_by: Annotated[str, Note("Who last changed it.")]
    set_at: Annotated[int, Instant("When that was.", NOON)]


def issuer_document(row: Row) -> IssuerDocument:
    """Return the issuer of a row of `issuers` or `issuer_found`."""
    code = row["issuer_id"]
    return read_row(IssuerDocument, row, code=code, next_number=f"{code.upper()}-{row['issued'] + 1}")
