"""Which addresses the hub may connect to: public ones, and those that the operator allows.

The guard makes the socket, so it sees each address right before the connection and after the name was resolved: a name
that resolves to something else the second time gains nothing, and a literal address is seen as well.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from aiohttp import AddrInfoType

Network = IPv4Network | IPv6Network

_TRANSLATED: Final = ip_network("64:ff9b::/96")
_UNICAST: Final = ip_network("2000::/3")
_NO_HOSTS: Final = tuple(
    map(
        ip_network,
        (
            "192.0.0.0/24",  # protocol assignments (RFC 6890), of which Python takes some for hosts
            "192.88.99.0/24",  # the relays of 6to4 (RFC 7526)
            "168.63.129.16/32",  # the services of Azure to its own machines
            "3fff::/20",  # documentation (RFC 9637), newer than Python 3.11
        ),
    )
)
"""What `ipaddress` takes for the internet's, and is not, in one release of Python or another."""


class NotPublic(OSError):
    """An address that is neither public nor allowed."""


def why_unreached(cause: OSError) -> str:
    """Return why no connection came about, to end "it cannot be reached: ..." with."""
    if not isinstance(cause, socket.gaierror):
        return cause.strerror or str(cause)
    if cause.errno == socket.EAI_AGAIN:
        return "its name cannot be looked up at the moment"
    return "there is no such name; check how it is spelled"


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is a host of the internet, whatever form an IPv4 one is wrapped in."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address not in _UNICAST or address.teredo is not None:
            return False
    return address.is_global and not address.is_multicast and not any(address in network for network in _NO_HOSTS)


def may_connect(text: str, allowed: Sequence[Network]) -> bool:
    """Return whether the hub may connect to this address; `text` is as a resolver returns it."""
    address = ip_address(text.partition("%")[0])
    return is_public(address) or any(address in network for network in allowed)


def may_be_asked(host: str | None, allowed: Sequence[Network]) -> bool:
    """Return whether a host that somebody types can ever be connected to: any name can, and a literal if it may.

    A literal is an address in any of the forms that resolvers take, such as 2130706433 or 0x7f.1 for 127.0.0.1. What a
    name stands for is known only when the connection is made (`guarded_sockets`); of `localhost` it is known before.
    """
    name = (host or "").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return any(ip_address("127.0.0.1") in network for network in allowed)
    try:
        return may_connect(name.strip("[]"), allowed)
    except ValueError:
        pass
    try:
        return may_connect(socket.inet_ntoa(socket.inet_aton(name)), allowed)
    except (OSError, ValueError):
        return True


def guarded_sockets(allowed: Sequence[Network]) -> Callable[[AddrInfoType], socket.socket]:
    """Return a maker of sockets for aiohttp's connector; it raises `NotPublic` for any other address."""

    def make(info: AddrInfoType) -> socket.socket:
        family, kind, protocol, _, address = info
        if not may_connect(str(address[0]), allowed):
            raise NotPublic(f"{address[0]} is not a public address")
        return socket.socket(family, kind, protocol)

    return make
