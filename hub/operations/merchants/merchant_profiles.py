"""What a merchant says of its business, and the two things that it then asks for: its approval and live access.

A profile that is complete puts a merchant IN_REVIEW that is PENDING, or was REJECTED before. Live access is asked for
once the integration works in test mode. The API specification needs an APPROVED merchant for live keys; the merchant
issues them itself once live access is granted.
"""

from __future__ import annotations

import json
import re
from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.countries import is_country
from hub.domain.instants import format_instant, instant_or_none
from hub.operations.checks import checked_name, checked_text
from hub.operations.errors import OperatorFault, known
from hub.operations.notices import tell
from hub.operations.references import merchant_id_of
from hub.operations.trail import note_act
from hub.storage import Row, Store, Tx

REQUIRED: Final = ("legalName", "contactName", "website", "country", "address", "description")
OPTIONAL: Final = ("phone", "taxId", "category")
FIELDS: Final = (*REQUIRED, *OPTIONAL)
LONG: Final = ("address", "description")

_website = re.compile(r"https?://[!-~]{4,250}").fullmatch


class ProfileDocument(TypedDict):
    """A merchant's profile; `fields` has what was filled in, `missing` the names of what an approval needs beside it.

    `liveAccess` is null (never asked), ASKED, GRANTED or REFUSED, with `liveReason` if it was refused; `liveNote` is
    what the merchant wrote because it asked before every step was done.
    """

    merchantId: str
    name: str
    status: str
    fields: dict[str, str]
    missing: list[str]
    liveAccess: str | None
    liveAskedAt: str | None
    liveNote: str | None
    liveReason: str | None


class AskingDocument(TypedDict):
    """A merchant that waits for an operator; `asks` is "approval" or "live access"."""

    merchantId: str
    name: str
    status: str
    asks: str
    since: str


async def show_profile(store: Store, merchant: str) -> ProfileDocument:
    """Return a merchant's profile; raise `OperatorFault` if the merchant is unknown."""
    async with store.read() as tx:
        return await _profile(tx, await merchant_id_of(tx, merchant))


async def update_profile(store: Store, clock: Clock, merchant: str, given: dict[str, str]) -> ProfileDocument:
    """Replace the fields given (an empty text clears one); a profile that is complete is IN_REVIEW.

    Raise `OperatorFault` if the merchant is unknown, and for a field that is unknown or cannot be used.
    """
    checked = {name: _checked(name, text) for name, text in given.items()}
    async with store.write() as tx:
        before = await _locked(tx, merchant)
        fields = {name: text for name, text in {**before["fields"], **checked}.items() if text}
        complete = all(name in fields for name in REQUIRED)
        status = "IN_REVIEW" if complete and before["status"] in ("PENDING", "REJECTED") else before["status"]
        merchant_id = before["merchantId"]
        await tx.run(
            "set_merchant_profile", merchant_id=merchant_id, profile=json.dumps(fields), status=status, now=clock()
        )
        after = await _profile(tx, merchant_id)
        await note_act(tx, clock(), "merchant.profile-updated", merchant_id, before=before, after=after)
        if status == "IN_REVIEW" and before["status"] != status:
            words = f"{before['name']} waits for its approval."
            await tell(tx, clock(), "merchant-waits", "", words, f"/operator/merchants/{merchant_id}")
        return after


async def ask_for_live_access(store: Store, clock: Clock, merchant: str, *, note: str | None = None) -> ProfileDocument:
    """Note that a merchant wants to go live, with what it wrote of it; asking again changes nothing.

    Raise `OperatorFault` if it is unknown or not APPROVED.
    """
    async with store.write() as tx:
        before = await _locked(tx, merchant)
        if before["status"] != "APPROVED":
            raise OperatorFault(f"{before['name']} is {before['status']}; live access is for APPROVED merchants.")
        if before["liveAccess"] in ("ASKED", "GRANTED"):
            return before
        why = checked_text(note, "A sentence") if note else None
        return await _set_access(tx, clock, before, ("ASKED", None, why), "merchant.live-asked")


async def decide_live_access(
    store: Store, clock: Clock, merchant: str, *, granted: bool, reason: str | None = None
) -> ProfileDocument:
    """Grant live access, or refuse it with a reason; raise `OperatorFault` if the merchant is unknown."""
    if not granted and not reason:
        raise OperatorFault("A refusal needs a reason, which the merchant reads.")
    why = checked_text(reason, "A reason") if reason else None
    async with store.write() as tx:
        before = await _locked(tx, merchant)
        access = "GRANTED" if granted else "REFUSED"
        return await _set_access(tx, clock, before, (access, why, None), f"merchant.live-{access.lower()}")


async def list_asking(store: Store) -> list[AskingDocument]:
    """Return the merchants that wait for an operator's decision, those that waited longest first."""
    async with store.read() as tx:
        rows = await tx.all("merchants_asking")
    return [
        {
            "merchantId": row["merchant_id"],
            "name": row["name"],
            "status": row["status"],
            "asks": "approval" if row["status"] == "IN_REVIEW" else "live access",
            "since": format_instant(row["live_asked_at"] or row["updated_at"]),
        }
        for row in rows
    ]


async def _set_access(
    tx: Tx, clock: Clock, before: ProfileDocument, decided: tuple[str, str | None, str | None], act: str
) -> ProfileDocument:
    access, reason, note = decided
    asked_at = clock() if access == "ASKED" else None
    merchant_id, now = before["merchantId"], clock()
    values = {"access": access, "reason": reason, "note": note, "asked_at": asked_at}
    await tx.run("set_live_access", merchant_id=merchant_id, now=now, **values)
    after = await _profile(tx, merchant_id)
    await note_act(tx, now, act, merchant_id, before=before, after=after)
    if access == "ASKED":
        words = f"{before['name']} asks for live access."
        await tell(tx, now, "live-asked", "", words, f"/operator/merchants/{merchant_id}")
    else:
        words = "You have live access." if access == "GRANTED" else f"Live access is refused: {reason}"
        await tell(tx, now, "live-decided", merchant_id, f"{before['name']}: {words}", "/merchant/onboarding")
    return after


async def _locked(tx: Tx, merchant: str) -> ProfileDocument:
    merchant_id = await merchant_id_of(tx, merchant)
    await tx.run("lock_merchant", merchant_id=merchant_id)
    return await _profile(tx, merchant_id)


async def _profile(tx: Tx, merchant_id: str) -> ProfileDocument:
    row = await tx.one("merchant_standing", merchant_id=merchant_id)
    return _document(known(row, "merchant", merchant_id, command="`hub merchant list` shows them all."))


def _document(row: Row) -> ProfileDocument:
    fields: dict[str, str] = {} if row["profile"] is None else json.loads(row["profile"])
    return {
        "merchantId": row["merchant_id"],
        "name": row["name"],
        "status": row["status"],
        "fields": fields,
        "missing": [name for name in REQUIRED if name not in fields],
        "liveAccess": row["live_access"],
        "liveAskedAt": instant_or_none(row["live_asked_at"]),
        "liveNote": row["live_note"],
        "liveReason": row["live_reason"],
    }


def _checked(name: str, text: str) -> str:
    """Return a field as it is stored, "" for one that is cleared."""
    if name not in FIELDS:
        raise OperatorFault(f"{name!r} is not a field of the profile; those are {', '.join(FIELDS)}.")
    if not text.strip():
        return ""
    if name in LONG:
        return checked_text(text, f"The {name}")
    value = checked_name(text, f"The {name}")
    if name == "country":
        value = value.upper()
        if not is_country(value):
            raise OperatorFault(f"{text!r} is not a country; write its two letters, like DE (ISO 3166).")
    if name == "website" and not _website(value):
        raise OperatorFault(f"{text!r} is not a website; write it like https://shop.example.")
    return value
