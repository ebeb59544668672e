"""`hub link`: tracking links, from an affiliate's page to a merchant's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import named, print_result, say, show_fields, show_table
from hub.cli.output_files import write_whole
from hub.clock import system_clock
from hub.domain.instants import instant_or_none
from hub.domain.words import MODES

if TYPE_CHECKING:
    from hub.records.links import LinkCreated, LinkRecord
    from hub.storage import Store


@click.group()
def link() -> None:
    """Create, list and disable tracking links of affiliates."""


@link.command()
@click.option("--merchant", "merchant_id", required=True, metavar="ID", help="Whose shop it leads to.")
@click.option("--mode", required=True, type=click.Choice(MODES), help="Which of the merchant's accounts.")
@click.option(
    "--affiliate", "affiliate_id", required=True, metavar="AFF", help="The affiliate that earns from its clicks."
)
@click.option("--campaign", metavar="CMP", help="Id or code of the campaign (default: the product's).")
@click.option("--product", "external_product_id", metavar="EXTERNAL_ID", help="The product that it leads to.")
@click.option(
    "--destination", metavar="URL", help="Where it leads (default: the product's page, else the first domain)."
)
@click.option(
    "--sub", "subs", multiple=True, metavar="sub1=TEXT", help="A sub-id of every click, sub1 to sub5; may be repeated."
)
@invoked
def create(invocation: Invocation, subs: tuple[str, ...], **wanted: Any) -> None:
    """Create a link; its destination must be on an approved domain."""
    from hub.operations.affiliates.links import NewLink, create_link, public_root

    wanted["sub_ids"] = dict(_pair(sub) for sub in subs)
    settings = invocation.settings()

    async def make(store: Store) -> LinkCreated:
        root = await public_root(store, settings.server)
        return await create_link(store, system_clock, root, NewLink(**wanted))

    made = invocation.with_store(make, settings)
    fields = {
        "leads to": made.destination,
        "code": made.code,
        "affiliate": made.affiliate_id,
        "campaign": made.campaign_id,
        "product": made.product_id,
        "sub-ids": [f"{name}={value}" for name, value in made.sub_ids.items()],
    }

    def human() -> None:
        show_fields(made.url, fields)
        if leads_nowhere_else(made.url):
            say("Only this machine can follow it. Set HUB_SERVER_PUBLIC_URL to the hub's public address.")

    print_result(invocation, made, human)


def _pair(sub: str) -> tuple[str, str]:
    name, equals, value = sub.partition("=")
    if not equals:
        raise click.UsageError(f"Write a sub-id like sub1=newsletter; {sub!r} has no equals sign.")
    return name.strip(), value


def leads_nowhere_else(url: str) -> bool:
    """Return whether a URL leads to the machine itself, whoever follows it."""
    from urllib.parse import urlsplit

    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


@link.command(name="list")
@click.option("--merchant", "merchant_id", metavar="ID", help="Only this merchant's.")
@invoked
def list_(invocation: Invocation, merchant_id: str | None) -> None:
    """List links, newest first."""
    from hub.operations.affiliates.link_lists import every_link
    from hub.operations.affiliates.links import public_root
    from hub.operations.lists import Wanted

    settings = invocation.settings()

    async def find(store: Store) -> list[LinkRecord]:
        root = await public_root(store, settings.server)
        return await every_link(store, root, Wanted({"merchant": merchant_id}))

    found = invocation.with_store(find, settings)
    rows = (
        (x.url, x.mode, named(x.merchant_id, x.merchant_name), named(x.affiliate_id, x.affiliate_name),
         x.campaign_id, x.destination, instant_or_none(x.disabled_at))
        for x in found
    )  # fmt: skip
    columns = ["link", "mode", "merchant", "affiliate", "campaign", "leads to", "disabled"]
    empty = "There are no links yet. Create one: hub link create --merchant … --mode test --affiliate …"
    print_result(invocation, found, lambda: show_table(columns, rows, empty))


@link.command()
@click.argument("code", metavar="CODE")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@invoked
def qr(invocation: Invocation, code: str, file: Path) -> None:
    """Write a link's QR code to FILE, which ends in .svg or .png."""
    from hub.operations.affiliates.links import public_root, show_link
    from hub.operations.affiliates.qr_codes import FORMATS, qr_code
    from hub.records.wire import write

    kind = file.suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        raise click.UsageError(f"A QR code is written as .svg or .png; {file.name!r} is neither.")
    settings = invocation.settings()

    async def find(store: Store) -> LinkRecord:
        return await show_link(store, await public_root(store, settings.server), code)

    found = invocation.with_store(find, settings)
    write_whole(file, qr_code(found.url, kind))
    print_result(
        invocation, {**write(found), "file": str(file)}, lambda: say(f"{file} has the QR code of {found.url}.")
    )


CODE: Final = Takes(on={"link": Value("", metavar="CODE")})

for each in (
    ActCommand("disable", "links.disableLink",
               "Stop a link from earning: it leads buyers on, but records no click.\n\n"
               "CODE is what follows /t/. Clicks that were recorded before still count.",
               "{url} is disabled since {disabledAt}.", CODE),
    ActCommand("enable", "links.enableLink", "Let a disabled link earn again.", "{url} is enabled.", CODE),
):  # fmt: skip
    link.add_command(each)
