"""n8n's own loader and rules take the package as npm packs it; where n8n's core cannot be installed it is skipped."""

from __future__ import annotations

import json
import shutil
import tarfile
from pathlib import Path

import pytest

from clients.generator.__main__ import CLIENTS
from tests.prove.test_generated_clients import KEPT, installed, run

pytestmark = pytest.mark.prove

CORE = ("n8n-core@2.41.1", "n8n-workflow@2.41.0")
"""They ask for Node 24; what is used of them runs in Node 20, too."""
GIVEN = {
    "affiliateHub": {"operation": "reportOrder", "externalOrderId": "N-1", "orderAmount": "20.00"},
    "affiliateHubTrigger": {"events": ["commission.*"]},
}


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("npm") is None:
        pytest.skip("the n8n nodes were not loaded by n8n: there is no npm")
    return installed(
        (KEPT or tmp_path_factory.mktemp("n8n")) / "n8n", "node_modules/n8n-core/package.json",
        ("npm", "init", "-y"), ("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *CORE),
    )  # fmt: skip


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The package as it would be published, unpacked."""
    run("npm", "pack", "--pack-destination", tmp_path, CLIENTS / "n8n", cwd=tmp_path)
    (archive,) = tmp_path.glob("*.tgz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    return tmp_path / "package"


def loaded(core: Path, package: Path) -> str:
    return run("node", Path(__file__).with_name("n8n_loaded.cjs"), core, package, json.dumps(GIVEN), cwd=core)


def test_n8n_loads_the_nodes_and_judges_their_parameters(core: Path, package: Path) -> None:
    """What has to be filled in is missed by n8n while it is empty, and by nothing once it is there."""
    found = json.loads(loaded(core, package).splitlines()[-1])
    assert found["credentials"] == {"affiliateHubApi": ["affiliateHub", "affiliateHubTrigger"]}
    missing = {name: (each["empty"]["missing"], each["filled"]["missing"]) for name, each in found["nodes"].items()}
    assert missing == {
        "affiliateHub": (["externalOrderId", "orderAmount"], []),
        "affiliateHubTrigger": (["events"], []),
    }
    assert found["nodes"]["affiliateHub"]["filled"]["parameters"]["orderAmount"] == "20.00"


def test_control_a_node_that_is_not_there_is_not_loaded(core: Path, package: Path) -> None:
    manifest = json.loads((package / "package.json").read_text("utf-8"))
    manifest["n8n"]["nodes"].append("nodes/Nothing.node.js")
    (package / "package.json").write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(AssertionError, match="Nothing"):
        loaded(core, package)
