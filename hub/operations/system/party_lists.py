"""Who takes part, over the whole network: lists of merchants, affiliates and campaigns."""

from __future__ import annotations

from typing import Final

from hub.clock import Clock
from hub.operations.list_filters import searching, with_ids
from hub.operations.lists import List, Page, Wanted, read
from hub.records.affiliates import AffiliateRecord, ListedAffiliate
from hub.records.campaigns import CampaignDetails, campaign_details
from hub.records.merchants import ListedMerchant
from hub.records.rows import read_row
from hub.storage import Store

MERCHANTS: Final = List("merchants")
AFFILIATES: Final = List("affiliates")
EARNING: Final = List("earning_affiliates")
CAMPAIGNS: Final = List("campaigns")


async def merchants_part(store: Store, wanted: Wanted) -> Page[ListedMerchant]:
    """Return a part of the merchants; raise `CursorFault`."""
    return (await read(store, MERCHANTS, searching(wanted))).of(
        lambda row: read_row(ListedMerchant, row, id=row["merchant_id"])
    )


async def affiliates_part(store: Store, wanted: Wanted) -> Page[ListedAffiliate]:
    """Return a part of the affiliates; raise `CursorFault`."""
    found = await read(store, AFFILIATES, searching(wanted))
    return found.of(lambda row: read_row(ListedAffiliate, row, id=row["affiliate_id"]))


async def earning_affiliates(store: Store, account_id: str, wanted: Wanted) -> Page[AffiliateRecord]:
    """Return a part of the affiliates that may promote something of an account; raise `CursorFault`.

    They have a link or an approved membership there.
    """
    found = await read(store, EARNING, wanted, {"account_id": account_id})
    return found.of(lambda row: read_row(AffiliateRecord, row, id=row["affiliate_id"]))


async def campaigns_part(store: Store, clock: Clock, wanted: Wanted) -> Page[CampaignDetails]:
    """Return a part of the campaigns of all accounts, or of a merchant by id, name or e-mail address.

    Raise `OperatorFault` for an unknown merchant, and `CursorFault`.
    """
    async with store.read() as tx:
        found = await read(tx, CAMPAIGNS, searching(await with_ids(tx, wanted)))
    return found.of(lambda row: campaign_details(row, clock()))
