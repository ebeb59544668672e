"""The public conformance suite for connectors: three lines in a plugin's tests run all of it over its own samples.

    from hub.testing.connector_suite import ConnectorSuite

    class TestAcme(ConnectorSuite):
        connector_name = "acme"

The plugin must be installed (an editable install is enough); `hub plugin check --accept acme` writes its golden files.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import ClassVar, Final

import pytest

from hub.domain.connectors.connector import Connector
from hub.plugin_host.packages import package_folder, scenes_of
from hub.plugin_host.registry import Registry, load_plugins
from hub.testing.connector_capture import check_captured
from hub.testing.connector_checks import RULES, missing_samples, missing_snapshots
from hub.testing.connector_forgery import check_forged_topics
from hub.testing.connector_hostility import check_hostility, check_parser
from hub.testing.connector_plausibility import PLAUSIBILITY, unknown_exceptions
from hub.testing.connector_scenes import check_scenes
from hub.testing.connector_state import check_state
from hub.testing.connector_stories import check_stories
from hub.testing.exchanges import check_exchanges
from hub.testing.samples import Sample, exceptions_of, samples_of

PARTS: Final = 16
"""In how many tests all places of all samples are spoilt: no single one takes long."""


class ConnectorSuite:
    """Every rule over every sample, and the rules over all of them; subclass it with the connector's name."""

    connector_name: ClassVar[str]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one test for each sample."""
        if "sample" in metafunc.fixturenames and metafunc.cls is not None:
            samples = samples_of(connector_named(metafunc.cls.connector_name))
            metafunc.parametrize("sample", samples, ids=[sample.title for sample in samples])

    def test_sample(self, sample: Sample) -> None:
        """The sample holds to every rule; what it breaks is shown by the rule's name."""
        connector = connector_named(self.connector_name)
        found = {rule.name: rule.check(connector, sample) for rule in (*RULES, *PLAUSIBILITY)}
        assert {name: faults for name, faults in found.items() if faults} == {}

    def test_every_topic_has_a_sample(self) -> None:
        """A topic without a sample is a promise that nobody has seen kept."""
        connector = connector_named(self.connector_name)
        assert missing_samples(connector, samples_of(connector)) == []

    def test_exceptions(self) -> None:
        """What `exceptions.toml` lists are samples, each with a reason."""
        connector = connector_named(self.connector_name)
        root = package_folder(connector) / "samples"
        assert unknown_exceptions(connector, root, samples_of(connector)) == []

    def test_every_order_is_a_snapshot(self) -> None:
        """A topic that states orders states what they are by now, so that an edit counts."""
        connector = connector_named(self.connector_name)
        assert missing_snapshots(connector, samples_of(connector), excused(connector, "snapshots")) == []

    def test_a_captured_delivery_proves_the_signature(self) -> None:
        """What the platform signed itself is accepted by what the connector declares."""
        connector = connector_named(self.connector_name)
        assert check_captured(connector, samples_of(connector), excused(connector, "signed")) == []

    def test_nothing_is_kept_between_calls(self) -> None:
        """What a sample states does not depend on what was read before it."""
        connector = connector_named(self.connector_name)
        assert check_state(connector, samples_of(connector)) == []

    def test_recorded_exchanges(self) -> None:
        """The platform is asked as it was recorded, and its answers state what the golden files say."""
        assert check_exchanges(connector_named(self.connector_name)) == []

    def test_scenes_state_their_facts(self) -> None:
        """What the simulated store plays is what the connector reads."""
        connector = connector_named(self.connector_name)
        assert check_scenes(connector, scenes_of(connector), excused(connector, "scenes")) == []

    def test_forged_topics(self) -> None:
        """No topic makes another topic's body erase, cancel, return, refund or sell out anything."""
        connector = connector_named(self.connector_name)
        assert check_forged_topics(connector, samples_of(connector)) == []

    def test_any_order_ends_in_the_same_ledger(self) -> None:
        """Deliveries overtake each other, and come twice."""
        connector = connector_named(self.connector_name)
        assert check_stories(connector, samples_of(connector), dict(scenes_of(connector))) == []

    @pytest.mark.parametrize("part", range(PARTS))
    def test_hostile_bodies(self, part: int) -> None:
        """Whatever a body holds, the answer is facts or a refusal; each part spoils other places."""
        connector = connector_named(self.connector_name)
        assert check_hostility(connector, samples_of(connector), part, PARTS) == []

    def test_parser(self) -> None:
        """Only a JSON object ever reaches a connector."""
        assert check_parser() == []


def connector_named(name: str) -> Connector:
    """Return the installed connector of that name."""
    found = _installed().named(name)
    assert found is not None, (
        f"no connector {name!r} is installed; `pip install -e .` in the plugin's folder installs it"
    )
    return found


@cache
def _installed() -> Registry:
    return load_plugins()


def excused(connector: Connector, kind: str) -> Mapping[str, str]:
    """Return what the connector's `exceptions.toml` lists under a heading, with the reasons."""
    return exceptions_of(package_folder(connector) / "samples").get(kind, {})
