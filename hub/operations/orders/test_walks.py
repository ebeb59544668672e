"""The test walk: a buyer follows the test partner's link, orders and gets the parcel, each step by one press.

Each goes over the network to the hub's own address, as those of real buyers and of the merchant's own platform do.
"""

from __future__ import annotations

import json
from typing import TypedDict
from urllib.parse import urlsplit

from hub.domain.instants import format_instant
from hub.operations.affiliates.test_partner import test_link
from hub.operations.errors import OperatorFault
from hub.operations.orders.played_orders import API, PlayedDocument, Stage, play_scenario, plays_of
from hub.operations.orders.played_outcomes import wait_for_decisions
from hub.operations.references import account_of
from hub.operations.trail import note_act
from hub.outbound.own_server import NotListening
from hub.plugin_host.translation import HostUnavailable

BROWSER = "Mozilla/5.0"
"""Said of a buyer whose own browser says nothing, which would be taken for a program's."""
LED_ON = (302, 303, 307)


class FollowedDocument(TypedDict):
    """A link that was followed: its address, and the shop's to which it led, with the click in it."""

    link: str
    ledTo: str
    followedAt: str


async def follow_test_link(stage: Stage, public_url: str, merchant: str, user_agent: str) -> FollowedDocument:
    """Follow the test partner's link as a buyer does; it is made if there is none.

    Raise `OperatorFault` without a proved domain, and if the hub does not answer itself.
    """
    link = await test_link(stage.store, stage.clock, public_url, merchant)
    try:
        answer = await stage.own_server.follow(urlsplit(link).path, {"User-Agent": user_agent or BROWSER})
    except NotListening as fault:
        raise OperatorFault(str(fault)) from None
    if answer.status not in LED_ON or not answer.location:
        raise OperatorFault(f"The link led nowhere: it was answered {answer.status}. Look at your campaign and domain.")
    followed: FollowedDocument = {
        "link": link, "ledTo": answer.location, "followedAt": format_instant(stage.clock())
    }  # fmt: skip
    async with stage.store.write() as tx:
        account = await account_of(tx, merchant, "test")
        await note_act(tx, stage.clock(), "account.followed", account["account_id"], after=dict(followed))
    return followed


async def place_test_order(stage: Stage, merchant: str) -> PlayedDocument:
    """Place an order by the merchant's newest test store, else by its test key, and wait until it is decided.

    Raise `OperatorFault` without a click, a secret or a key.
    """
    async with stage.store.read() as tx:
        account = await account_of(tx, merchant, "test")
        click = await tx.one("newest_click", account_id=account["account_id"])
    if click is None:
        raise OperatorFault("Follow the test link first: an order without a click earns nobody anything.")
    played = await play_scenario(stage, merchant, "order", await test_sender(stage, account["account_id"]))
    return await _decided(stage, account["account_id"], played)


async def deliver_test_order(stage: Stage, merchant: str) -> PlayedDocument:
    """Pay and deliver the newest test order; raise `OperatorFault` if there is none."""
    async with stage.store.read() as tx:
        account = await account_of(tx, merchant, "test")
    placed = await placed_order(stage, account["account_id"])
    if placed is None:
        raise OperatorFault("Place a test order first.")
    played = await play_scenario(stage, merchant, "delivered", after=placed)
    return await _decided(stage, account["account_id"], played)


async def placed_order(stage: Stage, account_id: str) -> PlayedDocument | None:
    """Return the newest order that was placed by a play and taken, None if there is none."""
    plays = [each for each in await plays_of(stage.store, account_id) if each["scenario"] == "order"]
    return next((each for each in plays if any(step["answer"] for step in each["steps"])), None)


async def test_sender(stage: Stage, account_id: str) -> str:
    """Return who plays a test account's orders: its newest store that can sign or need not, else the API.

    Raise `OperatorFault` while the plugins cannot be asked.
    """
    now = stage.clock()
    try:
        catalog = await stage.plugins.catalog()
    except HostUnavailable as fault:
        raise OperatorFault(str(fault)) from None
    asked = {each.name for each in catalog.connectors if each.connects and not each.can_be_played}
    async with stage.store.read() as tx:
        rows = await tx.all("connections_of_account", account_id=account_id)
    for row in rows:
        live = [each for each in json.loads(row["secrets"]) if each["expiresAt"] is None or each["expiresAt"] > now]
        if row["status"] == "ACTIVE" and (live or row["connector"] in asked):
            return str(row["connection_id"])
    return API


async def _decided(stage: Stage, account_id: str, played: PlayedDocument) -> PlayedDocument:
    refused = next((step["fault"] for step in played["steps"] if step["fault"]), None)
    if refused is not None:
        raise OperatorFault(f"The hub refused it: {refused}")
    await wait_for_decisions(stage.store, account_id, played)
    return played
