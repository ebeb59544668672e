"""The hub's log as a server writes it, whatever another test of the process has set up."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from hub.observability.logs import configure_logging


@contextmanager
def server_log() -> Iterator[io.StringIO]:
    """Yield what is logged from "info" up; afterwards logging is as it was."""
    root = logging.getLogger()
    handlers, level, config, stream = root.handlers, root.level, structlog.get_config(), io.StringIO()
    try:
        configure_logging("info", stream)
        yield stream
    finally:
        root.handlers, root.level = handlers, level
        structlog.configure(**config)
