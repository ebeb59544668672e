"""Address ranges as clients are compared with them."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network

MAPPED_BITS = 96


def unmapped(network: IPv4Network | IPv6Network) -> IPv4Network | IPv6Network:
    """Return an IPv4 range for one that is written as IPv6 (::ffff:203.0.113.0/120), any other as it is."""
    mapped = network.network_address.ipv4_mapped if isinstance(network, IPv6Network) else None
    if mapped is None or network.prefixlen < MAPPED_BITS:
        return network
    return IPv4Network((mapped, network.prefixlen - MAPPED_BITS))
