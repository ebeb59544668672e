"""Who is paid for an affiliate, and where to: the form that the rules of banks and tax offices ask for.

Numbers are checked by a library at the edge (hub/operations/money/payees/payees.py); what is here needs none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

from attrs import asdict, frozen

from hub.domain.words import AccountType, PayoutMethod

SHOWN_DIGITS: Final = 4


@frozen
class Payee:
    """A payee.

    `account` is an IBAN without blanks, the number of an American or British bank account, the e-mail address of a
    PayPal or Wise account, or the id of a connected account of Stripe.
    `bank_code` is the routing number (ACH) or the sort code (Bacs) of the bank, and only ACH has an account type.
    `country` is ISO 3166 of two letters. A business with a consent to self-billing gets invoices that the hub writes.
    """

    legal_name: str
    street: str
    postal_code: str
    city: str
    country: str
    method: PayoutMethod
    account: str
    bic: str | None = None
    tax_id: str | None = None
    is_business: bool = False
    self_billing: bool = False
    bank_code: str | None = None
    account_type: AccountType | None = None

    @property
    def masked_account(self) -> str:
        """The account for people who need not know all of it: its last digits, or of an address the host's."""
        match self.method:
            case "iban" | "ach" | "bacs" | "stripe":
                return "…" + self.account[-SHOWN_DIGITS:]
            case "paypal" | "wise":
                name, _, host = self.account.partition("@")
                return f"{name[:1]}…@{host}"
            case _:
                assert_never(self.method)


def payee_to_json(payee: Payee) -> dict[str, Any]:
    """Return a payee as it is sealed."""
    return asdict(payee)


def payee_from_json(data: Mapping[str, Any]) -> Payee:
    """Read back what `payee_to_json` returned; raise TypeError for anything else."""
    return Payee(**data)


def payee_identity(affiliate_id: str) -> str:
    """Return the name of the row that a sealed payee is bound to."""
    return f"payee:{affiliate_id}"
