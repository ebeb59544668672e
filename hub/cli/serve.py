"""`hub serve`: the hub itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from hub.cli.invocation import Fault, Faults, Invocation, invoked

if TYPE_CHECKING:
    from hub.config.settings import Settings

ONE_WRITER = (
    "SQLite has one writer for each file, so one process serves it; {workers} workers need PostgreSQL."
    " Move there with `hub migrate --from {url} --to postgresql://USER@HOST/NAME`, and serve that database."
)


@click.command()
@click.option("--host", metavar="ADDRESS", help="Address to listen on (default: as in the settings).")
@click.option("--port", type=click.IntRange(0, 65_535), metavar="PORT", help="Port to listen on; 0 picks a free one.")
@click.option("--workers", type=click.IntRange(1, 256), metavar="N", help="Processes on the port (PostgreSQL only).")
@invoked
def serve(invocation: Invocation, host: str | None, port: int | None, workers: int | None) -> None:
    """Serve the API, the tracking links and the docs, until SIGTERM or Ctrl-C.

    Prints `listening on http://HOST:PORT` once it serves, and its log to standard error.
    """
    settings = invocation.settings({"server.host": host, "server.port": port, "server.workers": workers})
    if settings.server.workers > 1 and settings.database.dialect == "sqlite":
        raise Fault(ONE_WRITER.format(url=settings.database.url, workers=settings.server.workers))

    from hub.app import serve as serve_hub
    from hub.observability.logs import configure_logging

    configure_logging(settings.log.level)
    close_process()
    if settings.server.workers > 1:
        sys.exit(serve_in_workers(settings))
    run_fast(serve_hub(settings, say))


def close_process() -> None:
    """Close this process, and those that it forks, to others of its user, and take its secrets out of its environment.

    The settings have been read: nothing looks there for them again.
    """
    from hub.config.settings import secret_variables
    from hub.kernel import close_to_others, forget_variable

    for name in secret_variables():
        forget_variable(name)
    with suppress(OSError):  # not Linux
        close_to_others()


def serve_in_workers(settings: Settings) -> int:
    """Serve in several processes on one port and return the exit status."""
    from hub.app import serve as serve_hub
    from hub.observability.worker_metrics import SiblingMetrics
    from hub.prefork import STOP_SECONDS, Workers, hold_port

    with TemporaryDirectory(prefix="hub-workers-") as folder, hold_port(settings.server) as held:
        count, port = settings.server.workers, held.getsockname()[1]
        placed = evolve(settings, server=settings.server.serving_at(port))

        def work(number: int, announce: Callable[[str], None]) -> None:
            with Faults():
                run_fast(serve_hub(placed, announce, siblings=SiblingMetrics(Path(folder), number, count)))

        return Workers(count, work, say, STOP_SECONDS + settings.server.drain / 1000).run()


def say(line: str) -> None:
    """Print a line at once, even into a pipe."""
    print(line, flush=True)  # noqa: T201 - for the person or script that started the hub


def run_fast(work: Coroutine[Any, Any, None]) -> None:
    """Run until the work is done, on uvloop if it is installed."""
    import asyncio

    fast = find_spec("uvloop")
    factory = None if fast is None else import_module("uvloop").new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(work)
