"""`hub secret`: the master keys that the stored secrets are encrypted under."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hub.cli.invocation import Fault, Invocation, invoked
from hub.cli.output import print_result, say, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.system.secret_rotation import SecretStatusDocument


@click.group()
def secret() -> None:
    """Change the master key that encrypts stored secrets."""


@secret.command()
@invoked
def status(invocation: Invocation) -> None:
    """Show how many secrets each master key has sealed, and which keys are here."""
    from hub.operations.system.secret_rotation import secret_status
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)
    found = invocation.with_store(lambda store: secret_status(store, sealer, system_clock), settings)
    print_result(invocation, found, lambda: _show(found))


@secret.command()
@invoked
def add(invocation: Invocation) -> None:
    """Make a new master key in the key file beside SQLite; it seals from now on, and the old ones still open."""
    from hub.operations.system.master_keys import add_key

    made = add_key(invocation.settings())
    print_result(
        invocation,
        {"added": made},
        lambda: say(f"The master key {made} seals from now on. Copy the key file, then run: hub secret rotate"),
    )


@secret.command()
@invoked
def rotate(invocation: Invocation) -> None:
    """Encrypt every stored secret anew under the current master key.

    The hub may serve meanwhile, and the command can be interrupted and run again. Beside SQLite: hub secret add, hub
    secret rotate, hub secret drop OLD. With HUB_MASTER_KEY: set it to "old,new" everywhere and restart each process;
    hub secret rotate; then set it to "new". docs/operator.md has the steps.
    """
    from hub.operations.system.secret_rotation import rotate_secrets
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)
    done = invocation.with_store(
        lambda store: rotate_secrets(store, sealer, system_clock, shared=bool(settings.master_key)), settings
    )
    text = f"{done['rotated']} secrets were resealed; all of them now use the master key {done['current']}."
    print_result(invocation, done, lambda: say(text))


@secret.command()
@click.argument("key_id", metavar="MASTERKEYID")
@invoked
def drop(invocation: Invocation, key_id: str) -> None:
    """Remove a master key that no longer seals anything from the key file beside SQLite.

    Older backups still need it: keep a copy of the file with them.
    """
    from hub.operations.system.master_keys import drop_key
    from hub.operations.system.secret_rotation import count_sealed

    settings = invocation.settings()
    left = invocation.with_store(count_sealed, settings)[key_id]
    if left:
        raise Fault(f"{left} secrets are sealed under the master key {key_id}. Run first: hub secret rotate")
    drop_key(settings, key_id)
    print_result(
        invocation, {"dropped": key_id}, lambda: say(f"The master key {key_id} is gone. Older backups need its copy.")
    )


def _show(found: SecretStatusDocument) -> None:
    keys = [(key["id"], key["secrets"], key["here"], key["id"] == found["current"]) for key in found["masterKeys"]]
    show_table(["master key", "secrets", "here", "current"], keys, "There are no secrets yet.")
    processes = [(node["nodeId"], node["masterKeys"]) for node in found["processes"]]
    show_table(["process", "master keys"], processes, "No process serves just now.")
