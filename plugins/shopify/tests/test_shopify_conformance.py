"""The public conformance suite, over this plugin's samples and its simulated store."""

from __future__ import annotations

import pytest

from hub.testing.connector_suite import ConnectorSuite


class TestShopify(ConnectorSuite):
    connector_name = "shopify"

    @pytest.mark.prove  # its many samples make it the longest test of all
    def test_hostile_bodies(self) -> None:
        """Survive them like every connector."""
        super().test_hostile_bodies()
