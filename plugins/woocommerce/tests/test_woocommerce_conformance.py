"""The WooCommerce connector keeps the promises of every connector."""

from __future__ import annotations

from hub.testing.connector_suite import ConnectorSuite


class TestConformance(ConnectorSuite):
    """The hub's public suite over this plugin's samples."""

    connector_name = "woocommerce"
