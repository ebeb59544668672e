"""One attempt to deliver a message: a guarded request, bounded in time and bytes, and what became of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import aiohttp
import orjson
from attrs import frozen

from hub.domain.instants import format_instant
from hub.domain.messages.notifications import filled
from hub.domain.messages.payload_versions import in_version
from hub.domain.messages.webhook_signing import webhook_headers
from hub.outbound.public_addresses import Network, NotPublic, guarded_sockets, why_unreached
from hub.storage import Row

TOTAL_SECONDS: Final = 10.0
CONNECT_SECONDS: Final = 3.0
KEPT_BYTES: Final = 1_024
"""How much of an answer is kept; the rest is not even read."""
GONE: Final = 410
ALIKE: Final = {"User-Agent": "affiliate-hub", "Accept-Encoding": "identity"}
OF_MERCHANTS: Final = ("candidateId",)
"""Members that an affiliate does not get: whom else a signal names. The order's number it reads everywhere."""


@frozen
class Receiver:
    """Where a subscription's messages go, and in which version; `keys` sign them, none for a postback."""

    url: str
    is_postback: bool
    is_affiliates: bool
    keys: tuple[bytes, ...]
    version: str


@frozen
class Attempt:
    """What became of an attempt: `fault` is None if the message arrived, `status` None if there was no answer."""

    fault: str | None
    status: int | None = None
    answer: str | None = None


def new_session(allowed: Sequence[Network], connections: int) -> aiohttp.ClientSession:
    """Return a session that connects to public addresses and those that are allowed, and follows nothing."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            socket_factory=guarded_sockets(allowed), use_dns_cache=False, limit=connections, force_close=True
        ),
        timeout=aiohttp.ClientTimeout(total=TOTAL_SECONDS, connect=CONNECT_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,
        auto_decompress=False,
    )


async def deliver(session: aiohttp.ClientSession, receiver: Receiver, message: Row, now: int) -> Attempt:
    """Send a message, a row of `next_deliveries`, at `now` (ms UTC)."""
    version, document = document_of(message, receiver.version, of_merchant=not receiver.is_affiliates)
    body = orjson.dumps(document)
    try:
        if receiver.is_postback:
            url = filled(receiver.url, placeholders(document, message))
            request = session.get(url, allow_redirects=False, headers=ALIKE)
        else:
            signed = webhook_headers(receiver.keys, message["message_id"], now // 1000, body, version)
            headers = {**ALIKE, "Content-Type": "application/json", **signed}
            request = session.post(receiver.url, data=body, allow_redirects=False, headers=headers)
        async with request as response:
            return _judged(response.status, await _beginning(response))
    except TimeoutError:
        return Attempt(f"There was no answer within {TOTAL_SECONDS:.0f} seconds.")
    except aiohttp.ClientConnectorError as fault:
        cause = fault.os_error
        if isinstance(cause, NotPublic):
            return Attempt(f"It cannot be asked: {cause}.")
        return Attempt(f"It cannot be reached: {why_unreached(cause)}.")
    except (aiohttp.InvalidURL, ValueError):
        return Attempt("It cannot be asked: the address is none.")
    except aiohttp.ClientConnectionError:
        return Attempt("It ended the connection without an answer.")
    except (aiohttp.ClientError, OSError):
        return Attempt("What it answered is not HTTP.")


def document_of(message: Row, version: str, *, of_merchant: bool) -> tuple[str, dict[str, Any]]:
    """Return a message's version and its body, for a subscription of a version.

    It is the same at every attempt as long as the subscription is of that version, and an affiliate's names no other
    affiliate.
    """
    data = {**json.loads(message["data"]), "merchantId": message["merchant_id"], "mode": message["mode"]}
    if not of_merchant:
        data = {name: value for name, value in data.items() if name not in OF_MERCHANTS}
    if message["subs"] is not None:
        data["subIds"] = json.loads(message["subs"])
    document = {"type": message["event_type"], "timestamp": format_instant(message["created_at"]), "data": data}
    return in_version(document, message["payload_version"], version)


def placeholders(document: Mapping[str, Any], message: Row) -> dict[str, str]:
    """Return the values of a postback's placeholders."""
    data = document["data"]
    known = {name: str(value) for name, value in data.items() if isinstance(value, str)}
    more = {"event": document["type"], "timestamp": document["timestamp"], "messageId": message["message_id"]}
    return {**known, **data.get("subIds", {}), **more, "commission": known.get("amount", "")}


async def _beginning(response: aiohttp.ClientResponse) -> str:
    """Return the beginning of an answer; how it goes on, or that it never ends, is all the same."""
    received = bytearray()
    try:
        async for chunk in response.content.iter_chunked(KEPT_BYTES):
            received += chunk
            if len(received) >= KEPT_BYTES:
                break
    except (TimeoutError, aiohttp.ClientError):
        pass
    text = bytes(received[:KEPT_BYTES]).decode("utf-8", "replace")
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def _judged(status: int, answer: str) -> Attempt:
    if 200 <= status < 300:
        return Attempt(None, status, answer)
    if 300 <= status < 400:
        return Attempt("It leads elsewhere, and redirects are not followed.", status, answer)
    return Attempt(f"It answered with status {status}.", status, answer)
