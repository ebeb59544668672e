"""A merchant's domains: added by it, proved by what the domain shows, and approved from then on.

The hub asks the domain outside of any transaction, then stores what it found if the domain still has the same token.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.instants import instant_or_none
from hub.domain.words import PROOFS, Proof
from hub.operations.checks import checked_domain
from hub.operations.errors import OperatorFault
from hub.operations.merchants.merchants import require_merchant
from hub.operations.references import merchant_id_of
from hub.operations.trail import note_act
from hub.outbound.domain_proofs import (
    FILE_PATH,
    META_NAME,
    RECORD_LABEL,
    DomainProofs,
)
from hub.storage import Row, Store, Tx

TOKEN_BYTES: Final = 24
MOST_DOMAINS: Final = 50


class DomainProof(TypedDict):
    """What the domain has to show, in one of three ways."""

    token: str
    filePath: str
    metaTag: str
    dnsName: str


class DomainDocument(TypedDict):
    """A domain of a merchant; `approved` is whether links and products may lead there.

    `proof` is null for a domain that an operator approved. `fault` is why the last attempt to prove it failed.
    """

    domain: str
    merchantId: str
    approved: bool
    provedAt: str | None
    method: str | None
    checkedAt: str | None
    fault: str | None
    proof: DomainProof | None


async def add_domain(store: Store, clock: Clock, merchant: str, text: str) -> DomainDocument:
    """Store a domain that the merchant is to prove; adding it again returns the same token.

    Raise `OperatorFault` if the merchant is unknown, for what is not a domain, and for more than `MOST_DOMAINS`.
    """
    domain = checked_domain(text)
    async with store.write() as tx:
        merchant_id = await _locked(tx, merchant)
        known = await tx.all("domains_of_merchant", merchant_id=merchant_id, domain=None)
        if len(known) >= MOST_DOMAINS:
            raise OperatorFault(f"A merchant has at most {MOST_DOMAINS} domains; remove one first.")
        token = f"hub-{secrets.token_urlsafe(TOKEN_BYTES)}"
        added = await tx.run("insert_merchant_domain", merchant_id=merchant_id, domain=domain, token=token, now=clock())
        document = await _document(tx, merchant_id, domain)
        if added:
            await note_act(tx, clock(), "domain.added", merchant_id, after=document)
        return document


async def prove_domain(
    store: Store,
    clock: Clock,
    proofs: DomainProofs,
    merchant: str,
    text: str,
    methods: Sequence[Proof] = PROOFS,
    pause_ms: int = 0,
) -> DomainDocument:
    """Look for the token in each of these ways until one shows it; the domain is approved from then on.

    Without the token anywhere, return the document with its `fault`. Raise `OperatorFault` if the merchant is unknown
    or never added the domain, and within `pause_ms` of the attempt before.
    """
    async with store.read() as tx:
        merchant_id = await merchant_id_of(tx, merchant)
        row = await _added(tx, merchant_id, checked_domain(text))
    domain, token = str(row["domain"]), str(row["token"])
    if row["checked_at"] is not None and clock() - row["checked_at"] < pause_ms:
        raise OperatorFault(f"{domain} was checked a moment ago; wait {pause_ms // 1000} seconds between two checks.")
    shown, found = await _looked(proofs, domain, token, methods)
    async with store.write() as tx:
        await tx.run("lock_merchant", merchant_id=merchant_id)
        await _added(tx, merchant_id, domain)
        before = await _document(tx, merchant_id, domain)
        key = {"merchant_id": merchant_id, "domain": domain, "token": token}
        await tx.run("note_domain_check", method=shown, fault=found, now=clock(), **key)
        if shown is not None:
            await _approve(tx, merchant_id, domain, clock())
        after = await _document(tx, merchant_id, domain)
        if shown is not None and not before["approved"]:
            await note_act(tx, clock(), "domain.proved", merchant_id, before=before, after=after)
        return after


async def _looked(
    proofs: DomainProofs, domain: str, token: str, methods: Sequence[Proof]
) -> tuple[Proof | None, str | None]:
    """Return the first way in which the domain shows the token, or None and why no way does."""
    faults: list[str] = []
    for method in methods:
        fault = await proofs.fault(method, domain, token)
        if fault is None:
            return method, None
        faults.append(fault)
    return None, "; ".join(faults)


async def remove_domain(store: Store, clock: Clock, merchant: str, text: str) -> list[DomainDocument]:
    """Remove a domain and its approval, and return those that are left; links that lead there end.

    Raise `OperatorFault` if the merchant is unknown, does not have the domain, or would have none left.
    """
    domain = checked_domain(text)
    async with store.write() as tx:
        merchant_id = await _locked(tx, merchant)
        before = await _document(tx, merchant_id, domain)
        approved = (await require_merchant(tx, merchant_id)).domains
        left = [each for each in approved if each != domain]
        if not left:
            raise OperatorFault("A merchant needs at least one approved domain; prove another one first.")
        await tx.run("delete_merchant_domain", merchant_id=merchant_id, domain=domain)
        await tx.run("set_merchant_domains", merchant_id=merchant_id, domains=json.dumps(left), now=clock())
        await note_act(tx, clock(), "domain.removed", merchant_id, before=before)
        return await _documents(tx, merchant_id)


async def list_domains(store: Store, merchant: str) -> list[DomainDocument]:
    """Return a merchant's domains, those that an operator approved first; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return await _documents(tx, await merchant_id_of(tx, merchant))


async def _locked(tx: Tx, merchant: str) -> str:
    merchant_id = await merchant_id_of(tx, merchant)
    await tx.run("lock_merchant", merchant_id=merchant_id)
    return merchant_id


async def _added(tx: Tx, merchant_id: str, domain: str) -> Row:
    row = await tx.one("domains_of_merchant", merchant_id=merchant_id, domain=domain)
    if row is None:
        raise OperatorFault(
            f"{domain} was not added; add it first.",
            command=f"To add it: hub domain add --merchant {merchant_id} {domain}",
        )
    return row


async def _approve(tx: Tx, merchant_id: str, domain: str, now: int) -> None:
    approved = (await require_merchant(tx, merchant_id)).domains
    if domain not in approved:
        domains = json.dumps([*approved, domain])
        await tx.run("set_merchant_domains", merchant_id=merchant_id, domains=domains, now=now)


async def _document(tx: Tx, merchant_id: str, domain: str) -> DomainDocument:
    for document in await _documents(tx, merchant_id):
        if document["domain"] == domain:
            return document
    raise OperatorFault(
        f"This merchant does not have the domain {domain}.", command="`hub domain list` shows those that it has."
    )


async def _documents(tx: Tx, merchant_id: str) -> list[DomainDocument]:
    approved = (await require_merchant(tx, merchant_id)).domains
    rows = {row["domain"]: row for row in await tx.all("domains_of_merchant", merchant_id=merchant_id, domain=None)}
    names = [*approved, *(domain for domain in rows if domain not in approved)]
    return [_of(merchant_id, domain, domain in approved, rows.get(domain)) for domain in names]


def _of(merchant_id: str, domain: str, approved: bool, row: Row | None) -> DomainDocument:
    return {
        "domain": domain,
        "merchantId": merchant_id,
        "approved": approved,
        "provedAt": None if row is None else instant_or_none(row["proved_at"]),
        "method": None if row is None else row["method"],
        "checkedAt": None if row is None else instant_or_none(row["checked_at"]),
        "fault": None if row is None else row["fault"],
        "proof": None if row is None else _proof(domain, row["token"]),
    }


def _proof(domain: str, token: str) -> DomainProof:
    return {
        "token": token,
        "filePath": FILE_PATH,
        "metaTag": f'<meta name="{META_NAME}" content="{token}">',
        "dnsName": f"{RECORD_LABEL}.{domain.partition(':')[0]}",
    }
