"""Admission control: how many connections strangers may hold open, and how many of their bytes stay in memory.

A connection and a body belong to an address group (one IPv4 address, one IPv6 /64 network) and to the total; each has a
bound of its own. Loopback and trusted proxies have no bound of their own, because one address there stands for many
clients; a body that came through a proxy is counted by the forwarded address.

Everything here runs on the event loop's thread and never awaits, so a check and the change that follows are one step.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from ipaddress import IPv6Address, ip_network
from typing import Final

from attrs import define, field, frozen

from hub.http.client_address import Network, parse_address, within

UNBOUNDED: Final = sys.maxsize
IPV6_GROUP_BITS: Final = 64
"""A household or a rented server has a whole /64: its addresses are one client."""


@frozen
class Bounds:
    """What strangers may hold, in all and by address group: connections, and bytes of requests that are under way."""

    connections: int = 10_000
    connections_per_address: int = 1_024
    buffered: int = 256 * 1024 * 1024
    buffered_per_address: int = 64 * 1024 * 1024


@define(eq=False)
class AddressShare:
    """What one address group holds, and how much it may."""

    group: str
    most_connections: int
    most_buffered: int
    connections: int = 0
    buffered: int = 0


@define(eq=False)
class Admission:
    """Counts connections and buffered bytes; refuses what goes over a bound and reports the reason to `on_refused`."""

    bounds: Bounds = field(factory=Bounds)
    exempt: Sequence[Network] = ()
    on_refused: Callable[[str], None] = lambda _: None
    draining: bool = field(init=False, default=False)
    """The hub stops soon: each response ends its connection, so that clients go elsewhere by themselves."""
    connections: int = field(init=False, default=0)
    buffered: int = field(init=False, default=0)
    _shares: dict[str, AddressShare] = field(init=False, factory=dict)

    def share_of(self, address: str) -> AddressShare:
        """Return the share of an address; it is kept for as long as it holds anything."""
        group = address_group(address)
        share = self._shares.get(group)
        if share is not None:
            return share
        if _is_loopback(address) or within(address, self.exempt):
            return AddressShare(group, UNBOUNDED, UNBOUNDED)
        return AddressShare(group, self.bounds.connections_per_address, self.bounds.buffered_per_address)

    def connect(self, share: AddressShare) -> bool:
        """Count a new connection and return True, or return False if it is over a bound."""
        if self.connections >= self.bounds.connections:
            self.on_refused("connections")
            return False
        if share.connections >= share.most_connections:
            self.on_refused("connections_per_address")
            return False
        self.connections += 1
        share.connections += 1
        self._shares[share.group] = share
        return True

    def disconnect(self, share: AddressShare) -> None:
        """Count a connection that is gone."""
        self.connections -= 1
        share.connections -= 1
        self._forget(share)

    def reserve(self, share: AddressShare, size: int) -> bool:
        """Count bytes that are kept in memory and return True, or return False if they are over a bound."""
        if self.buffered + size > self.bounds.buffered:
            self.on_refused("buffered")
            return False
        if share.buffered + size > share.most_buffered:
            self.on_refused("buffered_per_address")
            return False
        self.buffered += size
        share.buffered += size
        self._shares[share.group] = share
        return True

    def release(self, share: AddressShare, size: int) -> None:
        """Count bytes that are no longer kept."""
        self.buffered -= size
        share.buffered -= size
        self._forget(share)

    def __len__(self) -> int:
        """Return how many address groups hold something."""
        return len(self._shares)

    def _forget(self, share: AddressShare) -> None:
        if not share.connections and not share.buffered:
            self._shares.pop(share.group, None)


@lru_cache(maxsize=8192)
def address_group(text: str) -> str:
    """Return the name of the group of an address: itself, or the /64 network of an IPv6 address."""
    address = parse_address(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, IPV6_GROUP_BITS), strict=False))
    return text if address is None else str(address)


@lru_cache(maxsize=1024)
def _is_loopback(text: str) -> bool:
    address = parse_address(text)
    return address is not None and address.is_loopback
