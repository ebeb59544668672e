"""`hub key`: the API keys with which merchants sign their requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import Table, print_result, say, show_fields
from hub.clock import system_clock
from hub.domain.instants import instant_or_none

if TYPE_CHECKING:
    from hub.records.credentials import IssuedKeyDocument, KeyDocument

KEY: Final = {"key": Value("", metavar="KEYID")}
KEYS: Final = Table(
    ["key", "name", "mode", "allowed from", "created", "expires", "revoked"],
    lambda k: (
        k.key_id,
        k.name or "",
        k.mode,
        k.allowed_ips,
        *map(instant_or_none, (k.created_at, k.expires_at, k.revoked_at)),
    ),
    "This merchant has no keys. Issue one: hub key create --merchant … --mode test",
)


@click.group()
def key() -> None:
    """Issue, change and revoke a merchant's API keys."""


# It waits until no process takes the key any more, which an answer of the API does not.
@key.command()
@click.argument("key_id", metavar="KEYID")
@invoked
def revoke(invocation: Invocation, key_id: str) -> None:
    """Revoke a key; once the command returns, no process accepts it."""
    from hub.operations.merchants.keys import end_key

    ended = invocation.with_store(lambda store: end_key(store, system_clock, key_id))
    print_result(invocation, ended, lambda: say(f"{key_id} is revoked since {instant_or_none(ended.revoked_at)}."))


def _change(typed: Typed) -> dict[str, Any]:
    if "allowed_ips" in typed and typed["any_address"]:
        raise click.UsageError("--allow-ip and --any-address contradict each other; give one of them.")
    any_address = {"allowed_ips": ()} if typed["any_address"] else {}
    return {name: value for name, value in typed.items() if name != "any_address"} | any_address


def _show_limits(title: str, key: KeyDocument | IssuedKeyDocument, more: dict[str, str]) -> None:
    limits = {"allowed from": key.allowed_ips or "any address", "expires": instant_or_none(key.expires_at) or "never"}
    show_fields(title, {**limits, **more})


def _show_issued(made: IssuedKeyDocument, root: str) -> None:
    signature = {"signature": f"version {made.signature_version} or newer"}
    _show_limits(f"A {made.mode} key for {made.merchant_id}", made, signature)
    say("Keep the secret now; it is never shown again. To paste into a shell:")
    say("")
    exports = {"HUB_BASE_URL": f"{root}/api", "HUB_KEY": made.key_id, "HUB_SECRET": made.signing_secret}
    for name, value in exports.items():
        say(f"export {name}={value}")
    say("")
    say(f"A first call to paste behind it, and the reference: {root}/docs")


for each in (
    ActCommand("create", "keys.createKey", "Issue an API key and show its signing secret once.", _show_issued,
               Takes(on={"merchant": Value("--merchant", "Whose key.", "ID")},
                     values={"mode": Value("--mode", "Live needs an APPROVED merchant."),
                             "allowedIps": Value("--allow-ip", "Allow requests from this range only; may be repeated.",
                                                 "CIDR"),
                             "expiresIn": Value("--expires", "How long the key is valid, like 90d (default: for good).",
                                                "DURATION"),
                             "name": Value("--name", "What to call the key, such as the program that uses it.", "NAME"),
                             "signatureVersion": Value("--require-signature", "The lowest version of the signature: 2 "
                                                       "covers the method and the path, too.", "VERSION",
                                                       default="1")}),
               beside=lambda call, _: call.root(), seals=True),
    ActCommand("update", "keys.updateKey",
               "Change a key's name, and from where and until when it is accepted.\n\n"
               "Its secret stays the same. It takes effect on a running server within 2 seconds.",
               lambda done: _show_limits(done.key_id, done, {"name": done.name or "none"}),
               Takes(on=KEY,
                     values={"allowedIps": Value("--allow-ip", "Replaces the allowed ranges; may be repeated.", "CIDR"),
                             "expiresIn": Value("--expires", "How long it is valid from now on, like 90d, or never.",
                                                "DURATION"),
                             "name": Value("--name", 'What to call the key; "" takes the name away.', "NAME")},
                     own=[click.Option(["--any-address"], is_flag=True, help="Allow requests from any address.")],
                     reads=_change, some="Name what to change: --allow-ip, --any-address, --expires or --name.")),
    ActCommand("rotate", "keys.rotateKey",
               "Issue a key with the same settings, and let this one expire after a while.\n\n"
               "The new secret is in the answer; change the store's configuration before the old key ends.",
               _show_issued,
               Takes(on=KEY, values={"overlap": Value("--overlap", "How long the old one still works.", "DURATION",
                                                      default="24h")}),
               beside=lambda call, _: call.root(), seals=True),
    ActCommand("list", "keys.listKeys", "List a merchant's keys, oldest first, without their secrets.", KEYS,
               Takes(on={"merchant": Value("--merchant", "Whose keys.", "ID")})),
):  # fmt: skip
    key.add_command(each)
