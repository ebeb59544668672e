"""Every named query of the hub: both databases understand it, the code calls it rightly, and none is left over."""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from attrs import frozen

from hub.storage import Store
from hub.storage.named_queries.compiler import QUERY_FOLDER, load_queries

HUB = QUERY_FOLDER.parents[2]
CALL = re.compile(r"\.(?:all|one|run)\(")
NAME = re.compile(r'"(\w+)"')
QUERIES = load_queries("sqlite")

# Served while somebody waits, or over and over: they may not read a whole table.
HOT_FILES = ("intake", "processing", "accounts", "catalog", "tracking")


@frozen
class Call:
    """One `tx.all("name", key=...)` in the hub's code; `keys` is None where they are not written out."""

    place: str
    names: tuple[str, ...]
    keys: frozenset[str] | None


def sources() -> Iterator[tuple[Path, str]]:
    for path in sorted(HUB.rglob("*.py")):
        if "testing" not in path.relative_to(HUB).parts:
            yield path, path.read_text("utf-8")


def texts(node: ast.AST) -> tuple[str, ...]:
    return tuple(n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))


def calls() -> Iterator[Call]:
    """Yield the calls of the code; a file without one is not parsed."""
    for path, source in sources():
        if CALL.search(source) is None:
            continue
        for node in ast.walk(ast.parse(source)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            if node.func.attr in ("all", "one", "run") and texts(node.args[0]):
                keys = [keyword.arg for keyword in node.keywords]
                written = None if None in keys else frozenset(key for key in keys if key is not None)
                yield Call(f"{path.relative_to(HUB.parent)}:{node.lineno}", texts(node.args[0]), written)


def names_in(file: str) -> list[str]:
    """Return the queries of a file; a list is none, but a part of those that are made of it (test_list_plans.py)."""
    path = QUERY_FOLDER / f"{file}.sql"
    blocks = path.read_text("utf-8").split("-- name: ")[1:] if path.exists() else []
    return [block.partition("\n")[0] for block in blocks if "\n-- list: " not in block]


async def test_the_database_understands_every_query(store: Store) -> None:
    """Each is planned by the real database: no misspelt column, no ambiguous type, on either of the two."""
    faults = {}
    for name in QUERIES:
        try:
            await store.explain(name)
        except Exception as error:  # noqa: BLE001 -- whatever it is, it is shown beside the others
            faults[name] = repr(error)
    assert faults == {}


async def scanned_by(store: Store, name: str) -> list[str]:
    """Return the steps of a query's plan that read a whole table."""
    plan = await store.explain(name)
    made = {step.split()[1] for step in plan if step.startswith(("CO-ROUTINE", "MATERIALIZE"))} | {"json_each"}
    made |= {"CONSTANT"}  # rows given as parameters
    return [step for step in plan if step.startswith("SCAN ") and step.split()[1] not in made]


async def test_no_hot_query_reads_a_whole_table(sqlite_store: Store) -> None:
    """A plan may scan the batch that came in and what it makes itself, never a stored table."""
    hot = [name for file in HOT_FILES for name in names_in(file)]
    assert {name: found for name in hot if (found := await scanned_by(sqlite_store, name))} == {}


NAMED = ("affiliate", "affiliates_with_email", "coupons_of", "emails_anywhere", "merchant_with_accounts",
         "names_of_subjects", "parties_named", "roles_of_users", "user_by_email")  # fmt: skip
"""How acts, pages and calls find whom they name."""


async def test_whom_somebody_names_is_found_without_reading_all(sqlite_store: Store) -> None:
    """An act upon one of 100,000 affiliates takes what one upon the first took."""
    assert {name: found for name in NAMED if (found := await scanned_by(sqlite_store, name))} == {}


async def test_control_without_the_index_of_names_all_are_read(sqlite_store: Store, sqlite_url: str) -> None:
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection:
        connection.execute("DROP INDEX affiliates_by_name")
    assert await scanned_by(sqlite_store, "parties_named")


def test_every_call_names_a_query_and_its_parameters() -> None:
    """A misspelt name or parameter is found here, not by the first request that needs it."""
    faults = []
    for call in calls():
        for name in call.names:
            if name not in QUERIES:
                faults.append(f"{call.place}: there is no query `{name}`")
            elif call.keys is not None and call.keys != QUERIES[name].names:
                faults.append(f"{call.place}: `{name}` takes {sorted(QUERIES[name].names)}, gets {sorted(call.keys)}")
    assert faults == []


def test_every_query_is_used() -> None:
    """A query that no code names is deleted, not kept."""
    named = {name for _, source in sources() for name in NAME.findall(source)}
    assert sorted({name.partition("/")[0] for name in QUERIES} - named) == []


VERBS = (
    "Return", "Count", "Insert", "Append", "Store", "Replace", "Set", "Delete", "Take", "Lock", "Give", "Make", "Mark",
    "Finish", "Close", "Revoke", "Archive", "Attribute",
)  # fmt: skip


PURPOSES = {name.partition("/")[0]: query.purpose for name, query in QUERIES.items()}


def test_every_query_says_what_it_does() -> None:
    """The comment line is one sentence that begins with a verb: Return, Count, Insert, Delete ..."""
    sentence = re.compile(rf"({'|'.join(VERBS)}) .*\.")
    assert {name: purpose for name, purpose in PURPOSES.items() if not sentence.fullmatch(purpose)} == {}
