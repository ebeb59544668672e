"""`hub key`: the API keys with which merchants sign their requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock
from hub.domain.words import MODES

if TYPE_CHECKING:
    from hub.operations.merchants.keys import IssuedKeyDocument
    from hub.storage import Store


@click.group()
def key() -> None:
    """Issue, change and revoke a merchant's API keys."""


@key.command()
@click.option("--merchant", "merchant_id", required=True, metavar="ID", help="Whose key.")
@click.option("--mode", required=True, type=click.Choice(MODES), help="Live needs an APPROVED merchant.")
@click.option(
    "--allow-ip", "allowed", multiple=True, metavar="CIDR", help="Allow requests from this range only; may be repeated."
)
@click.option(
    "--expires", "expires_in", metavar="DURATION", help="How long the key is valid, like 90d (default: for good)."
)
@click.option("--name", metavar="NAME", help="What to call the key, such as the program that uses it.")
@click.option(
    "--require-signature",
    "signature_version",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    metavar="VERSION",
    help="The lowest version of the signature: 2 covers the method and the path, too.",
)
@invoked
def create(
    invocation: Invocation,
    merchant_id: str,
    mode: str,
    allowed: tuple[str, ...],
    expires_in: str | None,
    name: str | None,
    signature_version: int,
) -> None:
    """Issue an API key and show its signing secret once."""
    from hub.operations.affiliates.links import public_root
    from hub.operations.merchants.keys import issue_key
    from hub.operations.system.master_keys import require_sealing_key
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)

    async def issue(store: Store) -> tuple[IssuedKeyDocument, str]:
        await require_sealing_key(store, sealer, system_clock)
        made = await issue_key(
            store,
            sealer,
            system_clock,
            merchant_id=merchant_id,
            mode=mode,
            allowed=allowed,
            expires_in=expires_in,
            signature_version=signature_version,
            name=name,
        )
        return made, await public_root(store, settings.server)

    made, root = invocation.with_store(issue, settings)
    print_result(invocation, made, lambda: _show(made, root))


@key.command()
@click.argument("key_id", metavar="KEYID")
@click.option(
    "--allow-ip", "allowed", multiple=True, metavar="CIDR", help="Replaces the allowed ranges; may be repeated."
)
@click.option("--any-address", is_flag=True, help="Allow requests from any address.")
@click.option(
    "--expires", "expires_in", metavar="DURATION", help="How long it is valid from now on, like 90d, or never."
)
@click.option("--name", metavar="NAME", help='What to call the key; "" takes the name away.')
@invoked
def update(
    invocation: Invocation,
    key_id: str,
    allowed: tuple[str, ...],
    any_address: bool,
    expires_in: str | None,
    name: str | None,
) -> None:
    """Change a key's name, and from where and until when it is accepted.

    Its secret stays the same. It takes effect on a running server within 2 seconds.
    """
    from hub.operations.merchants.keys import KeyChange, update_key

    if allowed and any_address:
        raise click.UsageError("--allow-ip and --any-address contradict each other; give one of them.")
    if not (allowed or any_address or expires_in or name is not None):
        raise click.UsageError("Name what to change: --allow-ip, --any-address, --expires or --name.")
    change = KeyChange(allowed if allowed or any_address else None, expires_in, name)
    changed = invocation.with_store(lambda store: update_key(store, system_clock, key_id, change))
    fields = {
        "allowed from": changed["allowedIps"] or "any address",
        "expires": changed["expiresAt"] or "never",
        "name": changed["name"] or "none",
    }
    print_result(invocation, changed, lambda: show_fields(key_id, fields))


@key.command()
@click.argument("key_id", metavar="KEYID")
@click.option(
    "--overlap", default="24h", show_default=True, metavar="DURATION", help="How long the old one still works."
)
@invoked
def rotate(invocation: Invocation, key_id: str, overlap: str) -> None:
    """Issue a key with the same settings, and let this one expire after a while.

    The new secret is in the answer; change the store's configuration before the old key ends.
    """
    from hub.operations.affiliates.links import public_root
    from hub.operations.merchants.keys import rotate_key
    from hub.operations.system.master_keys import require_sealing_key
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)

    async def act(store: Store) -> tuple[IssuedKeyDocument, str]:
        await require_sealing_key(store, sealer, system_clock)
        made = await rotate_key(store, sealer, system_clock, key_id, overlap=overlap)
        return made, await public_root(store, settings.server)

    made, root = invocation.with_store(act, settings)
    print_result(invocation, made, lambda: _show(made, root))


@key.command()
@click.argument("key_id", metavar="KEYID")
@invoked
def revoke(invocation: Invocation, key_id: str) -> None:
    """Revoke a key; once the command returns, no process accepts it."""
    from hub.operations.merchants.keys import end_key

    ended = invocation.with_store(lambda store: end_key(store, system_clock, key_id))
    print_result(invocation, ended, lambda: say(f"{key_id} is revoked since {ended['revokedAt']}."))


@key.command(name="list")
@click.option("--merchant", "merchant_id", required=True, metavar="ID", help="Whose keys.")
@invoked
def list_(invocation: Invocation, merchant_id: str) -> None:
    """List a merchant's keys, oldest first, without their secrets."""
    from hub.operations.merchants.keys import list_keys

    found = invocation.with_store(lambda store: list_keys(store, merchant_id))
    rows = (
        (k["keyId"], k["name"] or "", k["mode"], k["allowedIps"], k["createdAt"], k["expiresAt"], k["revokedAt"])
        for k in found
    )
    empty = f"This merchant has no keys. Issue one: hub key create --merchant {merchant_id} --mode test"
    print_result(
        invocation,
        found,
        lambda: show_table(["key", "name", "mode", "allowed from", "created", "expires", "revoked"], rows, empty),
    )


def _show(made: IssuedKeyDocument, root: str) -> None:
    fields = {
        "allowed from": made["allowedIps"] or "any address",
        "expires": made["expiresAt"] or "never",
        "signature": f"version {made['signatureVersion']} or newer",
    }
    show_fields(f"A {made['mode']} key for {made['merchantId']}", fields)
    say("Keep the secret now; it is never shown again. To paste into a shell:")
    say("")
    exports = {"HUB_BASE_URL": f"{root}/api", "HUB_KEY": made["keyId"], "HUB_SECRET": made["signingSecret"]}
    for name, value in exports.items():
        say(f"export {name}={value}")
    say("")
    say(f"A first call to paste behind it, and the reference: {root}/docs")
