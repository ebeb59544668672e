"""Requests as bytes, signed beforehand, so that whoever sends them costs as little as it can.

A file holds each request after its length in decimal digits and a line break.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from pathlib import Path

from attrs import frozen

from bench.options import SECONDS, THREADS
from hub.clock import system_clock
from hub.domain.instants import format_instant
from hub.domain.signing import TOLERANCE_SECONDS, sign

CONVERSIONS = "/api/v1/conversions"
BROWSER = b"GET %b HTTP/1.1\r\nHost: bench\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0\r\n\r\n"
MOST_PER_SECOND = 20_000
"""How many requests are prepared for each second of load: more than one hub process answers."""


@frozen
class Credentials:
    """The id and the secret of an API key."""

    key: str
    secret: str

    def headers(self, body: bytes, timestamp: int | None = None) -> dict[str, str]:
        """Return the headers that sign a body; `timestamp` is in Unix seconds, now if none is given."""
        moment = str(now() if timestamp is None else timestamp)
        signature = sign(self.secret.encode(), moment, body)
        return {"X-API-Key": self.key, "X-Timestamp": moment, "X-Signature": signature}

    def request(self, method: str, target: str, body: bytes = b"", *, timestamp: int | None = None) -> bytes:
        """Return a signed request as it goes over the wire."""
        signed = "".join(f"{name}: {value}\r\n" for name, value in self.headers(body, timestamp).items())
        content = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        return f"{method} {target} HTTP/1.1\r\nHost: bench\r\n{signed}{content}\r\n".encode() + body


@frozen
class Traffic:
    """Requests in files, one file for each thread of the load generator."""

    stem: Path
    files: tuple[Path, ...]
    repeats: bool

    def acknowledged(self) -> tuple[str, ...]:
        """Return the ids that wrk noted during the last run with this traffic."""
        lists = [file.with_name(file.name + ".acknowledged") for file in self.files]
        return tuple(line for found in lists for line in found.read_text().splitlines())


def write(stem: Path, requests: Iterable[bytes], *, threads: int = THREADS, repeats: bool = False) -> Traffic:
    """Deal the requests out to files named after the stem."""
    files = tuple(stem.with_name(f"{stem.name}.{number}") for number in range(threads))
    handles = [file.open("wb") for file in files]
    try:
        for number, request in enumerate(requests):
            handles[number % threads].write(b"%d\n%b" % (len(request), request))
    finally:
        for handle in handles:
            handle.close()
    return Traffic(stem, files, repeats)


def orders(tag: str, how_many: int, clicks: Sequence[str]) -> Iterator[bytes]:
    """Yield bodies of conversions: nine fields, each of a new order and with a click that the hub knows."""
    return orders_named((f"{tag}-{number}" for number in range(how_many)), clicks)


def orders_named(names: Iterable[str], clicks: Sequence[str]) -> Iterator[bytes]:
    """Yield the same for orders with these numbers."""
    template = json.dumps(
        {
            "externalOrderId": "ORDER", "externalProductId": "SKU-1", "orderAmount": "49.90", "currency": "USD",
            "orderStatus": "confirmed", "orderedAt": "AT", "couponCode": "X10", "clickId": "CLICK",
            "metadata": {"basket": 1},
        }
    )  # fmt: skip
    template = (
        template.replace("%", "%%").replace("ORDER", "%s").replace("CLICK", "%s").replace('"AT"', f'"{_today()}"')
    )
    return ((template % (name, clicks[number % len(clicks)])).encode() for number, name in enumerate(names))


def conversions(
    credentials: Credentials, clicks: Sequence[str], *, tag: str = "C", how_many: int | None = None
) -> Iterator[bytes]:
    """Yield signed conversions, enough for a run under full load if no number is given."""
    return signed_orders(credentials, orders(tag, SECONDS * MOST_PER_SECOND if how_many is None else how_many, clicks))


def signed_orders(credentials: Credentials, bodies: Iterable[bytes]) -> Iterator[bytes]:
    """Yield orders as they are posted."""
    moment = now()
    return (credentials.request("POST", CONVERSIONS, body, timestamp=moment) for body in bodies)


def reads(credentials: Credentials, targets: Iterable[str], *, most: int) -> Iterator[bytes]:
    """Yield signed reads, no two alike: a signature reads a target once, and is the same for all reads of one second.

    The timestamps are within the tolerance, with a margin for the time until they are sent.
    """
    margin = min(TOLERANCE_SECONDS // 2, SECONDS + 60)
    present = now()
    seconds = range(present - TOLERANCE_SECONDS + margin, present + TOLERANCE_SECONDS - 5)
    pairs = islice(product(seconds, targets), most)
    return (credentials.request("GET", target, timestamp=second) for second, target in pairs)


def now() -> int:
    """Return the time in Unix seconds."""
    return system_clock() // 1000


def _today() -> str:
    return format_instant(system_clock())
