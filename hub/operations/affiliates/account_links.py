"""The links of one account, page by page, and the affiliates that its merchant may make links for."""

from __future__ import annotations

from typing import Final, TypedDict

from attrs import frozen

from hub.domain.instants import format_instant, instant_or_none
from hub.storage import Store

MOST_AFFILIATES: Final = 500
NEWEST: Final = 2**53


class AccountLink(TypedDict):
    """A link; `url` is where it answers, `createdMs` and `code` are the cursor of the page after it."""

    code: str
    url: str
    destination: str
    affiliateId: str
    affiliateName: str
    campaignId: str | None
    campaignTitle: str | None
    createdAt: str
    createdMs: int
    disabledAt: str | None
    disabledBy: str | None


@frozen
class LinkPart:
    """Which links are asked for: those behind this one in the list, the newest first."""

    created_before: int = NEWEST
    after_code: str = ""
    affiliate_id: str | None = None
    limit: int = 50


async def links_of_account(store: Store, public_url: str, account_id: str, part: LinkPart) -> list[AccountLink]:
    """Return a part of an account's links."""
    async with store.read() as tx:
        rows = await tx.all(
            "links_below",
            account_id=account_id,
            created_before=part.created_before,
            after_code=part.after_code,
            affiliate_id=part.affiliate_id,
            limit=part.limit,
        )
    return [
        {
            "code": row["code"],
            "url": f"{public_url.rstrip('/')}/t/{row['code']}",
            "destination": row["destination"],
            "affiliateId": row["affiliate_id"],
            "affiliateName": row["affiliate_name"],
            "campaignId": row["campaign_id"],
            "campaignTitle": row["campaign_title"],
            "createdAt": format_instant(row["created_at"]),
            "createdMs": row["created_at"],
            "disabledAt": instant_or_none(row["disabled_at"]),
            "disabledBy": row["disabled_by"],
        }
        for row in rows
    ]


async def affiliates_of_account(store: Store, account_id: str) -> list[tuple[str, str]]:
    """Return the id and the name of the affiliates that an account has to do with, by name; at most 500."""
    async with store.read() as tx:
        rows = await tx.all("affiliates_of_account", account_id=account_id, limit=MOST_AFFILIATES)
    return [(row["affiliate_id"], row["name"]) for row in rows]
