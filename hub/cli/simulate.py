"""`hub simulate`: a simulated store that reports an order to a running hub as its platform would."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from hub.cli.author_process import asked_of_plugins
from hub.cli.invocation import Fault, Invocation, invoked
from hub.cli.output import print_result, say, show_table
from hub.cli.request import Reply, address, exchange
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.domain.connectors.scenarios import Post
    from hub.storage import Store

SCENARIO_NAMES = (
    "order", "paid", "delivered", "partial-refund", "cancel", "storm", "out-of-order", "duplicate", "ping",
    "test-notification",
)  # fmt: skip
"""The names of `hub.domain.connectors.scenarios.SCENARIOS`, repeated so that `--help` need not import it."""
UNDECIDED = ("RECEIVED", "QUEUED")
BEFORE_NOW = 10_000
"""The order was placed ten seconds ago: its later steps, a second apart, have happened by now too."""
DECISION_TIMEOUT_SECONDS = 15.0
PAUSE_SECONDS = 0.1


@frozen
class StoreConnection:
    """What the simulated store needs of its connection."""

    connector: str
    secret: str
    merchant_id: str
    currency: str


@click.command()
@click.argument("connection_id", metavar="CONNECTION")
@click.argument("scenario", type=click.Choice(SCENARIO_NAMES))
@click.option("--base-url", envvar="HUB_BASE_URL", metavar="U", help="The hub (default: where it last listened).")
@click.option("--order", "order_id", metavar="ID", help="The order's number (default: a new one).")
@click.option("--click", "click_id", metavar="ID", help="The click that brought the buyer.")
@invoked
def simulate(
    invocation: Invocation,
    connection_id: str,
    scenario: str,
    base_url: str | None,
    order_id: str | None,
    click_id: str | None,
) -> None:
    """Simulate a store at a running hub, signed like its platform.

    Sends the deliveries of a scenario over a connection, shows each answer, and at the end what became of them and of
    the commission. It reads the connection's secret from the database, so it runs where the operator's commands run.
    Exit status 0 if every delivery was answered with 2xx, else 1.
    """
    from hub.domain.connectors.scenarios import Post
    from hub.operations.affiliates.links import public_root

    settings = invocation.settings()
    target = invocation.with_store(lambda store: _connection(store, settings, connection_id), settings)
    now = system_clock()
    order_id = order_id or str(now)
    played = asked_of_plugins(
        invocation, "play", target.connector, scenario=scenario, secret=target.secret, now=now,
        play={"order_id": order_id, "click_id": click_id, "currency": target.currency, "placed_at": now - BEFORE_NOW},
    )  # fmt: skip
    script = [Post(**{**each, "body": base64.b64decode(each["body"])}) for each in played["posts"]]
    root = base_url or invocation.with_store(lambda store: public_root(store, settings.server), settings)
    url = address(root, f"/connect/{connection_id}")
    if not invocation.json:
        say(f"{played['title']} store reports order {order_id}, scenario {scenario}:")
    width = max(len(post.topic) for post in script)
    sent = [_send(url, post, width, quiet=invocation.json) for post in script]
    events = list(dict.fromkeys(each["event"] for each in sent if each["event"] is not None))
    outcome = invocation.with_store(lambda store: _outcome(store, target, order_id, events), settings)
    document = {"connection": connection_id, "connector": target.connector, "scenario": scenario,
                "order": order_id, "deliveries": sent, **outcome}  # fmt: skip
    print_result(invocation, document, lambda: _show(document))
    click.get_current_context().exit(0 if all(200 <= each["status"] < 300 for each in sent) else 1)


async def _connection(store: Store, settings: Any, connection_id: str) -> StoreConnection:
    from hub.platform_webhooks.connections import ConnectionCache
    from hub.sealing import load_sealer

    now = system_clock()
    found = await ConnectionCache(store, load_sealer(settings), system_clock).find(connection_id, now)
    if found is None:
        raise Fault(f"There is no connection {connection_id!r}. `hub connection list` shows them all.")
    secrets = found.live_secrets(now)
    if not secrets:
        raise Fault(f"The connection has no live secret; add one: hub connection secret add {connection_id}")
    caller = found.caller
    return StoreConnection(found.connector, secrets[-1].decode(), caller.merchant_id, caller.merchant.currency)


def _send(url: str, post: Post, width: int, *, quiet: bool) -> dict[str, Any]:
    answer = exchange("POST", url, dict(post.headers), post.body)
    sent = {"step": post.step, "topic": post.topic, "status": answer.status, "event": _event_id(answer),
            "message": _message(answer)}  # fmt: skip
    if not quiet:
        said = sent["event"] or sent["message"] or ""
        say(f"  {post.step:<10} {post.topic:<{width}} {answer.status} {said}".rstrip())
    return sent


def _event_id(answer: Reply) -> str | None:
    try:
        found = json.loads(answer.body).get("webhookEventId")
    except (ValueError, AttributeError):
        return None
    return found if isinstance(found, str) else None


def _message(answer: Reply) -> str | None:
    """Return the sentence of a refusal, None if it has none."""
    try:
        found = json.loads(answer.body).get("message")
    except (ValueError, AttributeError):
        return None
    return found if isinstance(found, str) else None


async def _outcome(store: Store, target: StoreConnection, order_id: str, events: Sequence[str]) -> dict[str, Any]:
    """Return the events once the worker has decided them all, or time is up, and the order's conversion."""
    from hub.operations.orders.conversions import conversions_of_order
    from hub.operations.orders.events import show_event
    from hub.records.wire import write

    try:
        async with asyncio.timeout(DECISION_TIMEOUT_SECONDS):
            while True:
                events_now = [await show_event(store, event) for event in events]
                if all(event.status not in UNDECIDED for event in events_now):
                    break
                await asyncio.sleep(PAUSE_SECONDS)
    except TimeoutError:
        events_now = [await show_event(store, event) for event in events]
    found = await conversions_of_order(store, system_clock, order_id, target.merchant_id)
    outcome: dict[str, Any] = write({"events": events_now, "conversion": found[0] if found else None})
    return outcome


def _show(document: dict[str, Any]) -> None:
    say("")
    rows = [(event["eventId"], event["status"], _why(event)) for event in document["events"]]
    show_table(("event", "status", "why"), rows, "No event was stored.")
    conversion = document["conversion"]
    say("")
    if conversion is None:
        say("No order was created.")
    elif conversion["commission"] is None:
        say(f"Order {document['order']} has no commission: {conversion['reason']}.")
    else:
        earned = conversion["commission"]
        say(f"The commission of order {document['order']}: {earned['amount']} {earned['currency']}, {earned['state']}.")


def _why(event: dict[str, Any]) -> str | None:
    reason = (event["explanation"] or {}).get("skipReason")
    return None if reason is None else str(reason)
