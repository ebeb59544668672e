"""Every connector that is installed keeps the public promises, and every simulated store can be played."""

from __future__ import annotations

from typing import Any

import pytest

from hub.domain.connectors.connector import Connector
from hub.domain.connectors.deliveries import genuine
from hub.domain.connectors.jwt_body import JwtBody
from hub.domain.connectors.scenarios import SCENARIOS, SimulationFault, played, posts
from hub.domain.connectors.scenes import STEPS, Play
from hub.plugin_host.packages import package_folder, scenes_of
from hub.plugin_host.registry import load_registry
from hub.testing.connector_report import check_connector
from hub.testing.samples import exceptions_of

CONNECTORS = load_registry().connectors
SENDING = [connector for connector in CONNECTORS if scenes_of(connector) and connector.auth is not None]
PLAYED = [connector for connector in SENDING if not isinstance(connector.auth, JwtBody)]
SECRET = "5a" * 32
PLAY = Play("5001", "clk_" + "0" * 32, "USD", 1_772_359_200_000)


@pytest.mark.prove  # in `make test` each connector's own tests run the same rules
@pytest.mark.parametrize("connector", CONNECTORS, ids=lambda connector: connector.name)
def test_conformance(connector: Connector) -> None:
    """The whole suite, as `hub plugin check` runs it."""
    assert [(r.rule, r.faults) for r in check_connector(connector) if r.faults] == []


@pytest.mark.parametrize("connector", PLAYED, ids=lambda connector: connector.name)
class TestSimulatedStore:
    def test_its_steps_are_known(self, connector: Connector) -> None:
        assert set(scenes_of(connector)) <= set(STEPS)

    def test_the_life_of_an_order_can_be_played(self, connector: Connector) -> None:
        """All of it, but for the steps that its platform does not have."""
        lacks = exceptions_of(package_folder(connector) / "samples").get("scenes", {})
        assert {"created", "paid", "delivered", "refunded", "cancelled"} <= {*scenes_of(connector), *lacks}

    @pytest.mark.parametrize("name", SCENARIOS)
    def test_what_is_signed_is_genuine(self, connector: Connector, name: str) -> None:
        deliveries = played(scenes_of(connector), PLAY)
        if not set(SCENARIOS[name].steps) <= set(deliveries):
            with pytest.raises(SimulationFault, match="has no scene"):
                posts(connector, deliveries, name, PLAY, SECRET, PLAY.placed_at)
            return
        for post in posts(connector, deliveries, name, PLAY, SECRET, PLAY.placed_at):
            headers: dict[str, Any] = {key.lower(): value for key, value in post.headers.items()}
            assert connector.auth is not None
            given = headers.get(connector.auth.header.lower())
            assert (given is None) == connector.handshake(headers, post.body)
            secrets, at = [SECRET.encode()], PLAY.placed_at
            assert given is None or genuine(connector.auth, secrets, given, post.body, headers, at)


@pytest.mark.parametrize("connector", [each for each in SENDING if each not in PLAYED], ids=lambda each: each.name)
def test_what_only_the_platform_can_sign_is_not_played(connector: Connector) -> None:
    """`hub simulate` says so; the pages take its orders in as they are read."""
    deliveries = played(scenes_of(connector), PLAY)
    assert {"created", "paid", "delivered", "refunded", "cancelled"} <= set(deliveries)
    with pytest.raises(SimulationFault, match="signed with a key that only it has"):
        posts(connector, deliveries, "paid", PLAY, SECRET, PLAY.placed_at)


def test_control_only_wix_signs_by_a_key_of_its_own() -> None:
    assert [each.name for each in SENDING if each not in PLAYED] == ["wix"]
