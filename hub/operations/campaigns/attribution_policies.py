"""The attribution policy of a campaign: shown, and set by its merchant or an operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypedDict

import orjson
from attrs import evolve, frozen

from hub.clock import Clock
from hub.domain.durations import DAY
from hub.domain.orders.attribution_policy import (
    DEFAULT_POLICY,
    MOST_CUSTOMER_DAYS,
    MOST_RENEWALS,
    AttributionPolicy,
    PolicyJson,
    PolicyRule,
    Renewals,
    policy_from_json,
    policy_sentence,
    policy_to_json,
)
from hub.operations.campaigns.campaigns import campaign_named
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.trail import note_act
from hub.storage import Row, Store

MOST_NAMES: Final = 100
LONGEST_NAME: Final = 255


class _OfCampaign(TypedDict):
    campaignId: str
    campaignCode: str


class PolicyDocument(_OfCampaign, PolicyJson):
    """A campaign's policy; `sentence` is what affiliates read of it, `rule` CLICK, COUPON or COUPON_WITHOUT_CLICK.

    `renewals` is WITHIN_WINDOW, NEVER, TIMES or ALWAYS, `renewalTimes` how many earn under TIMES, else 0.
    `customerDays` is for how long a customer is known again, 0 if they are not.
    """

    sentence: str


@frozen
class PolicyForm:
    """What is typed of a policy; None leaves a member as it is, an empty list empties it.

    `renewal_times` goes with `renewals`: it is asked for by TIMES, and left out of account by the others.
    `customer_days` is 0 to 1,095; fewer than before forget the customers that were known for longer.
    """

    rule: PolicyRule | None = None
    new_customers_only: bool | None = None
    excluded_coupons: Sequence[str] | None = None
    excluded_products: Sequence[str] | None = None
    excluded_subs: Sequence[str] | None = None
    flags_visitors: bool | None = None
    renewals: Renewals | None = None
    renewal_times: int | None = None
    customer_days: int | None = None


async def show_attribution_policy(store: Store, reference: str, account_id: str | None = None) -> PolicyDocument:
    """Return a campaign's policy; raise `OperatorFault` if the campaign is unknown or ambiguous."""
    async with store.read() as tx:
        return _document(await campaign_named(tx, reference, account_id))


async def set_attribution_policy(
    store: Store, clock: Clock, reference: str, form: PolicyForm, account_id: str | None = None
) -> PolicyDocument:
    """Change a campaign's policy for orders that are decided from now on; those that were decided stay as they are.

    Raise `OperatorFault` if the campaign is unknown or ambiguous, or for a name or a number that cannot be used.
    """
    changes: dict[str, Any] = {
        "rule": form.rule,
        "new_customers_only": form.new_customers_only,
        "excluded_coupons": _names(form.excluded_coupons, upper=True),
        "excluded_products": _names(form.excluded_products),
        "excluded_subs": _names(form.excluded_subs),
        "flags_visitors": form.flags_visitors,
        "renewals": form.renewals,
        "renewal_times": _times(form),
        "customer_days": _customer_days(form),
    }
    now = clock()
    async with store.write() as tx:
        row = await campaign_named(tx, reference, account_id)
        await tx.run("hold_campaign", account_id=row["account_id"], campaign_id=row["campaign_id"])
        before = await campaign_named(tx, row["campaign_id"])
        policy = evolve(_policy(before), **{name: value for name, value in changes.items() if value is not None})
        stored = None if policy == DEFAULT_POLICY else orjson.dumps(policy_to_json(policy)).decode()
        await tx.run("set_attribution_policy", account_id=row["account_id"], campaign_id=row["campaign_id"],
                     attribution=stored, now=now)  # fmt: skip
        if policy.customer_days < _policy(before).customer_days:
            await tx.run("shorten_customers", account_id=row["account_id"], campaign_id=row["campaign_id"],
                         kept_ms=policy.customer_days * DAY)  # fmt: skip
        after = _document(await campaign_named(tx, row["campaign_id"]))
        if after != _document(before):
            await note_act(tx, now, "campaign.updated", row["campaign_id"], before=_document(before), after=after)
        return after


def _times(form: PolicyForm) -> int | None:
    """Return how many renewals of a subscription earn; 0 where they are not counted, None to leave it as it is."""
    if form.renewals != "TIMES":
        return None if form.renewals is None else 0
    if form.renewal_times is None or not 1 <= form.renewal_times <= MOST_RENEWALS:
        raise InvalidFields({"renewal_times": f"Say how many renewals of a subscription earn: 1 to {MOST_RENEWALS}."})
    return form.renewal_times


def _customer_days(form: PolicyForm) -> int | None:
    """Return for how many days a customer is known, None to leave it as it is."""
    if form.customer_days is not None and not 0 <= form.customer_days <= MOST_CUSTOMER_DAYS:
        raise InvalidFields({"customer_days": f"Say for how many days: 0 to {MOST_CUSTOMER_DAYS}, and 0 for never."})
    return form.customer_days


def _names(given: Sequence[str] | None, *, upper: bool = False) -> tuple[str, ...] | None:
    if given is None:
        return None
    names = tuple(dict.fromkeys(each.strip().upper() if upper else each.strip() for each in given if each.strip()))
    if len(names) > MOST_NAMES:
        raise OperatorFault(f"A policy leaves out at most {MOST_NAMES} names of each kind; these are {len(names)}.")
    for name in names:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise OperatorFault(f"{name[:50]!r} is not a name of at most {LONGEST_NAME} printable characters.")
    return names


def _policy(row: Row) -> AttributionPolicy:
    return DEFAULT_POLICY if row["attribution"] is None else policy_from_json(orjson.loads(row["attribution"]))


def _document(row: Row) -> PolicyDocument:
    policy = _policy(row)
    return {
        "campaignId": row["campaign_id"],
        "campaignCode": row["campaign_code"],
        **policy_to_json(policy),
        "sentence": policy_sentence(policy),
    }
