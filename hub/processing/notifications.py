"""The outbox of webhooks: what changed is written with the change, for those who subscribed to it.

Whoever changes a commission or a conversion holds the lock of its order, so the messages of one order get their numbers
one after the other, in the order of the changes. Where nobody subscribed, nothing is composed and nothing written: the
worker learns that with what it loads for a batch anyway, everybody else by one query.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from hub.domain.instants import format_instant, instant_or_none
from hub.domain.messages.notifications import types_of_change
from hub.domain.messages.payload_versions import newest_version
from hub.domain.money import format_money
from hub.ids import new_id
from hub.processing.ledger_rows import Commission, Conversion
from hub.records.messages import MESSAGE_KINDS
from hub.storage import Tx

ANY_AFFILIATE = ""
"""Stands among the watched accounts for an affiliate's subscription, which may concern any account."""


class Message(NamedTuple):
    """A row of `queue_messages`: `place` orders those of one subject, `created_at` is in ms UTC.

    `data` is JSON, written in `payload_version`.
    """

    account_id: str
    affiliate_id: str
    subject: str
    place: int
    message_id: str
    event_type: str
    data: str
    created_at: int
    payload_version: str


class Change(NamedTuple):
    """A conversion and its commission after a transaction changed them; `before` is the commission until then.

    `adjusted` says that money was corrected after the payout, `questions` why a person must look at the order again.
    """

    conversion: Conversion
    before: Commission | None
    after: Commission | None
    is_new: bool = False
    adjusted: bool = False
    questions: tuple[str, ...] = ()


class ReleasedPayout(NamedTuple):
    """A payment to an affiliate that was released; `shares` are (account id, minor units), negative for corrections."""

    payout_id: str
    affiliate_id: str
    currency: str
    shares: Sequence[tuple[str, int]]


async def watched_accounts(tx: Tx, accounts: Iterable[str]) -> frozenset[str]:
    """Return those of these accounts that somebody watches, and ANY_AFFILIATE if an affiliate watches any."""
    wanted = [(each,) for each in sorted(set(accounts))]
    rows = await tx.all("load_watched", accounts=wanted) if wanted else ()
    return frozenset(row["account_id"] for row in rows)


async def queue_moved(tx: Tx, moved: Mapping[tuple[str, str], str], now: int) -> None:
    """Queue the messages about commissions that this transaction moved to another state.

    `moved` maps (account id, conversion id) to the state until then.
    """
    watched = await watched_accounts(tx, [account_id for account_id, _ in moved])
    keys = [key for key in moved if is_watched(watched, key[0])] if watched else []
    if not keys:
        return
    conversions = {each.conversion_id: each for each in await tx.records(Conversion, "conversions_by_id", keys=keys)}
    changes = []
    for after in await tx.records(Commission, "load_commissions", conversions=keys):
        before = after._replace(state=moved[after.account_id, after.conversion_id], paid_at=None)
        changes.append(Change(conversions[after.conversion_id], before, after))
    messages = messages_of(changes, watched, now)
    if messages:
        await tx.run("queue_messages", messages=messages)


async def queue_changes(tx: Tx, changes: Sequence[Change], now: int) -> None:
    """Queue the messages about changes that were written in this transaction."""
    watched = await watched_accounts(tx, [each.conversion.account_id for each in changes])
    messages = messages_of(changes, watched, now)
    if messages:
        await tx.run("queue_messages", messages=messages)


async def queue_released_payout(tx: Tx, payout: ReleasedPayout, now: int) -> None:
    """Queue the messages about a released payment to an affiliate, one for each account that pays a share of it."""
    watched = await watched_accounts(tx, [account_id for account_id, _ in payout.shares])
    messages = [
        Message(
            account_id, payout.affiliate_id, f"{payout.payout_id}/{payout.affiliate_id}/{payout.currency}", place,
            new_id("msg"), "payout.released", orjson.dumps(_payout(payout, minor)).decode(), now, newest_version(),
        )
        for place, (account_id, minor) in enumerate(payout.shares, 1)
        if is_watched(watched, account_id)
    ]  # fmt: skip
    if messages:
        await tx.run("queue_messages", messages=messages)


def _payout(payout: ReleasedPayout, minor: int) -> dict[str, Any]:
    return {
        "payoutId": payout.payout_id,
        "affiliateId": payout.affiliate_id,
        "amount": f"-{format_money(-minor, payout.currency)}" if minor < 0 else format_money(minor, payout.currency),
        "currency": payout.currency,
    }


def messages_of(changes: Iterable[Change], watched: Collection[str], now: int) -> list[Message]:
    """Return the messages about changes in accounts that somebody watches."""
    if not watched:
        return []
    messages: list[Message] = []
    for change in changes:
        if is_watched(watched, change.conversion.account_id):
            messages += _messages(change, now)
    return messages


def is_watched(watched: Collection[str], account_id: str) -> bool:
    """Return whether anybody may have subscribed to what happens in an account."""
    return account_id in watched or ANY_AFFILIATE in watched


def _messages(change: Change, now: int) -> list[Message]:
    conversion, before, after = change.conversion, change.before, change.after
    found: list[tuple[str, Mapping[str, Any]]] = []
    if change.is_new and conversion.review == "OPEN":
        found.append(("conversion.review", review_data(conversion, conversion.reason)))
    found += [("conversion.review", review_data(conversion, reason)) for reason in change.questions]
    if after is not None:
        types = types_of_change(None if before is None else _standing(before), _standing(after))
        if change.adjusted and "commission.adjusted" not in types:
            types = (*types, "commission.adjusted")
        data = commission_data(conversion, before, after) if types else {}
        found += [(each, data) for each in types]
    affiliate_id = "" if after is None else after.affiliate_id
    return [
        Message(
            conversion.account_id, affiliate_id if MESSAGE_KINDS[event_type].for_affiliates else "",
            conversion.conversion_id, place, new_id("msg"), event_type,
            orjson.dumps(data).decode(), now, newest_version(),
        )
        for place, (event_type, data) in enumerate(found, 1)
    ]  # fmt: skip


def _standing(commission: Commission) -> tuple[str, int, int | None]:
    return commission.state, commission.amount_minor, commission.hold_until


def commission_data(conversion: Conversion, before: Commission | None, after: Commission) -> dict[str, Any]:
    """Return the `data` of a message about a commission, as it stands after the change."""
    currency = after.currency
    return {
        "commissionId": after.commission_id,
        "state": after.state,
        "previousState": None if before is None else before.state,
        "amount": format_money(after.amount_minor, currency),
        "previousAmount": None if before is None else format_money(before.amount_minor, currency),
        "currency": currency,
        "holdUntil": instant_or_none(after.hold_until),
        "paidAt": instant_or_none(after.paid_at),
        **_order(conversion),
        "affiliateId": after.affiliate_id,
    }


def review_data(conversion: Conversion, reason: str) -> dict[str, Any]:
    """Return the `data` of a message about an order that waits for a person."""
    return {
        **_order(conversion),
        "orderAmount": format_money(conversion.order_minor, conversion.currency),
        "currency": conversion.currency,
        "reason": reason,
        "candidateId": conversion.candidate_id,
    }


def _order(conversion: Conversion) -> dict[str, Any]:
    return {
        "conversionId": conversion.conversion_id,
        "externalOrderId": conversion.external_order_id,
        "campaignId": conversion.campaign_id,
        "clickId": conversion.click_id,
        "orderedAt": format_instant(conversion.ordered_at),
    }
