"""Who is calling, where trusted proxies stand between."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from hub.http.client_address import client_address, within


class TestAddresses:
    TRUSTED = (ip_network("10.0.0.0/8"), ip_network("2001:db8::/32"))

    @pytest.mark.parametrize(
        ("peer", "forwarded", "client"),
        [
            ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", ["198.51.100.1", "203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            ("::ffff:10.0.0.1", ["::ffff:203.0.113.9"], "203.0.113.9"),
            ("2001:db8::1", ["2001:DB8:0::2, 2001:0db9::1"], "2001:db9::1"),
            ("10.0.0.1", ["203.0.113.9, unknown"], "10.0.0.1"),
            ("10.0.0.1", ["203.0.113.9,"], "10.0.0.1"),
            ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.1"),
            ("203.0.113.1", ["198.51.100.1"], "203.0.113.1"),
            ("", ["198.51.100.1"], ""),
        ],
    )
    def test_client(self, peer: str, forwarded: list[str], client: str) -> None:
        assert client_address(peer, forwarded, self.TRUSTED) == client

    def test_without_trusted_proxies_the_header_is_not_read(self) -> None:
        assert client_address("::ffff:10.0.0.1", ["203.0.113.9"], ()) == "10.0.0.1"

    def test_mapped_addresses_are_within_v4_ranges(self) -> None:
        assert within("::ffff:10.1.2.3", self.TRUSTED)
        assert not within("::ffff:11.1.2.3", self.TRUSTED)
        assert not within("nonsense", self.TRUSTED)
