"""A PostgreSQL with a standby, as two machines: the first is lost at once, the second takes its place."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import asyncpg
from attrs import define, field

from hub.testing.postgres import Place, free_port, wait_until_ready
from tests.polling import PATIENCE_SECONDS, until_blocking

SETTINGS = ("fsync=off", "max_connections=60", "max_wal_senders=4", "unix_socket_directories=")
REPLICATING = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '{}'"


@define
class Pair:
    """The server that is written to, and the one that stands by; `synchronous`: a commit waits for both."""

    place: Place
    synchronous: bool
    _first: _Server = field(init=False)
    _second: _Server = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.place.make_data("server-0")
        self._first = _Server(self.place, "server-0")
        self._first.start()
        self.ask("CREATE DATABASE hub")
        self._stand_by()

    @property
    def url(self) -> str:
        """The address of the hub's database."""
        return f"{self._first.url}/hub"

    @property
    def replica_url(self) -> str:
        """The address of the hub's database on the second server, which only reads."""
        return f"{self._second.url}/hub"

    def ask_hub(self, sql: str) -> int:
        """Return the first value that the hub's database answers to a statement."""
        return self.ask(sql, "hub")

    def cut_line(self) -> None:
        """Let nothing more reach the standby."""
        self._first.pause_sender(self.ask("SELECT pid FROM pg_stat_replication"))

    def lose(self) -> None:
        """Lose the first machine."""
        self._first.lose()

    def fail_over(self) -> None:
        """Let the second take the place of the first, which is lost, and put another one behind it."""
        self.place.run("pg_ctl", "promote", "-w", "-t", f"{PATIENCE_SECONDS:.0f}", "-D", self._second.name)
        self._first = self._second
        self.ask("ALTER SYSTEM RESET synchronous_standby_names")
        self.ask("SELECT pg_reload_conf()")
        self._stand_by()

    def close(self) -> None:
        """End both."""
        self._first.lose()
        self._second.lose()

    def _stand_by(self) -> None:
        name = f"server-{int(self._first.name.removeprefix('server-')) + 1}"
        first = ["-h", "127.0.0.1", "-p", str(self._first.port), "-U", "hub"]
        self.place.run("pg_basebackup", "-D", name, *first, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        self._second = _Server(self.place, name)
        self._second.start()
        if self.synchronous:
            self.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
            self.ask("SELECT pg_reload_conf()")
        state = "sync" if self.synchronous else "async"
        until_blocking(lambda: self.ask(REPLICATING.format(state)) == 1)

    def ask(self, sql: str, database: str = "postgres") -> int:
        """Return the first value that the first server answers to a statement."""

        async def asking() -> int:
            connection = await asyncpg.connect(f"{self._first.url}/{database}")
            try:
                return int(await connection.fetchval(sql) or 0)
            finally:
                await connection.close()

        return asyncio.run(asking())


@define
class _Server:
    place: Place
    name: str
    port: int = field(factory=free_port)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://hub@127.0.0.1:{self.port}"

    def start(self) -> None:
        options = [part for setting in SETTINGS for part in ("-c", setting)]
        command = [
            str(self.place.programs / "postgres"),
            "-D",
            self.name,
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            *options,
        ]
        log = self.place.home / f"{self.name}.log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command, cwd=self.place.home, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env={"HOME": str(self.place.home)}, start_new_session=True, **self.place.identity,
            )  # fmt: skip
        wait_until_ready(self.place.home / self.name, log)

    def pause_sender(self, pid: int) -> None:
        os.kill(pid, signal.SIGSTOP)

    def lose(self) -> None:
        """End all processes of the server at once, as when its machine is lost."""
        if self._process is not None:
            for pid in _family(self._process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._process.wait()
            self._process = None


def _family(pid: int) -> Iterator[int]:
    """Yield a process's id and those of its children: each of PostgreSQL's has a session of its own."""
    yield pid
    with contextlib.suppress(FileNotFoundError):
        yield from map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split())
