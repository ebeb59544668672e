"""Uploads of any size, never in memory whole: their signature is computed while they arrive."""

from __future__ import annotations

import asyncio

import structlog
from aiohttp import web

from hub.csv_import.spool import Crowded, Draft
from hub.http.errors import ApiError, unavailable
from hub.http.request import SHOWN_BYTES, ReceivedBody, check_csv, check_encoding, check_length, read_blocks
from hub.http.response import Reply
from hub.merchant_api.api_keys import Caller
from hub.merchant_api.authentication import StreamingSignature
from hub.merchant_api.endpoint import Call
from hub.merchant_api.pipeline import Pipeline

log = structlog.get_logger(__name__)


class UploadPipeline(Pipeline):
    """Serves an endpoint whose body goes to the spool; a body that is refused for any reason is removed."""

    async def _admit(self, call: Call, request: web.BaseRequest) -> None:
        """Check the headers alone: the caller is authenticated once the body has arrived."""
        check_encoding(call.headers)
        check_csv(call.headers)
        check_length(request, self.services.max_upload)

    async def _answer(self, call: Call, request: web.BaseRequest) -> Reply:
        signature = await StreamingSignature.begin(call, request.method, request.raw_path)
        if call.caller.scopes is not None:  # a token is proved by its headers alone, so that it is counted first
            await self.count(call)
            await self.bound(call)
        proved = self._is_proved(call, signature.claimed_caller)
        try:
            call.file = self._draft(signature.claimed_caller, proved=proved)
            try:
                await self._receive(call, request, signature, call.file)
                signature.conclude()
                if call.caller.scopes is None:
                    await self.count(call)
                call.raw = call.file.sha256.encode()  # the body's part in the fingerprint of an idempotency key
                return await super()._answer(call, request)
            finally:
                await asyncio.to_thread(call.file.close)
        except Crowded:
            message = "This account is sending as many files, or as large ones, as it may at once."
            if proved:
                message += " Wait as long as Retry-After says."
            else:
                message += " More may be sent from an address that made a signed request in the last eight days."
            raise ApiError(429, message, "rate_limited", headers={"Retry-After": "5"}, close=True) from None
        except OSError as fault:
            log.warning("an upload could not be kept", request_id=call.request_id, fault=str(fault))
            raise unavailable(fault, close=True) from fault

    def _is_proved(self, call: Call, caller: Caller | None) -> bool:
        """Return whether somebody at this address has proved lately that they have the caller's key."""
        return caller is not None and self.services.keys.is_proved_lately(caller.key_id, call.client, call.received_at)

    def _draft(self, caller: Caller | None, *, proved: bool) -> Draft:
        """Return a file for the body; one without a place on the disk if the caller will be refused in any case."""
        return Draft(None) if caller is None else self.services.spool.draft(caller.account_id, proved=proved)

    async def _receive(self, call: Call, request: web.BaseRequest, signature: StreamingSignature, file: Draft) -> None:
        services, seconds = self.services, signature.seconds_left
        body = ReceivedBody(services.admission, call.client)
        async for block in read_blocks(request, services.max_upload, services.body_timeout, seconds, body):
            call.raw = call.raw or block[:SHOWN_BYTES]
            await asyncio.to_thread(_add_block, signature, file, block)


def _add_block(signature: StreamingSignature, file: Draft, block: bytes) -> None:
    signature.update(block)
    file.write(block)
