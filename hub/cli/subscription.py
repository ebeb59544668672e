"""`hub subscription`: who is told of changes outside, by webhooks and postbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import AskedPart, part_options
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.words import MODES

if TYPE_CHECKING:
    from hub.records.subscriptions import DeliveryDocument, SubscriptionSecret
    from hub.storage import Store

identity = click.argument("subscription_id", metavar="SUB")


@click.group()
def subscription() -> None:
    """Send webhooks and postbacks about commissions and orders."""


@subscription.command()
@click.option("--merchant", metavar="ID", help="Of this merchant; with --mode.")
@click.option("--mode", type=click.Choice(MODES), help="The merchant's account; of an affiliate's, live without it.")
@click.option("--affiliate", metavar="AFF", help="Of this affiliate, over all merchants.")
@click.option("--url", required=True, help="Where to send; with placeholders such as {sub1} it is a postback (GET).")
@click.option("--events", required=True, metavar="LIST", help="Types or patterns: commission.*,conversion.review")
@click.option("--payload-version", metavar="N", help="The version of its messages; the newest, unless you say so.")
@click.option("--paused", is_flag=True, help="Keep messages at first, until it is resumed.")
@invoked
def create(
    invocation: Invocation,
    *,
    merchant: str | None,
    mode: str | None,
    affiliate: str | None,
    url: str,
    events: str,
    payload_version: str | None,
    paused: bool,
) -> None:
    """Subscribe; the secret that signs the messages is shown once."""
    from hub.operations.system.master_keys import require_sealing_key
    from hub.operations.webhooks.subscriptions import NewSubscription, create_subscription
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)
    named = [each.strip() for each in events.split(",") if each.strip()]
    wanted = NewSubscription(url, named, merchant, mode, affiliate, paused, payload_version)
    if (merchant is None) == (affiliate is None) or (merchant is not None and mode is None):
        raise click.UsageError("Give either --merchant with --mode, or --affiliate.")

    async def make(store: Store) -> SubscriptionSecret:
        await require_sealing_key(store, sealer, system_clock)
        return await create_subscription(store, sealer, system_clock, settings.outbound.allowed_networks, wanted)

    made = invocation.with_store(make, settings)
    print_result(invocation, made, lambda: _show_secret(made))


@subscription.command(name="list")
@click.option("--merchant", metavar="ID", help="Only this merchant's.")
@click.option("--affiliate", metavar="AFF", help="Only this affiliate's.")
@invoked
def list_(invocation: Invocation, merchant: str | None, affiliate: str | None) -> None:
    """List subscriptions, and how many messages wait for each."""
    from hub.operations.webhooks.subscriptions import list_subscriptions

    found = invocation.with_store(lambda store: list_subscriptions(store, merchant=merchant, affiliate=affiliate))
    columns = ["id", "of", "mode", "kind", "url", "events", "version", "status", "why", "failures", "waiting"]
    rows = (
        (s.id, s.merchant_id or s.affiliate_id, s.mode, s.kind, s.url, ",".join(s.events),
         s.payload_version, s.status, s.reason, s.failures, s.waiting)
        for s in found
    )  # fmt: skip
    print_result(invocation, found, lambda: show_table(columns, rows, "Nobody has subscribed."))


@subscription.command()
@identity
@click.option("--message", "message_id", metavar="MSG", help="Only this message.")
@click.option("--since", metavar="DURATION", help="Everything since this long ago, like 2d.")
@invoked
def replay(invocation: Invocation, subscription_id: str, message_id: str | None, since: str | None) -> None:
    """Resend messages that arrived or were given up."""
    from hub.operations.checks import checked_duration
    from hub.operations.webhooks.subscription_deliveries import replay_deliveries

    if (message_id is None) == (since is None):
        raise click.UsageError("Give either --message or --since.")
    begins = 0 if since is None else system_clock() - checked_duration(since, "a time")
    again = invocation.with_store(
        lambda store: replay_deliveries(store, system_clock, subscription_id, message_id=message_id, since=begins)
    )
    print_result(invocation, {"replayed": again}, lambda: say(f"{again} messages are sent again."))


@subscription.command()
@identity
@part_options
@invoked
def deliveries(
    invocation: Invocation,
    subscription_id: str,
    *,
    part: AskedPart,
) -> None:
    """List the messages of a subscription, newest first, with the receiver's answers.

    A table has 100 rows and says if there are more; --json prints all of them unless --limit is given.
    """
    from hub.operations.webhooks.subscription_deliveries import DELIVERIES, first_deliveries

    async def read(store: Store) -> Sequence[DeliveryDocument]:
        wanted = part.wanted(invocation, DELIVERIES, "msg", {})
        return await first_deliveries(store, subscription_id, wanted)

    part.print(invocation, invocation.with_store(read), _show_deliveries)


def _show_deliveries(found: Sequence[DeliveryDocument]) -> None:
    columns = ["id", "type", "status", "attempts", "since", "due", "answer", "why"]
    rows = (
        (d.id, d.type, d.status, d.attempts, format_instant(d.created_at), instant_or_none(d.due_at), d.answer_status,
         d.fault)
        for d in found
    )  # fmt: skip
    show_table(columns, rows, "Nothing was to be sent yet.")


def _show_types(found: Sequence[Mapping[str, Any]]) -> None:
    rows = ((each["type"], each["about"], "affiliates, too" if each["forAffiliates"] else "") for each in found)
    show_table(["type", "sent when", "told"], rows, "There are none.")


def _show_secret(made: SubscriptionSecret) -> None:
    secret = made.secret or "none: a postback is not signed"
    show_fields(made.id, {"secret": secret, "payload version": made.payload_version})


SUBSCRIPTION: Final = Takes(on={"subscription": Value("", metavar="SUB")})

for each in (
    ActCommand("types", "subscriptions.listEventTypes", "List the kinds of messages that subscribers get.",
               _show_types),
    ActCommand("update", "subscriptions.updateSubscription",
               "Change the address, the events or the version; the secret and waiting messages stay.",
               "{id} is changed.",
               Takes(on=SUBSCRIPTION.on, some="Give --url, --events or --payload-version.",
                     values={"url": Value("--url", "Where to send."),
                             "events": Value("--events", "A type or a pattern; repeatable.", "EVENT"),
                             "payloadVersion": Value("--payload-version", metavar="N")})),
    ActCommand("test", "subscriptions.testSubscription", "Send a test message, signed and logged as any other.",
               "{type} is on its way as {messageId}.",
               Takes(on=SUBSCRIPTION.on, values={"type": Value("--type")})),
    ActCommand("retry", "subscriptions.retryDeliveries", "Retry now what waits for another attempt.",
               "{retried} messages are tried now.",
               Takes(on=SUBSCRIPTION.on, values={"messageId": Value("--message", metavar="MSG")})),
    ActCommand("pause", "subscriptions.pauseSubscription", "Pause a subscription; messages are kept.",
               "{id} is paused; its messages are kept.", SUBSCRIPTION),
    ActCommand("resume", "subscriptions.resumeSubscription", "Resume a subscription, beginning with what was kept.",
               "{id} is active; what was kept is sent now.", SUBSCRIPTION),
    ActCommand("rotate", "subscriptions.rotateSubscriptionSecret",
               "Make a new secret, shown once; the old one keeps signing beside it for a while.", _show_secret,
               Takes(on=SUBSCRIPTION.on,
                     values={"overlap": Value("--overlap", "How long both secrets sign.", "DURATION",
                                              default="24h")})),
    ActCommand("delete", "subscriptions.deleteSubscription", "Delete a subscription and its waiting messages.",
               "{id} is deleted.", SUBSCRIPTION),
):  # fmt: skip
    subscription.add_command(each)
