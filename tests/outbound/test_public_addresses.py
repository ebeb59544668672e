"""Which addresses the hub connects to by itself."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from hub.outbound.public_addresses import NotPublic, guarded_sockets, may_be_asked, may_connect

PRIVATE = [
    "127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2001:0:7f00:1::", "2001:db8::1",
    "192.0.2.1", "198.18.0.1", "168.63.129.16", "::ffff:168.63.129.16", "192.0.0.9", "192.88.99.1", "3fff::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_not_on_the_internet_is_refused(address: str) -> None:
    """However an IPv4 address is wrapped in an IPv6 one."""
    assert not may_connect(address, ())


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"])
def test_control_a_public_address_is_taken(address: str) -> None:
    assert may_connect(address, ())


def test_an_operator_allows_networks_of_their_own() -> None:
    allowed = (ip_network("10.1.0.0/16"),)
    assert may_connect("10.1.2.3", allowed)
    assert not may_connect("10.2.2.3", allowed)


def test_no_socket_is_made_for_another_address() -> None:
    """It is refused where the connection would begin, whatever the name resolved to before."""
    make = guarded_sockets(())
    with pytest.raises(NotPublic, match="169.254.169.254 is not a public address"):
        make((2, 1, 6, "", ("169.254.169.254", 80)))
    make((2, 1, 6, "", ("93.184.216.34", 80))).close()


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "[::1]", "::1", "169.254.169.254", "2130706433", "0x7f.1", "017700000001", "127.1", "localhost",
     "LOCALHOST.", "hub.localhost", "::ffff:10.0.0.1", "0"],
)  # fmt: skip
def test_a_literal_that_can_never_be_asked_is_known_when_it_is_typed(host: str) -> None:
    assert not may_be_asked(host, ())
    assert may_be_asked(host, (ip_network("0.0.0.0/0"), ip_network("::/0"))), "the control: the operator allows all"


@pytest.mark.parametrize(
    "host", ["shop.example", "93.184.216.34", "10.example", "[2606:4700::1111]", "a.localhost.example"]
)
def test_control_names_and_public_literals_are_taken(host: str) -> None:
    assert may_be_asked(host, ())
