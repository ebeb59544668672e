"""Closes the process that runs plugins in, before any is imported, and measures from inside what holds."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import resource
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress

from attrs import frozen

from hub.kernel import PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, call, drop_capabilities, set_process
from hub.plugin_host.limits import Limits
from hub.plugin_host.sandbox import Protection, Protections
from hub.plugin_runtime import landlock
from hub.plugin_runtime.namespaces import Apart, own_tree
from hub.plugin_runtime.own_files import own_files

OPEN_FILES = 64
MOST_PROCESSES = 8
"""Of the user in its namespace: the keeper, this process, and six threads or processes of plugins."""
PR_GET_NO_NEW_PRIVS = 39


class _Span(ctypes.Structure):
    _fields_ = (("address", ctypes.c_size_t), ("length", ctypes.c_size_t))


@frozen
class Enclosure:
    """What this process did to close itself in; `landlock` is the version of it, 0 without."""

    apart: Apart
    has_own_tree: bool
    landlock: int


def limit(limits: Limits) -> None:
    """Limit what this process may use of the machine."""
    kinds = [
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
    ]
    if limits.sandbox != "off":
        kinds.append((resource.RLIMIT_NPROC, MOST_PROCESSES))
    for kind, most in kinds:
        hard = resource.getrlimit(kind)[1]
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most) if hard == resource.RLIM_INFINITY else (min(most, hard), hard))


def enclose(limits: Limits, apart: Apart, hub: int) -> Protections:
    """Limit this process and, unless the sandbox is off, close it in; return what holds then."""
    limit(limits)
    if limits.sandbox == "off":
        return ()
    own = own_files()
    has_own_tree = False
    if "mount" in apart:
        with suppress(OSError):  # a container may refuse it; it is measured below
            own_tree(own.readable, own.listed)
            has_own_tree = True
    with suppress(OSError):
        drop_capabilities()
    with suppress(OSError):
        set_process(PR_SET_NO_NEW_PRIVS, 1)
    version = 0
    with suppress(OSError):
        version = landlock.confine(own.readable, own.listed)
    with suppress(OSError):
        set_process(PR_SET_DUMPABLE, 0)
    return tuple(_measured(Enclosure(apart, has_own_tree, version), limits, hub))


def _measured(made: Enclosure, limits: Limits, hub: int) -> Iterator[Protection]:
    yield _secrets(made, hub)
    yield _files(made, limits.private)
    yield _network(made)
    yield _signals(made, hub)
    yield _processes()
    if "pid" in made.apart:
        yield Protection("end", True, "a process namespace ends with its first process")
    else:
        yield Protection("end", False, "there is no process namespace: what plugins leave is sought, and may escape")
    yield _memory(limits.memory_bytes)
    yield _privileges()


def _secrets(made: Enclosure, hub: int) -> Protection:
    if _opens(f"/proc/{hub}/environ") or ("pid" not in made.apart and _reads_memory_of(hub)):
        return Protection("secrets", False, "the kernel lets a process read others of its user")
    by = "no other process is seen" if "pid" in made.apart and made.has_own_tree else "the hub's process is closed"
    return Protection("secrets", True, by)


def _reads_memory_of(pid: int) -> bool:
    """Return whether this process might trace another, which the kernel looks at before it does at the address, 0."""
    own, size = ctypes.create_string_buffer(1), ctypes.c_ulong(1)
    here, there = _Span(ctypes.addressof(own), 1), _Span(0, 1)
    try:
        call("process_vm_readv", pid, ctypes.byref(here), size, ctypes.byref(there), size, ctypes.c_ulong(0))
    except OSError as fault:
        return fault.errno not in (errno.EPERM, errno.EACCES, errno.ESRCH, errno.ENOSYS)
    return True


def _files(made: Enclosure, private: Iterable[str]) -> Protection:
    means = [*(["Landlock"] if made.landlock else []), *(["a file tree of its own"] if made.has_own_tree else [])]
    if not means:
        return Protection("files", False, "the kernel has no Landlock and gives no mount namespace")
    for path in (*private, "/etc/passwd", "/"):
        if _opens(path) and not (path == "/" and made.has_own_tree):
            return Protection("files", False, f"{path} can be read: it lies among what Python imports")
    return Protection("files", True, ", ".join(means))


def _opens(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK))
    except OSError:
        return False
    return True


def _network(made: Enclosure) -> Protection:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        reached = probe.connect_ex(("127.0.0.1", 9)) == 0  # of a datagram's socket nothing is sent
    if reached and made.landlock >= landlock.TCP_SINCE:
        return Protection("network", False, "Landlock refuses TCP alone; there is no network namespace")
    if reached:
        return Protection("network", False, "there is no network namespace")
    if not made.has_own_tree:
        return Protection("network", False, "sockets that are files can be reached: there is no mount namespace")
    return Protection("network", True, "a network namespace without a network, and no sockets in the file tree")


def _signals(made: Enclosure, hub: int) -> Protection:
    if "pid" in made.apart:
        return Protection("signals", True, "a process namespace of its own")
    try:
        os.kill(hub, 0)
    except ProcessLookupError:
        return Protection("signals", True, "the hub's process is not seen")
    except PermissionError:
        return Protection("signals", True, "Landlock")
    return Protection("signals", False, "there is no process namespace, and Landlock cannot refuse signals")


def _processes() -> Protection:
    """Try to start a process while none may be: the kernel does not count those of the machine's root."""
    most, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, hard))
    try:
        child = os.fork()
    except OSError:
        return Protection("processes", True, f"at most {MOST_PROCESSES}")
    finally:
        resource.setrlimit(resource.RLIMIT_NPROC, (most, hard))
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return Protection("processes", False, "the kernel does not limit root's: run the hub as a user of its own")


def _memory(most: int) -> Protection:
    try:
        mmap.mmap(-1, most).close()
    except (OSError, MemoryError):
        return Protection("memory", True, f"{most >> 20} MiB for each of its processes")
    return Protection("memory", False, "the kernel does not limit the address space")


def _privileges() -> Protection:
    held = (ctypes.c_uint32 * 6)()
    try:
        call("capget", (ctypes.c_uint32 * 2)(0x20080522, 0), held)
        closed = call("prctl", PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1
    except OSError:
        closed = False
    if closed and not any(held):
        return Protection("privileges", True, "no capabilities, no new privileges")
    return Protection("privileges", False, "the kernel does not let a process give them up for good")
