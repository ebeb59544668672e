"""Bodies and answers of any size, never in memory: proved while they come in, sent while they are read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog
from aiohttp import web
from aiohttp.payload import Payload

from hub.uploads.spool import Crowded, Draft
from hub.web.authentication import SHOWN_BYTES, RunningProof
from hub.web.callers import Caller
from hub.web.endpoint import Call
from hub.web.errors import ApiError, Reply, unavailable
from hub.web.pipeline import Pipeline
from hub.web.receive import check_csv, check_encoding, check_length, read_blocks

if TYPE_CHECKING:
    from aiohttp.abc import AbstractStreamWriter

BLOCK_BYTES: Final = 256 * 1024

logger = structlog.get_logger(__name__)


class StreamedPipeline(Pipeline):
    """Serves an endpoint whose body goes to the spool; what is not proved, or refused for any reason, is removed."""

    async def _enter(self, call: Call, request: web.Request) -> None:
        """Looks at the headers alone: who calls is known once the body has come."""
        check_encoding(call.headers)
        check_csv(call.headers)
        check_length(request, self._services.max_upload)

    async def _work(self, call: Call, request: web.Request) -> Reply:
        proof = await RunningProof.begin(call)
        try:
            call.file = self._draft(proof.hopeful)
            try:
                await self._take_in(call, request, proof, call.file)
                proof.conclude()
                if not self._count(call):
                    await self._count_elsewhere(call)
                return await super()._work(call, request)
            finally:
                await asyncio.to_thread(call.file.close)
        except OSError as fault:
            logger.warning("an upload could not be kept", request_id=call.request_id, fault=str(fault))
            raise unavailable(close=True) from fault

    def _draft(self, caller: Caller | None) -> Draft:
        """Whoever will be refused in any case costs the same work, but no place on the disk."""
        if caller is None:
            return Draft(None)
        try:
            return self._services.spool.draft(caller.account_id)
        except Crowded:
            message = "This account is sending as many files as it may at once; wait as long as Retry-After says."
            raise ApiError(429, message, "rate_limited", headers={"Retry-After": "5"}, close=True) from None

    async def _take_in(self, call: Call, request: web.Request, proof: RunningProof, file: Draft) -> None:
        services = self._services
        async for block in read_blocks(request, services.max_upload, services.body_timeout, proof.seconds_left):
            call.raw = call.raw or block[:SHOWN_BYTES]
            await asyncio.to_thread(_take, proof, file, block)

    def _admit(self, call: Call, request: web.Request) -> None:
        if call.file is None:
            raise TypeError("a streamed body has a file")
        call.raw = call.file.sha256.encode()  # stands for the body in the fingerprint of an idempotency key
        super()._admit(call, request)


def _take(proof: RunningProof, file: Draft, block: bytes) -> None:
    proof.update(block)
    file.write(block)


class FileBeginning(Payload):
    """The first `size` bytes of a file, read as they are sent; the file may grow meanwhile."""

    _autoclose = True

    def __init__(self, path: Path, size: int) -> None:
        super().__init__(path)
        self._size = size

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:  # noqa: ARG002 - aiohttp's
        """Is not to be had: nobody needs the whole text."""
        raise TypeError("a file is sent, not decoded")

    async def write(self, writer: AbstractStreamWriter) -> None:
        """Sends the bytes; breaks the connection off where the file has fewer."""
        file = await asyncio.to_thread(self._value.open, "rb")
        try:
            left = self._size or 0
            while left:
                block = await asyncio.to_thread(file.read, min(left, BLOCK_BYTES))
                if not block:
                    raise ConnectionError("the file ended before its time")
                await writer.write(block)
                left -= len(block)
        finally:
            await asyncio.to_thread(file.close)
