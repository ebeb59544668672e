"""The affiliates of a campaign, and what it pays each."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from hub.acts.act import Act, ListOfEntries, get, put
from hub.acts.authority import OPERATORS, OWNERS, PROVED_ADMINS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import MODE, OF_AFFILIATE, OF_CAMPAIGN, OF_MERCHANT, PAGED, REASON, RULE, Fields, choice, needed
from hub.domain.words import MEMBERSHIP_STATUSES
from hub.operations.affiliates.memberships import (
    Member,
    memberships_part,
    set_membership,
    set_own_rate,
)
from hub.records.memberships import MembershipDocument

MEMBER_FILTERS: Final[Fields] = {
    "merchant": OF_MERCHANT,
    "mode": MODE,
    "campaign": OF_CAMPAIGN,
    "affiliate": OF_AFFILIATE,
    "status": choice("In this status.", *MEMBERSHIP_STATUSES),
}

USUAL_MEMBERS: Final = 500
"""How many memberships an answer has if no limit is given."""


async def _memberships(c: Call) -> Any:
    wanted = wanted_of(c, "merchant", "mode", "campaign", "affiliate", "status")
    return answer(await memberships_part(c.store, evolve(wanted, limit=c.query.get("limit", USUAL_MEMBERS))))


async def _decide(c: Call) -> Any:
    member = Member(c.path["campaign"], c.path["affiliate"])
    return await set_membership(c.store, c.clock, member, c.body["status"], c.body.get("reason"))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/memberships", "listMemberships"), "List who promotes what", _memberships,
        ListOfEntries(MembershipDocument), query={**MEMBER_FILTERS, **PAGED}),
    Act(put("/campaigns/{campaign}/members/{affiliate}", "decideMembership"), "Decide on an affiliate's membership",
        _decide, MembershipDocument,
        body={"status": needed(choice("What it becomes.", "APPROVED", "REJECTED", "REMOVED")), "reason": REASON},
        trail=("membership.approved", "membership.rejected", "membership.removed"),
        by=(OPERATORS, OWNERS),
        commands=("campaign member approve", "campaign member reject", "campaign member remove"),
        pages=("/operator/campaigns/{campaign}/members", "/merchant/campaigns/{campaign}/members/{affiliate}/status",
               "/merchant/affiliates/decide")),
    Act(put("/campaigns/{campaign}/members/{affiliate}/rate", "setMemberRate"), "Give an affiliate a rate of its own",
        lambda c: set_own_rate(c.store, c.clock, Member(c.path["campaign"], c.path["affiliate"]), c.body["rate"]),
        MembershipDocument, body={"rate": needed(RULE)}, trail=("membership.rated",),
        by=(PROVED_ADMINS, OWNERS), commands=("campaign member rate",),
        pages=("/operator/campaigns/{campaign}/rates", "/merchant/campaigns/{campaign}/members/{affiliate}/rate")),
)  # fmt: skip
