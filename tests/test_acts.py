"""The table of acts holds what the code does: every act of the trail, its commands, its pages and its endpoints.

Whoever adds an act names there how it is done at the terminal, in the browser and by token; for what misses one of
them the act itself has the reason.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import click

from hub.acts import by_hand
from hub.acts.act import Act
from hub.acts.scopes import needed_for
from hub.acts.table import ACTS, AFFILIATES_API, OPERATORS_API
from hub.cli import hub
from hub.domain.scopes import SCOPES
from hub.domain.words import Side
from hub.pages.routes import all_pages

KNOWN = {kind for act in ACTS for kind in act.trail}
"""What acts leave in the trail."""

ROOT = Path(__file__).parents[1] / "hub"


@cache
def kinds() -> set[str]:
    """Return the kinds of the acts that the code notes outright, and of those that are named here."""
    found = {kind.partition(".")[0] for kind in KNOWN}
    for text in (text for file in ROOT.rglob("*.py") if "note_act(" in (text := file.read_text())):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "note_act":
                texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
                found |= {each.partition(".")[0] for each in texts if isinstance(each, str) and "." in each}
    return found


def acts_in_the_code() -> tuple[set[str], set[str]]:
    """Return the acts that the code names, and the beginnings of those that it puts together."""
    whole, begun = set[str](), set[str]()
    for room in ("operations", "people"):
        for file in (ROOT / room).rglob("*.py"):
            tree = ast.parse(file.read_text())
            inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    kind, dot, verb = node.value.partition(".")
                    if not dot or kind not in kinds() or not re.fullmatch(r"[a-z_-]*", verb) or verb == "html":
                        continue
                    (begun if id(node) in inside else whole).add(node.value)
    return whole, begun


def commands() -> set[str]:
    """Return every command, without "hub"."""
    found = set[str]()

    def walk(command: click.Command, path: list[str]) -> None:
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                walk(inner, [*path, name])
        else:
            found.add(" ".join(path))

    walk(hub, [])
    return found


def forms() -> set[str]:
    """Return the address of every form."""
    return {page.path for page in all_pages() if page.method == "POST"}


def test_every_act_of_the_code_is_in_the_table() -> None:
    """An act whose end is put together needs at least one of its kind."""
    whole, begun = acts_in_the_code()
    assert sorted(whole - KNOWN) == []
    assert [start for start in sorted(begun) if not any(kind.startswith(start) for kind in KNOWN)] == []


def test_the_table_names_no_act_that_is_gone() -> None:
    """The control: an act that is renamed leaves no line behind."""
    whole, begun = acts_in_the_code()
    assert [kind for kind in sorted(KNOWN - whole) if not any(kind.startswith(start) for start in begun)] == []


def test_what_is_named_exists() -> None:
    """Commands are those of the terminal, pages are forms, and what is shown or asked before is a page."""
    shown = {page.path for page in all_pages() if page.method == "GET"}
    assert sorted({page for act in ACTS for page in act.pages} - forms()) == []
    assert sorted({page for act in ACTS for page in (*act.asks, *act.shows)} - shown) == []
    assert sorted({command for act in ACTS for command in act.commands} - commands()) == []


def test_every_form_is_that_of_an_act_or_there_is_a_reason() -> None:
    """What nobody declared would be done by whoever may see the page."""
    declared = {page for act in ACTS for page in act.pages}
    assert sorted(forms() - declared - by_hand.NO_ACTS.keys()) == []
    assert sorted(by_hand.NO_ACTS.keys() - (forms() - declared)) == []


def missing(kind: str) -> set[str]:
    """Return the surfaces on which no act leaves this in the trail."""
    acts = [act for act in ACTS if kind in act.trail]
    there = {"api": any(isinstance(act, Act) for act in acts), "command": any(act.commands for act in acts),
             "page": any(act.pages for act in acts)}  # fmt: skip
    return {surface for surface, is_there in there.items() if not is_there}


def test_what_one_surface_can_do_the_others_can_do_or_there_is_a_reason() -> None:
    """The reasons stand on the acts, and none outlives the day on which its surface is there."""
    for kind in sorted(KNOWN):
        reasons = {surface for act in ACTS if kind in act.trail for surface in act.without}
        assert missing(kind) == reasons, kind
    assert all(len(reason) > 5 for act in ACTS for reason in act.without.values())


def test_a_write_without_an_act_would_leave_no_trail() -> None:
    writes = [act for act in (*OPERATORS_API, *AFFILIATES_API) if act.writes and not act.trail]
    assert [each.operation for each in writes] == ["previewPayout"], "acts that change nothing"
    assert [act.operation for act in (*OPERATORS_API, *AFFILIATES_API) if act.trail and not act.writes] == []


def test_every_act_is_of_a_resource_that_tokens_are_bounded_by() -> None:
    """A path of no resource is a line that is missing in hub/acts/scopes.py; the hub would not start without it."""
    apis: dict[Side, tuple[Act, ...]] = {"operator": OPERATORS_API, "affiliate": AFFILIATES_API}
    for holder, acts in apis.items():
        for act in acts:
            assert set(needed_for(act, holder)) <= set(SCOPES[holder]), act.path


def test_every_act_says_who_may_do_it_where_its_pages_are() -> None:
    """Who may is said once for each area; nobody is named for an area without a page of the act, but operators."""
    for act in ACTS:
        areas = [grant.area for grant in act.by]
        assert len(set(areas)) == len(areas), act.summary
        used = {page.split("/")[1] for page in (*act.pages, *act.asks, *act.shows)} - {"login", "logout"}
        assert used <= set(areas), act.summary
        assert set(areas) - used <= {"operator", "affiliate", "account"}, act.summary
