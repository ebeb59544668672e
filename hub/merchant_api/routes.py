"""The routes of the merchant API, and the answer to a request that no route matches."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.http.errors import ApiError
from hub.http.router import PathValues, Route, Router
from hub.merchant_api.endpoint import CsvFile
from hub.merchant_api.error_references import with_reference
from hub.merchant_api.exchange import conclude, name_caller, open_exchange
from hub.merchant_api.pipeline import Pipeline
from hub.merchant_api.services import Services
from hub.merchant_api.upload_pipeline import UploadPipeline
from hub.merchant_api.v1 import ENDPOINTS

API_ROOT: Final = "/api"
NOT_FOUND: Final = "* /*"
"""The route under which metrics count requests that no route matches."""


def api_routes(services: Services) -> list[Route]:
    """Return a route for each endpoint."""
    return [
        Route(
            endpoint.method,
            API_ROOT + endpoint.path,
            (UploadPipeline if endpoint.body is CsvFile else Pipeline)(endpoint, services).serve,
        )
        for endpoint in ENDPOINTS
    ]


class NotFound:
    """Answers requests that no route matches: 405 if the path exists for other methods, else 404."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        self._router = router

    async def serve(self, request: web.BaseRequest, _: PathValues) -> web.StreamResponse:
        """Answer with 404 or 405; only requests under the API's root are noted in the request log."""
        exchange = open_exchange(NOT_FOUND, self._services, request)
        methods = self._router.methods(request.rel_url.raw_path)
        if methods:
            possible = f"{' and '.join(methods)} {'is' if len(methods) == 1 else 'are'}"
            message = f"{request.method} is not possible here; {possible}."
            refusal = ApiError(405, message, "method_not_allowed", headers={"Allow": ", ".join(methods)})
        else:
            refusal = ApiError(404, "There is no such path.", "not_found")
        logged = request.path.startswith(API_ROOT + "/")
        if logged:
            await name_caller(exchange)
        reply = refusal.reply
        if logged:
            reply = with_reference(reply, exchange.request_id, self._services.docs_url, request)
        return await conclude(exchange, request, reply, logged=logged)
