"""What an act's refusal says to everybody, and what it says at the terminal alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import hub.operations
from hub.cli import PURPOSES
from hub.operations.errors import OperatorFault, unknown

ROOM = Path(hub.operations.__file__).parent
REFUSALS = ("OperatorFault", "unknown", "UnknownReference")
COMMAND = re.compile(rf"\bhub ({'|'.join(PURPOSES)})\b|(?<!\w)--[a-z]")


def reasons(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every reason that a refusal is raised with."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSALS:
            for argument in node.args:
                texts = (each.value for each in ast.walk(argument) if isinstance(each, ast.Constant))
                yield node.lineno, "".join(text for text in texts if isinstance(text, str))


def test_no_reason_of_a_refusal_names_a_command() -> None:
    found = [
        f"{file.relative_to(ROOM)}:{line}: {text}"
        for file in ROOM.rglob("*.py")
        for line, text in reasons(file.read_text("utf-8"))
        if COMMAND.search(text)
    ]
    assert not found


def test_a_command_in_a_reason_is_found() -> None:
    assert [
        text for _, text in reasons("raise OperatorFault('No. `hub user list` shows them.')") if COMMAND.search(text)
    ]


def test_the_text_ends_with_the_command_and_the_reason_does_not() -> None:
    fault = OperatorFault("It is closed.", command="Open it first: hub merchant approve")
    assert (str(fault), fault.reason) == ("It is closed. Open it first: hub merchant approve", "It is closed.")
    missing = unknown("merchant", "mer_1", command="`hub merchant list` shows them all.")
    assert missing.reason == "There is no merchant 'mer_1'."
    assert str(missing) == "There is no merchant 'mer_1'. `hub merchant list` shows them all."
