"""Client addresses: where a request really comes from, and whether a network contains that address."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from aiohttp import web
from multidict import istr

FORWARDED_FOR: Final = istr("X-Forwarded-For")
Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@lru_cache(maxsize=8192)
def parse_address(text: str) -> Address | None:
    """Return the address that a text names, None if it names none; an IPv4 address mapped into IPv6 counts as IPv4."""
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def within(text: str, networks: Sequence[Network]) -> bool:
    """Return whether one of the networks contains the address."""
    address = parse_address(text)
    return address is not None and any(address in network for network in networks)


def client_of(request: web.BaseRequest, trusted: Sequence[Network]) -> str:
    """Return the address that a request came from, behind the proxies that are trusted."""
    peer = request.remote or ""
    return client_address(peer, request.headers.getall(FORWARDED_FOR, ()), trusted) if trusted else _plain(peer)


def client_address(peer: str, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str:
    """Return the peer, or for a trusted proxy the right-most untrusted hop of all X-Forwarded-For lines.

    A hop that is not an address yields the peer: nothing to the left of it can be believed.
    """
    if not trusted or not within(peer, trusted):
        return _plain(peer)
    hops = [hop.strip() for line in forwarded_for for hop in line.split(",")]
    for hop in reversed(hops):
        if parse_address(hop) is None:
            break
        if not within(hop, trusted):
            return _plain(hop)
    return _plain(peer)


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    address = parse_address(text)
    return text if address is None else str(address)
