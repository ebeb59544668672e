"""Tracking links: an affiliate's way to a merchant's page, and the root of the URLs that the hub hands out."""

from __future__ import annotations

import json
import secrets
import string
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from hub.clock import Clock
from hub.config.sections import ServerSettings
from hub.domain.orders.catalog import url_fault
from hub.domain.orders.sub_ids import stored_sub_ids
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.affiliates.memberships import require_membership
from hub.operations.campaigns.campaigns import campaign_named
from hub.operations.checks import checked_sub_ids, checked_texts
from hub.operations.errors import OperatorFault, known, unknown
from hub.operations.references import account_of
from hub.operations.trail import note_act
from hub.operations.writing import writing
from hub.records.links import LinkCreated, LinkRecord, address_of, link_record
from hub.storage import Row, Store, Tx
from hub.validation.inputs import LinkTexts

CODE_LETTERS = string.ascii_letters + string.digits
CODE_LENGTH = 12
PUBLIC_URL = "public_url"
"""The name under which the last server's public root is stored."""


@frozen
class NewLink(LinkTexts):
    """A link as an operator asks for it; without a destination it leads to the product, else to the first domain.

    `campaign_id` may be the campaign's code as well.
    """

    merchant_id: str
    mode: str
    affiliate_id: str
    campaign_id: str | None = None
    external_product_id: str | None = None
    destination: str | None = None
    sub_ids: Mapping[str, Any] = field(factory=dict)


async def note_public_root(store: Store, public_url: str) -> None:
    """Store where the server that has just begun to listen is reached."""
    async with store.write() as tx:
        await tx.run("note_address", name=PUBLIC_URL, address=public_url)


async def public_root(store: Store, server: ServerSettings) -> str:
    """Return the root of the hub's URLs: as configured, else where a server last listened, else where one would.

    Commands run beside a server and cannot know which port it got, hence the second.
    """
    async with store.read() as tx:
        return await public_root_in(tx, server)


async def public_root_in(tx: Tx, server: ServerSettings) -> str:
    """Return the root of the hub's URLs as `public_root` does, in this transaction."""
    if server.is_public_url_configured:
        return server.public_url
    row = await tx.one("noted_address", name=PUBLIC_URL)
    return server.public_url if row is None else str(row["address"])


@writing
async def create_link(tx: Tx, clock: Clock, public_url: str, wanted: NewLink) -> LinkCreated:
    """Store a link that answers at `<public_url>/t/<code>`.

    A product's link belongs to the product's campaign unless another is named. Raise `OperatorFault` for an unknown
    merchant, affiliate, campaign or product, for a destination outside the merchant's approved domains, for a sub-id
    that cannot be used, and for an affiliate that may not promote the campaign.
    """
    sub_ids, said = checked_sub_ids(wanted.sub_ids), checked_texts(LinkTexts, wanted)
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    account = await account_of(tx, wanted.merchant_id, wanted.mode)
    affiliate_id = str((await require_affiliate(tx, wanted.affiliate_id))["affiliate_id"])
    product = await _product(tx, account, wanted.external_product_id)
    campaign_id = await _campaign(tx, account, product, wanted.campaign_id)
    if campaign_id is not None:
        await require_membership(tx, account["account_id"], campaign_id, affiliate_id)
    link = {
        "account_id": account["account_id"],
        "code": code,
        "affiliate_id": affiliate_id,
        "campaign_id": campaign_id,
        "product_id": None if product is None else product["product_id"],
        "destination": _destination(account, product, wanted.destination),
        "subs": stored_sub_ids(sub_ids),
        **said,
        "now": clock(),
    }
    await tx.run("insert_tracking_code", code=code, account_id=link["account_id"])
    await tx.run("insert_link", **link)
    await note_act(tx, link["now"], "link.created", code, after={**link, "merchantId": account["merchant_id"]})
    made: dict[str, Any] = {
        **{name: link[name] for name in ("code", "destination", "affiliate_id", "campaign_id", "product_id")},
        **said,
        "url": address_of(code, public_url),
        "merchant_id": account["merchant_id"],
        "mode": wanted.mode,
        "sub_ids": sub_ids,
    }
    return LinkCreated(**made)


async def _product(tx: Tx, account: Row, external_product_id: str | None) -> Row | None:
    if external_product_id is None:
        return None
    row = await tx.one("product_for_link", account_id=account["account_id"], external_product_id=external_product_id)
    return known(row, "product of this account", external_product_id, "Import it first, and mind the mode.")


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
        where = "" if "approved domain" in fault else f" Approved domains of this merchant: {', '.join(domains)}."
        raise OperatorFault(f"The destination {fault}.{where}")
    return wanted


@writing
async def enable_link(
    tx: Tx, clock: Clock, public_url: str, code: str, *, enabled: bool, affiliate_id: str | None = None
) -> LinkRecord:
    """Enable or disable a link: a disabled one leads buyers on, but records no click and hands out no click id.

    With an `affiliate_id` the affiliate itself does it, with a link of its own, and enables only what it disabled.
    What was done already is done again without a fault. Raise `OperatorFault` if there is no such link, or if somebody
    else disabled it.
    """
    row = await require_link(tx, code, affiliate_id)
    before = link_record(row, public_url)
    takes_over = not enabled and affiliate_id is None and row["disabled_by"] is not None
    if (before.disabled_at is None) is not enabled or takes_over:
        if enabled and affiliate_id not in (None, row["disabled_by"]):
            raise OperatorFault("The network's operator disabled this link; ask them to enable it again.")
        await tx.run(
            "set_link_disabled",
            account_id=row["account_id"],
            code=code,
            disabled_at=None if enabled else row["disabled_at"] or clock(),
            disabled_by=None if enabled else affiliate_id,
        )
    after = link_record(await require_link(tx, code), public_url)
    await note_act(tx, clock(), "link.enabled" if enabled else "link.disabled", code, before=before, after=after)
    return after


async def rename_link(
    store: Store, clock: Clock, public_url: str, code: str, name: str | None, affiliate_id: str | None = None
) -> LinkRecord:
    """Set what its affiliate calls a link, nothing if `name` is empty or None.

    Raise `OperatorFault` for a name that cannot be used, and if there is no such link, or not of the affiliate given.
    """
    wanted = checked_texts(LinkTexts, LinkTexts(name=name))["name"]
    async with store.write() as tx:
        row = await require_link(tx, code, affiliate_id)
        before = link_record(row, public_url)
        await tx.run("set_link_name", account_id=row["account_id"], code=code, name=wanted)
        after = link_record(await require_link(tx, code), public_url)
        if after != before:
            await note_act(tx, clock(), "link.renamed", code, before=before, after=after)
        return after


async def link_to_product(store: Store, clock: Clock, public_url: str, wanted: NewLink) -> str:
    """Return the code of an affiliate's link to a product, the one that there is or a new one with its name.

    Raise `OperatorFault` as `create_link` does.
    """
    async with store.write() as tx:
        account = await account_of(tx, wanted.merchant_id, wanted.mode)
        product = await _product(tx, account, wanted.external_product_id)
        if product is not None:
            known = await tx.one("link_of_product", account_id=account["account_id"], campaign_id=wanted.campaign_id,
                                 affiliate_id=wanted.affiliate_id, product_id=product["product_id"])  # fmt: skip
            if known is not None:
                return str(known["code"])
        return (await create_link(tx, clock, public_url, wanted)).code


async def show_link(store: Store, public_url: str, code: str, affiliate_id: str | None = None) -> LinkRecord:
    """Return one link; raise `OperatorFault` if there is none, or not of this affiliate if one is given."""
    async with store.read() as tx:
        return link_record(await require_link(tx, code, affiliate_id), public_url)


async def require_link(tx: Tx, code: str, affiliate_id: str | None = None) -> Row:
    """Return a link's row of `link_by_code`; raise `OperatorFault` if there is none, or not of this affiliate."""
    row = await tx.one("link_by_code", code=code)
    if row is None or affiliate_id not in (None, row["affiliate_id"]):
        raise unknown("link", code, command="`hub link list` shows them all; the code is what follows /t/.")
    return row
