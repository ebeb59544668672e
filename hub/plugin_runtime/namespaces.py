"""Namespaces: a plugin's process has no network, sees no process but its own, and a file tree of its own files only."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from attrs import frozen

from hub.kernel import MNT_DETACH, MS_BIND, MS_NOSUID_NODEV_NOEXEC, MS_REC, MS_SLAVE, call, make_read_only, mount

USER: Final = 0x10000000
APART: Final = {"mount": 0x00020000, "ipc": 0x08000000, "pid": 0x20000000, "network": 0x40000000}
BASES: Final = ("/tmp", "/run", "/mnt", "/var")  # noqa: S108 - hidden behind a mount that only this process sees
"""Folders one of which is there on each machine; the tree is put together behind one."""


@frozen
class Apart:
    """The namespaces that this process, or the next that it starts, is in: names of `APART`, and "user"."""

    names: frozenset[str] = frozenset()

    def __contains__(self, name: str) -> bool:
        return name in self.names


def separate() -> Apart:
    """Part from the machine as far as the kernel lets; the process that is started next is the first of its own."""
    user, group = os.getuid(), os.getgid()
    names = _parted(USER | sum(APART.values()), {"user", *APART})
    if not names:
        names = _parted(USER, {"user"})
        for name, flag in APART.items():
            names |= _parted(flag, {name})
    if "user" in names:
        with suppress(
            OSError
        ):  # a kernel that wants no group mapped leaves the process without names, not without rights
            Path("/proc/self/setgroups").write_text("deny", "ascii")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1", "ascii")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1", "ascii")
    return Apart(frozenset(names))


def _parted(flags: int, names: set[str]) -> set[str]:
    try:
        call("unshare", flags)
    except OSError:
        return set()
    return names


def own_tree(readable: Iterable[Path], listed: Iterable[Path] = ()) -> None:
    """Leave this process a file tree that holds nothing but these, read-only; raise OSError, with nothing changed.

    Of the `listed` folders it has what is readable in them, and at least an empty one. What is not in the tree has no
    name: no socket of a database, no /proc, no file of another's.
    """
    mount("none", "/", None, MS_REC | MS_SLAVE)
    sources = []
    try:
        sources += [(path, os.open(path, os.O_PATH | os.O_CLOEXEC)) for path in readable]
        base = Path(next(each for each in BASES if Path(each).is_dir()))
        mount("tmpfs", str(base), "tmpfs", MS_NOSUID_NODEV_NOEXEC, "mode=0755,size=1m")
        try:
            for path, descriptor in sources:
                _place(base / path.relative_to("/"), _is_folder(descriptor), descriptor)
            for folder in listed:
                (base / folder.relative_to("/")).mkdir(parents=True, exist_ok=True)
            old = base / ".old"
            old.mkdir()
            make_read_only(base)
            os.chdir(base)
            call("pivot_root", b".", os.fsencode(old.name))
        except OSError:
            call("umount2", os.fsencode(base), MNT_DETACH)
            raise
    finally:
        for _, descriptor in sources:
            os.close(descriptor)
    call("umount2", b"/.old", MNT_DETACH)
    os.chdir("/")


def _is_folder(descriptor: int) -> bool:
    return stat.S_ISDIR(os.fstat(descriptor).st_mode)


def _place(target: Path, is_folder: bool, descriptor: int) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if is_folder:
        target.mkdir(exist_ok=True)
    else:
        target.touch()
    mount(f"/proc/self/fd/{descriptor}", str(target), None, MS_BIND | MS_REC)
