"""`hub listen` and `hub trigger`: webhooks of a test account at a developer's machine, which needs no public address.

Nothing of the hub's reaches in here: the listener asks. It makes a subscription that is paused, so that the hub keeps
the messages, waits with the change feed until one comes, reads it from the subscription's log, signs it as the hub
would and hands it to the local receiver. With its end the subscription goes, too; one that a kill left behind is
replaced by the next listener with the same receiver.
"""

from __future__ import annotations

import json
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import click
from attrs import define, frozen

from hub.cli.account_api import AccountApi, api_options
from hub.cli.invocation import Fault, Invocation
from hub.cli.output import printable
from hub.cli.request import JSON, exchange
from hub.clock import system_clock
from hub.domain.messages.notifications import EVENT_TYPES, matching_types
from hub.domain.messages.webhook_signing import secret_key, webhook_headers

NOWHERE: Final = "https://listen.invalid/"
"""Where a listener's subscription sends, which nobody can have (RFC 2606): the listener fetches instead."""
WAIT_SECONDS: Final = 20
AT_ONCE: Final = 100


@frozen
class Receiver:
    """Where messages are handed to, and the key that signs them."""

    url: str
    key: bytes


@click.command()
@click.option("--forward-to", required=True, metavar="URL", help="Your receiver, like http://localhost:3000/hook")
@click.option("--events", default="*", show_default=True, metavar="LIST", help="Types or patterns: commission.*")
@click.option(
    "--webhook-secret", envvar="HUB_WEBHOOK_SECRET", metavar="W", help="Sign with this whsec_... rather than a new one."
)
@JSON
@api_options
@click.pass_context
def listen(
    ctx: click.Context, api: AccountApi, *, forward_to: str, events: str, webhook_secret: str | None, as_json: bool
) -> None:
    """Forward the webhooks of a test account to a receiver on this machine, until it is stopped.

    They are signed as the hub signs them, and each answer is shown; `hub trigger` makes one.
    For example: hub listen --forward-to http://localhost:3000/hook --events 'commission.*'
    """
    api.require_test_key()
    as_json = as_json or (ctx.find_object(Invocation) or Invocation()).json
    patterns = [each.strip() for each in events.split(",") if each.strip()]
    _check(forward_to, patterns)
    with _ended_by_signals(), subscribed(api, forward_to, patterns) as made:
        secret = webhook_secret or str(made["secret"])
        try:
            receiver = Receiver(forward_to, secret_key(secret))
        except ValueError as fault:
            raise Fault(f"This webhook secret cannot be used: {fault}.") from None
        if not as_json:
            click.echo(f"Listening for {', '.join(patterns)} of this test account. Stop with Ctrl-C.")
            click.echo(f"Messages go to {forward_to}, signed with {secret}")
        for message in messages(api, str(made["id"])):
            _show(handed_over(receiver, message), as_json=as_json)


@click.command()
@click.argument("event_type", metavar="TYPE", type=click.Choice(EVENT_TYPES))
@JSON
@api_options
@click.pass_context
def trigger(ctx: click.Context, api: AccountApi, *, event_type: str, as_json: bool) -> None:
    """Send a test message of one kind to every listener of a test account.

    The message is real and signed, about the account's newest object of that kind; nothing else happens.
    For example: hub trigger commission.payable
    """
    api.require_test_key()
    listed = api.json("GET", "/v1/subscriptions")["data"]
    wanted = [each for each in listed if event_type in matching_types(each["events"]) and _hears(each)]
    if not wanted:
        raise Fault(f"Nobody listens to {event_type} here: start `hub listen`, or subscribe.")
    sent = [{"url": each["url"], **api.json("POST", f"/v1/subscriptions/{each['id']}/test", {"type": event_type})}
            for each in wanted]  # fmt: skip
    if as_json or (ctx.find_object(Invocation) or Invocation()).json:
        click.echo(json.dumps(sent, indent=2))
        return
    for each in sent:
        whose = "a listener" if each["url"].startswith(NOWHERE) else each["url"]
        click.echo(f"{each['type']} {each['messageId']} is on its way to {whose}.")


def _hears(subscription: dict[str, Any]) -> bool:
    """Return whether a message reaches anybody now: a listener's subscription is always paused."""
    return bool(subscription["status"] == "ACTIVE" or subscription["url"].startswith(NOWHERE))


def _check(forward_to: str, patterns: list[str]) -> None:
    parts = urlsplit(forward_to)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Fault(f"{forward_to!r} is not an http or https URL; write one like http://localhost:3000/hook.")
    try:
        matching_types(patterns)
    except ValueError as fault:
        raise Fault(f"There is no event {str(fault)!r}; there are {', '.join(EVENT_TYPES)}.") from None


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """End as after Ctrl-C when the process is told to, so that nothing is left behind."""

    def end(_: int, __: FrameType | None) -> None:
        raise SystemExit(0)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt:
        click.echo()
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def subscribed(api: AccountApi, forward_to: str, patterns: list[str]) -> Iterator[dict[str, Any]]:
    """Subscribe for as long as it is listened, in place of what an earlier listener left behind."""
    url = NOWHERE + quote(f"{socket.gethostname()}/{forward_to}", safe="/:")
    for each in api.json("GET", "/v1/subscriptions")["data"]:
        if each["url"] == url:
            api.json("DELETE", f"/v1/subscriptions/{each['id']}")
    made = api.json("POST", "/v1/subscriptions", {"url": url, "events": patterns, "paused": True})
    try:
        yield made
    finally:
        api.json("DELETE", f"/v1/subscriptions/{made['id']}")


def messages(api: AccountApi, subscription_id: str) -> Iterator[dict[str, Any]]:
    """Yield the messages of a subscription as they come, each once, in their order; never ends.

    Each has `id`, `version` and `body`, the very bytes that the hub would send. What the feed tells is only that there
    is news.
    """
    log = MessageLog(api, f"/v1/subscriptions/{subscription_id}/deliveries")
    cursor: str | None = None
    while True:
        query = {"types": "subscription", "limit": 200, **({"after": cursor, "wait": WAIT_SECONDS} if cursor else {})}
        told = api.patient_json("GET", f"/v1/changes?{urlencode(query)}")
        cursor = told["cursor"]
        if told["data"] and not told["more"]:
            yield from log.news()


@define
class MessageLog:
    """A subscription's log of messages, and the newest that was read of it."""

    api: AccountApi
    path: str
    last: str = ""

    def news(self) -> list[dict[str, Any]]:
        """Return the messages since the last that was read, oldest first."""
        found: list[dict[str, Any]] = []
        cursor = ""
        while True:
            page = self.api.patient_json("GET", f"{self.path}?limit={AT_ONCE}{cursor}")
            new = [each for each in page["data"] if each["id"] > self.last]
            found += new
            if len(new) < len(page["data"]) or page["nextCursor"] is None:
                break
            cursor = f"&cursor={quote(page['nextCursor'])}"
        if found:
            self.last = found[0]["id"]
        return [{**each, "version": each["payloadVersion"], "body": _body(each)} for each in reversed(found)]


def _body(delivery: dict[str, Any]) -> bytes:
    document = {"type": delivery["type"], "timestamp": delivery["createdAt"], "data": delivery["data"]}
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


def handed_over(receiver: Receiver, message: dict[str, Any]) -> dict[str, Any]:
    """Send a message to the local receiver; return what came of it."""
    signed = webhook_headers([receiver.key], message["id"], system_clock() // 1000, message["body"], message["version"])
    headers = {"Content-Type": "application/json", "User-Agent": "affiliate-hub-listen", **signed}
    try:
        answer = exchange("POST", receiver.url, headers, message["body"])
    except Fault as fault:
        reason = fault.message.removesuffix(" Is `hub serve` running there?")
        return {"id": message["id"], "type": message["type"], "status": None, "answer": reason}
    text = answer.body[:1_024].decode("utf-8", "replace")
    return {"id": message["id"], "type": message["type"], "status": answer.status, "answer": text}


def _show(done: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(done))
    else:
        taken = done["status"] is not None and 200 <= done["status"] < 300
        status = "no answer" if done["status"] is None else str(done["status"])
        line = f"{time.strftime('%H:%M:%S')} {done['type']} {done['id']} -> {status}"
        click.echo(click.style(line, fg="green" if taken else "red"))
        if done["answer"]:
            click.echo(f"  {printable(done['answer'])}")
    sys.stdout.flush()
