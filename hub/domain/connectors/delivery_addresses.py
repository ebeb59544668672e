"""Whether a platform can send to the hub's address: which ports and hosts it refuses, before anything is lost to it."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

PRIVATE_NAMES: Final = (".local", ".localhost", ".internal", ".lan", ".home.arpa", ".test")


@frozen
class Sender:
    """A platform by its title, and the addresses that it sends to: the only `ports`, any if there are none."""

    title: str
    ports: tuple[int, ...] = ()
    needs_https: bool = False


def address_fault(url: str, sender: Sender) -> str | None:
    """Return why a platform refuses to send to the hub's `url`, a sentence; None if there is no reason."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    if _is_private(host):
        return (
            f"{sender.title} cannot reach {host}, which is not a public address. Give the hub a public address "
            "(HUB_SERVER_PUBLIC_URL), or for a shop on this machine see docs/connect-a-store.md."
        )
    if sender.needs_https and parts.scheme != "https":
        return (
            f"{sender.title} sends to https addresses only, and this hub is at {parts.scheme}://{host}. Give the hub "
            "a public address (HUB_SERVER_PUBLIC_URL) that begins with https."
        )
    if sender.ports and port not in sender.ports:
        return (
            f"{sender.title} sends to {_ports(sender.ports)} only, and this hub is on {port}. Give the hub a public "
            "address (HUB_SERVER_PUBLIC_URL) with such a port."
        )
    return None


def _ports(ports: Sequence[int]) -> str:
    *others, last = map(str, ports)
    return f"the ports {', '.join(others)} and {last}" if others else f"port {last}"


def _is_private(host: str) -> bool:
    try:
        return not ip_address(host).is_global
    except ValueError:
        return host == "localhost" or "." not in host or host.endswith(PRIVATE_NAMES)
