"""Subscriptions: who is told of changes outside, under which address and secret, and what became of each message."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from attrs import evolve, frozen

from hub.clock import Clock
from hub.domain.durations import DAY
from hub.domain.messages.payload_versions import newest_version
from hub.domain.messages.webhook_signing import SECRET_BYTES, secret_text
from hub.domain.words import MODES
from hub.ids import new_id
from hub.operations.checks import checked_texts
from hub.operations.errors import OperatorFault, known
from hub.operations.list_filters import with_ids
from hub.operations.lists import List, Page, Wanted, every, first, read
from hub.operations.references import account_of, affiliate_id_of
from hub.operations.trail import note_act
from hub.operations.webhooks.subscription_checks import checked_kind, checked_types, checked_version
from hub.operations.writing import writing
from hub.outbound.public_addresses import Network
from hub.records.subscriptions import SubscriptionDocument, SubscriptionSecret, subscription_document
from hub.records.wire import write
from hub.sealing import Sealer
from hub.storage import Row, Store, Tx
from hub.validation.inputs import SubscriptionTexts

OVERLAP_MS: Final = DAY
"""How long the old secret signs beside the new one, unless said otherwise."""
LIVE: Final = "live"
MOST: Final = 20
"""Subscriptions of one owner."""
SUBSCRIPTIONS: Final = List("subscriptions")


@frozen
class NewSubscription(SubscriptionTexts):
    """A subscription as it is asked for: of a merchant in one mode, or of an affiliate.

    An affiliate's hears of the accounts of its mode, live unless it says test: anybody may open a test account, and
    what is made up there must not look like money in an affiliate's tracker.
    `events` are types or patterns such as `commission.*`. A URL with placeholders in braces is a postback, a GET.
    One that is made `paused` keeps its messages until it is resumed. Without a `payload_version` its messages stay in
    the one that is the newest when it is made.
    """

    url: str
    events: Sequence[str]
    merchant_id: str | None = None
    mode: str | None = None
    affiliate_id: str | None = None
    paused: bool = False
    payload_version: str | None = None


@writing
async def create_subscription(
    tx: Tx, sealer: Sealer, clock: Clock, allowed: Sequence[Network], wanted: NewSubscription
) -> SubscriptionSecret:
    """Store a subscription; its secret is returned this once.

    `allowed` are the networks beside the public ones (`[outbound] allowed_networks`). Raise `OperatorFault` if the
    owner is unknown, or for a URL or an event that cannot be used.
    """
    kind = checked_kind(wanted.url, allowed)
    types = checked_types(wanted.events)
    version = newest_version() if wanted.payload_version is None else checked_version(wanted.payload_version)
    subscription_id, now = new_id("sub"), clock()
    key = secrets.token_bytes(SECRET_BYTES)
    account_id, affiliate_id = await _owner(tx, wanted)
    await tx.run(
        "insert_subscription",
        subscription_id=subscription_id,
        account_id=account_id,
        affiliate_id=affiliate_id,
        mode=None if affiliate_id is None else wanted.mode or LIVE,
        kind=kind,
        url=wanted.url,
        **checked_texts(SubscriptionTexts, wanted),
        patterns=json.dumps(list(wanted.events)),
        event_types=f",{','.join(types)},",
        version=version,
        secrets=json.dumps([{"sealed": sealer.seal(key, subscription_id), "expiresAt": None}]),
        status="PAUSED" if wanted.paused else "ACTIVE",
        reason="It was made paused." if wanted.paused else None,
        now=now,
    )
    made = await require_subscription(tx, subscription_id)
    await note_act(tx, now, "subscription.created", subscription_id, after=without_url(made))
    secret = secret_text(key) if kind == "WEBHOOK" else None
    return SubscriptionSecret(subscription_id, secret, version)


@frozen
class SubscriptionChange(SubscriptionTexts):
    """What is to change of a subscription; None leaves it, and an empty text ends one."""

    url: str | None = None
    events: Sequence[str] | None = None
    payload_version: str | None = None


@writing
async def update_subscription(
    tx: Tx, clock: Clock, allowed: Sequence[Network], subscription_id: str, change: SubscriptionChange
) -> SubscriptionDocument:
    """Change a subscription; its secret stays, and so does what waits.

    Messages that wait go to the new address and in the new version. Raise `OperatorFault` if it is unknown, for a URL,
    an event or a version that cannot be used, and for a URL of another kind: a postback is not signed, so messages that
    wait for the one cannot become those of the other.
    """
    before = await require_subscription(tx, subscription_id)
    url = before.url if change.url is None else change.url
    events = before.events if change.events is None else change.events
    if change.url is not None and checked_kind(url, allowed) != before.kind:
        raise OperatorFault(
            "A webhook cannot become a postback, nor a postback a webhook: subscribe again, and delete this one."
        )
    types = checked_types(events)
    asked = change.payload_version
    version = before.payload_version if asked is None else checked_version(asked)
    await tx.run(
        "update_subscription",
        subscription_id=subscription_id,
        url=url,
        **checked_texts(SubscriptionTexts, change, before),
        patterns=json.dumps(list(events)),
        event_types=f",{','.join(types)},",
        version=version,
    )
    after = await require_subscription(tx, subscription_id)
    act = "subscription.updated"
    await note_act(tx, clock(), act, subscription_id, before=without_url(before), after=without_url(after))
    return after


async def subscriptions_part(store: Store, wanted: Wanted) -> Page[SubscriptionDocument]:
    """Return a part of the subscriptions, oldest first; the filters `merchant` and `affiliate` are references.

    Raise `OperatorFault` for a reference that names nothing, and `CursorFault`.
    """
    async with store.read() as tx:
        found = await read(tx, SUBSCRIPTIONS, evolve(await with_ids(tx, wanted), oldest_first=True))
    return found.of(subscription_document)


async def list_subscriptions(
    store: Store, *, merchant: str | None = None, affiliate: str | None = None
) -> list[SubscriptionDocument]:
    """Return all subscriptions, oldest first, of one owner if given; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        wanted = await with_ids(tx, Wanted({"merchant": merchant, "affiliate": affiliate}, oldest_first=True))
    return [subscription_document(row) async for row in every(store, SUBSCRIPTIONS, wanted)]


async def subscriptions_of_account(tx: Tx, account_id: str) -> list[SubscriptionDocument]:
    """Return the subscriptions of an account, oldest first."""
    found = await read(tx, SUBSCRIPTIONS, Wanted({"account_id": account_id}, limit=2 * MOST, oldest_first=True))
    return [subscription_document(row) for row in found.entries]


@writing
async def set_subscription_status(tx: Tx, clock: Clock, subscription_id: str, status: str) -> SubscriptionDocument:
    """Make a subscription ACTIVE or PAUSED; while it is paused its messages are kept. Repeat it without effect.

    Raise `OperatorFault` if it is unknown.
    """
    before = await require_subscription(tx, subscription_id)
    reason = "Somebody paused it." if status == "PAUSED" else None
    await tx.run("set_subscription_status", subscription_id=subscription_id, status=status, reason=reason)
    after = await require_subscription(tx, subscription_id)
    act = "subscription.paused" if status == "PAUSED" else "subscription.resumed"
    await note_act(tx, clock(), act, subscription_id, before=without_url(before), after=without_url(after))
    return after


@writing
async def delete_subscription(tx: Tx, clock: Clock, subscription_id: str) -> SubscriptionDocument:
    """Delete a subscription and its messages that wait; return it as it was. Raise `OperatorFault` if it is unknown."""
    before = await require_subscription(tx, subscription_id)
    await tx.run("set_subscription_status", subscription_id=subscription_id, status="DELETED", reason=None)
    await tx.run("drop_deliveries", subscription_id=subscription_id)
    await note_act(tx, clock(), "subscription.deleted", subscription_id, before=without_url(before))
    return before


@writing
async def rotate_secret(
    tx: Tx, sealer: Sealer, clock: Clock, subscription_id: str, overlap_ms: int = OVERLAP_MS
) -> SubscriptionSecret:
    """Give a subscription a new secret; the old one signs beside it for `overlap_ms`.

    Raise `OperatorFault` if it is unknown or a postback, which has none.
    """
    key = secrets.token_bytes(SECRET_BYTES)
    document, now = await require_subscription(tx, subscription_id), clock()
    if document.kind != "WEBHOOK":
        raise OperatorFault("A postback is not signed, so it has no secret.")
    row = await _row(tx, subscription_id)
    kept = [each for each in json.loads(row["secrets"]) if each["expiresAt"] is None or each["expiresAt"] > now]
    newest = kept[-1:]
    old = [{**each, "expiresAt": now + overlap_ms} for each in newest] if overlap_ms else []
    new = json.dumps([*old, {"sealed": sealer.seal(key, subscription_id), "expiresAt": None}])
    await tx.run("set_subscription_secrets", subscription_id=subscription_id, old=row["secrets"], new=new)
    await note_act(tx, now, "subscription.rotated", subscription_id, after={"overlapMs": overlap_ms})
    return SubscriptionSecret(subscription_id, secret_text(key), document.payload_version)


async def _owner(tx: Tx, wanted: NewSubscription) -> tuple[str | None, str | None]:
    if wanted.affiliate_id is not None:
        if wanted.mode not in (None, *MODES):
            raise OperatorFault(f"A subscription hears of {' or '.join(MODES)} orders; {wanted.mode!r} is neither.")
        affiliate_id = await affiliate_id_of(tx, wanted.affiliate_id)
        found = await read(tx, SUBSCRIPTIONS, Wanted(limit=MOST), {"affiliate_id": affiliate_id})
        _refuse_more(found.entries)
        return None, affiliate_id
    if wanted.merchant_id is None or wanted.mode is None:
        raise OperatorFault("A subscription is of a merchant in a mode, or of an affiliate; name one of them.")
    account = await account_of(tx, wanted.merchant_id, wanted.mode)
    found = await read(tx, SUBSCRIPTIONS, Wanted(limit=2 * MOST), {"merchant_id": account["merchant_id"]})
    _refuse_more([row for row in found.entries if row["mode"] == wanted.mode])
    return str(account["account_id"]), None


def _refuse_more(found: Sequence[Row]) -> None:
    if len(found) >= MOST:
        raise OperatorFault(f"There are {MOST} subscriptions already; delete one first.")


async def _row(tx: Tx, subscription_id: str) -> Row:
    row = await first(tx, SUBSCRIPTIONS, subscription_id=subscription_id)
    return known(row, "subscription", subscription_id, command="`hub subscription list` shows them all.")


async def require_subscription(tx: Tx, subscription_id: str) -> SubscriptionDocument:
    """Return a subscription; raise `OperatorFault` if it is unknown."""
    return subscription_document(await _row(tx, subscription_id))


def without_url(document: SubscriptionDocument) -> dict[str, Any]:
    """Return a document as the trail keeps it: an address may hold a token, so only its host is shown."""
    return {**write(document), "url": None, "host": urlsplit(document.url).hostname}
