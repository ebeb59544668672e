"""A product's stock words and the addresses it may carry (API specification, Product input)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, urlsplit

_IN_STOCK: Final = frozenset({"in_stock", "instock", "onbackorder"})
_OUT_OF_STOCK: Final = frozenset({"out_of_stock", "outofstock"})

_HOST: Final = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_LONGEST_HOST: Final = 253
_LONGEST_LABEL: Final = 63


@lru_cache(maxsize=1024)
def status_after_stock(status: str, stock_status: str | None) -> str:
    """Return the product status that a stock word leads to; it moves only between ACTIVE and OUT_OF_STOCK."""
    word = (stock_status or "").casefold()
    if status == "ACTIVE" and word in _OUT_OF_STOCK:
        return "OUT_OF_STOCK"
    if status == "OUT_OF_STOCK" and word in _IN_STOCK:
        return "ACTIVE"
    return status


def url_fault(url: str, domains: Collection[str]) -> str | None:
    """Return what is wrong with a `productUrl`, to complete a sentence that begins with its name, or None.

    `domains` are the merchant's approved ones as `ascii_host` writes them; each stands for its subdomains too. A domain
    written with a port ("127.0.0.1:8080", for a shop under development) allows exactly that host and port.
    """
    parts = _web_address(url)
    if parts is None:
        return "must be an http or https address without spaces, backslashes or control characters"
    if "@" in parts.netloc:
        return "must not carry a user name or password before the host"
    host = ascii_host(parts.hostname or "")
    port = _port(parts)
    if host is not None and port and f"{host}:{port}" in domains:
        return None
    if port not in {None, 80, 443}:
        return "must not name a port other than 80 or 443"
    if host is None or not any(host == domain or host.endswith("." + domain) for domain in domains):
        return f"must be on an approved domain of the merchant ({', '.join(sorted(domains)) or 'none is approved yet'})"
    return None


def image_url_fault(url: str) -> str | None:
    """Return what is wrong with an `imageUrl`, which may be on any host, or None."""
    parts = _web_address(url)
    if parts is None or ascii_host(parts.hostname or "") is None or _port(parts) == 0:
        return "must be an http or https address with a host, without spaces, backslashes or control characters"
    return None


def ascii_host(host: str) -> str | None:
    """Write a host name in lower-case ASCII without its final dot ("bücher.example": "xn--bcher-kva.example").

    Return None for what is not a host name, or whose letters change on the way ("straße" would become
    "strasse"): browsers resolve it otherwise.
    """
    name = unicodedata.normalize("NFC", host.lower()).removesuffix(".")
    if len(name) > _LONGEST_HOST:
        return None
    if not name.isascii():
        encoded = in_ascii(name)
        if encoded is None:
            return None
        name = encoded
    return name if _HOST.fullmatch(name) else None


@lru_cache(maxsize=4_096)
def in_ascii(name: str) -> str | None:
    """Return a name of other letters in ASCII, None if it has none that stands for the same letters.

    It takes a thousand times as long as any other name does, so those of a shop's products are kept, and a label that
    is too long is refused before.
    """
    if any(len(label) > _LONGEST_LABEL for label in name.split(".")):
        return None
    try:
        encoded = name.encode("idna")
        return encoded.decode("ascii") if encoded.decode("idna") == name else None
    except UnicodeError:
        return None


def _web_address(url: str) -> SplitResult | None:
    # Browsers drop or rewrite these characters and the standard library strips some of them: none may be trusted.
    if any(char.isspace() or char == "\\" or unicodedata.category(char) == "Cc" for char in url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return parts if parts.scheme in {"http", "https"} and parts.netloc else None


def _port(parts: SplitResult) -> int | None:
    """Return the port, None if none is written, and 0 (which no address can have) if it is empty or not a port."""
    try:
        return 0 if parts.netloc.endswith(":") else parts.port
    except ValueError:
        return 0
