"""Recorded exchanges are replayed: asked as they were recorded, with the outcome of the golden file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import hub_woocommerce
import pytest

from hub.api import Connector
from hub.testing.exchanges import accept_exchanges, check_exchanges

CONNECTOR: Connector = next(iter(hub_woocommerce.hub_connectors()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the recordings of WooCommerce, which may be changed."""
    shutil.copytree(Path(hub_woocommerce.__file__).parent / "exchanges", tmp_path / "exchanges")
    return tmp_path


def change(folder: Path, name: str, edit: Any) -> None:
    file = folder / "exchanges" / f"{name}.json"
    document = json.loads(file.read_text("utf-8"))
    edit(document)
    file.write_text(json.dumps(document), "utf-8")


def test_what_was_recorded_holds(folder: Path) -> None:
    """The control of all the others."""
    assert check_exchanges(CONNECTOR, folder) == []
    assert list(accept_exchanges(CONNECTOR, folder)) == []


@pytest.mark.parametrize(
    ("name", "edit", "said"),
    [
        ("order", lambda d: d["exchanges"][0]["request"].update(url="https://x.example/"), "recorded was GET"),
        ("order", lambda d: d["exchanges"][0]["request"]["headers"].update(Authorization="x"), "another Authorization"),
        ("order", lambda d: d["exchanges"].append(d["exchanges"][0]), "1 of the recorded requests were not made"),
        ("order", lambda d: d["exchanges"].clear(), "was not recorded"),
        ("order", lambda d: d["exchanges"][0]["answer"].update(status=401), "refuses the credentials"),
        ("order", lambda d: d["exchanges"][0]["answer"]["body"].update(id=99), "not that of the golden file"),
        ("order", lambda d: d.update(asks="parcels"), "which the connector does not declare"),
        ("webhook-created", lambda d: d["exchanges"][0]["request"]["body"].update(topic="x"), "another body"),
    ],
)
def test_each_difference_is_a_sentence(folder: Path, name: str, edit: Any, said: str) -> None:
    change(folder, name, edit)
    faults = check_exchanges(CONNECTOR, folder)
    assert any(fault.startswith(f"{name}.json") and said in fault for fault in faults), faults


def test_a_request_without_a_recording_is_a_fault(folder: Path) -> None:
    (folder / "exchanges" / "products.json").unlink()
    assert check_exchanges(CONNECTOR, folder) == ["no recorded exchange shows 'products'"]
