"""Who decides on applications of an affiliate that wait, for pages that have nothing else to show yet."""

from __future__ import annotations

from typing import Final

from hub.operations.affiliates.memberships import memberships_part
from hub.operations.lists import Wanted
from hub.pages.affiliate.access import AffiliateVisit

MOST_NAMED: Final = 5


async def who_decides(visit: AffiliateVisit) -> str:
    """Return the names of the merchants that have an application of the affiliate, the newest first; "" if none has."""
    wanted = Wanted({"affiliate": visit.affiliate_id, "status": "APPLIED"}, MOST_NAMED)
    found = await memberships_part(visit.services.store, wanted)
    return ", ".join(dict.fromkeys(each.merchant_name for each in found.entries))
