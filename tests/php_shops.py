"""What real shops in PHP need on this machine: PHP and its extensions, MariaDB, and a copy of the shop's sources."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

START_SECONDS = 180
"""For a machine that is slow, or has much else to do."""


def missing_for_php(extensions: Sequence[str], sources: Mapping[str, str]) -> str | None:
    """Return why there can be no shop here, None if there can be one.

    `sources` are the environment's variables that name a folder, each with a file that must be in it.
    """
    for name in ("php", "mariadbd", "mariadb-install-db", "mariadb"):
        if program(name) is None:
            return f"{name} is not installed"
    for name, file in sources.items():
        if not (Path(os.environ.get(name, "/nowhere")) / file).exists():
            return f"{name} does not name a folder with {file}"
    loaded = subprocess.run(["php", "-m"], capture_output=True, text=True, check=True).stdout.lower().split()
    absent = [name for name in extensions if name not in loaded]
    return f"php has no {', '.join(absent)}" if absent else None


def program(name: str) -> str | None:
    """Return a program's path; servers are where only root looks on some systems."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin:/usr/lib/mysql")


@contextmanager
def mariadb(folder: Path) -> Iterator[Path]:
    """Run MariaDB for the shop; yield its socket, in a folder of its own since its path has at most 107 bytes."""
    common = ["--no-defaults", f"--datadir={folder / 'db'}", f"--user={getpass.getuser()}"]
    install = [str(program("mariadb-install-db")), *common, "--auth-root-authentication-method=normal"]
    subprocess.run(install, check=True, capture_output=True)
    log = folder / "db.log"
    with tempfile.TemporaryDirectory(prefix="shop", dir="/tmp") as short, log.open("wb") as said:
        at = Path(short) / "db.sock"
        server = subprocess.Popen(
            [str(program("mariadbd")), *common, f"--socket={at}", "--skip-networking",
             f"--pid-file={folder / 'db.pid'}", "--innodb-flush-log-at-trx-commit=0"],
            stdout=said, stderr=said,
        )  # fmt: skip
        client = [str(program("mariadb")), "--no-defaults", "-uroot", "-S", str(at), "-e", "CREATE DATABASE shop"]
        try:
            until = time.monotonic() + START_SECONDS
            while subprocess.run(client, capture_output=True, check=False).returncode:
                is_late = server.poll() is not None or time.monotonic() > until
                assert not is_late, f"MariaDB did not start: {log.read_text(errors='replace')[-2000:]}"
                time.sleep(0.2)
            yield at
        finally:
            server.terminate()
            server.wait(START_SECONDS)


@contextmanager
def php_server(folder: Path, router: Path, port: int, *, ours: str, settings: Sequence[str] = ()) -> Iterator[None]:
    """Serve a shop's pages on a port of this machine; fail in the end if PHP warned of a file whose path has `ours`."""
    log = folder.parent / "web.log"
    given = [part for each in ("memory_limit=1G", "upload_max_filesize=8M", *settings) for part in ("-d", each)]
    with log.open("wb") as said:
        server = subprocess.Popen(
            ["php", *given, "-S", f"127.0.0.1:{port}", "-t", str(folder), str(router)],
            env=os.environ | {"PHP_CLI_SERVER_WORKERS": "4"}, stdout=said, stderr=said, start_new_session=True,
        )  # fmt: skip
    try:
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert time.monotonic() < until, "PHP's web server did not start"
                time.sleep(0.1)
        yield
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(300)
        lines = log.read_text(errors="replace").splitlines()
        warned = [line for line in lines if ours in line and "PHP " in line]
        assert not warned, warned


def link(source: str, target: str) -> None:
    """Make a copy without its bytes where the file system can."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
