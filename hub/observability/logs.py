"""The hub's own log: one JSON object a line on standard error, libraries' messages included."""

from __future__ import annotations

import logging
import sys
from typing import Any, Final, TextIO

import orjson
import structlog

LEVELS: Final = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
CHATTY: Final = {"apscheduler": logging.ERROR, "aiosqlite": logging.WARNING, "asyncio": logging.WARNING}
"""Libraries whose news below that is none. A timer that is late runs again, and tells of its own faults itself."""


def configure_logging(level: str, stream: TextIO = sys.stderr) -> None:
    """Sends structlog and the standard library's loggers to `stream`, from `level` ("info") up."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    final: list[structlog.typing.Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.JSONRenderer(_dumps),
    ]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=final))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(LEVELS[level])
    for name, least in CHATTY.items():
        logging.getLogger(name).setLevel(max(LEVELS[level], least))


def _dumps(value: Any, **_: Any) -> str:
    return orjson.dumps(value, default=repr, option=orjson.OPT_NON_STR_KEYS).decode()
