"""The Wix connector keeps the promises of every connector."""

from __future__ import annotations

from hub.testing.connector_suite import ConnectorSuite


class TestConformance(ConnectorSuite):
    """The hub's public suite over this plugin's samples and recorded exchanges."""

    connector_name = "wix"
