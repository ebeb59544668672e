"""The `hub` command: its nouns, each in a module of its own that is imported only when it is used."""

from __future__ import annotations

import importlib
from typing import Any

import click

from hub import __version__
from hub.cli.invocation import Faults, Invocation, shared_options

SECTIONS: dict[str, dict[str, str]] = {
    "Run": {
        "serve": "Serve the API, the tracking links and the docs.",
        "migrate": "Bring the database's schema up to date.",
        "demo": "Run a hub and a small shop with demo data, ready to try.",
        "audit": "Prove that nothing was lost and nothing happened twice.",
    },
    "Accounts": {
        "merchant": "Create, approve, suspend and show merchants.",
        "key": "Issue and revoke a merchant's API keys.",
        "affiliate": "Create, show and turn off affiliates.",
        "link": "Create an affiliate's tracking links.",
        "connection": "Connect a store and check what it sends.",
        "campaign": "Approve or reject campaigns.",
    },
    "Orders": {
        "conversion": "Show, review and attribute reported orders.",
        "commission": "List and pay commissions.",
        "event": "Show what became of a submission, or replay it.",
        "log": "Read a merchant's request log.",
        "csv": "Take in products, orders and statuses as CSV, and export them.",
    },
    "Integrate": {
        "request": "Send one signed request to the API.",
        "sign": "Print the headers that sign a request.",
        "simulate": "Play a store against a running hub, signed as its platform signs.",
        "plugin": "Write, check and look at the connectors of platforms.",
    },
}
PURPOSES = {name: purpose for commands in SECTIONS.values() for name, purpose in commands.items()}
MODULES = {"sign": "request"}
"""Commands that live in the module of another noun."""


class Nouns(click.Group):
    """The root group; it knows every command's name and purpose without importing it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """All commands in the order of their sections."""
        return list(PURPOSES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """Imports the module of a command and returns it; None for a name that is no command."""
        if cmd_name not in PURPOSES:
            return None
        module = importlib.import_module(f"hub.cli.{MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """Writes the commands by section, aligned over all of them."""
        width = max(map(len, PURPOSES))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), purpose) for name, purpose in commands.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; the faults it expects end as plain sentences on standard error."""
        with Faults():
            return super().invoke(ctx)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Like click's, and for a misspelt name proposes the nearest one."""
        if args and args[0] not in PURPOSES and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], PURPOSES, n=1)
            mend = f"Did you mean `hub {near[0]}`?" if near else "`hub --help` shows them all."
            raise click.UsageError(f"There is no command {args[0]!r}. {mend}", ctx)
        return super().resolve_command(ctx, args)


@click.command(cls=Nouns, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="hub")
@shared_options
@click.pass_context
def hub(ctx: click.Context, /, **options: Any) -> None:
    """The affiliate hub: takes orders from shops and decides which affiliate earned what.

    Every command speaks human by default and prints one JSON document with --json.
    """
    ctx.obj = Invocation(**options)


def main() -> None:
    """The entry point of the installed command."""
    hub(prog_name="hub")
