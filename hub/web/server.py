"""The aiohttp application and its runner: routes, refusals of what has no route, and errors below the handlers."""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter_ns
from typing import Any, Final

import structlog
from aiohttp import HttpVersion11, web
from aiohttp.http_exceptions import HttpProcessingError

from hub.ids import new_id
from hub.intake.submission import Answer
from hub.web.endpoint import Call, CsvFile, Endpoint
from hub.web.errors import JSON, ApiError, error_body
from hub.web.own_task import OwnTaskHandler
from hub.web.pipeline import Pipeline, conclude, open_call, tell_caller
from hub.web.probes import Probes
from hub.web.receive import request_id_of
from hub.web.responses import ErrorBody
from hub.web.services import Services
from hub.web.shortcuts import Shortcuts, shortened
from hub.web.streaming import StreamedPipeline
from hub.web.tracking import Tracking
from hub.web.v1 import ENDPOINTS

API_ROOT: Final = "/api"
LINGERING_SECONDS: Final = 2.0
"""How long what still comes of a refused body is read and thrown away, so that its sender gets to read the refusal."""

logger = structlog.get_logger(__name__)


def build_application(
    services: Services, tracking: Tracking, probes: Probes, pages: Iterable[web.AbstractRouteDef] = ()
) -> web.Application:
    """The whole web side; `pages` are further routes (the API's description and its page)."""
    application = web.Application(client_max_size=services.max_body)
    router = application.router
    for endpoint in ENDPOINTS:
        kind = StreamedPipeline if endpoint.body is CsvFile else Pipeline
        serve = kind(endpoint, services).serve
        router.add_route(endpoint.method, API_ROOT + endpoint.path, serve, expect_handler=answer_expectation)
    for method in ("GET", "HEAD"):
        router.add_route(method, "/t/{code}", tracking.visit)
    router.add_route("GET", "/healthz", probes.health)
    router.add_route("GET", "/readyz", probes.readiness)
    router.add_route("GET", "/metrics", probes.exposition)
    application.add_routes(pages)
    router.add_route("*", "/{path:.*}", Stray(services).serve)
    return application


async def answer_expectation(request: web.Request) -> web.Response | None:
    """Says 100 to those who ask before they send a body, 417 to those who expect anything else."""
    if request.version < HttpVersion11:
        return None  # to HTTP/1.0 the header means nothing
    if request.headers.get("Expect", "").lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0  # the answer itself has not begun
        return None
    return error_response(417, "The only expectation that is met is 100-continue.", request_id_of(request.headers))


def error_response(status: int, message: str, request_id: str) -> web.Response:
    """An error outside the pipeline, in the error body of the API; the connection closes after it."""
    headers = {"Content-Type": JSON, "X-Request-ID": request_id, "Cache-Control": "no-store"}
    response = web.Response(status=status, body=error_body(status, message), headers=headers)
    response.force_close()
    return response


async def _no_handler(call: Call) -> Answer:
    raise TypeError(f"{call.endpoint.path} has no handler")


class Stray:
    """Answers requests that no route takes: 405 where the path exists for other methods, else 404."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._endpoint = Endpoint("*", "/*", "stray", "No such route", _no_handler, 404, ErrorBody)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Only requests under the API's root belong in the request log."""
        started = perf_counter_ns()
        allowed = await _allowed_methods(request)
        if allowed:
            names = ", ".join(sorted(allowed))
            message = f"{request.method} is not possible here; {names} is."
            refusal = ApiError(405, message, "method_not_allowed", headers={"Allow": names})
        else:
            refusal = ApiError(404, "There is no such path.", "not_found")
        call = open_call(self._endpoint, self._services, request)
        logged = request.path.startswith(API_ROOT + "/")
        if logged:
            await tell_caller(call)
        return conclude(call, request, refusal.reply, started, logged=logged)


async def _allowed_methods(request: web.Request) -> set[str]:
    allowed: set[str] = set()
    for resource in request.app.router.resources():
        if resource.canonical != "/{path}":
            _, methods = await resource.resolve(request)
            allowed |= methods
    return allowed


class Protocol(OwnTaskHandler):
    """Answers what fails below the handlers (broken HTTP, above all) with the error body, and never a traceback."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - aiohttp's own texts echo the client's bytes
    ) -> web.StreamResponse:
        """One line in the log for a fault of ours; a client's broken HTTP is not worth one."""
        if request.writer.output_size > 0:
            raise ConnectionError("the response has begun already")
        request_id = new_id("req")
        if status >= 500 and not isinstance(exc, HttpProcessingError):
            logger.error("a request failed outside its handler", request_id=request_id, exc_info=exc)
            return error_response(500, "Something went wrong on our side; the request id tells us what.", request_id)
        return error_response(status, "The request is not valid HTTP.", request_id)


class Server(web.Server):
    """Makes connections that speak `Protocol`."""

    @classmethod
    def instead_of(cls, plain: web.Server, shortcuts: Shortcuts) -> Server:
        """The same server with our connections and with shortcuts to the routes."""
        return cls(
            shortened(plain.request_handler, shortcuts),
            request_factory=plain.request_factory,
            handler_cancellation=plain.handler_cancellation,
            **plain._kwargs,  # noqa: SLF001 - aiohttp has no other way to exchange the connection class
        )

    def __call__(self) -> Protocol:
        """A handler for a new connection."""
        return Protocol(self, loop=self._loop, **self._kwargs)


class Runner(web.AppRunner):
    """Runs the application with the body as it was sent, no access log and our own connections."""

    __slots__ = ()

    def __init__(self, application: web.Application, *, keepalive_seconds: float, shutdown_seconds: float) -> None:
        options: dict[str, Any] = {
            "auto_decompress": False,
            "keepalive_timeout": keepalive_seconds,
            "lingering_time": LINGERING_SECONDS,
        }
        super().__init__(application, access_log=None, shutdown_timeout=shutdown_seconds, **options)

    async def _make_server(self) -> web.Server:
        return Server.instead_of(await super()._make_server(), Shortcuts(self.app))
