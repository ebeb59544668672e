"""The subscriptions that a batch's renewals are of: which order began each, and how many renewals earned before.

A batch may hold several orders of one subscription, as when a history is read: what it decides is learned here, so that
renewals, which are decided last and in the order of their times, see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from attrs import define, field

from hub.domain.orders.attribution_policy import DEFAULT_POLICY
from hub.domain.orders.facts import OrderCreated
from hub.domain.orders.renewals import TOLD, Beginning, stated_renewal
from hub.processing.ledger_rows import Campaign, Conversion
from hub.storage import Row

Key = tuple[str, str]
"""(account id, id within the account)"""


class SubscriptionOrder(NamedTuple):
    """A row of `insert_subscription_orders`: an order that began (0) or renews (1) a subscription."""

    account_id: str
    conversion_id: str
    subscription: str
    renews: int

    @classmethod
    def of(cls, conversion: Conversion, order: OrderCreated) -> SubscriptionOrder | None:
        """Return the row of a new order; None if it names no subscription, or only a click could tell which."""
        stated = stated_renewal(order.metadata)
        series = _series(order)
        if series is None or not (stated.renews or stated.subscription):
            return None
        return cls(conversion.account_id, conversion.conversion_id, series, int(stated.renews))


class Begun(NamedTuple):
    """An attributed order that began a subscription, as it is stored."""

    click_id: str | None
    affiliate_id: str
    affiliate_active: bool
    campaign_id: str | None


@define
class Subscriptions:
    """What is known of the subscriptions of a batch's renewals: by (account id, subscription) and (account id, click).

    `clicks` are those of the orders that began them, `members` the campaigns that pay for them, and whom, as (account
    id, campaign id, affiliate id).
    """

    begun: dict[Key, Begun] = field(factory=dict)
    earned: dict[Key, int] = field(factory=dict)
    wanted: AbstractSet[Key] = frozenset()
    clicks: AbstractSet[Key] = frozenset()
    members: AbstractSet[tuple[str, str, str]] = frozenset()

    def beginning(self, account_id: str, order: OrderCreated, campaigns: Mapping[Key, Campaign]) -> Beginning | None:
        """Return what began the subscription that an order renews; None if no affiliate's order did."""
        keys = [(account_id, each) for each in _names(order)]
        found = next((self.begun[key] for key in keys if key in self.begun), None)
        if found is None:
            return None
        campaign = None if found.campaign_id is None else campaigns.get((account_id, found.campaign_id))
        return Beginning(
            *found, campaign=None if campaign is None else campaign.life,
            policy=DEFAULT_POLICY if campaign is None else campaign.policy, earned=self.earned.get(keys[0], 0),
        )  # fmt: skip

    def learn(self, conversion: Conversion, order: OrderCreated) -> SubscriptionOrder | None:
        """Return what is stored of a new order's subscription, and note it for renewals that are decided after it."""
        if not self.wanted and (not order.metadata or TOLD.isdisjoint(order.metadata)):
            return None
        if self.wanted and conversion.affiliate_id is not None:
            begun = Begun(conversion.click_id, conversion.affiliate_id, True, conversion.campaign_id)
            self._note(conversion.account_id, order, begun)
        return None if order.metadata is None else SubscriptionOrder.of(conversion, order)

    def _note(self, account_id: str, order: OrderCreated, begun: Begun) -> None:
        keys = [(account_id, each) for each in _names(order)]
        if keys and stated_renewal(order.metadata).renews:
            self.earned[keys[0]] = self.earned.get(keys[0], 0) + 1
            return
        for key in keys:
            if key in self.wanted:
                self.begun.setdefault(key, begun)


NO_SUBSCRIPTIONS: Final = Subscriptions()
"""What nearly every batch knows of renewals: it has none, so that nothing is ever noted in this one."""


def renewals_of(renewals: Iterable[tuple[str, OrderCreated]]) -> list[tuple[str, str, str]]:
    """Return by what renewals are known: account id, subscription or else click, and click ("" for none)."""
    return sorted({(account_id, *_both(order)) for account_id, order in renewals if _names(order)})


def subscriptions_of(rows: Sequence[Row]) -> Subscriptions:
    """Return what is stored of the subscriptions of renewals, from the rows of `load_subscriptions`."""
    found = Subscriptions(
        wanted={(r["account_id"], name) for r in rows for name in (r["series"], r["named_click"]) if name}
    )
    for row in rows:
        key = (row["account_id"], row["series"])
        found.earned[key] = row["earned"]
        if row["affiliate_id"] is not None:
            found.begun[key] = _begun(row)
    found.clicks = {(key[0], each.click_id) for key, each in found.begun.items() if each.click_id}
    found.members = {(key[0], each.campaign_id, each.affiliate_id) for key, each in found.begun.items()
                     if each.campaign_id}  # fmt: skip
    return found


def _begun(row: Row) -> Begun:
    return Begun(row["click_id"], row["affiliate_id"], row["affiliate_status"] == "ACTIVE", row["campaign_id"])


def _names(order: OrderCreated) -> list[str]:
    """Return by what an order's subscription is known: the shop's id of it first, then the click that it names."""
    return [each for each in (stated_renewal(order.metadata).subscription, order.click_id) if each]


def _series(order: OrderCreated) -> str | None:
    return next(iter(_names(order)), None)


def _both(order: OrderCreated) -> tuple[str, str]:
    """Return by what renewals are counted, and the click by which the order that began them may be found."""
    return _series(order) or "", order.click_id or ""
