"""What DAC7 asks of sellers that a platform pays (Council Directive (EU) 2021/514, annex V): who they are, and sums.

The columns of a report have the names of the elements of the DPI schema (DPIXML). It is a help for the accountant, and
no advice: whether a network is a reporting platform operator is for an adviser to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from attrs import asdict, frozen

from hub.domain.payouts.payees import Payee
from hub.domain.words import MissingForReport

EU: Final = frozenset({
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV",
    "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
})  # fmt: skip
ACTIVITY: Final = "PersonalServices"
OLDEST: Final = 120
"""No living seller is older, in years."""


@frozen
class TaxDetails:
    """What a report asks of a seller beside its payee, each None if it is not known.

    `birth_date` (ISO 8601) is that of a person, `registration_number` that of a business. `tin` is a tax number, and
    `tin_country` (ISO 3166) who gave it. `account_holder` is whose account it is, if that is somebody else.
    """

    birth_date: str | None = None
    registration_number: str | None = None
    tin: str | None = None
    tin_country: str | None = None
    account_holder: str | None = None


NOTHING: Final = TaxDetails()


def details_to_json(details: TaxDetails) -> dict[str, Any]:
    """Return details as they are sealed."""
    return asdict(details)


def details_from_json(data: Mapping[str, Any]) -> TaxDetails:
    """Read back what `details_to_json` returned; raise TypeError for anything else."""
    return TaxDetails(**data)


def details_identity(affiliate_id: str) -> str:
    """Return the name of the row that sealed details are bound to."""
    return f"tax-details:{affiliate_id}"


def why_no_birth_date(text: str, today: date) -> str | None:
    """Return why a text is no date of birth on a day, None if it is one."""
    try:
        born = date.fromisoformat(text)
    except ValueError:
        return "is not a day; write it like 1985-03-28"
    return None if today.year - OLDEST <= born.year and born < today else "is no living person's date of birth"


def missing_for_report(payee: Payee | None, details: TaxDetails) -> Sequence[MissingForReport]:
    """Return what a report lacks of a seller, nothing if it has all."""
    if payee is None:
        return ["payee"]
    missing = list[MissingForReport]()
    if payee.is_business and not details.registration_number:
        missing.append("registration_number")
    if not payee.is_business and not details.birth_date:
        missing.append("birth_date")
    if not (details.tin or payee.tax_id):
        missing.append("tin")
    elif not details.tin_country:
        missing.append("tin_country")
    return missing


def is_reportable(payee: Payee | None, details: TaxDetails) -> bool:
    """Return whether a seller is one of a member state by its address or its tax number; without a payee it may be."""
    return payee is None or payee.country in EU or details.tin_country in EU
