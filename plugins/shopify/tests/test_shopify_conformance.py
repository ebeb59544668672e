"""The public conformance suite, over this plugin's samples and its simulated store."""

from __future__ import annotations

from hub.testing.connector_suite import ConnectorSuite


class TestShopify(ConnectorSuite):
    connector_name = "shopify"
