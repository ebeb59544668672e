"""Tracking links: an affiliate's way to a merchant's page."""

from __future__ import annotations

import json
import secrets
import string

from attrs import frozen

from hub.clock import Clock
from hub.domain.catalog import url_fault
from hub.domain.instants import format_instant
from hub.operations.affiliates import require_affiliate
from hub.operations.campaigns import campaign_named
from hub.operations.documents import Document
from hub.operations.faults import OperatorFault, unknown
from hub.operations.merchants import account_of
from hub.storage import Row, Store, Tx

CODE_LETTERS = string.ascii_letters + string.digits
CODE_LENGTH = 12


@frozen
class NewLink:
    """What an operator states of a link; without a destination it leads to the product, else to the first domain."""

    merchant_id: str
    mode: str
    affiliate_id: str
    campaign: str | None = None
    external_product_id: str | None = None
    destination: str | None = None


async def create_link(store: Store, clock: Clock, public_url: str, wanted: NewLink) -> Document:
    """Files a link and says where it answers: `<public_url>/t/<code>`.

    A product's link belongs to the product's campaign where no other is named. Raises `OperatorFault`.
    """
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    async with store.write() as tx:
        account = await account_of(tx, wanted.merchant_id, wanted.mode)
        await require_affiliate(tx, wanted.affiliate_id)
        product = await _product(tx, account, wanted.external_product_id)
        link = {
            "account_id": account["account_id"],
            "code": code,
            "affiliate_id": wanted.affiliate_id,
            "campaign_id": await _campaign(tx, account, product, wanted.campaign),
            "product_id": None if product is None else product["product_id"],
            "destination": _destination(account, product, wanted.destination),
            "now": clock(),
        }
        await tx.run("insert_tracking_code", code=code, account_id=link["account_id"])
        await tx.run("insert_link", **link)
    return {
        "code": code,
        "url": f"{public_url.rstrip('/')}/t/{code}",
        "destination": link["destination"],
        "affiliateId": wanted.affiliate_id,
        "campaignId": link["campaign_id"],
        "productId": link["product_id"],
        "merchantId": wanted.merchant_id,
        "mode": wanted.mode,
    }


async def _product(tx: Tx, account: Row, external_product_id: str | None) -> Row | None:
    if external_product_id is None:
        return None
    row = await tx.one("product_for_link", account_id=account["account_id"], external_product_id=external_product_id)
    if row is None:
        raise unknown("product of this account", external_product_id, "Import it first, and mind the mode.")
    return row


async def _campaign(tx: Tx, account: Row, product: Row | None, reference: str | None) -> str | None:
    if reference is not None:
        row = await campaign_named(tx, reference, account["account_id"])
        return str(row["campaign_id"])
    return None if product is None else product["campaign_id"]


def _destination(account: Row, product: Row | None, wanted: str | None) -> str:
    domains = json.loads(account["domains"])
    if wanted is None:
        return f"https://{domains[0]}/" if product is None else str(product["product_url"])
    fault = url_fault(wanted, domains)
    if fault is not None:
        raise OperatorFault(f"The destination {fault}. Approved domains of this merchant: {', '.join(domains)}.")
    return wanted


async def list_links(store: Store, public_url: str, merchant_id: str | None) -> list[Document]:
    """Links of all merchants or of one, newest first."""
    async with store.read() as tx:
        rows = await tx.all("links_listed", merchant_id=merchant_id)
    return [
        {
            "code": row["code"],
            "url": f"{public_url.rstrip('/')}/t/{row['code']}",
            "destination": row["destination"],
            "affiliateId": row["affiliate_id"],
            "campaignId": row["campaign_id"],
            "merchantId": row["merchant_id"],
            "mode": row["mode"],
            "createdAt": format_instant(row["created_at"]),
        }
        for row in rows
    ]
