"""The WordPress plugin: its zip, its PHP by PHP itself, and its functions against stand-ins for WordPress."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hub_woocommerce import hub_connectors
from hub_woocommerce.package import package

from hub.api import PackageContext
from hub.clock import system_clock
from hub.domain.connectors.shop_clocks import shown_at
from hub.domain.durations import MINUTE

HOSTILE = "a'b\\'; echo 1; // ?> <?php \\"
CONTEXT = PackageContext("https://hub.example/connect/con_1?a='<b>", HOSTILE, "https://hub.example/capture.js")
PHP = shutil.which("php")
needs_php = pytest.mark.skipif(PHP is None, reason="php is not installed: the WordPress plugin's PHP was NOT run")


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(package(CONTEXT)[1])) as archive:
        archive.extractall(tmp_path)
    return tmp_path / "affiliate-hub"


def php(*arguments: str) -> str:
    assert PHP is not None
    return subprocess.run([PHP, *arguments], check=True, capture_output=True, text=True, timeout=300).stdout


def test_the_zip_is_what_wordpress_takes() -> None:
    """One folder, the main file directly in it; the same bytes every time; no secret in the file's name."""
    name, raw = package(CONTEXT)
    assert (name, raw) == package(CONTEXT)
    entries = zipfile.ZipFile(io.BytesIO(raw)).namelist()
    assert name == "affiliate-hub.zip"
    assert "affiliate-hub/readme.txt" in entries
    assert {entry.split("/")[0] for entry in entries} == {"affiliate-hub"}
    assert {"affiliate-hub/affiliate-hub.php", "affiliate-hub/config.php", "affiliate-hub/uninstall.php"} <= set(
        entries
    )


@needs_php
def test_every_file_is_php(unpacked: Path) -> None:
    """`php -l` takes each."""
    for file in unpacked.rglob("*.php"):
        assert "No syntax errors" in php("-l", str(file))


@needs_php
def test_the_plugin_does_what_it_says(unpacked: Path) -> None:
    """Webhooks are made once with the very secret, orders get their key, and nothing is left behind."""
    told: dict[str, Any] = json.loads(php(str(Path(__file__).with_name("harness.php")), str(unpacked)))
    assert (told["count"], told["paused"], told["left"]) == (8, "paused", 0)
    assert told["first"]["secret"] == HOSTILE
    assert told["first"]["delivery_url"] == CONTEXT.url
    assert (told["first"]["topic"], told["first"]["status"], told["first"]["api_version"]) == (
        "order.created", "active", 3,
    )  # fmt: skip
    assert told["refused"] == []
    (connector,) = hub_connectors()
    shown = shown_at(connector.clock, told["payload"])
    assert shown == told["payload"]["affiliate_hub"].pop("as_of")
    assert shown is not None
    assert abs(shown - system_clock()) < 10 * MINUTE
    assert told["payload"]["affiliate_hub"] == {
        "version": 2,
        "click_id": "clk_1",
        "refunds": [
            {
                "id": 902,
                "date_gmt": "2026-11-04T09:00:00Z",
                "lines": [{"item_id": 71, "quantity": "-1", "total": "-10.00", "total_tax": "-1.90"}],
                "shipping": {"total": "-10.000000", "total_tax": "-1.900000"},
                "fees": {"total": "0.000000", "total_tax": "0.000000"},
            }
        ],
    }
    assert set(told["deleted"]) == {"id", "affiliate_hub"}
    assert told["again"] == [60, {"webhook": "1", "arg": "5", "attempt": "1"}]
    assert told["failing"]
    assert told["pauses"] == [60, 120, 240, 21_600]
    assert "affiliate_hub" not in told["foreign"]
    assert told["error"] == {"code": "x"}
    assert "&#039;&lt;b&gt;" in told["page"]
    assert "answered 200" in told["page"]
    assert {"woocommerce_checkout_create_order", "woocommerce_store_api_checkout_update_order_from_request"} <= set(
        told["hooks"]
    )


def test_another_secret_is_another_version() -> None:
    """So that WordPress shows which package is installed when one replaces the other."""

    def version(context: PackageContext) -> str:
        with zipfile.ZipFile(io.BytesIO(package(context)[1])) as archive:
            main = archive.read("affiliate-hub/affiliate-hub.php").decode()
        return next(line for line in main.splitlines() if "Version:" in line)

    assert version(CONTEXT) == version(CONTEXT)
    assert version(CONTEXT) != version(evolve(CONTEXT, secret="another"))
    assert version(CONTEXT).startswith(" * Version: 0.2.0.")
