"""What a merchant gives its partners to publish: texts, pictures and pages of its shop, for one campaign or all.

A material belongs to an account, which has `MOST` of them. Each affiliate gets it with its own link filled in.
"""

from __future__ import annotations

import html
import json
from typing import Final
from urllib.parse import quote

from attrs import frozen

from hub.clock import Clock
from hub.domain.orders.catalog import url_fault
from hub.domain.words import MATERIAL_KINDS
from hub.ids import new_id
from hub.operations.checks import checked_name, checked_text
from hub.operations.errors import InvalidFields, OperatorFault, known
from hub.operations.pictures.pictures import Encoded, drop_picture, keep_picture
from hub.operations.trail import note_act
from hub.records.materials import MaterialDocument, material_document
from hub.storage import Row, Store, Tx

MOST: Final = 200
LINK: Final = "{link}"
"""What stands in a text for the affiliate's own link."""


@frozen
class NewMaterial:
    """A material as its merchant typed it; `picture` is that of a PICTURE."""

    kind: str
    title: str
    text: str = ""
    destination: str = ""
    campaign_id: str | None = None
    picture: Encoded | None = None


async def add_material(store: Store, clock: Clock, account_id: str, wanted: NewMaterial) -> MaterialDocument:
    """Store a material; raise `InvalidFields` for what cannot be used, `OperatorFault` if the account has too many."""
    async with store.write() as tx:
        values = await _checked(tx, account_id, wanted)
        if len(await tx.all("materials", account_id=account_id, campaign_id=None, limit=MOST)) >= MOST:
            raise OperatorFault(f"You have {MOST} materials. Delete some first.")
        picture = None if wanted.picture is None else await keep_picture(tx, clock, account_id, wanted.picture)
        made = new_id("mat")
        where = {"account_id": account_id, "material_id": made}
        await tx.run("insert_material", picture_id=picture, now=clock(), **where, **values)
        document = material_document(await _require(tx, account_id, made))
        await note_act(tx, clock(), "material.added", made, after=document)
        return document


async def delete_material(store: Store, clock: Clock, account_id: str, material_id: str) -> None:
    """Delete a material with its picture, wherever that is shown; raise `OperatorFault` if the account has none."""
    async with store.write() as tx:
        row = await _require(tx, account_id, material_id)
        await tx.run("delete_material", account_id=account_id, material_id=material_id)
        await drop_picture(tx, account_id, row["picture_id"])
        await note_act(tx, clock(), "material.deleted", material_id, before=material_document(row))


async def materials_of(store: Store, account_id: str, campaign_id: str | None = None) -> list[MaterialDocument]:
    """Return an account's materials, newest first; with a campaign those that are for it, or for all."""
    async with store.read() as tx:
        rows = await tx.all("materials", account_id=account_id, campaign_id=campaign_id, limit=MOST)
    return [material_document(row) for row in rows]


def filled_in(material: MaterialDocument, link: str, root: str) -> str:
    """Return what an affiliate copies: a text or an address with its own link, or the HTML of a picture that leads on.

    `link` is its tracking link, `root` the root of the hub's URLs.
    """
    destination = material.destination
    leads = link if destination is None else f"{link}?to={quote(destination, safe='')}"
    if material.kind == "TEXT":
        text = material.text or ""
        return text.replace(LINK, leads) if LINK in text else f"{text}\n{leads}"
    if material.kind == "PAGE":
        return leads
    return (
        f'<a href="{html.escape(leads)}"><img src="{html.escape(root.rstrip("/"))}/pictures/{material.picture}" '
        f'width="{material.width}" height="{material.height}" alt="{html.escape(material.title)}"></a>'
    )


async def own_link(store: Store, account_id: str, affiliate_id: str, campaign_id: str) -> str | None:
    """Return the code of an affiliate's newest link to a campaign that works, None if it has none."""
    async with store.read() as tx:
        row = await tx.one("link_to_try", account_id=account_id, affiliate_id=affiliate_id, campaign_id=campaign_id)
    return None if row is None else str(row["code"])


async def _checked(tx: Tx, account_id: str, wanted: NewMaterial) -> dict[str, str | None]:
    faults: dict[str, str] = {}
    text = None
    if wanted.kind not in MATERIAL_KINDS:
        faults["kind"] = "Choose a text, a picture or a page."
    try:
        checked_name(wanted.title, "A title")
    except OperatorFault as fault:
        faults["title"] = str(fault)
    if wanted.kind == "TEXT":
        try:
            text = checked_text(wanted.text, "A text", 1_000)
        except OperatorFault as fault:
            faults["text"] = str(fault)
    if wanted.kind == "PICTURE" and wanted.picture is None:
        faults["file"] = "Choose a picture."
    destination, wrong = await _destination(tx, account_id, wanted)
    if wrong is not None:
        faults["destination"] = wrong
    if wanted.campaign_id is not None and (
        await tx.one("campaign_of_account", account_id=account_id, campaign_id=wanted.campaign_id) is None
    ):
        faults["campaign"] = "Choose one of your campaigns, or all of them."
    if faults:
        raise InvalidFields(faults)
    return {"kind": wanted.kind, "title": wanted.title.strip(), "body": text, "destination": destination,
            "campaign_id": wanted.campaign_id}  # fmt: skip


async def _destination(tx: Tx, account_id: str, wanted: NewMaterial) -> tuple[str | None, str | None]:
    """Return where a material leads, None for nowhere of its own, and what is wrong with that."""
    if not wanted.destination:
        return None, "Write the address of a page of your shop." if wanted.kind == "PAGE" else None
    whose = await tx.one("merchant_of_account", account_id=account_id)
    fault = url_fault(wanted.destination, [] if whose is None else json.loads(whose["domains"]))
    return wanted.destination, None if fault is None else f"The page {fault}."


async def _require(tx: Tx, account_id: str, material_id: str) -> Row:
    row = await tx.one("material", account_id=account_id, material_id=material_id)
    return known(row, "material", material_id)
