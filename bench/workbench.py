"""The databases of a benchmark: with a merchant, an affiliate and clicks in them, made once and copied often."""

from __future__ import annotations

import json
import subprocess
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cached_property
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from attrs import frozen

from bench.databases import Database, postgres_copy, sqlite_copy
from bench.servers import HUB, HUB_FOLDER, hub_server
from bench.traffic import Credentials
from hub.testing.postgres import PostgresServer, postgres_server

CLICKS = 500
T = TypeVar("T")

POSTGRES_SETTINGS = ("shared_buffers=1GB", "max_wal_size=8GB", "checkpoint_timeout=15min", "max_connections=200")
"""As an operator would set it; fsync and synchronous_commit stay on."""


@frozen
class Stage:
    """A database with an account to call the hub by, its tracking link, and clicks that orders may name."""

    database: Database
    merchant_id: str
    account_id: str
    credentials: Credentials
    link: str
    clicks: tuple[str, ...]


class Workbench:
    """Makes fresh stages, and removes all that it made when its block ends."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._lasting: dict[str, Any] = {}
        self._numbers = count(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @cached_property
    def folder(self) -> Path:
        """Make a folder on the disk that holds temporary files (TMPDIR names another one)."""
        return Path(
            self._stack.enter_context(tempfile.TemporaryDirectory(prefix="hub-bench-", ignore_cleanup_errors=True))
        )

    @cached_property
    def postgres(self) -> PostgresServer:
        """Start a PostgreSQL whose commits are durable; raise `PostgresMissing` if none can be had."""
        return self._stack.enter_context(postgres_server(POSTGRES_SETTINGS, on_disk=True))

    def kept(self, name: str, make: Callable[[], AbstractContextManager[T]]) -> T:
        """Return something that takes long to make: it is made at its first use and kept to the end."""
        if name not in self._lasting:
            self._lasting[name] = self._stack.enter_context(make())
        found: T = self._lasting[name]
        return found

    def next_number(self) -> int:
        """Return a number that was not returned before."""
        return next(self._numbers)

    @contextmanager
    def stage(self, dialect: str = "sqlite") -> Iterator[Stage]:
        """Make a fresh copy of the stage on the database that is named."""
        template = self._sqlite_template if dialect == "sqlite" else self._postgres_template
        copied = (
            sqlite_copy(template.database, self.folder) if dialect == "sqlite" else postgres_copy(template.database)
        )
        with copied as database:
            yield Stage(database, template.merchant_id, template.account_id, template.credentials, template.link,
                        template.clicks)  # fmt: skip

    @cached_property
    def _sqlite_template(self) -> Stage:
        place = self.folder / "template"
        place.mkdir()
        return build_stage(Database(f"sqlite:///{place / 'hub.db'}"))

    @cached_property
    def _postgres_template(self) -> Stage:
        return build_stage(Database(self.postgres.create_empty()))


def build_stage(database: Database) -> Stage:
    """Fill an empty database by the hub's own commands and requests."""
    hub(database, "migrate")
    merchant = hub(
        database, "merchant", "create", "--name", "Bench", "--email", "bench@shop.example", "--domain", "shop.example",
        "--commission", "PERCENTAGE:8", "--approve",
    )  # fmt: skip
    whose = ("--merchant", merchant["id"], "--mode", "test")
    key = hub(database, "key", "create", *whose)
    affiliate = hub(database, "affiliate", "create", "--name", "Ada", "--email", "ada@blog.example")
    link = f"/t/{hub(database, 'link', 'create', *whose, '--affiliate', affiliate['id'])['code']}"
    with hub_server(database.environment, worker=False) as server:
        clicks = tuple(click_on(server.base_url + link) for _ in range(CLICKS))
    with database.reader() as read:
        ((account_id,),) = read(f"SELECT account_id FROM api_keys WHERE key_id = '{key['keyId']}'")
    credentials = Credentials(key["keyId"], key["signingSecret"])
    return Stage(database, merchant["id"], account_id, credentials, link, clicks)


def hub(database: Database, *arguments: str) -> Any:
    """Run a command of the hub and return the JSON that it prints; raise SystemExit if it fails."""
    done = subprocess.run([*HUB, *arguments, "--json"], env=database.environment, cwd=HUB_FOLDER, capture_output=True,
                          text=True, check=False)  # fmt: skip
    if done.returncode:
        raise SystemExit(f"hub {' '.join(arguments)} failed: {done.stderr}{done.stdout}")
    return json.loads(done.stdout)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: its target is what is wanted."""

    def redirect_request(self, *_: Any) -> None:
        """Return None: there is nothing to follow."""


def click_on(url: str) -> str:
    """Follow a tracking link as a browser does, as far as the hub; return the click's id."""
    opener = urllib.request.build_opener(_Stay())
    request = urllib.request.Request(url, headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0"})  # noqa: S310 - a loopback address made here
    try:
        opener.open(request)
    except urllib.error.HTTPError as redirect:
        return "clk_" + redirect.headers["Location"].partition("clk_")[2][:32]
    raise SystemExit(f"{url} did not redirect.")
