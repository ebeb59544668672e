"""Live or test: an affiliate's pages show one of them, live unless there are only test links."""

from __future__ import annotations

from attrs import frozen

from hub.domain.words import LIVE_FIRST
from hub.pages.affiliate.access import AffiliateVisit


@frozen
class Shown:
    """The mode that a page shows; `other` is the one to offer beside it, if there is anything in it."""

    mode: str
    other: str | None

    @property
    def is_test(self) -> bool:
        """Whether nothing on the page is real money."""
        return self.mode == "test"


async def shown_mode(visit: AffiliateVisit) -> Shown:
    """Return the mode of the address, else live, else test if the affiliate has links in that one alone."""
    async with visit.services.store.read() as tx:
        rows = await tx.all("modes_of_affiliate", affiliate_id=visit.affiliate_id)
    modes = {row["mode"] for row in rows}
    asked = visit.query.get("mode")
    mode = asked if asked in LIVE_FIRST else "test" if modes == {"test"} else "live"
    other = "live" if mode == "test" else "test"
    return Shown(mode, other if other in modes else None)
