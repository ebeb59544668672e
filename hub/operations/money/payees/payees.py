"""Payees: who is paid for an affiliate and where to, sealed at rest.

A change is the first thing that a thief of a session tries. So whoever changes a payee in a browser proves who they are
again (the pages see to that), the affiliate gets a mail at each address that it has or lately had, and runs carry the
balance on for a time (`[payouts] payee_wait`). A first payee waits if money does: whoever names it first would get it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, TypedDict, assert_never

from attrs import evolve
from stdnum import bic as bic_number
from stdnum import iban as iban_number
from stdnum import vatin
from stdnum.exceptions import ValidationError

from hub.clock import Clock
from hub.domain.countries import is_country
from hub.domain.instants import format_instant
from hub.domain.payouts.bacs import bacs_text
from hub.domain.payouts.connect_transfers import ACCOUNT
from hub.domain.payouts.nacha import ach_name, is_routing_number
from hub.domain.payouts.payees import Payee, payee_from_json, payee_identity, payee_to_json
from hub.domain.spreadsheets import defused
from hub.domain.words import ACCOUNT_TYPES, AccountType, PayoutMethod
from hub.domain.writing import tidied
from hub.mail.outbox import Outbox
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.affiliates.notices import warn_affiliate
from hub.operations.checks import NAME_LIMIT, checked_email
from hub.operations.errors import InvalidFields, OperatorFault, UnknownReference
from hub.operations.notices import tell
from hub.operations.trail import note_act
from hub.processing.noted_rows import note_rows
from hub.sealing import Sealer
from hub.storage import Store, Tx


class PayeeDocument(TypedDict):
    """A payee as it is shown: of an IBAN only the last digits. `waits` says whether runs may wait for a while."""

    affiliateId: str
    legalName: str
    street: str
    postalCode: str
    city: str
    country: str
    method: str
    account: str
    taxId: str | None
    business: bool
    selfBilling: bool
    changedAt: str
    waits: bool


async def set_payee(
    store: Store, sealer: Sealer, clock: Clock, outbox: Outbox | None, affiliate: str, payee: Payee
) -> PayeeDocument:
    """Store an affiliate's payee, sealed, and mail the affiliate that it changed, at every address of the last month.

    The same payee again changes nothing, and without an account that of the known payee stays, if it is paid in the
    same way. Raise `InvalidFields` for values that cannot be right.
    """
    async with store.write() as tx:
        row = await require_affiliate(tx, affiliate)
        affiliate_id, now = row["affiliate_id"], clock()
        known = await _stored(tx, sealer, affiliate_id)
        checked = checked_payee(_with_known_account(payee, None if known is None else known[0]))
        if known is not None and known[0] == checked:
            return _document(affiliate_id, *known)
        sealed = sealer.seal(json.dumps(payee_to_json(checked)).encode(), payee_identity(affiliate_id))
        waits = known is not None or bool((await tx.one("money_waits", affiliate_id=affiliate_id) or {})["waits"])
        self_billed = int(checked.is_business and checked.self_billing)
        await tx.run(
            "put_payee", affiliate_id=affiliate_id, sealed=sealed, method=checked.method, now=now, waits=int(waits),
            self_billed=self_billed,
        )  # fmt: skip
        await note_rows(tx, now, {"payees": [(affiliate_id,)]})
        after = _document(affiliate_id, checked, now, waits)
        noted = _noted(None if known is None else known[0], checked)
        await note_act(tx, now, "payee.changed", affiliate_id, after=noted)
        if waits:
            await tell(tx, now, "payee-changed", affiliate_id, "Your payment details were changed.", "/affiliate/payee")
        if outbox is not None and waits:
            sentence = "The account that your commissions are paid to was changed."
            await warn_affiliate(tx, now, outbox, affiliate_id, "Your payment details were changed", sentence)
        return after


def _noted(known: Payee | None, payee: Payee) -> dict[str, Any]:
    """Return what the trail keeps of a payee: which members changed, and the last digits of an account, no more.

    A line of the trail is never deleted, and more people read it than payees.
    """
    old = {} if known is None else payee_to_json(known)
    changed = [name for name, value in payee_to_json(payee).items() if value != old.get(name)]
    digits = {} if payee.method in ("paypal", "wise") else {"account": payee.masked_account}
    return {"changed": sorted(changed), "method": payee.method, **digits}


async def show_payee(store: Store, sealer: Sealer, affiliate: str) -> PayeeDocument:
    """Return an affiliate's payee; raise `OperatorFault` if there is none."""
    async with store.read() as tx:
        affiliate_id = (await require_affiliate(tx, affiliate))["affiliate_id"]
        known = await _stored(tx, sealer, affiliate_id)
    if known is None:
        command = f"To name one: hub payee set --affiliate {affiliate_id} …"
        raise UnknownReference("payee", affiliate, "The affiliate has named none yet.", command)
    return _document(affiliate_id, *known)


async def payment_methods(
    store: Store, sealer: Sealer, affiliates: Iterable[str]
) -> dict[str, tuple[PayoutMethod, str]]:
    """Return how each of these affiliates is paid, and the masked account; those without a payee are missing."""
    async with store.read() as tx:
        payees = await load_payees(tx, sealer, affiliates)
    return {affiliate_id: (payee.method, payee.masked_account) for affiliate_id, payee in payees.items()}


async def waiting_payees(store: Store, affiliates: Iterable[str], now: int, payee_wait: int) -> set[str]:
    """Return those of these affiliates whose payee was named less than `payee_wait` (ms) before a moment (ms UTC)."""
    async with store.read() as tx:
        rows = await tx.all("payabilities", affiliates=sorted(set(affiliates)), since=now - payee_wait, now=now)
    return {row["affiliate_id"] for row in rows if row["waits"]}


async def load_payees(tx: Tx, sealer: Sealer, affiliates: Iterable[str]) -> dict[str, Payee]:
    """Return the payees of those of these affiliates that have one; raise SealingFault if one cannot be opened."""
    rows = await tx.all("payees_of", affiliates=sorted(set(affiliates)))
    return {row["affiliate_id"]: _opened(sealer, row["affiliate_id"], row["sealed"]) for row in rows}


def _with_known_account(payee: Payee, known: Payee | None) -> Payee:
    if payee.account.strip() or known is None or known.method != payee.method:
        return payee
    return evolve(
        payee, account=known.account, bic=payee.bic or known.bic, bank_code=payee.bank_code or known.bank_code,
        account_type=payee.account_type or known.account_type,
    )  # fmt: skip


def checked_payee(payee: Payee) -> Payee:
    """Return the payee with its numbers in their plain form; raise `InvalidFields` for values that cannot be right."""
    country = payee.country.strip().upper()
    checks: dict[str, Callable[[], str | None]] = {
        "legal_name": lambda: _checked_name(payee.method, payee.legal_name),
        "street": lambda: _checked_line("The street", payee.street),
        "postal_code": lambda: _checked_line("The postal code", payee.postal_code),
        "city": lambda: _checked_line("The town", payee.city),
        "country": lambda: _checked_country(country),
        "account": lambda: _checked_account(payee.method, payee.account),
        "bank_code": lambda: _checked_bank_code(payee.method, payee.bank_code),
        "account_type": lambda: _checked_account_type(payee.method, payee.account_type),
        "bic": lambda: None if not payee.bic else _checked("BIC", bic_number.validate, payee.bic),
        "tax_id": lambda: None if not payee.tax_id else _checked_tax_id(payee.tax_id, country),
    }
    plain, faults = dict[str, Any](), dict[str, str]()
    for name, check in checks.items():
        try:
            plain[name] = check()
        except OperatorFault as fault:
            faults[name] = str(fault)
    if faults:
        raise InvalidFields(faults)
    return evolve(payee, **plain)


def _checked_line(what: str, text: str) -> str:
    line = tidied(text)
    if not line or len(line) > NAME_LIMIT or not line.isprintable():
        raise OperatorFault(f"{what} has 1 to {NAME_LIMIT} printable characters.")
    return _carried(what, line)


def _carried(what: str, text: str) -> str:
    """Return a text that a batch file carries as it is; raise `OperatorFault` for one that a spreadsheet would run."""
    if defused(text) != text:
        raise OperatorFault(f"{what} begins with {text[0]!r}, which no file for a bank or a service carries.")
    return text


def _checked_country(text: str) -> str:
    if not is_country(text):
        raise OperatorFault(f"{text!r} is not a country; write two letters, like DE.")
    return text


def _checked_name(method: PayoutMethod, text: str) -> str:
    """Return a name that the files of this way of being paid can write."""
    name = _checked_line("The legal name", text)
    if (method == "ach" and not ach_name(name)) or (method == "bacs" and not bacs_text(name)):
        raise OperatorFault("The legal name has no letter that the bank's file can write; write it in Latin letters.")
    return name


def _checked_account(method: PayoutMethod, account: str) -> str:
    plain = re.sub(r"[\s-]", "", account)
    match method:
        case "iban":
            return _checked("IBAN", iban_number.validate, account)
        case "ach":
            return _of_form("An American account number has 4 to 17 digits", r"[0-9]{4,17}", plain)
        case "bacs":
            return _of_form("A British account number has eight digits", r"[0-9]{8}", plain)
        case "stripe":
            return _of_form("A connected account of Stripe is like acct_1032D82eZvKYlo2C", ACCOUNT, account.strip())
        case "paypal" | "wise":
            return _carried("The account", checked_email(account))
        case _:
            assert_never(method)


def _of_form(rule: str, pattern: str | re.Pattern[str], text: str) -> str:
    """Return a text of this form; raise `OperatorFault` with the rule for another, which it does not repeat."""
    if re.fullmatch(pattern, text) is None:
        raise OperatorFault(f"{rule}.")
    return text


def _checked_bank_code(method: PayoutMethod, code: str | None) -> str | None:
    """Return the code of a bank whose accounts need one, else None."""
    plain = re.sub(r"[\s-]", "", code or "")
    match method:
        case "ach":
            if not is_routing_number(plain):
                raise OperatorFault("A routing number has nine digits, the last of which checks the others.")
            return plain
        case "bacs":
            return _of_form("A sort code has six digits", r"[0-9]{6}", plain)
        case _:
            return None


def _checked_account_type(method: PayoutMethod, kind: AccountType | None) -> AccountType | None:
    """Return the kind of an American account; no other has one."""
    if method != "ach":
        return None
    if kind not in ACCOUNT_TYPES:
        raise OperatorFault("Say whether the American account is checking or savings.")
    return kind


def _checked(name: str, validate: Callable[[str], str], text: str) -> str:
    try:
        return validate("".join(text.split()).upper())
    except ValidationError as fault:
        article = "an" if name == "IBAN" else "a"
        raise OperatorFault(f"{text!r} is not {article} {name}: {fault}") from None


def _checked_tax_id(text: str, country: str) -> str:
    """Return a VAT number in its plain form if it begins with a country's letters; else the number as it is written."""
    plain = "".join(text.split()).upper()
    if not plain[:2].isalpha():
        return plain
    if plain[:2] not in (country, "EL" if country == "GR" else country):
        raise OperatorFault(f"The VAT number {text!r} is of {plain[:2]}, the payee of {country}.")
    return _checked("VAT number", vatin.validate, plain)


async def _stored(tx: Tx, sealer: Sealer, affiliate_id: str) -> tuple[Payee, int, bool] | None:
    row = await tx.one("payee_of", affiliate_id=affiliate_id)
    if row is None:
        return None
    return _opened(sealer, affiliate_id, row["sealed"]), row["changed_at"], bool(row["waits"])


def _opened(sealer: Sealer, affiliate_id: str, sealed: str) -> Payee:
    return payee_from_json(json.loads(sealer.open(sealed, payee_identity(affiliate_id))))


def _document(affiliate_id: str, payee: Payee, changed_at: int, waits: bool) -> PayeeDocument:
    return {
        "affiliateId": affiliate_id,
        "legalName": payee.legal_name,
        "street": payee.street,
        "postalCode": payee.postal_code,
        "city": payee.city,
        "country": payee.country,
        "method": payee.method,
        "account": payee.masked_account,
        "taxId": payee.tax_id,
        "business": payee.is_business,
        "selfBilling": payee.self_billing,
        "changedAt": format_instant(changed_at),
        "waits": waits,
    }
