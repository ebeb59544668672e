"""The commands of the documents: each exists, with the options that are named."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from markdown_it import MarkdownIt

from hub.cli import hub
from hub.docs_site.documents import docs_folder

ROOT = Path(__file__).resolve().parents[2]
FILES = [ROOT / "README.md", *sorted(docs_folder().glob("*.md"))]
PLACEHOLDERS = str.maketrans({"|": " ", "[": " ", "]": " ", "(": " ", ")": " ", "\u2026": " "})


def commands_of(text: str) -> list[str]:
    """Lines of shell blocks that begin with `hub`, and whole commands in backticks."""
    tokens = MarkdownIt("commonmark").parse(text)
    blocks = [token.content for token in tokens if token.type == "fence" and token.info in ("", "sh")]
    lines = [line.partition("  #")[0] for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    inline = [each.content for token in tokens for each in token.children or () if each.type == "code_inline"]
    return [line.strip() for line in [*lines, *inline] if re.match(r"hub [a-z]", line.strip())]


def faults_of(line: str) -> list[str]:
    """What a command names that does not exist: a subcommand, or an option of it."""
    words = [word for word in _words(line)[1:] if word]
    command: click.Command = hub
    while isinstance(command, click.Group) and words and re.fullmatch(r"[a-z][a-z0-9-]+", words[0]):
        name = words.pop(0)
        found = command.get_command(click.Context(command), name)
        if found is None:
            return [name]
        command = found
    known = {
        option for each in command.get_params(click.Context(command)) for option in (*each.opts, *each.secondary_opts)
    } | {"--help", "--json"}
    return [word for word in words if re.fullmatch(r"--[a-z][a-z-]*", word) and word not in known]


def _words(line: str) -> list[str]:
    plain = re.split(r" [|>&;] ?| >> |;", line)[0]
    try:
        return [word.partition("=")[0] for word in shlex.split(plain.translate(PLACEHOLDERS))]
    except ValueError:  # an apostrophe in prose
        return plain.translate(PLACEHOLDERS).split()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_command_of_the_document_exists(file: Path) -> None:
    assert [(line, fault) for line in commands_of(file.read_text("utf-8")) for fault in faults_of(line)] == []


def test_control_what_does_not_exist_is_found() -> None:
    assert faults_of("hub clock advance --merchant mer_... --to 15d") == ["--to"]
    assert faults_of("hub clock turn") == ["turn"]
    assert faults_of("hub clock advance --merchant mer_... --by 15d") == []
    assert sum(len(commands_of(file.read_text("utf-8"))) for file in FILES) > 100
