"""What is asked of the Linux kernel that Python has no function for, each by one call that raises OSError if refused.

Elsewhere than on Linux every call is refused with ENOSYS, so that whoever asks can say what does not hold.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38

MS_BIND: Final = 0x1000
MS_REC: Final = 0x4000
MS_SLAVE: Final = 0x80000
MS_NOSUID_NODEV_NOEXEC: Final = 0x2 | 0x4 | 0x8
MNT_DETACH: Final = 2
_MOUNT_SETATTR: Final = 442
_AT_FDCWD: Final = -100
_AT_RECURSIVE: Final = 0x8000
_MOUNT_ATTR_RDONLY: Final = 1
_CAPABILITY_VERSION: Final = 0x20080522
_TIMEX_BYTES: Final = 256
_TIMEX_STATUS: Final = 8 + 4 * ctypes.sizeof(ctypes.c_long)
_STA_UNSYNC: Final = 0x40


@cache
def _libc() -> Any:
    if not sys.platform.startswith("linux"):
        raise OSError(errno.ENOSYS, "only Linux has it")
    return ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: Any) -> int:
    """Call a function of the C library; return its number, raise OSError if that is negative."""
    ctypes.set_errno(0)
    try:
        function = getattr(_libc(), name)
    except AttributeError:
        raise OSError(errno.ENOSYS, f"the C library has no {name}") from None
    result = int(function(*arguments))
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def system_call(number: int, *arguments: Any) -> int:
    """Make a system call that the C library has no function for; integers are passed as longs."""
    return call("syscall", ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))


def set_process(option: int, value: int) -> None:
    """Set an attribute of this process, by prctl."""
    call("prctl", option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))


def close_to_others() -> None:
    """Close this process's memory, environment and descriptors to other processes of its user, until it executes.

    Without it each of them may read /proc/PID/environ and /proc/PID/mem, or trace it.
    """
    set_process(PR_SET_DUMPABLE, 0)


def forget_variable(name: str) -> None:
    """Take a variable out of the environment, and blank the bytes that /proc/PID/environ shows of it."""
    if name not in os.environ:
        return
    try:
        libc = _libc()
        libc.getenv.restype = ctypes.c_void_p
        if address := libc.getenv(name.encode()):
            ctypes.memset(address, 0, len(ctypes.string_at(address)))
    except OSError:
        pass  # not Linux: there is no such file
    del os.environ[name]


def drop_capabilities() -> None:
    """Give up every capability of this process, those of root too."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    call("capset", header, (ctypes.c_uint32 * 6)())


def mount(source: str, target: str, kind: str | None = None, flags: int = 0, options: str = "") -> None:
    """Mount something, or change how it is mounted."""
    call("mount", os.fsencode(source), os.fsencode(target), kind and kind.encode(), ctypes.c_ulong(flags),
         options.encode())  # fmt: skip


def make_read_only(folder: Path) -> None:
    """Make a mount and all mounts below it read-only."""
    attributes = (ctypes.c_uint64 * 4)(_MOUNT_ATTR_RDONLY, 0, 0, 0)
    system_call(_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(folder), _AT_RECURSIVE, attributes, ctypes.sizeof(attributes))


def clock_is_synchronised() -> bool:
    """Return whether the kernel knows of a program that keeps its clock right (NTP); raise OSError if it cannot say."""
    timex = ctypes.create_string_buffer(_TIMEX_BYTES)  # no mode is set: nothing is changed
    call("adjtimex", timex)
    status = int.from_bytes(timex.raw[_TIMEX_STATUS : _TIMEX_STATUS + 4], sys.byteorder)
    return not status & _STA_UNSYNC
