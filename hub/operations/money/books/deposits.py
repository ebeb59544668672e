"""A merchant's deposit: required or not, paid in and taken out, and what it does not cover."""

from __future__ import annotations

from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.books.ledger import Movement
from hub.domain.instants import format_instant
from hub.domain.money import MoneyError, format_money, parse_money
from hub.operations.checks import checked_currency, checked_reference
from hub.operations.errors import OperatorFault, known
from hub.operations.references import merchant_id_of
from hub.operations.trail import current_actor, note_act
from hub.processing.deposits import try_again
from hub.processing.noted_rows import note_rows
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx

PAYMENTS_SHOWN: Final = 1_000


class DepositBalance(TypedDict):
    """A deposit in one currency, as decimal text.

    `balance` is what is left, `covered` what it covers, `waiting` what `commissions` whose hold is over wait for, and
    `shortage` how much of that is missing.
    """

    currency: str
    balance: str
    covered: str
    waiting: str
    commissions: int
    shortage: str


class DepositPayment(TypedDict):
    """A payment into a deposit; a negative `amount` was taken out."""

    reference: str
    amount: str
    currency: str
    madeBy: str
    madeAt: str


class DepositDocument(TypedDict):
    """A merchant's deposit for its live account; `required` is whether commissions wait for it."""

    merchantId: str
    merchantName: str
    required: bool
    balances: list[DepositBalance]
    payments: list[DepositPayment]


async def show_deposit(store: Store, merchant: str) -> DepositDocument:
    """Return a merchant's deposit; raise `OperatorFault` if the merchant is unknown."""
    async with store.read() as tx:
        return await _document(tx, await _setting(tx, merchant))


async def require_deposit(store: Store, clock: Clock, merchant: str, *, required: bool) -> DepositDocument:
    """Set whether a merchant's live commissions only become payable while its deposit covers them.

    Those that are payable already stay so. Without the requirement those that wait are released at once, also those
    that a timer was about to let wait. Raise `OperatorFault` if the merchant is unknown.
    """
    async with store.write() as tx:
        before, now = await _setting(tx, merchant), clock()
        await tx.lock_account(before["account_id"])
        await tx.run("set_deposit_required", merchant_id=before["merchant_id"], required=int(required), now=now)
        if not required:
            await tx.run("forget_awaited_deposit", account_id=before["account_id"])
        after = await _setting(tx, before["merchant_id"])
        if after["deposit_required"] != before["deposit_required"]:
            await note_act(tx, now, "deposit.required", before["merchant_id"], after={"required": required})
        return await _document(tx, after)


async def move_deposit(
    store: Store, clock: Clock, merchant: str, *, amount: str, currency: str, reference: str, out: bool = False
) -> DepositDocument:
    """Note that a merchant paid into its deposit, or took some of it `out`; a reference counts once.

    Raise `OperatorFault` if the merchant is unknown, for an amount that cannot be used or is more than what is left,
    and for a reference that named another payment.
    """
    code, payment = checked_currency(currency), checked_reference(reference)
    minor = _checked_amount(amount, code) * (-1 if out else 1)
    async with store.write() as tx:
        setting, now = await _setting(tx, merchant), clock()
        account_id = setting["account_id"]
        (row,) = await tx.all("lock_deposits", deposits=[(account_id, code)])
        known = await tx.one("deposit_payment", account_id=account_id, reference=payment)
        if known is not None:
            if (known["currency"], known["amount_minor"]) != (code, minor):
                raise OperatorFault(f"The payment {payment!r} was noted with another amount; nothing was done.")
            return await _document(tx, setting)
        if row["balance_minor"] + minor < 0:
            left = format_money(row["balance_minor"], code)
            raise OperatorFault(f"Only {left} {code} is left of the deposit: the rest covers commissions.")
        await tx.run(
            "insert_deposit_payment", account_id=account_id, reference=payment, currency=code, amount_minor=minor,
            made_by=current_actor().id, now=now,
        )  # fmt: skip
        await tx.run("move_deposits", deposits=[(account_id, code, minor)])
        if not out:
            await tx.run("note_shortage", account_id=account_id, currency=code, at=None)
            await try_again(tx, account_id, code)
        await post(tx, [(account_id, _entry(code, minor, payment))], now)
        await note_rows(tx, now, {"deposit_payments": [(account_id, payment)]})
        document = await _document(tx, setting)
        act = "deposit.withdrawn" if out else "deposit.added"
        after = {"amount": format_money(abs(minor), code), "currency": code, "reference": payment}
        await note_act(tx, now, act, setting["merchant_id"], after=after)
        return document


def _checked_amount(text: str, currency: str) -> int:
    try:
        minor = parse_money(text, currency)
    except MoneyError as fault:
        raise OperatorFault(f"The amount {text!r} {fault}.") from None
    if not minor:
        raise OperatorFault("The amount must not be zero.")
    return minor


def _entry(currency: str, minor: int, payment: str) -> Movement:
    """Return the entry of a payment; it names no affiliate, because it is the merchant's money."""
    cause = f"deposit {payment}"
    if minor > 0:
        return Movement("deposited", "received", "deposit", minor, currency, "", None, None, None, cause)
    return Movement("withdrawn", "deposit", "received", -minor, currency, "", None, None, None, cause)


async def _setting(tx: Tx, merchant: str) -> Row:
    row = await tx.one("deposit_setting", merchant_id=await merchant_id_of(tx, merchant))
    return known(row, "merchant", merchant, command="`hub merchant list` shows them all.")


async def _document(tx: Tx, setting: Row) -> DepositDocument:
    account_id = setting["account_id"]
    left = {r["currency"]: r["balance_minor"] for r in await tx.all("deposit_balances", account_id=account_id)}
    covered = {r["currency"]: r["minor"] for r in await tx.all("deposit_covered", account_id=account_id)}
    waiting = {r["currency"]: r for r in await tx.all("deposit_awaited", account_id=account_id)}
    payments = await tx.all("deposit_payments_of", account_id=account_id, limit=PAYMENTS_SHOWN)
    balances: list[DepositBalance] = []
    for currency in sorted({*left, *covered, *waiting}):
        balance, row = left.get(currency, 0), waiting.get(currency)
        due = 0 if row is None else row["minor"]
        balances.append({
            "currency": currency,
            "balance": format_money(balance, currency),
            "covered": format_money(covered.get(currency, 0), currency),
            "waiting": format_money(due, currency),
            "commissions": 0 if row is None else row["commissions"],
            "shortage": format_money(max(0, due - balance), currency),
        })  # fmt: skip
    return {
        "merchantId": setting["merchant_id"],
        "merchantName": setting["name"],
        "required": setting["deposit_required"] == 1,
        "balances": balances,
        "payments": [
            {
                "reference": each["reference"],
                "amount": format_money(each["amount_minor"], each["currency"]),
                "currency": each["currency"],
                "madeBy": each["made_by"],
                "madeAt": format_instant(each["made_at"]),
            }
            for each in payments
        ],
    }
