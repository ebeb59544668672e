"""The legal entities of the network: which there are, who bills a merchant, and to whom affiliates are self-billed.

The first is that of the settings (`[payouts] issuer_...`) and needs no row: who invoices as one company has no other.
Each has a series of numbers of its own. What an invoice says of its issuer is kept with the invoice.
"""

from __future__ import annotations

import re
from typing import Final, TypedDict

from stdnum import iban as iban_number
from stdnum import vatin
from stdnum.exceptions import ValidationError

from hub.clock import Clock
from hub.domain.books.receivables import FIRST_ISSUER
from hub.domain.countries import is_country
from hub.domain.money import MoneyError, parse_percentage
from hub.operations.checks import NAME_LIMIT
from hub.operations.errors import InvalidFields, known
from hub.operations.money.tax.billing import Billing, plain_number
from hub.operations.references import affiliate_id_of, merchant_id_of
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.records.issuers import IssuerDocument, issuer_document
from hub.storage import Row, Store, Tx

CODE: Final = re.compile(r"[a-z][a-z0-9]{0,7}")
FIRST: Final = "first"
"""What names the issuer of the settings where a code is asked for."""
RESERVED: Final = frozenset({FIRST, "inv", "invoice", "no", "nr", "re", "rf", "rg"})
"""What is no code: payers write the others before any number."""


class BilledBy(TypedDict):
    """Who bills a merchant: the code and the name of an issuer, "first" without a name for the one of the settings."""

    merchantId: str
    issuer: str
    name: str | None


class SelfBilledTo(TypedDict):
    """To whom an affiliate's self-billed invoices are; as `BilledBy` says it."""

    affiliateId: str
    issuer: str
    name: str | None


async def set_issuer(
    store: Store, clock: Clock, code: str, *, name: str, address: str, country: str, vat_number: str = "",
    vat_rate: str = "0", pay_to: str = "", iban: str = "",
) -> IssuerDocument:  # fmt: skip
    """Store an issuer, or change one: invoices that it has issued stay as they are. The same again changes nothing.

    Raise `InvalidFields` for values that cannot be right.
    """
    given = {
        "name": name, "address": address, "country": country.strip().upper(), "vat_rate": vat_rate.strip() or "0",
        "vat_number": plain_number(vat_number), "pay_to": pay_to.strip(), "iban": plain_number(iban),
    }  # fmt: skip
    _check(code, given)
    async with store.write() as tx:
        before = await tx.one("issuer_found", issuer_id=code)
        if before is None or any(before[each] != value for each, value in given.items()):
            now = clock()
            await tx.run("put_issuer", issuer_id=code, **given, set_by=current_actor().id, now=now)
            await note_rows(tx, now, {"issuers": [(code,)]})
            old = None if before is None else issuer_document(before)
            await note_act(
                tx, now, "issuer.set", code, before=old, after=issuer_document(await require_issuer(tx, code))
            )
        return issuer_document(await require_issuer(tx, code))


def _check(code: str, given: dict[str, str]) -> None:
    faults = dict[str, str]()
    if CODE.fullmatch(code) is None or code in RESERVED:
        faults["code"] = (
            "A code is 1 to 8 lowercase letters and digits, like at: its invoices are then AT-1, AT-2 and so on."
        )
    for field in ("name", "address"):
        given[field] = " ".join(given[field].split())
        if not 1 <= len(given[field]) <= NAME_LIMIT or not given[field].isprintable():
            faults[field] = f"The {field} has 1 to {NAME_LIMIT} printable characters."
    if not is_country(given["country"]):
        faults["country"] = f"{given['country']!r} is not a country; write two letters, like AT."
    if given["vat_number"] and not vatin.is_valid(given["vat_number"]):
        faults["vat_number"] = f"{given['vat_number']!r} is not a VAT number of a country that the hub knows."
    try:
        parse_percentage(given["vat_rate"])
    except MoneyError as fault:
        faults["vat_rate"] = f"The rate {given['vat_rate']!r} {fault}."
    if len(given["pay_to"]) > NAME_LIMIT or (given["pay_to"] and not given["pay_to"].isprintable()):
        faults["pay_to"] = f"Where merchants pay has at most {NAME_LIMIT} printable characters."
    try:
        given["iban"] = iban_number.validate(given["iban"]) if given["iban"] else ""
    except ValidationError as fault:
        faults["iban"] = f"{given['iban']!r} is not an IBAN: {fault}"
    if faults:
        raise InvalidFields(faults)


async def list_issuers(store: Store) -> list[IssuerDocument]:
    """Return the issuers beside that of the settings, by their codes."""
    async with store.read() as tx:
        return [issuer_document(row) for row in await tx.all("issuers")]


async def bill_by(store: Store, clock: Clock, merchant: str, issuer: str) -> BilledBy:
    """Have a merchant billed by an issuer from its next invoice on; "first" is the one of the settings.

    Raise `OperatorFault` for an unknown merchant or issuer.
    """
    async with store.write() as tx:
        merchant_id = await merchant_id_of(tx, merchant)
        issuer_id = await _stored(tx, issuer)
        before = await _billed_by(tx, merchant_id)
        if before["issuer"] == issuer:
            return before
        now = clock()
        await tx.run("bill_by", merchant_id=merchant_id, issuer_id=issuer_id, set_by=current_actor().id, now=now)
        await note_rows(tx, now, {"merchant_issuers": [(merchant_id,)]})
        after = await _billed_by(tx, merchant_id)
        await note_act(tx, now, "merchant.issuer-set", merchant_id, before=before, after=after)
        return after


async def billed_by(store: Store, merchant: str) -> BilledBy:
    """Return who bills a merchant; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return await _billed_by(tx, await merchant_id_of(tx, merchant))


async def _billed_by(tx: Tx, merchant_id: str) -> BilledBy:
    issuer, name = _said(await tx.one("issuer_of_merchant", merchant_id=merchant_id))
    return {"merchantId": merchant_id, "issuer": issuer, "name": name}


async def self_bill_to(store: Store, clock: Clock, affiliate: str, issuer: str) -> SelfBilledTo:
    """Have an affiliate's self-billed invoices be to an issuer from the next one on; "first" is that of the settings.

    Raise `OperatorFault` for an unknown affiliate or issuer.
    """
    async with store.write() as tx:
        affiliate_id = await affiliate_id_of(tx, affiliate)
        issuer_id = await _stored(tx, issuer)
        before = await _self_billed_to(tx, affiliate_id)
        if before["issuer"] == issuer:
            return before
        now = clock()
        await tx.run("self_bill_to", affiliate_id=affiliate_id, issuer_id=issuer_id, set_by=current_actor().id, now=now)
        await note_rows(tx, now, {"affiliate_issuers": [(affiliate_id,)]})
        after = await _self_billed_to(tx, affiliate_id)
        await note_act(tx, now, "affiliate.issuer-set", affiliate_id, before=before, after=after)
        return after


async def show_self_billed_to(store: Store, affiliate: str) -> SelfBilledTo:
    """Return to whom an affiliate's self-billed invoices are; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return await _self_billed_to(tx, await affiliate_id_of(tx, affiliate))


async def _self_billed_to(tx: Tx, affiliate_id: str) -> SelfBilledTo:
    issuer, name = _said(await tx.one("issuer_of_affiliate", affiliate_id=affiliate_id))
    return {"affiliateId": affiliate_id, "issuer": issuer, "name": name}


async def _stored(tx: Tx, issuer: str) -> str:
    """Return the id that an issuer is stored by; raise `OperatorFault` if it is unknown."""
    if issuer == FIRST:
        return FIRST_ISSUER
    await require_issuer(tx, issuer)
    return issuer


def _said(row: Row | None) -> tuple[str, str | None]:
    """Return the code and the name of the issuer of a row; without one it is that of the settings."""
    return (FIRST, None) if row is None else (row["issuer_id"], row["name"])


async def self_billed_to(tx: Tx, affiliate_id: str, first: Billing) -> Billing:
    """Return the company that an affiliate's self-billed invoices are to: its issuer, or the `first`."""
    return _billing(await tx.one("issuer_of_affiliate", affiliate_id=affiliate_id), first)


async def billing_for(tx: Tx, merchant_id: str, first: Billing) -> Billing:
    """Return how a merchant is billed: by its issuer, or by the `first`, which also says when invoices are due."""
    return _billing(await tx.one("issuer_of_merchant", merchant_id=merchant_id), first)


def _billing(row: Row | None, first: Billing) -> Billing:
    if row is None:
        return first
    lines = (row["name"], row["address"], row["country"], row["vat_number"])
    return Billing(
        issuer=tuple(line for line in lines if line), country=row["country"], vat_rate=row["vat_rate"],
        due_ms=first.due_ms, pay_to=row["pay_to"], address=row["address"], vat_number=row["vat_number"],
        issuer_id=row["issuer_id"],
    )  # fmt: skip


async def require_issuer(tx: Tx, code: str) -> Row:
    """Return an issuer; raise `OperatorFault` if there is none of this code."""
    row = await tx.one("issuer_found", issuer_id=code)
    return known(row, "issuer", code, command="`hub issuer list` shows them all.")
