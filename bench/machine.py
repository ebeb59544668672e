"""The machine that the figures are of: its kind, versions, and how long its disk takes to sync."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sqlite3
import subprocess
import time
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from attrs import asdict, frozen

from bench.options import CONNECTIONS, ROUNDS, SECONDS
from bench.workbench import Workbench
from hub import __version__
from hub.testing.postgres import PostgresMissing, find_binaries

PACKAGES = ("aiohttp", "asyncpg", "aiosqlite", "orjson", "cryptography")
SYNCS = 50


@frozen
class Machine:
    """The machine and the programs on it."""

    processor: str
    cores: int
    memory_gb: float
    system: str
    file_system: str
    sync_ms: float
    event_loop: str
    versions: dict[str, str]
    settings: dict[str, Any]

    def lines(self) -> list[str]:
        """Return the description for people."""
        programs = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        disk = f"{self.file_system} syncs a page in {self.sync_ms:.2f} ms"
        return [
            f"{self.processor}, {self.cores} cores, {self.memory_gb:.0f} GB, {self.system}; {disk}",
            f"{programs}; event loop {self.event_loop}",
            ", ".join(f"{name} {value}" for name, value in self.settings.items()),
        ]

    def document(self) -> dict[str, Any]:
        """Return the description for programs."""
        return asdict(self)


def look(bench: Workbench) -> Machine:
    """Examine this machine."""
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        memory_gb=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9,
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        file_system=_file_system(bench.folder),
        sync_ms=_sync_ms(bench.folder / "sync"),
        event_loop="uvloop" if find_spec("uvloop") else "asyncio",
        versions=_versions(),
        settings={"rounds": ROUNDS, "seconds": SECONDS, "connections": CONNECTIONS},
    )


def _versions() -> dict[str, str]:
    found = {"hub": __version__, "Python": platform.python_version(), "SQLite": sqlite3.sqlite_version}
    found |= {name: version(name) for name in PACKAGES if _is_installed(name)}
    found["PostgreSQL"] = _postgres_version()
    found["wrk"] = _said_by("wrk", "-v")
    for program, option in {"webhook": "-version", "node-red": "--version"}.items():
        found[program] = _said_by(program, option)
    return found


def _said_by(program: str, option: str) -> str:
    if shutil.which(program) is None:
        return "absent"
    done = subprocess.run([program, option], capture_output=True, text=True, check=False, timeout=30)
    found = re.search(r"\d+\.\d+(\.\d+)?", done.stdout + done.stderr)
    return found[0] if found else "of an unknown version"


def _postgres_version() -> str:
    try:
        program = find_binaries() / "postgres"
    except PostgresMissing:
        return "absent"
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.split()[2] if done.returncode == 0 else "of an unknown version"


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.processor())


def _file_system(folder: Path) -> str:
    """Return the kind of the databases' file system: on one in memory, a sync would cost nothing."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    holding = [(len(mount[1]), mount[2]) for mount in mounts if folder.is_relative_to(mount[1])]
    return max(holding)[1]


def _sync_ms(file: Path) -> float:
    took = []
    with file.open("wb") as handle:
        for _ in range(SYNCS):
            handle.write(bytes(4096))
            handle.flush()
            began = time.perf_counter()
            os.fdatasync(handle.fileno())
            took.append(time.perf_counter() - began)
    return median(took) * 1000
