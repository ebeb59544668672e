"""What affiliates say of themselves for tax reports, where the operator asks for it; sealed as payees are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import date
from typing import Final, TypedDict

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.book_time import day_of
from hub.domain.countries import is_country
from hub.domain.instants import format_instant
from hub.domain.payouts.dac7 import (
    NOTHING,
    TaxDetails,
    details_from_json,
    details_identity,
    details_to_json,
    missing_for_report,
    why_no_birth_date,
)
from hub.domain.spreadsheets import defused
from hub.domain.words import MissingForReport
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.checks import NAME_LIMIT
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.money.books.books import zone_of_books
from hub.operations.money.payees.payees import load_payees
from hub.operations.trail import note_act
from hub.sealing import Sealer
from hub.storage import Store, Tx

LONGEST_NUMBER: Final = 40


class TaxDocument(TypedDict):
    """An affiliate's details for tax reports, each null if it is not known; `missing` is what a report lacks.

    `collected` says whether the network asks for them at all; if not, none is shown and nothing is missing.
    """

    affiliateId: str
    collected: bool
    birthDate: str | None
    registrationNumber: str | None
    tin: str | None
    tinCountry: str | None
    accountHolder: str | None
    changedAt: str | None
    missing: list[MissingForReport]


def require_reports(settings: PayoutSettings) -> None:
    """Raise `OperatorFault` unless the network collects what DAC7 asks for."""
    if not settings.dac7:
        raise OperatorFault(
            "The network does not collect what DAC7 asks for.", command="To switch it on: [payouts] dac7 = true"
        )


async def set_tax_details(
    store: Store, sealer: Sealer, clock: Clock, settings: PayoutSettings, affiliate: str, details: TaxDetails
) -> TaxDocument:  # fmt: skip
    """Store an affiliate's details in the place of all that it said before; the same again changes nothing.

    Raise `InvalidFields` for values that cannot be right, and `OperatorFault` unless the network collects them.
    """
    require_reports(settings)
    async with store.write() as tx:
        affiliate_id, now = (await require_affiliate(tx, affiliate))["affiliate_id"], clock()
        known = (await load_tax_details(tx, sealer, [affiliate_id])).get(affiliate_id, NOTHING)
        checked = _checked(details, day_of(now, await zone_of_books(tx)))
        if checked != known:
            sealed = sealer.seal(json.dumps(details_to_json(checked)).encode(), details_identity(affiliate_id))
            await tx.run("put_tax_details", affiliate_id=affiliate_id, sealed=sealed, now=now)
            old = details_to_json(known)
            changed = sorted(name for name, value in details_to_json(checked).items() if value != old[name])
            await note_act(tx, now, "affiliate.tax-details-set", affiliate_id, after={"changed": changed})
        return await _document(tx, sealer, affiliate_id)


async def show_tax_details(store: Store, sealer: Sealer, settings: PayoutSettings, affiliate: str) -> TaxDocument:
    """Return an affiliate's details and what is missing of them; raise `OperatorFault` if the affiliate is unknown."""
    async with store.read() as tx:
        affiliate_id = (await require_affiliate(tx, affiliate))["affiliate_id"]
        return await _document(tx, sealer, affiliate_id) if settings.dac7 else _not_collected(affiliate_id)


def _not_collected(affiliate_id: str) -> TaxDocument:
    return {
        "affiliateId": affiliate_id, "collected": False, "birthDate": None, "registrationNumber": None, "tin": None,
        "tinCountry": None, "accountHolder": None, "changedAt": None, "missing": [],
    }  # fmt: skip


async def load_tax_details(tx: Tx, sealer: Sealer, affiliates: Iterable[str]) -> dict[str, TaxDetails]:
    """Return the details of those of these affiliates that have some; raise SealingFault if they cannot be opened."""
    rows = await tx.all("tax_details_of", affiliates=sorted(set(affiliates)))
    return {
        row["affiliate_id"]: details_from_json(
            json.loads(sealer.open(row["sealed"], details_identity(row["affiliate_id"])))
        )
        for row in rows
    }


async def _document(tx: Tx, sealer: Sealer, affiliate_id: str) -> TaxDocument:
    rows = await tx.all("tax_details_of", affiliates=[affiliate_id])
    details = (await load_tax_details(tx, sealer, [affiliate_id])).get(affiliate_id, NOTHING)
    payee = (await load_payees(tx, sealer, [affiliate_id])).get(affiliate_id)
    return {
        "affiliateId": affiliate_id,
        "collected": True,
        "birthDate": details.birth_date,
        "registrationNumber": details.registration_number,
        "tin": details.tin,
        "tinCountry": details.tin_country,
        "accountHolder": details.account_holder,
        "changedAt": format_instant(rows[0]["changed_at"]) if rows else None,
        "missing": list(missing_for_report(payee, details)),
    }


def _checked(details: TaxDetails, today: date) -> TaxDetails:
    """Return the details in their plain form; raise `InvalidFields` for values that cannot be right."""
    country = (details.tin_country or "").strip().upper() or None
    plain = {
        "birth_date": (details.birth_date or "").strip() or None,
        "registration_number": _line(details.registration_number),
        "tin": _line(details.tin),
        "tin_country": country,
        "account_holder": _line(details.account_holder),
    }
    checks: dict[str, Callable[[str], str | None]] = {
        "birth_date": lambda text: why_no_birth_date(text, today),
        "registration_number": lambda text: _why_no_line(text, LONGEST_NUMBER),
        "tin": lambda text: _why_no_line(text, LONGEST_NUMBER),
        "tin_country": lambda text: None if is_country(text) else "is not a country; write two letters, like DE",
        "account_holder": lambda text: _why_no_line(text, NAME_LIMIT),
    }
    faults = {name: f"{text!r} {why}." for name, text in plain.items() if text and (why := checks[name](text))}
    if faults:
        raise InvalidFields(faults)
    return TaxDetails(**plain)


def _line(text: str | None) -> str | None:
    return " ".join((text or "").split()) or None


def _why_no_line(text: str, most: int) -> str | None:
    """Return why a text cannot be in a report, None if it can."""
    if len(text) > most or not text.isprintable():
        return f"has more than {most} printable characters"
    return None if defused(text) == text else "begins with what a spreadsheet would run"
