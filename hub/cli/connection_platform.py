"""`hub connection credentials`, `platform`, `reconcile` and others: what is asked of a store's platform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TextIO

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.counting import counting
from hub.cli.invocation import FAULT, Fault, Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.cli.services import over_call

if TYPE_CHECKING:
    from hub.acts.call import Call
    from hub.operations.connections.platform_access import GivenCredentials
    from hub.operations.connections.platform_documents import PlatformDocument, ReadDocument
    from hub.platform_sync.webhooks import KeptWebhooks


@click.command()
@click.argument("connection_id", metavar="ID")
@click.option("--from", "file", type=click.File(), help="A file (- for standard input) with one name=value per line.")
@click.option("--days", default=90, show_default=True, metavar="N", help="How many past days to read; 0: none.")
@click.option("--delete", "deletes", is_flag=True, help="Delete them here, and the webhooks on the platform.")
@invoked
def credentials(invocation: Invocation, *, connection_id: str, file: TextIO | None, days: int, deletes: bool) -> None:
    """Store the credentials for reading the platform.

    They are checked at once, sealed, and never shown again; a command line would be seen by others, so they come from a
    file. The webhooks are created, and earlier orders and products are read.
    """
    from hub.operations.connections.platform_access import delete_credentials, give_credentials

    if deletes == (file is not None):
        raise click.UsageError("Give a file of credentials by --from, or delete them by --delete.")
    if file is None:
        gone = over_call(invocation, lambda call: delete_credentials(call.services.platforms, connection_id))
        print_result(invocation, gone, lambda: say(f"{connection_id} no longer has credentials; it only receives."))
        return
    typed = _read_pairs(file)

    async def act(call: Call) -> GivenCredentials:
        return await give_credentials(call.services.platforms, connection_id, typed, days=days)

    done = over_call(invocation, act, seals=True)
    print_result(invocation, done, lambda: _show_given(done, connection_id))


def _show_given(done: GivenCredentials, connection_id: str) -> None:
    say(f"The platform accepts the credentials{' of ' if done['shop'] else ''}{done['shop']}.")
    for each in done["missingPermissions"]:
        say(f"The permission {each} is missing: without it something is lost.")
    if done["webhooksMade"]:
        say(f"Webhooks were created: {', '.join(done['webhooksMade'])}.")
    if done["webhookFault"]:
        say(f"The webhooks could not be created. {done['webhookFault']}")
    say(f"The running hub reads earlier orders and products; see `hub connection platform {connection_id}`.")


@click.command()
@click.argument("connection_id", metavar="ID")
@click.option("--since", metavar="DURATION", help="How far to look back (default: to the last certain point).")
@invoked
def reconcile(invocation: Invocation, connection_id: str, since: str | None) -> None:
    """Ask the shop which orders changed, and take in those that got lost."""
    _read_now(invocation, connection_id, "RECONCILIATION", since)


@click.command()
@click.argument("connection_id", metavar="ID")
@invoked
def catalogue(invocation: Invocation, connection_id: str) -> None:
    """Read all of the shop's products into the catalogue."""
    _read_now(invocation, connection_id, "CATALOGUE", None)


def _read_now(invocation: Invocation, connection_id: str, kind: str, since: str | None) -> None:
    """Ask for a reading, and read it here unless the running hub is quicker."""
    from hub.operations.connections.platform_reading import read_to_the_end

    async def act(call: Call) -> ReadDocument:
        return await read_to_the_end(call.services.platforms, connection_id, kind, since, counting("Read so far"))

    done = over_call(invocation, act)
    print_result(invocation, done, lambda: _show_read(done, connection_id))
    if done["status"] == "FAILED" or done["reason"]:
        click.get_current_context().exit(FAULT)


def _show_read(done: ReadDocument, connection_id: str) -> None:
    what = "products" if done["kind"] == "CATALOGUE" else "orders"
    unknown = "" if done["kind"] == "CATALOGUE" else f", {done['unknownOrders']} of them were unknown"
    say(f"{done['items']:,} {what} were read{unknown}.")
    if done["reason"]:
        ends = f"It goes on at {done['continuesAt']}" if done["continuesAt"] else "It does not go on"
        say(f"{done['reason']} {ends}; see `hub connection platform {connection_id}`.")


def _read_pairs(file: TextIO) -> dict[str, str]:
    pairs = [line.strip().partition("=") for line in file if line.strip()]
    if not all(equals for _, equals, _ in pairs):
        raise Fault("Each line of the file is name=value, such as key=ck_1234.")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _show(found: PlatformDocument) -> None:
    show_fields(found["id"], {
        "asked": found["hasCredentials"], "taken at": found["checkedAt"], "refused since": found["faultSince"],
        "nothing missed until": found["certainUntil"], "next reading": found["nextAt"],
        **{each["label"]: each["shown"] or "set" for each in found["fields"] if found["hasCredentials"]},
    })  # fmt: skip
    if not found["canAsk"]:
        say("Its connector cannot read the platform; it only receives.")
    elif not found["hasCredentials"]:
        names = ", ".join(each["name"] for each in found["fields"])
        say(f"It has no credentials ({names}). Give some: hub connection credentials {found['id']} --from FILE")
    if found["fault"]:
        say(found["fault"])
    alive = {each["topic"] for each in found["webhooks"] if each["alive"]}
    rows = ((topic, "active" if topic in alive else "missing") for topic in found["webhooksWanted"])
    show_table(["webhook", "state"], rows if found["webhooksAt"] else (), "Its webhooks have not been checked yet.")
    reads = (
        (r["createdAt"], r["kind"], r["status"], r["items"], r["unknownOrders"], len(r["news"]), r["reason"])
        for r in found["reads"]
    )
    show_table(["asked", "kind", "status", "read", "unknown", "with news", "why"], reads, "Nothing has been read yet.")
    fetches = ((f["since"], f["kind"], f["id"], f["attempts"], f["continuesAt"], f["reason"]) for f in found["fetches"])
    show_table(["named", "kind", "id", "attempts", "again at", "why"], fetches, "Nothing waits to be fetched.")


def _show_webhooks(kept: KeptWebhooks) -> None:
    rows = ((each["topic"], "active" if each["alive"] else "disabled") for each in kept["webhooks"])
    show_table(["topic", "state"], rows, "There are none.")
    if kept["made"]:
        say(f"Created again: {', '.join(kept['made'])}.")


CONNECTION: Final = {"connection": Value("", metavar="ID")}

COMMANDS: Final[tuple[click.Command, ...]] = (
    credentials,
    catalogue,
    reconcile,
    ActCommand("platform", "platforms.getPlatform",
               "Show how a connection's platform is read: readings, webhooks, and what is still to be fetched.", _show,
               Takes(on=CONNECTION)),
    ActCommand("webhooks", "platforms.keepWebhooks",
               "Check the webhooks on the platform, and recreate those that are disabled or missing.", _show_webhooks,
               Takes(on=CONNECTION)),
    ActCommand("fetch", "platforms.fetchAgain", "Retry fetching what deliveries only named.",
               "{fetches} are due again.", Takes(on=CONNECTION)),
    ActCommand("last-look", "platforms.setLastLook",
               "Set whether each order is checked on its platform before its hold ends (ask) or not (off).\n\n"
               "Without the check, a commission is paid even if its order was deleted in the shop and no delivery "
               "said so.",
               "{id}: {lastLook}", Takes(on=CONNECTION, values={"look": Value("")})),
)  # fmt: skip
