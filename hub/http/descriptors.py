"""File descriptors: how many the hub may have open, and what happens when there are no more."""

from __future__ import annotations

import asyncio
import errno
import resource
from time import monotonic
from typing import Any, Final

import structlog

RESERVED: Final = 192
"""Descriptors that connections do not get: 64 for databases, files and pipes, 128 for those that are being refused."""
LOGGED_EVERY_SECONDS: Final = 60.0
EXHAUSTED: Final = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}

log = structlog.get_logger(__name__)


def raise_descriptor_limit(connections: int) -> int:
    """Raise this process's soft limit as far as so many connections need; return how many it has room for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + RESERVED
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return connections if soft == resource.RLIM_INFINITY else min(connections, room_for_connections(soft))


def room_for_connections(descriptors: int) -> int:
    """Return how many of so many descriptors connections may use; of a few, half."""
    return max(descriptors - RESERVED, descriptors // 2)


def throttle_accept_faults(loop: asyncio.AbstractEventLoop) -> None:
    """Log at most once a minute that a connection could not be accepted; asyncio logs a traceback for each attempt."""
    logged_at = -LOGGED_EVERY_SECONDS
    usual = loop.get_exception_handler()

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal logged_at
        fault = context.get("exception")
        if not isinstance(fault, OSError) or fault.errno not in EXHAUSTED or "socket" not in context:
            (usual or type(loop).default_exception_handler)(loop, context)
        elif monotonic() - logged_at >= LOGGED_EVERY_SECONDS:
            logged_at = monotonic()
            log.warning("connections cannot be accepted just now", fault=str(fault))

    loop.set_exception_handler(handle)
