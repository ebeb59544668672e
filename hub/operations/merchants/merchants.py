"""Merchants: created with their two accounts, approved, suspended and shown."""

from __future__ import annotations

import json
from collections.abc import Sequence

from attrs import frozen

from hub.clock import Clock
from hub.domain.words import MODES
from hub.ids import new_id
from hub.operations.checks import (
    checked_currency,
    checked_domain,
    checked_duration,
    checked_email,
    checked_name,
    checked_rule,
)
from hub.operations.errors import OperatorFault, known
from hub.operations.references import merchant_id_of
from hub.operations.trail import note_act
from hub.records.merchants import MerchantDocument, merchant_document
from hub.storage import Store, Tx


@frozen
class NewMerchant:
    """A merchant as an operator types it: `commission` like "PERCENTAGE:8", `hold` like "14d"."""

    name: str
    email: str
    domains: Sequence[str]
    currency: str = "USD"
    commission: str | None = None
    hold: str | None = None
    approve: bool = False
    refuse_same: bool = False
    """Whether a merchant with the same name and one of the same domains is a reason to refuse this one."""


async def create_merchant(store: Store, clock: Clock, wanted: NewMerchant) -> MerchantDocument:
    """Store a merchant and its test and live accounts; raise `OperatorFault` for a value that cannot be used."""
    if not wanted.domains:
        raise OperatorFault("A merchant needs at least one approved domain.")
    async with store.write() as tx:
        return await add_merchant(tx, clock(), wanted)


async def add_merchant(tx: Tx, now: int, wanted: NewMerchant) -> MerchantDocument:
    """Store a merchant as `create_merchant` does, in this transaction; one who registers has no domain yet."""
    currency = checked_currency(wanted.currency)
    rule = None if wanted.commission is None else checked_rule(wanted.commission, currency)
    merchant_id = new_id("mer")
    values = {
        "merchant_id": merchant_id,
        "name": checked_name(wanted.name),
        "email": checked_email(wanted.email),
        "domains": json.dumps(list(dict.fromkeys(checked_domain(domain) for domain in wanted.domains))),
        "currency": currency,
        "commission_type": None if rule is None else rule.type,
        "commission_value": None if rule is None else rule.value,
        "hold_ms": None if wanted.hold is None else checked_duration(wanted.hold, "a hold"),
        "status": "APPROVED" if wanted.approve else "PENDING",
        "now": now,
    }
    if wanted.refuse_same:
        await _refuse_same(tx, checked_name(wanted.name), json.loads(str(values["domains"])))
    await tx.run("insert_merchant", **values)
    for mode in MODES:
        await tx.run("insert_account", account_id=new_id("acc"), merchant_id=merchant_id, mode=mode)
    made = await require_merchant(tx, merchant_id)
    await note_act(tx, now, "merchant.created", merchant_id, after=made)
    return made


async def _refuse_same(tx: Tx, name: str, domains: Sequence[str]) -> None:
    for row in await tx.all("merchants_with_accounts", merchant_id=None):
        shared = [domain for domain in json.loads(row["domains"]) if domain in domains]
        if shared and row["name"].casefold() == name.casefold():
            raise OperatorFault(
                f"There is a merchant {row['name']} with the domain {shared[0]} already: {row['merchant_id']}. "
                "Nothing was created.",
                command="If a second one is meant, say --anyway.",
            )


async def show_merchant(store: Store, merchant_id: str) -> MerchantDocument:
    """Return one merchant; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return await require_merchant(tx, merchant_id)


async def list_merchants(store: Store) -> list[MerchantDocument]:
    """Return all merchants, oldest first."""
    async with store.read() as tx:
        return [merchant_document(row) for row in await tx.all("merchants_with_accounts", merchant_id=None)]


async def require_merchant(tx: Tx, reference: str) -> MerchantDocument:
    """Return the merchant with this id, name or e-mail address; raise `OperatorFault` unless it is exactly one."""
    merchant_id = await merchant_id_of(tx, reference)
    row = await tx.one("merchants_with_accounts", merchant_id=merchant_id)
    return merchant_document(known(row, "merchant", merchant_id, command="`hub merchant list` shows them all."))
