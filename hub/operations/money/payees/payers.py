"""The account that pays, as the settings say it and each way of paying names it."""

from __future__ import annotations

import re

from stdnum import bic as bic_number
from stdnum import iban as iban_number
from stdnum.exceptions import ValidationError

from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.bacs import ServiceUser, bacs_text
from hub.domain.payouts.nacha import Originator, is_routing_number
from hub.domain.payouts.payout_formats import Payer
from hub.domain.payouts.sepa import Debtor
from hub.operations.errors import OperatorFault


def payer_of(settings: PayoutSettings) -> Payer:
    """Return who pays; a way of paying of which the settings say nothing has nobody.

    Raise `OperatorFault` for a BIC, a routing number, a company id or an account that cannot be right.
    """
    return Payer(_debtor(settings), _originator(settings), _service_user(settings))


def _debtor(settings: PayoutSettings) -> Debtor | None:
    name, iban, bic = settings.debtor_name.strip(), settings.debtor_iban, settings.debtor_bic.strip()
    try:
        account = iban_number.validate("".join(iban.split()).upper())
    except ValidationError:
        return None
    try:
        plain = bic_number.validate(bic) if bic else ""  # in capitals without blanks, as banks write it
    except ValidationError:
        raise _wrong("debtor_bic", bic, "a BIC") from None
    return Debtor(name, account, plain) if name else None


def _originator(settings: PayoutSettings) -> Originator | None:
    name, routing, company = settings.debtor_name.strip(), settings.ach_routing.strip(), settings.ach_company_id.strip()
    if not (name and routing and company):
        return None
    if not is_routing_number(routing):
        raise _wrong("ach_routing", routing, "a routing number")
    if re.fullmatch(r"[A-Z0-9]{1,10}", company, re.ASCII) is None:
        raise _wrong("ach_company_id", company, "a company id of at most ten capital letters and digits")
    return Originator(name, routing, company)


def _service_user(settings: PayoutSettings) -> ServiceUser | None:
    name = settings.debtor_name.strip()
    parts = {"bacs_user_number": settings.bacs_user_number, "bacs_sort_code": settings.bacs_sort_code,
             "bacs_account": settings.bacs_account}  # fmt: skip
    plain = {key: re.sub(r"[\s-]", "", value) for key, value in parts.items()}
    if not (bacs_text(name) and all(plain.values())):
        return None
    for key, digits in (("bacs_user_number", 6), ("bacs_sort_code", 6), ("bacs_account", 8)):
        if re.fullmatch(rf"[0-9]{{{digits}}}", plain[key], re.ASCII) is None:
            raise _wrong(key, parts[key], f"a number of {digits} digits")
    return ServiceUser(name, *plain.values())


def _wrong(name: str, value: str, what: str) -> OperatorFault:
    return OperatorFault(f"[payouts] {name} {value!r} is not {what}; nothing was written.")
