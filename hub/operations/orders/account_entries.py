"""Single orders and commissions of one account, as its API shows them. Every query is bound to the account."""

from __future__ import annotations

from hub.clock import Clock
from hub.operations.lists import FilterValues
from hub.operations.money.payouts.payouts import listed_commission
from hub.operations.orders.conversions import assemble, shown_conversions
from hub.records.commissions import ListedCommission
from hub.records.orders import ConversionRecord
from hub.storage import Store


async def conversion_of_account(
    store: Store, clock: Clock, account_id: str, conversion_id: str
) -> ConversionRecord | None:
    """Return the conversion of an account with an id; None if there is none."""
    async with store.read() as tx:
        rows = await tx.all(
            "conversion_of_account", account_id=account_id, conversion_id=conversion_id, external_order_id=None
        )
        shown = await shown_conversions(tx, await assemble(tx, rows), clock())
    return shown[0] if shown else None


async def conversions_of_account_order(
    store: Store, clock: Clock, account_id: str, wanted: FilterValues
) -> list[ConversionRecord]:
    """Return the conversion of an account's order if it matches the filters; none or one.

    The filters are `external_order_id`, `status`, `affiliate_id`, `campaign_id`, `created_from`, `created_to` and
    `updated_since`, the number of a change.
    """
    async with store.read() as tx:
        rows = await tx.all("conversion_of_order", account_id=account_id, **wanted)
        return await shown_conversions(tx, await assemble(tx, rows), clock())


async def commission_of_account(store: Store, account_id: str, commission_id: str) -> ListedCommission | None:
    """Return one commission of an account, None if there is none with the id."""
    async with store.read() as tx:
        row = await tx.one("commission_of_account", account_id=account_id, commission_id=commission_id)
    return None if row is None else listed_commission(row)


async def commission_anywhere(store: Store, commission_id: str) -> ListedCommission | None:
    """Return one commission of whichever account, for an operator; None if there is none with the id."""
    async with store.read() as tx:
        found = await tx.one("commission_anywhere", commission_id=commission_id)
    return None if found is None else await commission_of_account(store, found["account_id"], commission_id)
