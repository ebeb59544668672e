"""A store, played against a test account: orders and their news, sent to the hub's own address and signed.

A scenario is a list of what the store sends. Over a connection these are the deliveries of the connector's simulated
store, signed with the connection's secret; else they are requests of the API, signed with a test key. Both arrive as
those of a real store do: nothing is written past the signature, the rate limits, the claims and the worker. A store
that sends nothing, or signs with a key of its own, is read instead (`played_readings`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from typing import Any, Final, Literal, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.domain.connectors.deliveries import secret_identity
from hub.domain.connectors.scenarios import SimulationFault, posts
from hub.domain.connectors.scenes import Play
from hub.domain.instants import format_instant, parse_instant
from hub.domain.signing import sign_v2
from hub.ids import new_id
from hub.intake.submission_batcher import SubmissionBatcher
from hub.operations.connections.connections import connection_row
from hub.operations.connections.connectors import connector_named
from hub.operations.errors import OperatorFault, unknown
from hub.operations.lists import Wanted
from hub.operations.merchants.keys import list_keys
from hub.operations.orders.played_readings import read_scenario
from hub.operations.references import account_of
from hub.operations.trail import note_act
from hub.operations.trail_lists import newest_acts
from hub.outbound.own_server import NotListening, OwnAnswer, OwnServer
from hub.plugin_host.catalog import Declaration
from hub.plugin_host.translation import HostUnavailable, PluginFailed, Plugins
from hub.sealing import Sealer
from hub.storage import Row, Store

STORM: Final = 10
AMOUNT: Final = "64"
PART: Final = "16"
"""Whole amounts, which every currency has."""
BEFORE_NOW: Final = 10_000
"""A platform's order was placed ten seconds ago: its later steps, a second apart, have happened by now too."""
KEPT: Final = 50
"""How many of the newest plays of an account are looked through for one."""
API: Final = "api"
"""The sender that stands for requests of the API."""
CONVERSIONS: Final = "/api/v1/conversions"
STATUSES: Final = "/api/v1/order-status"
REFUNDS: Final = "/api/v1/webhooks/order-refunded"
FIRST_STEPS: Final = ("order", "created")
"""How a play of the API and one of a platform call the news that there is an order."""
Step = Literal["order", "paid", "delivered", "refund", "cancelled", "order again"]
SCENARIOS: Final[dict[str, tuple[str, tuple[Step, ...]]]] = {
    "order": ("A buyer orders", ("order",)),
    "delivered": ("An order that is paid and delivered", ("order", "paid", "delivered")),
    "partial-refund": ("A delivered order, a part of which goes back", ("order", "paid", "delivered", "refund")),
    "cancel": ("A paid order that is cancelled", ("order", "paid", "cancelled")),
    "duplicate": ("The same update, sent again", ("order", "order again")),
    "storm": ("One status, sent ten times", ("order", *("paid",) * STORM)),
    "out-of-order": ("The last update arrives first", ("delivered", "paid", "order")),
}
"""The words of each scenario, and its steps if the API is played, by its name. `DELIVERIES` has each of them too."""


class PlayedStep(TypedDict):
    """What was sent and how it was answered.

    `status` is that of HTTP, `answer` RECEIVED, QUEUED or DUPLICATE if it was taken, else `fault` says why not.
    """

    step: str
    status: int
    eventId: str | None
    answer: str | None
    fault: str | None


class PlayedDocument(TypedDict):
    """A scenario that was played: who sent it (a connection, or "api"), the order, its click, each step's answer."""

    id: str
    sender: str
    scenario: str
    externalOrderId: str
    clickId: str | None
    playedAt: str
    steps: list[PlayedStep]


@frozen(eq=False)
class Stage:
    """What a play works with."""

    store: Store
    sealer: Sealer
    plugins: Plugins
    own_server: OwnServer
    clock: Clock
    intake: SubmissionBatcher


@frozen
class _Request:
    """One POST of a play."""

    step: str
    path: str
    headers: dict[str, str]
    body: bytes


@frozen
class _Order:
    """An order that is played: who sends it, its number and click, and when it was placed (ms UTC)."""

    sender: str
    order_id: str
    click_id: str | None
    placed_at: int


async def play_scenario(
    stage: Stage, merchant: str, scenario: str, sender: str = API, *, after: PlayedDocument | None = None
) -> PlayedDocument:
    """Play a scenario with a new order in the merchant's test account; it names the newest click of the account.

    `after` is a play whose order is taken up again: its later steps alone are sent, by the same sender.
    `sender` is a connection of that account, or "api". Raise `OperatorFault` if one of the names is unknown, without a
    key or a secret to sign with, and if the hub does not answer itself.
    """
    if scenario not in SCENARIOS:
        raise OperatorFault(f"{scenario!r} is not a scenario; those are {', '.join(SCENARIOS)}.")
    async with stage.store.read() as tx:
        account = await account_of(tx, merchant, "test")
        click = await tx.one("newest_click", account_id=account["account_id"])
    now = stage.clock()
    order = _new_order(sender, None if click is None else str(click["click_id"]), now)
    if after is not None:
        order = _Order(after["sender"], after["externalOrderId"], after["clickId"], parse_instant(after["playedAt"]))
    played: PlayedDocument = {
        "id": new_id("play"),
        "sender": order.sender,
        "scenario": scenario,
        "externalOrderId": order.order_id,
        "clickId": order.click_id,
        "playedAt": format_instant(now),
        "steps": await _played(stage, account, order, scenario, () if after is None else FIRST_STEPS),
    }
    async with stage.store.write() as tx:
        await note_act(tx, stage.clock(), "account.played", account["account_id"], after=dict(played))
    return played


async def _played(stage: Stage, account: Row, order: _Order, scenario: str, skipped: Sequence[str]) -> list[PlayedStep]:
    """Play the steps of a scenario but those skipped, and return how each was answered."""
    if order.sender == API:
        requests = await _api_requests(stage, account, scenario, order.order_id, order.click_id)
        return await _sent(stage.own_server, [each for each in requests if each.step not in skipped])
    play = Play(order.order_id, order.click_id, account["currency"], order.placed_at - BEFORE_NOW)
    async with stage.store.read() as tx:
        connection = await connection_row(tx, order.sender)
    if connection["account_id"] != account["account_id"]:
        raise unknown("connection", order.sender, command="`hub connection list` shows them all.")
    connector = await connector_named(stage.plugins, connection["connector"])
    try:
        if not connector.can_be_played:
            deliveries = await stage.plugins.played(connector.name, play)
            read = await read_scenario(stage.intake, stage.clock, connection, deliveries, scenario, skipped)
            return [_step(step, answer) for step, answer in read]
        requests = await _deliveries(stage, connection, connector, scenario, play)
    except (HostUnavailable, PluginFailed, SimulationFault) as fault:
        raise OperatorFault(str(fault)) from None
    return await _sent(stage.own_server, [each for each in requests if each.step not in skipped])


def _new_order(sender: str, click_id: str | None, now: int) -> _Order:
    """Return an order that was not played before: a platform's numbers are digits."""
    number = f"TEST-{secrets.token_hex(4).upper()}" if sender == API else str(10**12 + secrets.randbelow(9 * 10**12))
    return _Order(sender, number, click_id, now)


async def plays_of(store: Store, account_id: str) -> list[PlayedDocument]:
    """Return what was played in an account, the newest first, at most `KEPT`."""
    acts = await newest_acts(store, Wanted({"subject": account_id, "act": "account.played"}, KEPT))
    return [PlayedDocument(**act["after"]) for act in acts if act["after"] and "id" in act["after"]]  # type: ignore[typeddict-item] # what this room stored


async def _sent(own_server: OwnServer, requests: Sequence[_Request]) -> list[PlayedStep]:
    sent: list[PlayedStep] = []
    for request in requests:
        try:
            answer = await own_server.post(request.path, request.headers, request.body)
        except NotListening as fault:
            raise OperatorFault(str(fault)) from None
        sent.append(_step(request.step, answer))
    return sent


def _step(step: str, answer: OwnAnswer) -> PlayedStep:
    taken, body = 200 <= answer.status < 300, answer.body
    event_id = body.get("webhookEventId") or body.get("eventId")
    return {
        "step": step,
        "status": answer.status,
        "eventId": str(event_id) if taken and event_id else None,
        "answer": str(body.get("status", "")) or None if taken else None,
        "fault": None if taken else _words(body.get("message")),
    }


def _words(message: object) -> str:
    """Return the message of a refusal, which has one sentence or several."""
    return " ".join(map(str, message)) if isinstance(message, list) else str(message or "It was refused.")


async def _deliveries(
    stage: Stage, connection: Row, connector: Declaration, scenario: str, play: Play
) -> list[_Request]:
    """Return a platform's deliveries, signed with the newest live secret of the connection."""
    connection_id, now = connection["connection_id"], stage.clock()
    live = [each for each in json.loads(connection["secrets"]) if each["expiresAt"] is None or each["expiresAt"] > now]
    if not live:
        raise OperatorFault("The connection has no live secret to sign with. Add one on its page.")
    secret = stage.sealer.open(live[-1]["sealed"], secret_identity(connection_id, live[-1]["id"])).decode()
    sent = posts(connector, await stage.plugins.played(connector.name, play), scenario, play, secret, now)
    kind = {"content-type": "application/json"}
    path = f"/connect/{connection_id}"
    return [_Request(each.step, path, {**kind, **_lowered(each.headers)}, each.body) for each in sent]


async def _api_requests(
    stage: Stage, account: Row, scenario: str, order_id: str, click_id: str | None
) -> list[_Request]:
    """Return requests of the API, signed with a test key that may be used from this machine."""
    key_id = await usable_key(stage, account["merchant_id"])
    if key_id is None:
        raise OperatorFault("Make a test key first, for any address: the requests are signed with it.")
    async with stage.store.read() as tx:
        row = await tx.one("sealed_key", account_id=account["account_id"], key_id=key_id)
    if row is None:
        raise unknown("key", key_id, command="`hub key list --merchant ID` shows a merchant's keys.")
    secret, now = stage.sealer.open(row["sealed_secret"], key_id), stage.clock()
    bodies = [_body(step, order_id, click_id, account["currency"], now) for step in SCENARIOS[scenario][1]]
    steps = zip(SCENARIOS[scenario][1], bodies, strict=True)
    return [_signed(step, path, json.dumps(body).encode(), key_id, secret, now) for step, (path, body) in steps]


async def usable_key(stage: Stage, merchant_id: str) -> str | None:
    """Return the newest test key of a merchant that may be used from this machine, None if there is none."""
    now, here = stage.clock(), ip_address(_own_address(stage.own_server))
    for key in reversed(await list_keys(stage.store, merchant_id)):
        ended = key.expires_at is not None and key.expires_at <= now
        from_here = not key.allowed_ips or any(here in ip_network(each) for each in key.allowed_ips)
        if key.mode == "test" and key.revoked_at is None and not ended and from_here:
            return key.key_id
    return None


def _own_address(own_server: OwnServer) -> str:
    try:
        return str(ip_address(own_server.host))
    except ValueError:
        return "127.0.0.1"


def _signed(step: str, path: str, body: bytes, key_id: str, secret: bytes, now: int) -> _Request:
    """Return a request with a nonce of its own, so that the same body may be sent again."""
    stamp, nonce = str(now // 1000), secrets.token_hex(8)
    headers = {
        "Content-Type": "application/json",
        "X-API-Key": key_id,
        "X-Timestamp": stamp,
        "X-Nonce": nonce,
        "X-Signature-Version": "2",
        "X-Signature": sign_v2(secret, stamp, nonce, "POST", path, body),
    }
    if path == REFUNDS:
        headers["X-External-Event-Id"] = new_id("test")
    return _Request(step, path, headers, body)


def _body(step: Step, order_id: str, click_id: str | None, currency: str, now: int) -> tuple[str, dict[str, Any]]:
    """Return the path and the body of a step."""
    click = {} if click_id is None else {"clickId": click_id}
    if step in ("order", "order again"):
        order = {"externalOrderId": order_id, "orderAmount": AMOUNT, "currency": currency, "orderStatus": "pending"}
        return CONVERSIONS, {**order, "orderedAt": format_instant(now), **click}
    if step == "refund":
        return REFUNDS, {"external_order_id": order_id, "refund_id": new_id("test"), "refund_amount": PART}
    return STATUSES, {"externalOrderId": order_id, "status": step, **click}


def _lowered(headers: Any) -> dict[str, str]:
    return {str(name).lower(): str(value) for name, value in headers.items()}
