"""One bounded GET of a page that somebody else serves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urljoin

import aiohttp

from hub.domain.orders.catalog import url_fault
from hub.outbound.public_addresses import Network, NotPublic, guarded_sockets, why_unreached

MOST_BYTES: Final = 65_536
MOST_REDIRECTS: Final = 3
TOTAL_SECONDS: Final = 10.0
CONNECT_SECONDS: Final = 3.0
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


class FetchFault(Exception):
    """A page that could not be read; the text says why, to complete a sentence that begins with the address."""


class Unreachable(FetchFault):
    """No connection came about, so that another scheme may be tried."""


async def fetch_text(url: str, domain: str, allowed: Sequence[Network]) -> str:
    """Return at most `MOST_BYTES` of the page at `url` as text, following redirects within `domain` only.

    Raise `FetchFault` for every other outcome than a page with status 200.
    """
    connector = aiohttp.TCPConnector(socket_factory=guarded_sockets(allowed), use_dns_cache=False, limit=2)
    timeout = aiohttp.ClientTimeout(total=TOTAL_SECONDS, connect=CONNECT_SECONDS)
    try:
        async with aiohttp.ClientSession(
            connector=connector,
            timeout=timeout,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,
        ) as session:
            return await _follow(session, url, domain)
    except TimeoutError:
        raise FetchFault(f"took longer than {TOTAL_SECONDS:.0f} seconds") from None
    except aiohttp.ClientConnectorError as fault:
        cause = fault.os_error
        if isinstance(cause, NotPublic):
            raise FetchFault(f"cannot be asked: {cause}") from None
        raise Unreachable(f"cannot be reached: {why_unreached(cause)}") from None
    except (aiohttp.ClientError, ValueError) as fault:
        raise Unreachable(f"cannot be read: {str(fault) or type(fault).__name__}") from None


async def _follow(session: aiohttp.ClientSession, url: str, domain: str) -> str:
    for _ in range(MOST_REDIRECTS + 1):
        headers = {"Accept-Encoding": "identity", "User-Agent": "affiliate-hub"}
        async with session.get(url, allow_redirects=False, headers=headers) as response:
            if response.status not in REDIRECTS:
                return await _read(response)
            url = urljoin(url, response.headers.get("Location", ""))
        if url_fault(url, [domain]) is not None:
            raise FetchFault(f"leads away from {domain}, to {url[:200]}")
    raise FetchFault("leads in a circle")


async def _read(response: aiohttp.ClientResponse) -> str:
    if response.status != 200:
        raise FetchFault(f"answered with status {response.status}")
    received = bytearray()
    async for chunk in response.content.iter_chunked(8_192):
        received += chunk
        if len(received) >= MOST_BYTES:
            break
    return bytes(received[:MOST_BYTES]).decode("utf-8", "replace")
