"""Lists over all merchants, newest first, in parts: merchants, affiliates and campaigns."""

from __future__ import annotations

import json
from typing import Final, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.operations.references import like_pattern
from hub.records.campaigns import CampaignDetails, campaign_details
from hub.storage import Store

LAST: Final = "~"
"""Sorts after every id."""


@frozen
class PartyFilter:
    """Which merchants or affiliates are asked for; None is no condition, `before` an id of the list."""

    part: str | None = None
    """What the name, the e-mail address or a domain contains, in any case."""
    status: str | None = None
    before: str | None = None

    @property
    def pattern(self) -> str | None:
        """The pattern of the part."""
        return None if self.part is None else like_pattern(self.part)


@frozen
class CampaignFilter:
    """Which campaigns are asked for; None is no condition, `before` an id of the list."""

    part: str | None = None
    merchant_id: str | None = None
    mode: str | None = None
    approval: str | None = None
    before: str | None = None


class ListedMerchant(TypedDict):
    """A merchant in a list."""

    id: str
    name: str
    email: str
    domains: list[str]
    status: str
    liveAccess: str | None
    createdAt: str


class ListedAffiliate(TypedDict):
    """An affiliate in a list."""

    id: str
    name: str
    email: str
    status: str
    createdAt: str


async def merchants_page(store: Store, wanted: PartyFilter, *, limit: int) -> list[ListedMerchant]:
    """Return at most `limit` merchants, newest first."""
    async with store.read() as tx:
        rows = await tx.all(
            "merchants_of_all", before=wanted.before or LAST, status=wanted.status, pattern=wanted.pattern, limit=limit
        )
    return [
        {
            "id": row["merchant_id"],
            "name": row["name"],
            "email": row["email"],
            "domains": json.loads(row["domains"]),
            "status": row["status"] if row["closed_at"] is None else "CLOSED",
            "liveAccess": row["live_access"],
            "createdAt": format_instant(row["created_at"]),
        }
        for row in rows
    ]


async def affiliates_page(store: Store, wanted: PartyFilter, *, limit: int) -> list[ListedAffiliate]:
    """Return at most `limit` affiliates, newest first."""
    async with store.read() as tx:
        rows = await tx.all(
            "affiliates_of_all", before=wanted.before or LAST, status=wanted.status, pattern=wanted.pattern, limit=limit
        )
    return [
        {
            "id": row["affiliate_id"],
            "name": row["name"],
            "email": row["email"],
            "status": row["status"],
            "createdAt": format_instant(row["created_at"]),
        }
        for row in rows
    ]


async def campaigns_page(store: Store, clock: Clock, wanted: CampaignFilter, *, limit: int) -> list[CampaignDetails]:
    """Return at most `limit` campaigns, newest first."""
    async with store.read() as tx:
        rows = await tx.all(
            "campaigns_of_all",
            before=wanted.before or LAST,
            merchant_id=wanted.merchant_id,
            mode=wanted.mode,
            approval=wanted.approval,
            pattern=None if wanted.part is None else like_pattern(wanted.part),
            limit=limit,
        )
    return [campaign_details(row, clock()) for row in rows]
