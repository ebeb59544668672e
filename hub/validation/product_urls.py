"""The catalogue's address rules with a memory: the many products of a shop share a few hosts."""

from __future__ import annotations

import re
from functools import lru_cache

from hub.domain.orders.catalog import image_url_fault, url_fault

# Printable ASCII without spaces and backslashes, on a host of plain letters: only the origin can still be wrong.
_PLAIN = re.compile(r"(https?://[A-Za-z0-9.:-]+)(?:[/?#][!-\[\]-~]*)?").fullmatch

_product_origin_fault = lru_cache(maxsize=4_096)(url_fault)
_image_origin_fault = lru_cache(maxsize=4_096)(image_url_fault)


def product_url_fault(url: str, domains: tuple[str, ...]) -> str | None:
    """Return what is wrong with a `productUrl` of a merchant with these approved domains, or None."""
    plain = _PLAIN(url)
    return _product_origin_fault(plain[1], domains) if plain else url_fault(url, domains)


def picture_url_fault(url: str) -> str | None:
    """Return what is wrong with an `imageUrl`, or None."""
    plain = _PLAIN(url)
    return _image_origin_fault(plain[1]) if plain else image_url_fault(url)
