"""Ten hostile connectors in one distribution: each attack says "did" if it got through, else why not."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

from attrs import frozen

from hub.plugin_host.host import PluginHost
from hub.plugin_host.translation import Job
from tests.plugin_host.distributions import Distributions

SECRET = "the master key"

SOURCE = r"""
import ctypes, mmap, os, signal, socket, sqlite3, time
from decimal import Decimal
from hub.api import *

LIBC = ctypes.CDLL(None, use_errno=True)

def called(name, *arguments):
    ctypes.set_errno(0)
    if getattr(LIBC, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)

def key(at):
    with open(f"/proc/{at['victim']}/environ", "rb") as file:
        assert at["secret"].encode() in file.read()

def database(at):
    with sqlite3.connect(at["database"]) as db:
        db.execute("UPDATE merchants SET name = 'mine'")

def network(at):
    faults = []
    for family, kind, address in (
        (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", at["port"])),
        (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", at["port"])),
        (socket.AF_UNIX, socket.SOCK_STREAM, at["socket"]),
    ):
        with socket.socket(family, kind) as probe:
            probe.settimeout(1)
            try:
                probe.connect(address)
                return
            except OSError as fault:
                faults.append(fault)
    raise faults[0]

def kill(at):
    os.kill(at["victim"], signal.SIGKILL)

def fork(at):
    for _ in range(30):
        if os.fork() == 0:
            time.sleep(0.5)
            os._exit(0)

def outlive(at):
    if os.fork() == 0:
        LIBC.prctl(1, 0)
        LIBC.prctl(15, at["name"].encode())
        if os.fork() == 0:
            os.setsid()
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            time.sleep(600)
        os._exit(0)
    time.sleep(0.1)

def ptrace(at):
    LIBC.ptrace.argtypes = [ctypes.c_long] * 4
    called("ptrace", 0x4206, at["victim"], 0, 0)

def proc(at):
    assert str(at["victim"]) in os.listdir("/proc")

def files(at):
    faults = []
    for path, flags in (
        ("/etc/passwd", os.O_RDONLY), (at["private"], os.O_RDONLY), (at["private"], os.O_WRONLY),
        (at["private"] + ".new", os.O_WRONLY | os.O_CREAT), (__file__, os.O_WRONLY), (__file__ + "c", os.O_CREAT),
    ):
        try:
            os.close(os.open(path, flags))
            return
        except OSError as fault:
            faults.append(fault)
    raise faults[0]

def memory(at):
    mmap.mmap(-1, 600_000_000).close()

def privileges(at):
    called("mount", b"none", b"/usr", b"tmpfs", 0, b"")

ATTACKS = dict(key=key, database=database, network=network, kill=kill, fork=fork, outlive=outlive, ptrace=ptrace,
               proc=proc, files=files, memory=memory, privileges=privileges)

def translate(kind, body, context):
    try:
        ATTACKS[body["attack"]](body["at"])
        said = "did"
    except (OSError, sqlite3.Error, MemoryError) as fault:
        said = f"{type(fault).__name__}: {fault}"
    return [OrderCreated(CREATED_KEY, said[:90], Decimal("1.00"), None, None, None, (), None, None, None)]

@hookimpl
def hub_connectors():
    return [Connector("attacker", "Attacker", translate, lambda body: "attack" in body, 1)]
"""

ATTACKS = {
    "key": "secrets",
    "database": "files",
    "network": "network",
    "kill": "signals",
    "fork": "processes",
    "outlive": "end",
    "ptrace": "secrets",
    "proc": "files",
    "files": "files",
    "memory": "memory",
    "privileges": "privileges",
}
"""Each attack, and the protection that refuses it."""


@frozen
class Targets:
    """What there is to attack on this machine: everything belongs to the user who runs the plugins."""

    victim: subprocess.Popen[bytes]
    at: dict[str, Any]


@contextmanager
def targets(folder: Path, name: str) -> Iterator[Targets]:
    """Put up a process with a secret, a database, two listening sockets and a private file."""
    folder.mkdir()
    with sqlite3.connect(folder / "hub.db") as db:
        db.executescript("CREATE TABLE merchants (name TEXT); INSERT INTO merchants VALUES ('theirs')")
    db.close()
    (folder / "key").write_text(SECRET)
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(folder / "s"))
        unix.listen()
        victim = subprocess.Popen(
            [sys.executable, "-c", "import time; print('here', flush=True); time.sleep(600)"],
            env={"HUB_MASTER_KEY": SECRET}, stdout=subprocess.PIPE,
        )  # fmt: skip
        try:
            assert victim.stdout is not None
            victim.stdout.readline()
            at = {
                "victim": victim.pid, "secret": SECRET, "database": str(folder / "hub.db"),
                "port": tcp.getsockname()[1],
                "socket": str(folder / "s"), "private": str(folder / "key"), "name": name,
            }  # fmt: skip
            yield Targets(victim, at)
        finally:
            victim.send_signal(signal.SIGKILL)
            victim.wait()
            if victim.stdout is not None:
                victim.stdout.close()


async def attacked(host: PluginHost, attack: str, at: dict[str, Any]) -> str:
    """Return what became of an attack."""
    raw = json.dumps({"attack": attack, "at": at}).encode()
    (found,) = await host.translate([Job(raw, None, "order-created", None, "d-1", 1, "USD", live=False)])
    assert found.failure is None, found.failure
    return str(found.facts[0].order_id)  # type: ignore[union-attr]  # an order


WEAKER = {
    "as it is": "",
    "without namespaces": """
        import hub.plugin_runtime.namespaces as namespaces
        namespaces.separate = namespaces.Apart
        """,
    "without Landlock": """
        import hub.plugin_runtime.landlock as landlock
        def version(): raise OSError(38, "no Landlock")
        landlock.version = version
        """,
}
WEAKER["without either"] = WEAKER["without namespaces"] + WEAKER["without Landlock"]
"""Machines that have less than this one, as the code that makes them so."""


def install_attacker(distributions: Distributions, machine: str) -> None:
    """Install the attacks, on a machine that has what its name says."""
    distributions.write("attacker", SOURCE)
    (distributions.folder / "sitecustomize.py").write_text(dedent(WEAKER[machine]))


def is_running(name: str) -> bool:
    """Return whether a process of this name runs anywhere on the machine."""
    for file in Path("/proc").glob("[0-9]*/comm"):
        try:
            if file.read_text().strip() == name:
                return True
        except OSError:  # it has just ended
            continue
    return False
