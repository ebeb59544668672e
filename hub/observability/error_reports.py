"""Faults for an error tracker: each log line of level error becomes an event of a Sentry envelope.

It holds what the line holds, the traceback among it, and no values of variables, so that nothing leaves the hub that
its log does not have.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import orjson

from hub.ids import new_id
from hub.observability.sending import Sender

_LAST: Final = re.compile(r"^(?P<type>[A-Za-z_][\w.]*)(?:: (?P<value>.*))?$")
_KNOWN: Final = frozenset({"event", "level", "at", "exception"})


class ErrorReports(logging.Handler):
    """A handler of log lines that sends those of level error."""

    def __init__(self, sender: Sender[dict[str, Any]], release: str) -> None:
        super().__init__(logging.ERROR)
        self.sender = sender
        self._release = release

    def emit(self, record: logging.LogRecord) -> None:
        """Have a line sent."""
        fields: Mapping[str, Any] = record.msg if isinstance(record.msg, dict) else {"event": record.getMessage()}
        trace = str(fields.get("exception") or "")
        if not trace and record.exc_info:
            trace = logging.Formatter().formatException(record.exc_info)
        report: dict[str, Any] = {
            "event_id": new_id("err").partition("_")[2],
            "timestamp": record.created,
            "platform": "python",
            "level": "error",
            "logger": record.name,
            "release": self._release,
            "server_name": socket.gethostname(),
            "logentry": {"formatted": str(fields.get("event", ""))},
            "extra": {name: str(value) for name, value in fields.items() if name not in _KNOWN},
        }
        if trace:
            report["exception"] = {"values": [_exception(trace)]}
            report["extra"]["traceback"] = trace
        self.sender.add(report)


def _exception(trace: str) -> dict[str, str]:
    """Return the type and the text of the exception that a traceback ends with."""
    last = next((found for line in reversed(trace.splitlines()) if (found := _LAST.match(line))), None)
    return {"type": last["type"], "value": last["value"] or ""} if last else {"type": "Exception", "value": ""}


def reports_to(dsn: str, release: str) -> ErrorReports:
    """Return a handler that sends to the tracker of a DSN (https://KEY@host/path/PROJECT); raise ValueError."""
    parts = urlsplit(dsn)
    folder, _, project = parts.path.rpartition("/")
    if not parts.username or not project:
        raise ValueError("The DSN of the error tracker is not of the form https://KEY@host/PROJECT.")
    host = parts.netloc.rpartition("@")[2]
    url = urlunsplit((parts.scheme, host, f"{folder}/api/{project}/envelope/", "", ""))
    headers = {
        "Content-Type": "application/x-sentry-envelope",
        "X-Sentry-Auth": f"Sentry sentry_version=7, sentry_key={parts.username}, sentry_client=affiliate-hub",
    }
    return ErrorReports(Sender(url, headers, _envelope, at_once=1), release)


def _envelope(reports: Sequence[dict[str, Any]]) -> bytes:
    """Return one event as an envelope: its head, the head of the item, and the item."""
    (report,) = reports
    return b"\n".join(map(orjson.dumps, ({"event_id": report["event_id"]}, {"type": "event"}, report))) + b"\n"
