"""Client addresses: who is really asking, and whether a key may be used from there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@lru_cache(maxsize=8192)
def parse_address(text: str) -> Address | None:
    """The address a text names; an IPv4 address mapped into IPv6 is the IPv4 address. None where it is none."""
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def within(text: str, networks: Sequence[Network]) -> bool:
    """Whether the address lies in one of the networks."""
    address = parse_address(text)
    return address is not None and any(address in network for network in networks)


def client_address(peer: str, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str:
    """The peer, unless it is a trusted proxy: then the right-most untrusted hop of all X-Forwarded-For lines.

    A hop that is no address ends the walk at the peer: nothing left of it can be believed.
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
