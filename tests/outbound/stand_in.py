"""A web server on this machine that stands in for a platform."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_network

from aiohttp import web

LOCAL = (ip_network("127.0.0.0/8"),)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    """Serve every path by one handler, and yield the shop's address; no answer says the day, which tests make up."""

    async def timeless(request: web.Request) -> web.StreamResponse:
        response = await handler(request)
        if not response.prepared:
            response.headers.setdefault("Date", "")
        return response

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", timeless)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
