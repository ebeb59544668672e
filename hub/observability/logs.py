"""The hub's own log: one JSON object for each line on standard error, including messages of libraries."""

from __future__ import annotations

import logging
import sys
from typing import Any, Final, TextIO

import orjson
import structlog

from hub.http.request import current_request

LEVELS: Final = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
CHATTY: Final = {"apscheduler": logging.ERROR, "aiosqlite": logging.WARNING, "asyncio": logging.WARNING}
"""The least level at which a library's messages are logged. A late timed job runs again, and logs its own faults."""


def configure_logging(level: str, stream: TextIO = sys.stderr) -> None:
    """Send structlog and the standard library's loggers to `stream`, from `level` (such as "info") up."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        with_request_id,
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


def with_request_id(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Add the id of the request that is being answered, unless the line names one or there is none."""
    request_id = current_request.get()
    if request_id:
        event.setdefault("request_id", request_id)
    return event


def _dumps(value: Any, **_: Any) -> str:
    return orjson.dumps(value, default=repr, option=orjson.OPT_NON_STR_KEYS).decode()
