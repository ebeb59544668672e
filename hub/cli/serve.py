"""`hub serve`: the hub itself."""

from __future__ import annotations

from collections.abc import Coroutine
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from hub.cli.invocation import Invocation, invoked


@click.command()
@click.option("--host", metavar="ADDRESS", help="Address to listen on (default: the settings').")
@click.option("--port", type=click.IntRange(0, 65_535), metavar="PORT", help="Port to listen on; 0 picks a free one.")
@invoked
def serve(invocation: Invocation, host: str | None, port: int | None) -> None:
    """Serve the API, the tracking links and the docs, until SIGTERM or Ctrl-C.

    Prints `listening on http://HOST:PORT` once it serves, and its log to standard error.
    """
    settings = invocation.settings({"server.host": host, "server.port": port})

    from hub.app import serve as serve_hub
    from hub.web.logs import configure_logging

    configure_logging(settings.log.level)
    run_fast(serve_hub(settings, lambda line: print(line, flush=True)))  # noqa: T201 - the command's one line


def run_fast(work: Coroutine[Any, Any, None]) -> None:
    """Runs until the work is done, on uvloop where it is installed."""
    import asyncio

    fast = find_spec("uvloop")
    factory = None if fast is None else import_module("uvloop").new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(work)
