"""The limit: an aiohttp handler that reads the body and answers, and does nothing else."""

from __future__ import annotations

import sys

from aiohttp import web

ANSWER = b'{"eventId":"evt_01a1f89652d474a384fb5e5ab8611f04","status":"RECEIVED","duplicate":false}'


async def answer(request: web.Request) -> web.Response:
    """Reads and answers, as short as aiohttp allows."""
    await request.read()
    return web.Response(body=ANSWER, status=202, content_type="application/json")


def main() -> None:
    """Serves on the port named first on the command line."""
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    port = int(sys.argv[1])
    web.run_app(application, port=port, access_log=None, print=None)


if __name__ == "__main__":
    main()
