"""VAT on what the network bills a merchant, by a table: a help for the accountant, and no advice.

The place of a service to a business is where the business is (Directive 2006/112/EC, Article 44); between two countries
of the Union the business that has a VAT number owes the tax itself (Article 196, "reverse charge").
"""

from __future__ import annotations

from typing import Final, NamedTuple, assert_never

from hub.domain.books.fees import fee_of
from hub.domain.words import VatKind, VatOutcome

UNION: Final = frozenset({
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV",
    "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
})  # fmt: skip
"""The member states of the European Union, by ISO 3166; a VAT number of Greece begins with EL."""
NO_VAT: Final = "0"


class Vat(NamedTuple):
    """How a bill is taxed: the case of the table, and the rate in percent."""

    kind: VatKind
    rate: str

    def amount(self, net_minor: int) -> int:
        """Return the tax on a net amount in minor units, rounded once, halves up; negative for a credit."""
        return fee_of(net_minor, self.rate)


def vat_for(seller: str, rate: str, buyer: str, buyer_has_number: bool) -> Vat:
    """Return how a network bills a merchant, each by its country (ISO 3166, empty: not known).

    `rate` is the network's domestic one in percent. A network without a country or a rate charges none; a merchant
    whose country is not known is charged as one at home.
    """
    if not seller or fee_of(10**6, rate) == 0:
        return Vat("none", NO_VAT)
    if buyer in ("", seller):
        return Vat("domestic", rate)
    if seller in UNION and buyer in UNION:
        return Vat("reverse_charge", NO_VAT) if buyer_has_number else Vat("domestic", rate)
    return Vat("outside", NO_VAT)


def received_from(supplier: str, company: str, *, has_number: bool) -> VatKind:
    """Return how a business that supplies a company of the network is taxed, each by its country (empty: not known).

    Between two countries of the Union the company owes the tax; a supplier at home charges it, which the hub does not
    know of.
    """
    within = {supplier, company} <= UNION and supplier != company
    return "reverse_charge" if within and has_number else "none"


def adds_its_own(supplier: str, company: str, *, has_number: bool) -> bool:
    """Return whether a business that supplies a company of the network adds VAT itself: it is at home there."""
    return has_number and supplier == company


def unproved(kind: VatKind, outcome: VatOutcome | None) -> str:
    """Return what a person should know before billing without VAT by a number that VIES has not said to be valid."""
    if kind != "reverse_charge" or outcome == "valid":
        return ""
    match outcome:
        case "invalid":
            return "No VAT is charged because of a VAT number that VIES says is not valid."
        case "unreached":
            return "No VAT is charged because of a VAT number that VIES has not confirmed: it gave no answer."
        case None:
            return "No VAT is charged because of a VAT number of which only the form was checked."
        case _:
            assert_never(outcome)


def note_of(kind: VatKind) -> str:
    """Return the sentence that an invoice has to carry in a case of the table, empty if none."""
    match kind:
        case "none" | "domestic":
            return ""
        case "reverse_charge":
            return "Reverse charge: the recipient owes the VAT (Article 196 of Directive 2006/112/EC)."
        case "outside":
            return "Not subject to VAT in the issuer's country: the place of supply is the recipient's (Article 44)."
        case _:
            assert_never(kind)
