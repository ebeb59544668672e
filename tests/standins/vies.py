"""A stand-in for VIES: it answers what its table says of a number, as the register's own test service does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web
from aiohttp.test_utils import TestServer
from attrs import define, field

PATH: Final = "/taxation_customs/vies/rest-api/check-vat-number"
CONSULTATION: Final = "WAPIAAAAXYZ1234"
VALID: Final[Mapping[str, Any]] = {
    "requestDate": "2026-11-27T05:00:00.000Z", "valid": True, "requestIdentifier": "", "name": "---", "address": "---",
}  # fmt: skip


def refused(error: str) -> dict[str, Any]:
    """An answer that is an error."""
    return {"actionSucceed": False, "errorWrappers": [{"error": error}]}


@define(eq=False)
class StandInVies:
    """The register; `says` is a status and a body for the next questions, `hangs` whether it never answers."""

    says: tuple[int, bytes] | None = None
    hangs: bool = False
    asked: list[dict[str, str]] = field(factory=list)
    root: str = ""

    def answers(self, status: int, body: object) -> None:
        """Let it answer so from now on; bytes are sent as they are."""
        self.says = (status, body if isinstance(body, bytes) else json.dumps(body).encode())

    async def start(self) -> TestServer:
        """Listen on a port of the loopback interface."""
        app = web.Application()
        app.router.add_post(PATH, self._check)
        server = TestServer(app)
        await server.start_server()
        self.root = str(server.make_url(PATH.rpartition("/")[0]))
        return server

    async def _check(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked.append(body)
        if self.hangs:
            await asyncio.sleep(3_600)
        if self.says is not None:
            return web.Response(status=self.says[0], body=self.says[1], content_type="application/json")
        known = {name: body[name] for name in ("countryCode", "vatNumber")}
        identifier = CONSULTATION if body.get("requesterNumber") else ""
        return web.json_response({**known, **VALID, "requestIdentifier": identifier})
