"""Uploads of any size, never in memory: proved while they come in."""

from __future__ import annotations

import asyncio

import structlog
from aiohttp import web

from hub.csv_import.spool import Crowded, Draft
from hub.http.errors import ApiError, unavailable
from hub.http.request_body import check_length, read_blocks
from hub.http.request_headers import check_csv, check_encoding
from hub.http.response import Reply
from hub.merchant_api.api_keys import Caller
from hub.merchant_api.authentication import SHOWN_BYTES, StreamingSignature
from hub.merchant_api.endpoint import Call
from hub.merchant_api.pipeline import Pipeline

log = structlog.get_logger(__name__)


class UploadPipeline(Pipeline):
    """Serves an endpoint whose body goes to the spool; what is not proved, or refused for any reason, is removed."""

    async def _enter(self, call: Call, request: web.BaseRequest) -> None:
        """Look at the headers alone: who calls is known once the body has come."""
        check_encoding(call.headers)
        check_csv(call.headers)
        check_length(request, self.services.max_upload)

    async def _work(self, call: Call, request: web.BaseRequest) -> Reply:
        signature = await StreamingSignature.begin(call)
        try:
            call.file = self._draft(signature.claimed_caller)
            try:
                await self._take_in(call, request, signature, call.file)
                signature.conclude()
                await self.count(call)
                return await super()._work(call, request)
            finally:
                await asyncio.to_thread(call.file.close)
        except OSError as fault:
            log.warning("an upload could not be kept", request_id=call.request_id, fault=str(fault))
            raise unavailable(fault, close=True) from fault

    def _draft(self, caller: Caller | None) -> Draft:
        """A caller who will be refused in any case costs the same work, but no place on the disk."""
        if caller is None:
            return Draft(None)
        try:
            return self.services.spool.draft(caller.account_id)
        except Crowded:
            message = "This account is sending as many files as it may at once; wait as long as Retry-After says."
            raise ApiError(429, message, "rate_limited", headers={"Retry-After": "5"}, close=True) from None

    async def _take_in(self, call: Call, request: web.BaseRequest, signature: StreamingSignature, file: Draft) -> None:
        services = self.services
        async for block in read_blocks(request, services.max_upload, services.body_timeout, signature.seconds_left):
            call.raw = call.raw or block[:SHOWN_BYTES]
            await asyncio.to_thread(_take, signature, file, block)

    def _guard(self, call: Call, request: web.BaseRequest) -> None:
        if call.file is None:
            raise TypeError("a streamed body has a file")
        call.raw = call.file.sha256.encode()  # stands for the body in the fingerprint of an idempotency key
        super()._guard(call, request)


def _take(signature: StreamingSignature, file: Draft, block: bytes) -> None:
    signature.update(block)
    file.write(block)
