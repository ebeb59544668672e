"""Commands made from the table of acts: what they make of what was typed, and how much of a list they print."""

from __future__ import annotations

import click
import pytest

from hub.acts.fields import Field
from hub.cli.act_command import ActCommand
from hub.cli.act_values import Takes, Value
from hub.validation.constraints import Choice, Flag, Instant, Whole
from tests.cli.conftest import Operator

FIELDS = {
    "size": Field(Choice(("SMALL", "LARGE"))),
    "days": Field(Whole(0, 9)),
    "until": Field(Instant()),
    "quick": Field(Flag()),
}
VALUES = {name: Value(f"--{name}") for name in FIELDS}


def body(takes: Takes, *words: str) -> dict[str, object]:
    """What an act gets for the words of a command line."""
    command = click.Command("try", params=takes.parameters(FIELDS))
    return takes.body(command.make_context("try", list(words)).params)


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ((), {}),
        (("--days", "0"), {"days": 0}),
        (("--size", "large"), {"size": "LARGE"}),
        (("--until", "1970-01-01T00:00:01Z", "--quick"), {"until": 1_000, "quick": True}),
    ],
)
def test_values_are_read_as_the_acts_fields_say(words: tuple[str, ...], read: dict[str, object]) -> None:
    """What was not typed is left out, and a number of zero is not."""
    assert body(Takes(values=VALUES), *words) == read


def test_a_moment_that_is_none_is_named() -> None:
    with pytest.raises(click.BadParameter, match="'soon' is not an RFC 3339 moment"):
        body(Takes(values=VALUES), "--until", "soon")


def test_what_a_command_stands_for_can_be_lifted() -> None:
    takes = Takes(fixed={"required": True}, lifts={"required": Value("--off")})
    assert body(takes) == {"required": True}
    assert body(takes, "--off") == {"required": False}


def test_nothing_given_is_refused_where_something_must_be() -> None:
    takes = Takes(own=[click.Option(["--any"], is_flag=True)], reads=lambda typed: {"to": ""} if typed["any"] else {},
                  some="Name what to change.")  # fmt: skip
    with pytest.raises(click.UsageError, match="Name what to change"):
        body(takes)
    assert body(takes, "--any") == {"to": ""}


def test_a_list_is_printed_whole_however_long(operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
    """The act answers a page; the command goes on to the end."""
    merchant = operator.merchant()
    made = [operator.do("key", "create", "--merchant", merchant, "--mode", "test")["keyId"] for _ in range(3)]
    monkeypatch.setattr("hub.acts.call.MOST_ENTRIES", 2)
    assert [each["keyId"] for each in operator.do("key", "list", "--merchant", merchant)] == made


def test_an_act_that_is_not_there_is_a_bug_and_not_a_list() -> None:
    """The control: a command names its act by module and operation, and nothing like it."""
    with pytest.raises(StopIteration):
        _ = ActCommand("disable", "links.disableLinks", "", "").act
