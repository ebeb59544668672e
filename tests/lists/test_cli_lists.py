"""Every command that lists prints what is stored, as JSON to the last entry."""

from __future__ import annotations

import json

import click
from click.testing import CliRunner

from hub.cli import hub
from tests.lists.filled import Filled
from tests.lists.walks import COMMANDS, IDS, WHOLE_COMMANDS
from tests.lists.whole import difference, unexpected
from tests.sampled import Part, in_parts
from tests.served_hub import MASTER_KEY


@in_parts(5)
def test_every_list_is_printed_whole(filled: Filled, part: Part) -> None:
    faults = {}
    for walk in part.of(COMMANDS):
        arguments = walk.address.format(**filled.ids).split()
        given = {"HUB_MASTER_KEY": MASTER_KEY, "HUB_DATABASE_URL": filled.url}
        printed = CliRunner().invoke(hub, [*arguments, "--json"], env=given, prog_name="hub")
        assert printed.exit_code == 0, (walk.address, printed.output)
        found = ["".join(str(entry[member]) for member in walk.members) for entry in json.loads(printed.stdout)]
        faults[walk.address] = difference(found, filled.stored(IDS[walk.entries]))
    assert unexpected(faults) == ""


def test_every_command_that_lists_is_walked() -> None:
    """A new one stands in the table of walks, or with its reason among those that are always short."""
    walked = {walk.address.partition(" --")[0] for walk in COMMANDS} | set(WHOLE_COMMANDS)
    assert {name for name in names_of(hub, []) if name.endswith(" list")} <= walked


def names_of(command: click.Command, path: list[str]) -> set[str]:
    """The names of all commands: "merchant list"."""
    if not isinstance(command, click.Group):
        return {" ".join(path)}
    context, found = click.Context(command), set[str]()
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        found |= names_of(inner, [*path, name])
    return found
