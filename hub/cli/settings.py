"""`hub settings`: every setting as it is in force, and where it was given."""

from __future__ import annotations

import attrs
import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, show_table


@click.command()
@click.option("--given", is_flag=True, help="Only those that are not defaults.")
@invoked
def settings(invocation: Invocation, given: bool) -> None:
    """Show the settings in force, and where each was given.

    Secrets are not shown; durations are in milliseconds.
    """
    from hub.config.in_force import DEFAULT, settings_in_force

    found = [each for each in settings_in_force(invocation.settings()) if not given or each.origin != DEFAULT]
    rows = ((each.path, each.value, each.origin) for each in found)
    document = [attrs.asdict(each) for each in found]
    print_result(
        invocation, document, lambda: show_table(["setting", "value", "comes from"], rows, "All are defaults.")
    )
