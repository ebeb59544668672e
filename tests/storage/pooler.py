"""A real pgbouncer in transaction mode before the tests' PostgreSQL."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hub.testing.postgres import free_port
from tests.polling import PATIENCE_SECONDS

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
SETTINGS = """\
[databases]
* = host={host} port={port} user=hub
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {sessions}
max_client_conn = 200
logfile = {folder}/log
server_round_robin = 1
"""
"""Sessions are lent in turn, so that a client meets another one at almost every transaction."""


@contextlib.contextmanager
def pooler(server_url: str, sessions: int = 3) -> Iterator[int]:
    """Run pgbouncer before a server for the time of the block, with so many sessions of each database; give its port.

    Like PostgreSQL it refuses to run as root, and runs as nobody then.
    """
    assert PROGRAM is not None
    server = urlsplit(server_url)
    folder = Path(tempfile.mkdtemp(prefix="hub-pooler-"))
    own = free_port()
    (folder / "settings.ini").write_text(
        SETTINGS.format(host=server.hostname, port=server.port, own=own, sessions=sessions, folder=folder)
    )
    command = [PROGRAM, str(folder / "settings.ini")]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **_identity(folder)
    ) as process:
        try:
            _wait_for(own, process, folder / "log")
            yield own
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)
            shutil.rmtree(folder)


def behind(pooler_port: int, server_url: str, mode: str = "?pooler=transaction") -> str:
    """Return the address of the same database behind the pooler."""
    return f"postgresql://hub@127.0.0.1:{pooler_port}{urlsplit(server_url).path}{mode}"


def _identity(folder: Path) -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    for each in (folder, *folder.iterdir()):
        os.chown(each, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise AssertionError(f"pgbouncer did not start: {log.read_text() if log.exists() else 'no log'}")
