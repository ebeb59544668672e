"""The test partner: an affiliate that every merchant has from the start, with a link, to try its test account with.

It belongs to its merchant alone, sells in the test account only, signs in nowhere and stands in no list of affiliates.
"""

from __future__ import annotations

from hub.clock import Clock
from hub.ids import new_id
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.affiliates.memberships import Member, admit
from hub.operations.errors import OperatorFault
from hub.operations.merchants.merchants import require_merchant
from hub.records.links import address_of
from hub.records.merchants import MerchantDocument
from hub.storage import Store, Tx

NAME = "Test partner"


async def ensure_test_partner(tx: Tx, now: int, merchant_id: str) -> str:
    """Return the id of a merchant's test partner, who is made if there is none yet."""
    values = {"name": NAME, "email": f"test-partner@{merchant_id[4:]}.invalid"}
    await tx.run("insert_test_partner", affiliate_id=new_id("aff"), merchant_id=merchant_id, now=now, **values)
    row = await tx.one("test_partner", merchant_id=merchant_id)
    if row is None:
        raise LookupError("a test partner that was just written")
    return str(row["affiliate_id"])


async def test_link(store: Store, clock: Clock, public_url: str, merchant_id: str) -> str:
    """Return the address of the test partner's link to the newest active campaign of the test account.

    It is made if there is none. Raise `OperatorFault` if the merchant has no proved domain that it could lead to.
    """
    async with store.write() as tx:
        merchant = await require_merchant(tx, merchant_id)
        if not merchant.domains:
            raise OperatorFault("Prove your shop's domain first: a link has to lead somewhere.")
        partner = await ensure_test_partner(tx, clock(), merchant.id)
        campaign = await tx.one("newest_active_campaign", account_id=merchant.accounts.test)
        if campaign is not None and campaign["joining"] == "BY_APPROVAL":
            await admit(tx, clock(), Member(campaign["campaign_id"], partner, merchant.accounts.test))
        campaign_id = None if campaign is None else str(campaign["campaign_id"])
        code = await _code(tx, clock, public_url, merchant, partner, campaign_id)
        return address_of(code, public_url)


async def _code(
    tx: Tx, clock: Clock, public_url: str, merchant: MerchantDocument, partner: str, campaign_id: str | None
) -> str:
    row = await tx.one("link_to_try", account_id=merchant.accounts.test, affiliate_id=partner, campaign_id=campaign_id)
    if row is not None:
        return str(row["code"])
    wanted = NewLink(merchant.id, "test", partner, campaign_id)
    return (await create_link(tx, clock, public_url, wanted)).code
