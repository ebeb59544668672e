"""What connectors declare, as data that travels."""

from __future__ import annotations

import json

import pytest

from hub.api import Connector
from hub.plugin_host.catalog import Catalog, Declaration, SetAside
from hub.plugin_host.registry import load_registry
from tests.acme import ACME, PLAIN

EVERY = [*load_registry().connectors, ACME, PLAIN]


@pytest.mark.parametrize("connector", EVERY, ids=lambda connector: connector.name)
def test_a_declaration_comes_back_as_it_was(connector: Connector) -> None:
    declared = Declaration.of(connector, "hub-acme 1.0")
    assert Declaration.from_json(json.loads(json.dumps(declared.to_json()))) == declared
    assert declared.auth == connector.auth
    assert declared.challenge == connector.challenge


def test_a_catalog_comes_back_as_it_was() -> None:
    declared = tuple(Declaration.of(connector, "hub 1.0") for connector in EVERY)
    catalog = Catalog(
        declared, (SetAside("hub-bad 1.0", "cannot be imported", ("bad",)), SetAside("x", "off", off=True))
    )
    assert Catalog.from_json(json.loads(json.dumps(catalog.to_json()))) == catalog
    assert catalog.faults == ["hub-bad 1.0 cannot be imported."]


def test_whether_a_connector_knows_handshakes_is_declared() -> None:
    """So that the others need not be asked at all."""
    assert (Declaration.of(ACME, "").has_handshake, Declaration.of(PLAIN, "").has_handshake) == (True, False)
