"""The `hub` command and its groups, each in a module of its own that is imported only when it is used."""

from __future__ import annotations

import importlib
from typing import Any

import click

from hub.cli.invocation import Faults, Invocation, shared_options

SECTIONS: dict[str, dict[str, str]] = {
    "Run": {
        "serve": "Serve the API, the tracking links and the docs.",
        "migrate": "Update the database's schema, or move it to PostgreSQL.",
        "demo": "Run a hub and a small shop with demo data, ready to try.",
        "backup": "Back up the SQLite database to a new, verified file.",
        "restore": "Replace the SQLite database with a backup.",
        "secret": "Change the master key that encrypts stored secrets.",
        "clock": "Show and confirm clocks; move a test account's clock forward.",
        "setup": "Set up a hub: settings, key, services, first operator.",
        "doctor": "Say what is wrong with this installation and how to fix it.",
        "status": "Show whether the hub keeps up and what needs attention.",
        "settings": "Show the settings in force, and where each was given.",
        "docs": "Write the documentation as static files.",
        "audit": "Verify that nothing was lost and nothing happened twice.",
    },
    "Accounts": {
        "merchant": "Create, change, approve, suspend and close merchants.",
        "account": "Empty a merchant's test account.",
        "domain": "Add, prove, list and remove the domains of a merchant.",
        "key": "Issue, change and revoke a merchant's API keys.",
        "affiliate": "Create, change, show and turn off affiliates.",
        "link": "Create, list and disable tracking links of affiliates.",
        "connection": "Connect a store and check whether its deliveries arrive.",
        "product": "List, show and change single products of an account.",
        "campaign": "Approve campaigns, set hold and listing, decide on affiliates.",
        "mail": "Show emails that were sent, are waiting or were given up.",
        "user": "Create, disable and list the people who sign in.",
        "find": "Find anything by its id, order number, e-mail address or name.",
        "trail": "Show who did what, newest first.",
    },
    "Orders": {
        "conversion": "Show, review and attribute reported orders.",
        "commission": "List and pay commissions.",
        "payout": "Gather payouts into runs, release and settle them.",
        "exchange": "Set the rates at which affiliates are paid in another currency.",
        "payee": "Set an affiliate's payment details.",
        "adjustment": "Correct what affiliates are paid, with a second pair of eyes.",
        "vat": "Look VAT numbers up in VIES, and show what it said.",
        "issuer": "Set the companies that bill merchants, and which bills whom.",
        "statement": "Show what a run paid an affiliate, and what a merchant owes.",
        "deposit": "Require, record and show merchants' deposits.",
        "receipt": "Read bank statements and match payments to invoices.",
        "bank": "Look at files from banks and what became of each line.",
        "balance": "Show what affiliates are due, were paid and owe.",
        "ledger": "Verify the ledger, or export it to a file.",
        "event": "List submissions, show what became of one, or replay them.",
        "figures": "Recount the figures shown on the pages.",
        "log": "Read a merchant's request log.",
        "rule": "Try a commission rate on real orders, and publish or drop it.",
        "reconcile": "Compare a shop's own list of orders with the hub's.",
        "csv": "Import products, orders and statuses as CSV, and export records.",
    },
    "Integrate": {
        "token": "Issue and revoke bearer tokens.",
        "subscription": "Send webhooks and postbacks about commissions and orders.",
        "request": "Send one signed request to the API.",
        "sign": "Print the headers that sign a request.",
        "listen": "Forward a test account's webhooks to this machine.",
        "trigger": "Send a test message to those who listen.",
        "mcp": "Serve tools for agents, over a running hub's API.",
        "simulate": "Simulate a store at a running hub, signed like its platform.",
        "plugin": "Write, check and list the connectors of platforms.",
    },
}
BEGIN = {
    "hub demo": "tries everything with a shop of its own",
    "hub setup HOST": "sets a hub up on this machine",
    "hub doctor": "says what is wrong with one",
    "hub COMMAND --help": "says what a command does and takes",
    "hub docs FOLDER": "writes the documentation, which a hub serves under /docs",
}
"""What the help of the root ends with: where a newcomer begins."""
PURPOSES = {name: purpose for commands in SECTIONS.values() for name, purpose in commands.items()}
MODULES = {"sign": "request", "trigger": "listen", "restore": "backup", "payout": "payout_bank"}
"""Commands that are defined in the module of another, or whose last commands are."""


class LazyGroup(click.Group):
    """The root group, which knows every command's name and purpose without importing it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return all commands in the order of their sections."""
        return list(PURPOSES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import the module of a command and return the command; None if there is none of this name."""
        if cmd_name not in PURPOSES:
            return None
        module = importlib.import_module(f"hub.cli.{MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the commands by section, aligned over all of them."""
        width = max(map(len, PURPOSES))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), purpose) for name, purpose in commands.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write where to begin."""
        with formatter.section("Begin with"):
            formatter.write_dl(list(BEGIN.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an expected fault ends as a plain sentence on standard error."""
        with Faults():
            try:
                return super().invoke(ctx)
            except click.MissingParameter as fault:
                raise _all_missing(fault) from None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Resolve as click does, but propose what is meant by a word that is no command, here or in a group."""
        if args and args[0] not in PURPOSES and not args[0].startswith("-"):
            raise _no_command(ctx, args[0], tuple(PURPOSES))
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            inner = click.Context(command, info_name=name, parent=ctx)
            known = tuple(command.list_commands(inner))
            if rest[0] not in known:
                raise _no_command(inner, rest[0], known)
        return name, command, rest


def _no_command(ctx: click.Context, word: str, known: tuple[str, ...]) -> click.UsageError:
    """Return the fault of a word that is no command, with those that may be meant by it."""
    from hub.cli.meanings import meant

    path = ctx.command_path
    may = " or ".join(f"`{path} {name}`" for name in meant(word, known))
    hint = f"Did you mean {may}?" if may else f"`{path} --help` shows them all."
    return click.UsageError(f"There is no command `{path} {word}`. {hint}", ctx)


def _all_missing(fault: click.MissingParameter) -> click.UsageError:
    """Return the fault that names all that is missing: click names the first, and the next after the next try.

    What may stand in the environment is named with its variable, which is where a newcomer has it.
    """
    ctx = fault.ctx
    if ctx is None:
        return fault
    required = [each for each in ctx.command.get_params(ctx) if each.required and each.name not in ctx.params]
    missing = [each for each in required if each.value_is_missing(each.consume_value(ctx, {})[0])]
    if len(missing) < 2 and not any(each.envvar for each in missing):
        return fault
    return click.UsageError(f"Missing: {', '.join(_shown(each, ctx) for each in missing)}.", ctx)


def _shown(parameter: click.Parameter, ctx: click.Context) -> str:
    """Return a parameter as the help writes it, with the variable that may hold its value."""
    metavar = parameter.make_metavar(ctx)
    if not isinstance(parameter, click.Option):
        return metavar
    return f"{parameter.opts[0]} {metavar}{f' (or {parameter.envvar})' if parameter.envvar else ''}"


def _version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked:
        from hub.cli.version import show_version

        show_version(ctx, parameter, asked)


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show version and commit."
)
@shared_options
@click.pass_context
def hub(ctx: click.Context, /, **options: Any) -> None:
    """Run the affiliate hub, which takes orders from shops and decides which affiliate earned what.

    Every command prints text for a person by default, and one JSON document with --json. Its exit status is 0 if it
    succeeded, 1 if not, and 2 if the command line or the settings are wrong.
    """
    ctx.obj = Invocation(**options)


def main() -> None:
    """Run the installed command."""
    hub(prog_name="hub")
