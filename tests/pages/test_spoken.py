"""An owner reads no command, no setting of the machine and no file of the repository; an operator a link."""

from __future__ import annotations

import pytest

from hub.domain.connectors.delivery_addresses import Sender, address_fault
from hub.pages.spoken import spoken, spoken_to_operators

CON = "con_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (f"It has no secret; give it one: hub connection secret add {CON}", "It has no secret; give it one."),
        (f"New credentials: hub connection credentials {CON} --from FILE", "New credentials."),
        (f"If the shop has moved: hub connection site {CON} --any", "If the shop has moved."),
        ("The platform sends them again. See `hub plugin list`.", "The platform sends them again."),
        (
            "It failed. Once that is fixed, replay it: hub event replay evt_1",
            "It failed. Once that is fixed, replay it.",
        ),
        ("See that the script is in the shop (docs/capture.md).", "See that the script is in the shop."),
        ("Open WooCommerce > Affiliate Hub.", "Open WooCommerce > Affiliate Hub."),
    ],
)
def test_commands_are_left_out(sentence: str, said: str) -> None:
    assert spoken(sentence) == said


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8080/connect/x", "http://hub.example/connect/x", "https://hub.example:8443/connect/x"]
)
def test_what_the_operator_has_to_do_is_said_as_that(url: str) -> None:
    fault = address_fault(url, Sender("Acme", ports=(443,), needs_https=True))
    assert fault is not None
    said = spoken(fault)
    assert "The operator of this hub has to" in said
    assert "HUB_" not in said
    assert "docs/" not in said
    assert said.endswith(".")


def test_an_operator_reads_what_to_do_and_where_it_is_explained() -> None:
    """Each guide once; what names nothing of the machine stays as it is."""
    sender = Sender("Acme", ports=(443,), needs_https=True)
    urls = ("http://127.0.0.1:8080/connect/x", "http://hub.example/connect/x", "https://hub.example:8443/connect/x")
    faults = [fault for url in urls if (fault := address_fault(url, sender))]
    told = ["Nothing has ever arrived.", "It has no secret; give it one: hub connection secret add con_1"]
    said, links = spoken_to_operators([*faults, *told])
    assert said == [
        "Acme cannot reach 127.0.0.1, which is not a public address. Give the hub a public address.",
        (
            "Acme sends to https addresses only, and this hub is at http://hub.example. "
            "Give the hub a public address that begins with https."
        ),
        "Acme sends to port 443 only, and this hub is on 8443. Give the hub a public address with such a port.",
        "Nothing has ever arrived.",
        "It has no secret; give it one: `hub connection secret add con_1`",
    ]
    assert [address for _, address in links] == [
        "/docs/install#behind-a-proxy", "/docs/connect-a-store#1-create-the-connection",
    ]  # fmt: skip
