"""An operator at the command line, over either database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner, Result

from hub.cli import hub
from hub.clock import system_clock
from hub.storage import Store
from hub.storage.named_queries.compiler import QUERY_FOLDER
from tests.processing.harness import Harness
from tests.sqlite_first import SQLITE_FIRST

ENVIRONMENT = {"HUB_MASTER_KEY": "5a" * 32}


@frozen
class Operator:
    """Runs `hub` commands on one database; every command opens and closes a store of its own."""

    url: str

    def run(self, *arguments: str, **environment: str) -> Result:
        """Runs a command as typed."""
        given = {**ENVIRONMENT, "HUB_DATABASE_URL": self.url, **environment}
        return CliRunner().invoke(hub, arguments, env=given, prog_name="hub")

    def do(self, *arguments: str) -> Any:
        """Runs a command that must succeed and returns its one JSON document."""
        result = self.run(*arguments, "--json")
        assert result.exit_code == 0, result.output
        assert result.stderr == ""
        return json.loads(result.stdout)

    def refused(self, *arguments: str, status: int = 1) -> str:
        """Runs a command that must be refused and returns the sentence."""
        result = self.run(*arguments, "--json")
        assert result.exit_code == status, result.output
        assert result.stdout == ""
        return result.stderr

    def merchant(self, *arguments: str) -> str:
        """Creates a merchant and returns its id."""
        made = self.do(
            "merchant", "create", "--name", "Fjord & Fern", "--email", "ann@shop.example", "--domain", "shop.example",
            "--anyway", *arguments,
        )  # fmt: skip
        return str(made["id"])

    def affiliate(self, *arguments: str) -> str:
        """Creates an affiliate and returns its id."""
        made = self.do("affiliate", "create", "--name", "Bea", "--email", "bea@blog.example", "--anyway", *arguments)
        return str(made["id"])


@pytest.fixture
def operator(sqlite_url: str) -> Operator:
    """An operator of a fresh SQLite database."""
    return Operator(sqlite_url)


@pytest.fixture(params=SQLITE_FIRST)
def either(request: pytest.FixtureRequest) -> Operator:
    """An operator of a fresh database: SQLite in `make test`, and PostgreSQL in `make prove`.

    A command is one operation; what the databases tell differently is asked in tests/operations and tests/storage.
    """
    return Operator(request.getfixturevalue(f"{request.param}_url"))


@frozen
class Office:
    """A running hub without its edge, and an operator beside it on the same database."""

    harness: Harness
    operator: Operator

    async def do(self, *arguments: str) -> Any:
        """Runs a command that must succeed, beside the running hub."""
        return await asyncio.to_thread(self.operator.do, *arguments)

    async def refused(self, *arguments: str) -> str:
        """Runs a command that must be refused."""
        return await asyncio.to_thread(self.operator.refused, *arguments)

    async def spoil(self, query: str, **values: str) -> None:
        """Changes data behind the hub's back."""
        folders = (QUERY_FOLDER, Path(__file__).parent / "queries")
        async with await Store.open(self.operator.url, query_folders=folders) as store, store.write() as tx:
            assert await tx.run(query, **values)

    async def show(self, order: str) -> Any:
        """The conversion of an order, as `hub conversion list --order` prints it."""
        (document,) = await self.do("conversion", "list", "--order", order)
        return document


@pytest.fixture
async def office(either: Operator) -> AsyncIterator[Office]:
    """A hub an hour ago and its operator now, over either database."""
    harness = await Harness.open(either.url)
    harness.clock.now = system_clock() - 3_600_000
    yield Office(harness, either)
    await harness.close()


@pytest.fixture
async def live_office(either: Operator) -> AsyncIterator[Office]:
    """The same over a live account, whose commissions can be paid; its coupon is LIVE10."""
    harness = await Harness.open(either.url, "live", "LIVE10")
    harness.clock.now = system_clock() - 3_600_000
    yield Office(harness, either)
    await harness.close()
