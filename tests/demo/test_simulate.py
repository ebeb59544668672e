"""The README's simulated store, played against a running demo."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from hub.demo.walk import Places

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.prove
@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="needs bash and curl")
async def test_the_readme_ends_in_a_commission(places: Places, tmp_path: Path) -> None:
    """As printed; only the file of addresses lies elsewhere."""
    (block,) = re.findall(r"```sh\n(.{0,40}CLICK=.*?hub simulate.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    script = block.replace(". var/demo.env", f". {places.settings_file}")
    # A clean shell: what other tests set for their own hubs (a master key, say) is none of this one's.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HUB_")}
    environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = await asyncio.create_subprocess_exec(
        "bash", "-eu", "-o", "pipefail", "-c", script, cwd=tmp_path, env=environment,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        said, complained = await asyncio.wait_for(done.communicate(), 300)
    finally:
        if done.returncode is None:
            done.kill()
    told = said.decode()
    assert done.returncode == 0, told + complained.decode()
    earned = re.findall(r"^The commission of order (\d+): (\d+\.\d\d) USD, (HOLD|PAYABLE)\.$", told, re.MULTILINE)
    (first, partly, _), (again, after_storm, _), (second, whole, _) = earned
    assert (first, again, second) == ("4711", "4711", "4712")
    assert float(partly) == float(after_storm) < float(whole)
    assert "FAILED" not in told
