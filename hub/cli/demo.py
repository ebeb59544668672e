"""`hub demo`: a new hub with a small shop beside it, ready to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.serve import run_fast

if TYPE_CHECKING:
    from hub.demo.walk import Places

DATABASE = "sqlite:///var/demo.db"


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8080,
    show_default=True,
    help="Port of the hub; 0 picks a free one.",
)
@click.option(
    "--shop-port",
    type=click.IntRange(0, 65_535),
    help="Port of the shop (default: the next one, or any if that is taken).",
)
@click.option("--hold", default="20s", show_default=True, metavar="DURATION", help="How long commissions are held.")
@invoked
def demo(invocation: Invocation, host: str, port: int, shop_port: int | None, hold: str) -> None:
    """Run a hub and a small shop with demo data, in a new database each time (var/demo.db).

    Prints a link to follow in a browser, and what to paste into a second terminal.
    """
    settings = invocation.settings(
        {
            "database.url": invocation.database or DATABASE,
            "server.host": host,
            "server.port": port,
            "server.public_url": "",
            "commission.hold": hold,
            "log.level": "warning",
            "payouts.debtor_name": "The demo network",
            "payouts.debtor_iban": "DE02120300000000202051",
        }
    )
    beside = shop_port if shop_port is not None else port + 1 if 0 < port < 65_535 else 0

    from hub.demo.run import run_demo
    from hub.observability.logs import configure_logging

    configure_logging(settings.log.level)
    click.echo("Playing six weeks of a small network, which takes some twenty seconds …", err=True)
    run_fast(run_demo(settings, beside, _announce))


def _announce(places: Places) -> None:
    from hub.demo.walk import walk

    style = {"title": "\x1b[1m", "dim": "\x1b[2m", "code": "\x1b[36m", "end": "\x1b[0m"}
    click.echo(walk(places, style))  # click leaves the colours out if the output is not a terminal
