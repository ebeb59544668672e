"""The Stripe connector keeps the promises of every connector."""

from __future__ import annotations

from hub.testing.connector_suite import ConnectorSuite


class TestStripe(ConnectorSuite):
    """Its own samples, and the simulated account."""

    connector_name = "stripe"
