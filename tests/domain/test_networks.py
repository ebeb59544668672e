"""An IPv4 range means the same however it is written."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from hub.domain.networks import unmapped


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("::ffff:203.0.113.7/128", "203.0.113.7/32"),
        ("::ffff:203.0.113.0/120", "203.0.113.0/24"),
        ("::ffff:0.0.0.0/96", "0.0.0.0/0"),
        ("203.0.113.0/24", "203.0.113.0/24"),
        ("2001:db8::/32", "2001:db8::/32"),
        ("::/0", "::/0"),
    ],
)
def test_ipv4_in_ipv6_is_ipv4(written: str, meant: str) -> None:
    assert unmapped(ip_network(written)) == ip_network(meant)
