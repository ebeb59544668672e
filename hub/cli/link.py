"""`hub link`: tracking links, from an affiliate's page to a merchant's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import Table, named, print_result, say, show_fields
from hub.cli.output_files import write_whole
from hub.domain.instants import instant_or_none

if TYPE_CHECKING:
    from hub.records.links import LinkCreated, LinkRecord
    from hub.storage import Store


@click.group()
def link() -> None:
    """Create, list and disable tracking links of affiliates."""


def _wanted(typed: Typed) -> dict[str, Any]:
    subs = dict(_pair(sub) for sub in typed.get("subs", ()))
    return {name: value for name, value in typed.items() if name != "subs"} | ({"sub_ids": subs} if subs else {})


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


def _show_made(made: LinkCreated) -> None:
    from hub.records.words import texts_said

    fields = {
        "leads to": made.destination,
        "code": made.code,
        "affiliate": made.affiliate_id,
        "campaign": made.campaign_id,
        "product": made.product_id,
        "sub-ids": [f"{name}={value}" for name, value in made.sub_ids.items()],
        **dict(texts_said(made)),
    }
    show_fields(made.url, fields)
    if leads_nowhere_else(made.url):
        say("Only this machine can follow it. Set HUB_SERVER_PUBLIC_URL to the hub's public address.")


LINKS: Final = Table(
    ["link", "mode", "merchant", "affiliate", "campaign", "leads to", "disabled"],
    lambda x: (x.url, x.mode, named(x.merchant_id, x.merchant_name), named(x.affiliate_id, x.affiliate_name),
               x.campaign_id, x.destination, instant_or_none(x.disabled_at)),
    "There are no links yet. Create one: hub link create --merchant … --mode test --affiliate …",
)  # fmt: skip
CODE: Final = Takes(on={"link": Value("", metavar="CODE")})

for each in (
    ActCommand("create", "links.createLink", "Create a link; its destination must be on an approved domain.",
               _show_made,
               Takes(values={"merchantId": Value("--merchant", "Whose shop it leads to.", "ID"),
                             "mode": Value("--mode", "Which of the merchant's accounts."),
                             "affiliateId": Value("--affiliate", "The affiliate that earns from its clicks.", "AFF"),
                             "campaignId": Value("--campaign", "Id or code of the campaign (default: the product's).",
                                                 "CMP"),
                             "externalProductId": Value("--product", "The product that it leads to.", "EXTERNAL_ID"),
                             "destination": Value("--destination", "Where it leads (default: the product's page, else "
                                                                   "the first domain).", "URL")},
                     own=[click.Option(["--sub", "subs"], multiple=True, metavar="sub1=TEXT",
                                       help="A sub-id of every click, sub1 to sub5; may be repeated.")],
                     reads=_wanted, texts=True)),
    ActCommand("list", "links.listLinks", "List links, newest first.", LINKS,
               Takes(values={"merchant": Value("--merchant", "Only this merchant's.", "ID")})),
    ActCommand("disable", "links.disableLink",
               "Stop a link from earning: it leads buyers on, but records no click.\n\n"
               "CODE is what follows /t/. Clicks that were recorded before still count.",
               "{url} is disabled since {disabledAt}.", CODE),
    ActCommand("enable", "links.enableLink", "Let a disabled link earn again.", "{url} is enabled.", CODE),
):  # fmt: skip
    link.add_command(each)
