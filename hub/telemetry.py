"""What the settings say is sent to the operator's tools: joined to what is noted, started and stopped with the hub."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack

from hub import __version__
from hub.clock import Clock
from hub.config.telemetry_section import TelemetrySettings
from hub.observability.backlog import Backlog
from hub.observability.error_reports import reports_to
from hub.observability.metrics import Metrics
from hub.observability.pushed_metrics import PushedMetrics
from hub.observability.traces import Traces, traces_to
from hub.processing.events import EventResult
from hub.processing.worker import Worker


async def start_telemetry(
    settings: TelemetrySettings,
    clock: Clock,
    metrics: Metrics,
    backlog: Backlog,
    worker: Worker | None,
    stack: AsyncExitStack,
) -> None:
    """Begin to send what the settings say; it ends with the stack, after what was noted is sent."""
    if settings.errors:
        reports = reports_to(settings.errors, __version__)
        await reports.sender.start()
        stack.push_async_callback(reports.sender.stop)
        logging.getLogger().addHandler(reports)
        stack.callback(logging.getLogger().removeHandler, reports)
    if settings.metrics:
        pushed = PushedMetrics(settings.metrics, metrics, backlog, clock, __version__)
        await pushed.start()
        stack.push_async_callback(pushed.stop)
    if settings.traces:
        metrics.traces = traces = traces_to(settings.traces, clock, settings.share, __version__)
        await traces.sender.start()
        stack.push_async_callback(traces.sender.stop)
        if worker is not None:
            worker.on_results(lambda results: note_results(traces, results))


def note_results(traces: Traces, results: Sequence[EventResult]) -> None:
    """Note what became of events."""
    for result in results:
        event = result.event
        attributes: dict[str, str | int] = {
            "hub.account_id": event.account_id,
            "hub.outcome": result.status,
            "hub.conversion_id": result.conversion_id or "",
            "hub.attempt": event.attempts + 1,
        }
        traces.note_decided(
            event.event_id, f"decide {event.type}", event.received_at, attributes, failed=result.status == "FAILED"
        )
