"""The package of an app: what Shopify's tools would refuse of it is seen here, without them."""

from __future__ import annotations

import io
import json
import re
import tomllib
from zipfile import ZipFile

import pytest
from hub_shopify.app_package import EXTENSION, NAME, package
from liquid import Environment, Mode
from liquid.exceptions import LiquidError

from hub.api import PackageContext

CONTEXT = PackageContext("https://hub.example/connect/con_1", "s3cret", "https://hub.example/capture.js")
SCHEMA = re.compile(r"{% schema %}(.*){% endschema %}", re.DOTALL)
LONGEST_NAME = 25
INPUTS = {"select": {"options", "default"}, "range": {"min", "max", "step", "default"}}
"""The kinds of settings that the block uses, and what shopify.dev's "input settings" wants of each."""


def files() -> dict[str, str]:
    name, packed = package(CONTEXT)
    assert name == f"{NAME}.zip"
    with ZipFile(io.BytesIO(packed)) as archive:
        return {each: archive.read(each).decode() for each in archive.namelist()}


def block() -> str:
    return files()[f"{EXTENSION}/blocks/capture.liquid"]


def rendered(**chosen: object) -> str:
    """Render the block as a theme does; a name that is not defined is a fault."""
    template = Environment(tolerance=Mode.STRICT).from_string(SCHEMA.sub("", block()))
    return str(template.render(block={"settings": chosen}))


def test_the_configuration_sets_what_the_api_cannot() -> None:
    """The privacy topics go to the connection, and the consent comes back to the hub."""
    said = tomllib.loads(files()[f"{NAME}/shopify.app.toml"])
    (subscription,) = said["webhooks"]["subscriptions"]
    assert subscription["uri"] == CONTEXT.url
    assert set(subscription["compliance_topics"]) == {"customers/data_request", "customers/redact", "shop/redact"}
    assert said["auth"]["redirect_urls"] == ["https://hub.example/merchant/consent"]
    assert said["webhooks"]["api_version"] == "2026-10"
    assert tomllib.loads(files()[f"{EXTENSION}/shopify.extension.toml"]) == {
        "name": "affiliate-capture",
        "type": "theme",
    }


def test_the_block_is_an_app_embed() -> None:
    """Its schema is JSON with a short name, a target in the page's head, and settings of known kinds."""
    found = SCHEMA.search(block())
    assert found is not None
    said = json.loads(found[1])
    assert said["target"] == "head"
    assert len(said["name"]) <= LONGEST_NAME
    for each in said["settings"]:
        assert {"type", "id", "label"} | INPUTS[each["type"]] == set(each)
    choice, days = said["settings"]
    assert choice["default"] in [option["value"] for option in choice["options"]]
    assert days["min"] <= days["default"] <= days["max"]
    assert (days["max"] - days["min"]) / days["step"] <= 101


def test_the_click_waits_for_consent_unless_the_merchant_says_otherwise() -> None:
    waiting, at_once = rendered(consent="wait", days=30), rendered(consent="now", days=7)
    assert 'src="https://hub.example/capture.js"' in waiting
    assert 'data-consent="shopify"' in waiting, "what the script does then is tested in tests/tracking/browser"
    assert 'data-days="7"' in at_once
    assert "consent" not in at_once
    assert "{{" not in waiting + at_once


def test_it_is_the_same_each_time_and_holds_no_secret() -> None:
    assert package(CONTEXT) == package(CONTEXT)
    assert CONTEXT.secret not in str(files())


def test_control_a_block_that_is_no_liquid_is_refused() -> None:
    broken = SCHEMA.sub("", block()).replace("{% endif %}", "", 1)
    with pytest.raises(LiquidError):
        Environment(tolerance=Mode.STRICT).from_string(broken)
