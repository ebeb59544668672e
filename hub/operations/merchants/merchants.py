"""Merchants: created, shown and changed, in their settings and their status with its reason, and their end."""

from __future__ import annotations

import json
from collections.abc import Sequence

from attrs import frozen

from hub.catalog.rate_changes import ChangedRate, note_rates
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
from hub.operations.connections.access_end import end_access
from hub.operations.errors import OperatorFault, known
from hub.operations.notices import tell
from hub.operations.references import merchant_id_of
from hub.operations.trail import current_actor, note_act
from hub.records.merchants import MerchantDocument, merchant_document
from hub.storage import Store, Tx

DEFAULT = "default"
"""Typed in place of a rule or a hold: that of the hub counts again."""


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
    for row in await tx.all("merchants_with_accounts"):
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
        return [merchant_document(row) for row in await tx.all("merchants_with_accounts")]


async def require_merchant(tx: Tx, reference: str) -> MerchantDocument:
    """Return the merchant with this id, name or e-mail address; raise `OperatorFault` unless it is exactly one."""
    merchant_id = await merchant_id_of(tx, reference)
    row = await tx.one("merchant_with_accounts", merchant_id=merchant_id)
    return merchant_document(known(row, "merchant", merchant_id, command="`hub merchant list` shows them all."))


@frozen
class MerchantChange:
    """The settings of a merchant to change, as an operator types them; None leaves one as it is.

    `domains` replaces all of them; `commission` is like "PERCENTAGE:8", `hold` like "14d", and either may be "default".
    """

    name: str | None = None
    email: str | None = None
    domains: Sequence[str] = ()
    added: Sequence[str] = ()
    removed: Sequence[str] = ()
    commission: str | None = None
    hold: str | None = None


async def update_merchant(store: Store, clock: Clock, reference: str, change: MerchantChange) -> MerchantDocument:
    """Change a merchant's settings; commissions that exist keep the rule and the hold that they were made with.

    Raise `OperatorFault` if it is unknown, for a value that cannot be used, and if no domain would be left.
    """
    async with store.write() as tx:
        before = await _locked(tx, reference)
        kind, value = before.commission_type, before.commission_value
        if change.commission is not None:
            rule = None if change.commission == DEFAULT else checked_rule(change.commission, before.currency)
            kind, value = (None, None) if rule is None else (rule.type, rule.value)
        await tx.run(
            "update_merchant",
            merchant_id=before.id,
            name=before.name if change.name is None else checked_name(change.name),
            email=before.email if change.email is None else checked_email(change.email),
            domains=json.dumps(_domains(before.domains, change)),
            commission_type=kind,
            commission_value=value,
            hold_ms=before.hold_ms if change.hold is None else _hold(change.hold),
            now=clock(),
        )
        rates = (before.commission_type, before.commission_value), (kind, value)
        await note_rates(tx, [
            ChangedRate.of(each, "MERCHANT", "", *rates, clock(), current_actor().id)
            for each in (before.accounts.test, before.accounts.live)
        ])  # fmt: skip
        return await _noted(tx, clock, "merchant.updated", before)


def _hold(text: str) -> int | None:
    return None if text == DEFAULT else checked_duration(text, "a hold")


def _domains(stored: Sequence[str], change: MerchantChange) -> list[str]:
    """Return the domains after a change, in their order; raise `OperatorFault` if none is left."""
    replaced = [checked_domain(text) for text in change.domains] or list(stored)
    removed = [checked_domain(text) for text in change.removed]
    unknown = [domain for domain in removed if domain not in replaced]
    if unknown:
        raise OperatorFault(f"{', '.join(unknown)} cannot be removed: the approved domains are {', '.join(replaced)}.")
    kept = [domain for domain in replaced if domain not in removed] + [checked_domain(text) for text in change.added]
    if not kept:
        raise OperatorFault("A merchant needs at least one approved domain; add another one before this one goes.")
    return list(dict.fromkeys(kept))


async def set_merchant_status(
    store: Store, clock: Clock, reference: str, status: str, reason: str | None = None
) -> MerchantDocument:
    """Make a merchant APPROVED, SUSPENDED or REJECTED, and store why; approving a closed one opens it again.

    Raise `OperatorFault` if it is unknown, if a closed one is to be suspended or rejected, and if one that was
    approved before is to be rejected.
    """
    async with store.write() as tx:
        before = await _locked(tx, reference)
        _refuse_move(before, status)
        await _set_status(tx, clock, before, status, reason)
        why = f": {reason}" if reason else "."
        words = f"The operator of the hub {status.lower()} {before.name}{why}"
        await tell(tx, clock(), "merchant-decided", before.id, words, "/merchant/onboarding")
        return await _noted(tx, clock, f"merchant.{status.lower()}", before)


def _refuse_move(merchant: MerchantDocument, status: str) -> None:
    name = f"{merchant.name} ({merchant.id})"
    if merchant.status == "CLOSED" and status != "APPROVED":
        raise OperatorFault(f"{name} is CLOSED already and can do nothing; nothing was done.")
    if status == "REJECTED" and merchant.status in ("APPROVED", "SUSPENDED"):
        raise OperatorFault(
            f"{name} is {merchant.status}; only a merchant that waits for its approval is rejected.",
            command=f"Stop it with: hub merchant suspend {merchant.id}",
        )


async def close_merchant(
    store: Store, clock: Clock, reference: str, *, reason: str | None = None, anyway: bool = False
) -> MerchantDocument:
    """Close a merchant: its keys are revoked, its connections closed, its links lead on without a click.

    The credentials that its shops were asked with are deleted. Closing it again changes nothing. Raise `OperatorFault`
    if it is unknown, and unless `anyway` if live commissions are not paid yet: those of a closed merchant are not paid.
    """
    async with store.write() as tx:
        before = await _locked(tx, reference)
        if before.status == "CLOSED":
            return before
        merchant_id = before.id
        counted = await tx.one("count_unpaid_commissions", merchant_id=merchant_id)
        if counted is not None and counted["unpaid"] and not anyway:
            raise OperatorFault(
                f"{before.name} ({merchant_id}) has {counted['unpaid']} live commissions that are neither PAID nor "
                "REJECTED, and those of a closed merchant are not paid.",
                command=f"See them with `hub commission list --mode live --merchant {merchant_id}`, or say --anyway.",
            )
        await tx.run("revoke_keys_of_merchant", merchant_id=merchant_id, now=clock())
        await tx.run("revoke_tokens_of_merchant", merchant_id=merchant_id, now=clock())
        await tx.run("close_connections_of_merchant", merchant_id=merchant_id, now=clock())
        for row in await tx.all("connections_with_access", merchant_id=merchant_id):
            await end_access(tx, row["account_id"], row["connection_id"], clock())
        await _set_status(tx, clock, before, "SUSPENDED", reason, closed_at=clock())
        return await _noted(tx, clock, "merchant.closed", before)


async def _locked(tx: Tx, reference: str) -> MerchantDocument:
    """Return a merchant as it is once nobody else can change it."""
    found = await require_merchant(tx, reference)
    await tx.run("lock_merchant", merchant_id=found.id)
    return await require_merchant(tx, found.id)


async def _set_status(
    tx: Tx, clock: Clock, merchant: MerchantDocument, status: str, reason: str | None, *, closed_at: int | None = None
) -> None:
    why = None if reason is None else checked_name(reason, "A reason")
    await tx.run(
        "set_merchant_status", merchant_id=merchant.id, status=status, reason=why, closed_at=closed_at, now=clock()
    )


async def _noted(tx: Tx, clock: Clock, act: str, before: MerchantDocument) -> MerchantDocument:
    after = await require_merchant(tx, before.id)
    await note_act(tx, clock(), act, before.id, before=before, after=after)
    return after
