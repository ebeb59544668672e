"""Reading the orders that changed from a platform's own API: page after page, within limits, with patience.

An answer of 429 or 5xx, and none at all, are tried again after growing pauses, or after the one that the platform asks
for. Every other answer than 200 ends the reading with a sentence.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import aiohttp
import orjson
from attrs import field, frozen

from hub.domain.listings import OrderListing, page_of
from hub.outbound.public_addresses import Network, NotPublic, guarded_sockets

MOST_BYTES: Final = 16 * 1024 * 1024
MOST_PAGES: Final = 2_000
ATTEMPTS: Final = 5
LONGEST_PAUSE: Final = 60.0
PAGE_SECONDS: Final = 30.0
TOO_MANY: Final = 429
BROKEN: Final = 500


class ListingFault(Exception):
    """Orders that could not be read; the text is a sentence."""


class _Again(Exception):
    """An answer that may be better next time: the text says what it was, `pause` how long the platform asks to wait."""

    def __init__(self, said: str, pause: float | None = None) -> None:
        super().__init__(said)
        self.pause = pause


@frozen
class ListedShop:
    """A shop whose orders are read: its address and what proves the right to. `rest` waits for some seconds."""

    address: str
    name: str
    secret: str = field(repr=False)
    allowed: tuple[Network, ...] = ()
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep


async def changed_orders(listing: OrderListing, shop: ListedShop, since: int) -> AsyncIterator[list[dict[str, Any]]]:
    """Yield the pages of the orders that changed since a moment (ms UTC). Raise `ListingFault`."""
    connector = aiohttp.TCPConnector(socket_factory=guarded_sockets(shop.allowed), use_dns_cache=False, limit=1)
    async with aiohttp.ClientSession(
        connector=connector, timeout=aiohttp.ClientTimeout(total=PAGE_SECONDS), cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False, headers=_headers(shop),
    ) as session:  # fmt: skip
        for page in range(1, MOST_PAGES + 1):
            url = shop.address.rstrip("/") + page_of(listing, since, page)
            orders = _orders(listing, await _patiently(session, url, shop.rest))
            if orders:
                yield orders
            if len(orders) < listing.page_size:
                return
    raise ListingFault(f"The shop lists more than {MOST_PAGES * listing.page_size:,} orders; begin later.")


def _headers(shop: ListedShop) -> dict[str, str]:
    proof = b64encode(f"{shop.name}:{shop.secret}".encode()).decode()
    return {"Authorization": f"Basic {proof}", "User-Agent": "affiliate-hub"}


async def _patiently(session: aiohttp.ClientSession, url: str, rest: Callable[[float], Awaitable[None]]) -> bytes:
    said = ""
    for attempt in range(ATTEMPTS):
        try:
            return await _read(session, url)
        except _Again as fault:
            said, pause = str(fault), fault.pause
        except TimeoutError:
            said, pause = f"took longer than {PAGE_SECONDS:.0f} seconds", None
        except aiohttp.ClientConnectorError as fault:
            if isinstance(fault.os_error, NotPublic):
                raise ListingFault(f"The shop cannot be asked: {fault.os_error}.") from None
            said, pause = f"cannot be reached: {fault.os_error.strerror or fault.os_error}", None
        except (aiohttp.ClientError, ValueError) as fault:
            said, pause = f"broke off: {str(fault) or type(fault).__name__}", None
        if attempt < ATTEMPTS - 1:
            await rest(min(LONGEST_PAUSE, 2.0**attempt if pause is None else pause))
    raise ListingFault(f"The shop {said}, {ATTEMPTS} times.")


async def _read(session: aiohttp.ClientSession, url: str) -> bytes:
    async with session.get(url, allow_redirects=False) as answer:
        if answer.status == TOO_MANY or answer.status >= BROKEN:
            asked = answer.headers.get("Retry-After", "")
            raise _Again(f"answers {answer.status}", float(asked) if asked.isdecimal() else None)
        if answer.status in (401, 403):
            raise ListingFault(
                f"The shop refuses the credentials ({answer.status}): they need the right to read orders."
            )
        if answer.status != 200:
            raise ListingFault(
                f"The shop answers {answer.status} instead of its orders; see that its address is right."
            )
        raw = b""
        async for part in answer.content.iter_chunked(65_536):
            raw += part
            if len(raw) > MOST_BYTES:
                raise ListingFault(f"The shop's answer is longer than {MOST_BYTES // 1024**2} MiB.")
        return raw


def _orders(listing: OrderListing, raw: bytes) -> list[dict[str, Any]]:
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError:
        found = None
    if listing.items and isinstance(found, dict):
        found = found.get(listing.items)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ListingFault("The shop's answer is not a list of orders.")
    return found
