"""Whether platforms can send to the hub's address: which ports and hosts they refuse, before anything is lost to it."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

WORDPRESS_PORTS: Final = frozenset({80, 443, 8080})
"""WordPress sends to no other ports (`wp_http_validate_url`, `http_allowed_safe_ports`)."""
PRIVATE_NAMES: Final = (".local", ".localhost", ".internal", ".lan", ".home.arpa", ".test")


def address_fault(url: str) -> str | None:
    """Return why platforms may refuse to send to the hub's `url`, a sentence; None if there is no reason."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    if _is_private(host):
        return (
            f"Platforms cannot reach {host}, which is not a public address; WordPress refuses it outright. Give the "
            "hub a public address (HUB_SERVER_PUBLIC_URL), or for a WordPress on this machine the filters of "
            "docs/connect-a-store.md."
        )
    if port not in WORDPRESS_PORTS:
        return (
            f"WordPress sends to no port but 80, 443 and 8080, and this hub is on {port}: put it behind one of them "
            "(HUB_SERVER_PUBLIC_URL), or allow the port there as in docs/connect-a-store.md."
        )
    if parts.scheme != "https":
        return f"This hub is at {parts.scheme}://{host}: Shopify and others send to https addresses only."
    return None


def _is_private(host: str) -> bool:
    try:
        return not ip_address(host).is_global
    except ValueError:
        return host == "localhost" or "." not in host or host.endswith(PRIVATE_NAMES)
