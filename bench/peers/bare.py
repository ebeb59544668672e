"""The limit: an aiohttp handler that reads the body and answers, and does nothing else."""

from __future__ import annotations

import asyncio
import sys

from aiohttp import web

from hub.cli.serve import run_fast

ANSWER = b'{"eventId":"evt_01a1f89652d474a384fb5e5ab8611f04","status":"RECEIVED","duplicate":false}'


async def answer(request: web.Request) -> web.Response:
    """Read the body and answer, as briefly as aiohttp allows."""
    await request.read()
    return web.Response(body=ANSWER, status=202, content_type="application/json")


async def serve(port: int) -> None:
    """Serve on the port until the process ends."""
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    run_fast(serve(int(sys.argv[1])))
