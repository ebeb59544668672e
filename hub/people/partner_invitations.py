"""Partners whom a merchant invites by mail: a new one registers by the link, an affiliate is a member at once.

An invitation belongs to the live account. The mail has the merchant's name and no other word of the merchant's, an
address gets three a day at most, and a merchant sends 500 a day at most.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.durations import DAY
from hub.mail.outbox import Mail, Outbox
from hub.operations.affiliates.join_pages import campaigns_to_join, first_link
from hub.operations.affiliates.memberships import Member, admit
from hub.operations.checks import checked_email
from hub.operations.errors import OperatorFault
from hub.operations.notices import tell
from hub.operations.trail import current_actor, note_act
from hub.operations.users.introductions import issuer_now
from hub.operations.users.invitations import add_registration
from hub.operations.users.users import email_key
from hub.people.failures import may_be_mailed
from hub.storage import Row, Store, Tx

MOST_AT_ONCE: Final = 200
MOST_A_DAY: Final = 500
_parted = re.compile(r"[\s,;<>]+").split


class InvitedDocument(TypedDict):
    """What became of a list of addresses: how many got a mail, were affiliates and are members now, or got too many."""

    mailed: int
    joined: int
    skipped: int


def addresses_in(text: str) -> list[str]:
    """Return the addresses of a pasted text, each once; names beside them are left out.

    Raise `OperatorFault` for none, for more than `MOST_AT_ONCE`, and for one that cannot be an address.
    """
    found = list(dict.fromkeys(word.strip("\"'().").lower() for word in _parted(text) if "@" in word))
    if not found:
        raise OperatorFault("Write at least one e-mail address.")
    if len(found) > MOST_AT_ONCE:
        raise OperatorFault(f"These are {len(found)} addresses; send {MOST_AT_ONCE} at once.")
    wrong = []
    for each in found:
        try:
            checked_email(each)
        except OperatorFault:
            wrong.append(each)
    if wrong:
        raise OperatorFault(f"These are not e-mail addresses: {', '.join(wrong[:5])}. Nobody was invited.")
    return found


async def invite_partners(
    store: Store, clock: Clock, outbox: Outbox, root: str, account: Row, emails: Sequence[str], campaign_id: str | None
) -> InvitedDocument:
    """Invite addresses to a live account (a row of `merchant_of_account` with `account_id`), all or none of them.

    Raise `OperatorFault` if the hub sends no mail, if the account has no active campaign, and beyond `MOST_A_DAY`.
    """
    if not outbox.is_on:
        raise OperatorFault("This hub sends no mail, so nobody can be invited by it. Ask its operator.")
    account_id = account["account_id"]
    async with store.write() as tx:
        now = clock()
        if not await campaigns_to_join(tx, account_id, campaign_id):
            raise OperatorFault("Activate a campaign first: a partner has to have something to sell.")
        sent = await tx.one("invitations_since", account_id=account_id, since=now - DAY)
        if sent is not None and sent["sent"] + len(emails) > MOST_A_DAY:
            raise OperatorFault(f"That would be more than {MOST_A_DAY} invitations within a day. Continue tomorrow.")
        done: InvitedDocument = {"mailed": 0, "joined": 0, "skipped": 0}
        for email in emails:
            done[await _invite(tx, now, outbox, root, account, email, campaign_id)] += 1  # type: ignore[literal-required] # one of its members
        await note_act(tx, now, "partner.invited", account_id, after={**done, "campaignId": campaign_id})
        return done


async def _invite(
    tx: Tx, now: int, outbox: Outbox, root: str, account: Row, email: str, campaign_id: str | None
) -> str:
    account_id, key = account["account_id"], email_key(email)
    known = await tx.one("affiliate_of_person", email_key=key)
    if known is not None:
        await join(tx, now, account_id, str(known["affiliate_id"]), campaign_id)
        values = {"title": f"{account['name']} made you a partner",
                  "sentence": f"{account['name']} invited you; you take part in its campaigns now."}  # fmt: skip
        await outbox.add(tx, now, Mail(email, "question", values, f"{root.rstrip('/')}/affiliate/campaigns",
                                       user_id=known["user_id"]))  # fmt: skip
        return "joined"
    if not await may_be_mailed(tx, now, email):
        return "skipped"
    await tx.run("void_registrations_of", account_id=account_id, email_key=key)
    made = await add_registration(
        tx, now, root, email, "affiliate", invited_by=account["name"], account_id=account_id, issuer=issuer_now()
    )
    await tx.run("write_invitation", account_id=account_id, email_key=key, email=email, campaign_id=campaign_id,
                 invited_by=current_actor().id, now=now)  # fmt: skip
    await outbox.add(tx, now, Mail(email, "partner", {"merchant": account["name"]}, made.url, made.expires_at))
    return "mailed"


async def take_back_invitation(store: Store, clock: Clock, account_id: str, email: str) -> None:
    """Void an invitation that was not accepted; raise `OperatorFault` if there is none."""
    async with store.write() as tx:
        where = {"account_id": account_id, "email_key": email_key(email)}
        if await tx.run("delete_invitation", **where) == 0:
            raise OperatorFault(f"{email} has no open invitation.")
        await tx.run("void_registrations_of", **where)
        await note_act(tx, clock(), "partner.invitation-taken-back", account_id, before={"email": email})


async def accept_invitation(tx: Tx, now: int, account_id: str, email: str, affiliate_id: str) -> bool:
    """Make somebody who registered by an invitation a member, with a first link; return whether there was one.

    The link belongs to the newest of the campaigns, and leads to the shop's first domain.
    """
    row = await tx.one("invitation_of", account_id=account_id, email_key=email_key(email))
    if row is None or row["accepted_at"] is not None:
        return False
    where = {"account_id": account_id, "email_key": email_key(email)}
    await tx.run("accept_invitation", **where, affiliate_id=affiliate_id, now=now)
    await join(tx, now, account_id, affiliate_id, row["campaign_id"])
    await note_act(tx, now, "partner.accepted", account_id, after={"affiliateId": affiliate_id})
    whose = await tx.one("merchant_of_account", account_id=account_id)
    if whose is not None:
        there = f"/merchant/affiliates/{affiliate_id}?mode={whose['mode']}"
        await tell(tx, now, "partner-joined", whose["merchant_id"], f"{email} accepted your invitation.", there)
    return True


async def join(tx: Tx, now: int, account_id: str, affiliate_id: str, campaign_id: str | None) -> None:
    """Make an affiliate a member of a campaign, or of every active one, and give it a link to the newest of them."""
    campaigns = await campaigns_to_join(tx, account_id, campaign_id)
    for each in campaigns:
        await admit(tx, now, Member(each, affiliate_id, account_id))
    if campaigns:
        await first_link(tx, lambda: now, account_id, affiliate_id, campaigns[0])
