"""The affiliates of a campaign: they apply, are approved, rejected or removed, and may have a rate of their own.

Anybody may promote a campaign whose joining is OPEN, unless the merchant removed or rejected them; a campaign whose
joining is BY_APPROVAL takes new links of approved members only. Links and orders that exist stay as they are until a
member is removed, whose links are disabled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import evolve, frozen

from hub.catalog.rate_changes import ChangedRate, note_rates
from hub.clock import Clock
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.campaigns.campaigns import campaign_named
from hub.operations.checks import checked_rule, checked_text
from hub.operations.errors import OperatorFault
from hub.operations.list_filters import with_ids
from hub.operations.lists import FilterValues, List, Page, Wanted, every, read
from hub.operations.notices import tell
from hub.operations.trail import current_actor, note_act
from hub.records.memberships import MembershipDocument, membership_document
from hub.storage import Row, Store, Tx

MEMBERSHIPS: Final = List("memberships")
ONE: Final = Wanted(limit=1, sort="affiliate_id")
"""The one membership of an affiliate in a campaign, by the table's own key."""
ENDED: Final = ("REJECTED", "REMOVED")
DECIDED: Final = {"APPROVED": "a partner now", "REJECTED": "not taken as a partner", "REMOVED": "no longer a partner"}
CAMPAIGN_RATE: Final = "campaign"
"""Typed in place of a rate: that of the campaign counts again."""


@frozen
class Member:
    """A campaign (its id or code) and an affiliate (its id, name or e-mail address), as somebody typed them.

    `account_id` bounds the campaign to one account, as a merchant's page must.
    """

    campaign: str
    affiliate: str
    account_id: str | None = None


async def apply_to_campaign(
    store: Store, clock: Clock, member: Member, message: str | None = None
) -> MembershipDocument:
    """Join a campaign whose joining is OPEN, or apply to one whose joining is BY_APPROVAL; repeat it without effect.

    Raise `OperatorFault` if either is unknown, the affiliate is not ACTIVE, or the merchant rejected or removed it.
    """
    async with store.write() as tx:
        is_new, made = await apply_in(tx, clock(), member, message=message)
        if is_new:
            await _tell_merchant(tx, clock(), *await _both(tx, member), made.status)
        return made


async def apply_in(
    tx: Tx, now: int, member: Member, status: str | None = None, *, message: str | None = None
) -> tuple[bool, MembershipDocument]:
    """Insert a membership unless there is one, and return whether it is new, in this transaction, telling nobody.

    Without a `status` the campaign's joining says it. Raise `OperatorFault` as `apply_to_campaign` does.
    """
    campaign, affiliate = await _both(tx, member)
    if affiliate["status"] != "ACTIVE":
        raise OperatorFault(f"Affiliate {affiliate['affiliate_id']} is {affiliate['status']} and cannot join.")
    known = await _found(tx, campaign, affiliate)
    if known is not None and known.status in ENDED:
        why = f" ({known.reason})" if known.reason else ""
        raise OperatorFault(f"{known.merchant_name} {known.status.lower()} this affiliate{why}; ask them.")
    if known is not None:
        return False, known
    chosen = status or ("APPLIED" if campaign["joining"] == "BY_APPROVAL" else "APPROVED")
    text = checked_text(message, "A message") if message else None
    await _insert(tx, now, campaign, affiliate, chosen, message=text)
    act = "membership.applied" if chosen == "APPLIED" else "membership.joined"
    return True, await _noted(tx, now, act, campaign, affiliate, None)


async def set_membership(
    store: Store, clock: Clock, member: Member, status: str, reason: str | None = None
) -> MembershipDocument:
    """Make a membership APPROVED, REJECTED or REMOVED, and store why; removing also disables the member's links.

    An affiliate that never applied becomes a member this way, too. Raise `OperatorFault` if either is unknown, and for
    a rejection of what is no application.
    """
    why = checked_text(reason, "A reason") if reason else None
    async with store.write() as tx:
        campaign, affiliate = await _both(tx, member)
        known = await _found(tx, campaign, affiliate)
        if known is None and status != "APPROVED":
            raise OperatorFault(
                f"{affiliate['name']} is not a member of {campaign['campaign_code']}; nothing was done."
            )
        if status == "REJECTED" and known is not None and known.status not in ("APPLIED", "REJECTED"):
            raise OperatorFault(f"Only an application is rejected; {affiliate['name']} is {known.status}. Remove it.")
        if known is None:
            await _insert(tx, clock(), campaign, affiliate, status, reason=why)
        else:
            await tx.run("set_membership_status", status=status, reason=why, now=clock(), **_key(campaign, affiliate))
        if status == "REMOVED":
            await tx.run("disable_links_of_member", now=clock(), **_key(campaign, affiliate))
        if known is None or known.status != status:
            said = f"{campaign['title']}: you are {DECIDED[status]}{f': {why}' if why else '.'}"
            there = f"/affiliate/campaigns/{campaign['campaign_id']}"
            await tell(tx, clock(), "membership-decided", affiliate["affiliate_id"], said, there)
        return await _noted(tx, clock(), f"membership.{status.lower()}", campaign, affiliate, known)


async def _tell_merchant(tx: Tx, now: int, campaign: Row, affiliate: Row, status: str) -> None:
    applied = status == "APPLIED"
    words = f"{affiliate['name']} {'applies to' if applied else 'joined'} {campaign['title']}."
    kind = "partner-applied" if applied else "partner-joined"
    there = f"/merchant/affiliates/{affiliate['affiliate_id']}?mode={campaign['mode']}"
    await tell(tx, now, kind, campaign["merchant_id"], words, there)


async def admit(tx: Tx, now: int, member: Member) -> None:
    """Make an affiliate an approved member in this transaction, unless it is one; raise `OperatorFault` if unknown."""
    campaign, affiliate = await _both(tx, member)
    known = await _found(tx, campaign, affiliate)
    if known is not None and known.status == "APPROVED":
        return
    if known is None:
        await _insert(tx, now, campaign, affiliate, "APPROVED")
    else:
        await tx.run("set_membership_status", status="APPROVED", reason=None, now=now, **_key(campaign, affiliate))
    await _noted(tx, now, "membership.approved", campaign, affiliate, known)


async def set_own_rate(store: Store, clock: Clock, member: Member, rate: str) -> MembershipDocument:
    """Set what a campaign pays a member, like "PERCENTAGE:15", or "campaign" for what it pays everybody.

    It counts for commissions made from now on, in place of the campaign's default; rules of products go before it.
    Raise `OperatorFault` if either is unknown, for a bad rate, and for an affiliate that is no member.
    """
    async with store.write() as tx:
        campaign, affiliate = await _both(tx, member)
        known = await _found(tx, campaign, affiliate)
        if known is None or known.status != "APPROVED":
            raise OperatorFault(f"{affiliate['name']} is not an approved member of {campaign['campaign_code']}.")
        rule = None if rate == CAMPAIGN_RATE else checked_rule(rate, campaign["currency"])
        kind, value = (None, None) if rule is None else (rule.type, rule.value)
        await tx.run("set_membership_rate", commission_type=kind, commission_value=value, **_key(campaign, affiliate))
        subject = f"{campaign['campaign_id']}/{affiliate['affiliate_id']}"
        before = known.commission_type, known.commission_value
        await note_rates(tx, [
            ChangedRate.of(campaign["account_id"], "MEMBER", subject, before, (kind, value), clock(),
                           current_actor().id)
        ])  # fmt: skip
        return await _noted(tx, clock(), "membership.rated", campaign, affiliate, known)


async def memberships_part(store: Store, wanted: Wanted) -> Page[MembershipDocument]:
    """Return a part of the memberships, the newest application first, by `status`, `mode` and references.

    The references are `merchant`, `campaign` and `affiliate`. Raise `OperatorFault` for what is unknown, and
    `CursorFault`.
    """
    async with store.read() as tx:
        return (await read(tx, MEMBERSHIPS, await _led(tx, wanted))).of(membership_document)


async def show_membership(
    store: Store, account_id: str, campaign_id: str, affiliate_id: str
) -> MembershipDocument | None:
    """Return an affiliate's membership in an account's campaign, all by their ids; None if there is none."""
    key = {"account_id": account_id, "campaign_id": campaign_id, "affiliate_id": affiliate_id}
    async with store.read() as tx:
        return await _membership(tx, key)


async def waiting_by_campaign(store: Store, account_id: str) -> dict[str, int]:
    """Return how many applications wait at each campaign of an account, by its id; without those at which none does."""
    async with store.read() as tx:
        return {row["campaign_id"]: row["number"] for row in await tx.all("waiting_by_campaign", account_id=account_id)}


async def every_membership(store: Store, filters: FilterValues) -> list[MembershipDocument]:
    """Return all memberships that match, for filters that few do; raise as `memberships_part` does."""
    async with store.read() as tx:
        asked = await _led(tx, Wanted(filters))
    return [membership_document(row) async for row in every(store, MEMBERSHIPS, asked)]


async def _led(tx: Tx, wanted: Wanted) -> Wanted:
    filters = dict(wanted.filters)
    campaign = filters.pop("campaign", None)
    wanted = await with_ids(tx, evolve(wanted, filters=filters))
    if campaign is None:
        return wanted
    found = await campaign_named(tx, str(campaign))
    of_campaign = {"account_id": found["account_id"], "campaign_id": found["campaign_id"]}
    return evolve(wanted, filters={**of_campaign, **wanted.filters})


async def require_membership(tx: Tx, account_id: str, campaign_id: str, affiliate_id: str) -> None:
    """Raise `OperatorFault` unless the affiliate may have a new link to the campaign."""
    row = await tx.one("membership_of", account_id=account_id, campaign_id=campaign_id, affiliate_id=affiliate_id)
    if row is None:
        return
    if row["status"] == "APPROVED" or (row["joining"] == "OPEN" and row["status"] not in ENDED):
        return
    state = {None: "has not applied to", "APPLIED": "waits for its approval by"}.get(row["status"], "is no member of")
    raise OperatorFault(
        f"Affiliate {affiliate_id} {state} the campaign {row['title']} ({row['campaign_code']}), so it gets no link.",
        command=f"Approve it first: hub campaign member approve {row['campaign_code']} {affiliate_id}",
    )


async def _both(tx: Tx, member: Member) -> tuple[Row, Row]:
    campaign = await campaign_named(tx, member.campaign, member.account_id)
    await tx.run("hold_campaign", account_id=campaign["account_id"], campaign_id=campaign["campaign_id"])
    return campaign, await require_affiliate(tx, member.affiliate)


def _key(campaign: Row, affiliate: Row) -> dict[str, str]:
    return {
        "account_id": campaign["account_id"],
        "campaign_id": campaign["campaign_id"],
        "affiliate_id": affiliate["affiliate_id"],
    }


async def _insert(
    tx: Tx,
    now: int,
    campaign: Row,
    affiliate: Row,
    status: str,
    *,
    message: str | None = None,
    reason: str | None = None,
) -> None:
    decided_at = None if status == "APPLIED" else now
    key = _key(campaign, affiliate)
    await tx.run(
        "insert_membership", status=status, message=message, reason=reason, now=now, decided_at=decided_at, **key
    )


async def _found(tx: Tx, campaign: Row, affiliate: Row) -> MembershipDocument | None:
    return await _membership(tx, _key(campaign, affiliate))


async def _membership(tx: Tx, key: Mapping[str, str]) -> MembershipDocument | None:
    page = await read(tx, MEMBERSHIPS, ONE, key)
    return membership_document(page.entries[0]) if page.entries else None


async def _noted(
    tx: Tx, now: int, act: str, campaign: Row, affiliate: Row, before: MembershipDocument | None
) -> MembershipDocument:
    after = await _found(tx, campaign, affiliate)
    if after is None:
        raise LookupError("a membership that was just written")
    await note_act(tx, now, act, after.campaign_id, before=before, after=after)
    return after
