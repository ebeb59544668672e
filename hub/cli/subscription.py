"""`hub subscription`: who is told of changes outside, by webhooks and postbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.lists import PARTS, ListCommand, Listed
from hub.cli.output import Table, show_fields, show_table
from hub.domain.instants import format_instant, instant_or_none

if TYPE_CHECKING:
    from hub.records.subscriptions import SubscriptionDocument, SubscriptionSecret


@click.group()
def subscription() -> None:
    """Send webhooks and postbacks about commissions and orders."""


def _listed(typed: Typed) -> Listed:
    from hub.operations.webhooks.subscription_deliveries import DELIVERIES, first_deliveries

    return Listed(
        DELIVERIES, "msg", lambda store, wanted: first_deliveries(store, typed["subscription_id"], wanted), {}
    )


DELIVERIES: Final = Table(
    ["id", "type", "status", "attempts", "since", "due", "answer", "why"],
    lambda d: (d.id, d.type, d.status, d.attempts, format_instant(d.created_at), instant_or_none(d.due_at),
               d.answer_status, d.fault),
    "Nothing has been sent yet.",
)  # fmt: skip

subscription.add_command(
    ListCommand(
        "deliveries",
        f"List the messages of a subscription, newest first, with the receiver's answers.\n\n{PARTS}",
        DELIVERIES, _listed, [click.Argument(["subscription_id"], metavar="SUB")],
    )
)  # fmt: skip


def _wanted(typed: Typed) -> dict[str, Any]:
    if ("merchant_id" in typed) == ("affiliate_id" in typed) or ("merchant_id" in typed and "mode" not in typed):
        raise click.UsageError("Give either --merchant with --mode, or --affiliate.")
    return {**typed, "events": [each.strip() for each in typed["events"].split(",") if each.strip()]}


def _messages(typed: Typed) -> dict[str, Any]:
    if len(typed) != 1:
        raise click.UsageError("Give either --message or --since.")
    return dict(typed)


def _show_types(found: Sequence[Mapping[str, Any]]) -> None:
    rows = ((each["type"], each["about"], "affiliates, too" if each["forAffiliates"] else "") for each in found)
    show_table(["type", "sent when", "told"], rows, "There are none.")


def _show_secret(made: SubscriptionSecret) -> None:
    secret = made.secret or "none: a postback is not signed"
    show_fields(made.id, {"secret": secret, "payload version": made.payload_version})


SUBSCRIPTION: Final = Takes(on={"subscription": Value("", metavar="SUB")})


def _row(s: SubscriptionDocument) -> tuple[Any, ...]:
    from hub.records.words import texts_said

    said = [words for _, words in texts_said(s)]
    return (s.id, s.merchant_id or s.affiliate_id, s.mode, s.kind, s.url, ",".join(s.events), s.payload_version,
            s.status, s.reason, s.failures, s.waiting, said)  # fmt: skip


SUBSCRIPTIONS: Final = Table(
    ["id", "of", "mode", "kind", "url", "events", "version", "status", "why", "failures", "waiting", "texts"],
    _row,
    "Nobody has subscribed.",
)

for each in (
    ActCommand("create", "subscriptions.createSubscription",
               "Subscribe; the secret that signs the messages is shown once.", _show_secret,
               Takes(values={"merchantId": Value("--merchant", "Of this merchant; with --mode.", "ID"),
                             "mode": Value("--mode", "The merchant's account; of an affiliate's, live without it."),
                             "affiliateId": Value("--affiliate", "Of this affiliate, over all merchants.", "AFF"),
                             "url": Value("--url", "Where to send; with placeholders such as {sub1} it is a postback "
                                                   "(GET)."),
                             "payloadVersion": Value("--payload-version", "Version of its messages (default: the "
                                                     "newest).", "N"),
                             "paused": Value("--paused", "Keep messages at first, until it is resumed.")},
                     own=[click.Option(["--events"], required=True, metavar="LIST",
                                       help="Types or patterns: commission.*,conversion.review")],
                     reads=_wanted, texts=True),
               seals=True),
    ActCommand("list", "subscriptions.listSubscriptions",
               "List subscriptions, and how many messages wait for each.", SUBSCRIPTIONS,
               Takes(values={"merchant": Value("--merchant", "Only this merchant's.", "ID"),
                             "affiliate": Value("--affiliate", "Only this affiliate's.", "AFF")})),
    ActCommand("replay", "subscriptions.replayDeliveries", "Resend messages that arrived or were given up.",
               "{replayed} messages are sent again.",
               Takes(on=SUBSCRIPTION.on, values={"messageId": Value("--message", "Only this message.", "MSG"),
                                                 "since": Value("--since", "Everything since this long ago, like 2d.",
                                                                "DURATION")}, reads=_messages)),
    ActCommand("types", "subscriptions.listEventTypes", "List the kinds of messages that subscribers get.",
               _show_types),
    ActCommand("update", "subscriptions.updateSubscription",
               "Change the address, the events, the version or a text; the secret and waiting messages stay.",
               "{id} is changed.",
               Takes(on=SUBSCRIPTION.on, some="Give what is to change, such as --url or --events.", texts=True,
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
                                              default="24h")}),
               seals=True),
    ActCommand("delete", "subscriptions.deleteSubscription", "Delete a subscription and its waiting messages.",
               "{id} is deleted.", SUBSCRIPTION),
):  # fmt: skip
    subscription.add_command(each)
