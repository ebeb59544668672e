"""The order in which the parts of a hub start, and in reverse stop."""

from __future__ import annotations

from contextlib import AsyncExitStack

from hub.clock import system_clock
from hub.parts import Parts
from hub.rate_limits.shared import SharedLimits
from hub.storage.postgresql.facts import clock_of
from hub.telemetry import start_telemetry


async def start_parts(parts: Parts, stack: AsyncExitStack) -> None:
    """Start the parts, each before those that give it work, so that they stop in the reverse order."""
    services = parts.services
    await start_telemetry(parts.settings.telemetry, parts.clock, services.metrics, parts.backlog, parts.worker, stack)
    await _judge_clock(parts)
    stack.push_async_callback(parts.plugin_state.stop)
    await parts.heartbeat.start()
    stack.push_async_callback(parts.heartbeat.stop)
    stack.push_async_callback(parts.backlog.stop)
    await parts.telling.board.start()
    stack.push_async_callback(parts.telling.board.stop)
    await services.request_log.start()
    stack.push_async_callback(services.request_log.stop)
    stack.callback(parts.pages.passwords.close)
    stack.push_async_callback(parts.pages.replica.close)
    if isinstance(services.limits, SharedLimits):
        await services.limits.start()
        stack.push_async_callback(services.limits.stop)
    parts.scheduler.start()
    stack.push_async_callback(parts.scheduler.stop)
    if parts.worker is not None:
        await parts.worker.start()
        stack.push_async_callback(parts.worker.stop)
    if parts.mail is not None:
        await parts.mail.start()
        stack.push_async_callback(parts.mail.stop)
    if parts.deliverer is not None:
        await parts.deliverer.start()
        stack.push_async_callback(parts.deliverer.stop)
    await _start_serving(parts, stack)


async def _judge_clock(parts: Parts) -> None:
    """Compare the clock with what the database knows; one that a test sets is not compared with PostgreSQL's."""
    newest = await parts.store.fetch_one("newest_heartbeat")
    is_witnessed = parts.store.dialect == "postgresql" and parts.clock is system_clock
    database = await clock_of(parts.settings.database.url) if is_witnessed else None
    parts.clock_guard.begin(None if newest is None else newest["seen_at"], database)


async def _start_serving(parts: Parts, stack: AsyncExitStack) -> None:
    """Start what takes requests in, and what asks platforms, which gives it work as requests do."""
    services = parts.services
    if parts.agents is not None:
        await parts.agents.start()
        stack.push_async_callback(parts.agents.stop)
    await services.uploads.start()
    stack.push_async_callback(services.uploads.stop)
    await parts.clicks.start()
    stack.push_async_callback(parts.clicks.stop)
    await parts.submissions.start()
    stack.push_async_callback(parts.submissions.stop)
    if parts.asker is not None:
        await parts.asker.start()
        stack.push_async_callback(parts.asker.stop)
