"""Campaigns created, edited and moved between their states by their merchant, under the same rules as the signed API.

What is typed is the body of POST and PATCH /v1/campaigns, validated by the same readers. Beside it stand what the API
does not have: the campaign's own hold, whether it may be listed in public, and how affiliates join it.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import frozen

from hub.catalog.campaigns import (
    Campaign,
    CampaignRefused,
    find_campaign,
    insert_campaign,
    new_campaign,
    patched,
    store_change,
)
from hub.clock import Clock
from hub.domain.orders.campaigns import campaign_code
from hub.ids import new_id
from hub.operations.campaigns.campaigns import DEFAULT_HOLD, campaign_named
from hub.operations.checks import checked_duration
from hub.operations.errors import InvalidFields, OperatorFault, unknown
from hub.operations.references import account_of
from hub.operations.trail import current_actor, note_act
from hub.records.campaigns import CampaignDetails, campaign_details
from hub.storage import Row, Store, Tx
from hub.validation.inputs import CampaignInput, CampaignPatch, MerchantTerms
from hub.validation.validate import Invalid, validate

ACTS: Final = {"ACTIVE": "campaign.activated", "PAUSED": "campaign.paused", "ARCHIVED": "campaign.archived"}
_named = re.compile(r"`(\w+)(?:[.\[][^`]*)?`").match


@frozen
class CampaignForm:
    """What is typed of a campaign: `fields` as the API's body, the rest None if it stays; `hold` is like "7d"."""

    fields: Mapping[str, Any]
    hold: str | None = None
    listed: bool | None = None
    joining: str | None = None


async def create_campaign(store: Store, clock: Clock, merchant: str, mode: str, form: CampaignForm) -> CampaignDetails:
    """Create a DRAFT; raise `InvalidFields` for what cannot be used, `OperatorFault` if the merchant is unknown."""
    now = clock()
    async with store.write() as tx:
        account = await account_of(tx, merchant, mode)
        body = _read(CampaignInput, form, account)
        code = campaign_code(secrets.token_bytes(5))
        campaign = new_campaign(body, account["account_id"], new_id("cmp"), code, now)
        await insert_campaign(tx, campaign, current_actor().id)
        await _store_beside(tx, campaign, form, now)
        made = await _details(tx, campaign.account_id, campaign.campaign_id, now)
        await note_act(tx, now, "campaign.created", campaign.campaign_id, after=made)
        return made


async def edit_campaign(
    store: Store, clock: Clock, reference: str, form: CampaignForm, account_id: str | None = None
) -> CampaignDetails:
    """Change the fields given; commissions that exist keep their terms.

    Raise `InvalidFields` for what cannot be used, and `OperatorFault` if the campaign is unknown in the account.
    """
    now = clock()

    def change(stored: Campaign, account: Row) -> Campaign:
        return patched(stored, _read(CampaignPatch, form, account), now) if form.fields else stored

    return await _changed(store, now, (reference, account_id), change, form, "campaign.updated")


async def set_campaign_status(
    store: Store, clock: Clock, reference: str, status: str, account_id: str | None = None
) -> CampaignDetails:
    """Make a campaign ACTIVE, PAUSED or ARCHIVED; raise `OperatorFault` for a transition that is not allowed."""
    now = clock()

    def change(stored: Campaign, _: Row) -> Campaign:
        return patched(stored, CampaignPatch(status=status, present=frozenset({"status"})), now)

    return await _changed(store, now, (reference, account_id), change, CampaignForm({}), ACTS[status])


async def show_campaign_details(store: Store, clock: Clock, account_id: str, campaign_id: str) -> CampaignDetails:
    """Return a campaign of an account; raise `OperatorFault` if it has none of this id."""
    async with store.read() as tx:
        return await _details(tx, account_id, campaign_id, clock())


async def _changed(
    store: Store,
    now: int,
    which: tuple[str, str | None],
    change: Callable[[Campaign, Row], Campaign],
    form: CampaignForm,
    act: str,
) -> CampaignDetails:
    async with store.write() as tx:
        row = await campaign_named(tx, *which)
        account = await account_of(tx, row["merchant_id"], row["mode"])
        stored = await find_campaign(tx, row["account_id"], row["campaign_id"], lock=True)
        if stored is None:
            raise unknown("campaign", which[0], command="`hub campaign list` shows them all.")
        before = await _details(tx, stored.account_id, stored.campaign_id, now)
        try:
            await store_change(tx, stored, change(stored, account), current_actor().id)
        except CampaignRefused as refused:
            raise OperatorFault(str(refused)) from None
        except Invalid as invalid:
            raise fields_of(invalid) from None
        await _store_beside(tx, stored, form, now)
        after = await _details(tx, stored.account_id, stored.campaign_id, now)
        if after != before:
            await note_act(tx, now, act, stored.campaign_id, before=before, after=after)
        return after


async def _store_beside(tx: Tx, campaign: Campaign, form: CampaignForm, now: int) -> None:
    """Store what stands beside the API's fields."""
    key = {"account_id": campaign.account_id, "campaign_id": campaign.campaign_id, "now": now}
    if form.hold is not None:
        await tx.run("set_campaign_hold", hold_ms=_hold_of(form.hold), **key)
    if form.listed is not None or form.joining is not None:
        row = await campaign_named(tx, campaign.campaign_id)
        listed = row["listed"] if form.listed is None else int(form.listed)
        await tx.run("set_campaign_listing", listed=listed, joining=form.joining or row["joining"], **key)


def _hold_of(text: str) -> int | None:
    """Return a hold in ms, None for the merchant's own; raise `InvalidFields` for what is no duration."""
    try:
        return None if text == DEFAULT_HOLD else checked_duration(text, "a hold")
    except OperatorFault as fault:
        raise InvalidFields({"hold": str(fault)}) from None


def _read(kind: type[Any], form: CampaignForm, account: Row) -> Any:
    """Return what is typed as an input; raise `InvalidFields` with every fault, that of the hold beside them too."""
    terms = MerchantTerms(currency=account["currency"], domains=tuple(json.loads(account["domains"])))
    read, faults = None, dict[str, str]()
    try:
        read = validate(kind, dict(form.fields), terms, strict=True).value
    except Invalid as invalid:
        faults |= fields_of(invalid).faults
    try:
        _hold_of(form.hold or DEFAULT_HOLD)
    except InvalidFields as invalid:
        faults |= invalid.faults
    if faults:
        raise InvalidFields(faults)
    return read


def fields_of(invalid: Invalid) -> InvalidFields:
    """Return the faults by the names of their fields; those of no field are under ""."""
    faults: dict[str, str] = {}
    for fault in invalid.faults:
        named = _named(fault)
        faults.setdefault(named[1] if named else "", fault)
    return InvalidFields(faults)


async def _details(tx: Tx, account_id: str, campaign_id: str, now: int) -> CampaignDetails:
    return campaign_details(await campaign_named(tx, campaign_id, account_id), now)
