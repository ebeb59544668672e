"""What a hostile connector cannot do, on this machine and on those that have less: what is said to hold does."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hub.plugin_host.host import PluginHost
from hub.plugin_host.sandbox import MEANINGS
from hub.plugin_host.translation import HostUnavailable
from tests.plugin_host.attacks import ATTACKS, WEAKER, Targets, attacked, install_attacker, is_running, targets
from tests.plugin_host.conftest import OpenHost
from tests.plugin_host.distributions import Distributions
from tests.polling import PATIENCE_SECONDS, until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has what closes plugins in")

NAME = "hub-outlives"
ROOT = Path(__file__).resolve().parents[2]
ONE_LESS = ("without namespaces", "without Landlock")
"""Machines between one that has all and one that has neither."""


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Targets]:
    with targets(tmp_path / "hub", NAME) as found:
        yield found


@pytest.fixture(params=[
    "as it is", "without either", *(pytest.param(each, marks=pytest.mark.prove) for each in WEAKER if each in ONE_LESS)
])  # fmt: skip
async def machine(
    request: pytest.FixtureRequest, distributions: Distributions, open_host: OpenHost, there: Targets
) -> PluginHost:
    """A plugin host on a machine that has as much as its name says."""
    install_attacker(distributions, request.param)
    host = open_host(private=(there.at["private"], there.at["database"]))
    await host.catalog()
    return host


async def test_ten_hostile_connectors_are_refused_what_is_said_to_hold(machine: PluginHost, there: Targets) -> None:
    """And what is not said to hold is possible: the report is neither too proud nor too modest."""
    holds = {each.name: each.holds for each in machine.protections}
    assert holds.keys() == MEANINGS.keys()
    order = sorted(ATTACKS, key=lambda name: name in ("kill", "outlive"))  # the victim is needed until then
    outcomes = {name: await attacked(machine, name, there.at) for name in order if name != "outlive"}
    wrong = {name: said for name, said in outcomes.items() if (said == "did") is holds[ATTACKS[name]]}
    assert wrong == {}
    await attacked(machine, "outlive", there.at)
    assert is_running(NAME)
    await machine.close()
    await until(lambda: not is_running(NAME))


async def test_control_without_the_sandbox_all_ten_get_through(
    distributions: Distributions, open_host: OpenHost, there: Targets
) -> None:
    """But for memory and what the kernel itself keeps from everybody; so the attacks are real ones."""
    install_attacker(distributions, "as it is")
    host = open_host(sandbox="off", memory_bytes=2 << 30)
    await host.catalog()
    assert host.protections == ()
    names = [name for name in ATTACKS if name not in ("kill", "outlive", "privileges")]
    outcomes = {name: await attacked(host, name, there.at) for name in [*names, "kill"]}
    assert {name for name, said in outcomes.items() if said != "did"} == set()
    await host.close()  # which traces the victim, so that its end would be told to nobody else
    await asyncio.to_thread(there.victim.wait, PATIENCE_SECONDS)
    assert there.victim.returncode == -signal.SIGKILL


async def test_this_machine_holds_all_that_its_kernel_can(distributions: Distributions, open_host: OpenHost) -> None:
    """So that a weaker machine is seen in the output of the tests; what is not held is named with its reason."""
    install_attacker(distributions, "as it is")
    host = open_host()
    await host.catalog()
    missing = [f"{each.name} ({each.by})" for each in host.protections if not each.holds]
    if missing:
        pytest.skip(f"not held on this machine: {', '.join(missing)}")


async def test_a_hub_that_wants_a_full_sandbox_runs_no_plugin_with_less(
    distributions: Distributions, open_host: OpenHost, tmp_path: Path
) -> None:
    """Not even its import; and the reason says what is missing."""
    install_attacker(distributions, "without either")
    mark = tmp_path / "imported"
    distributions.write("early", f"open({str(mark)!r}, 'w').close()")
    with pytest.raises(HostUnavailable, match=r"sandbox is full, and this machine does not hold .*network \("):
        await open_host(sandbox="full").catalog()
    assert not mark.exists()
    await open_host(sandbox="best").catalog()
    assert mark.exists()  # the control: it would have been imported


async def test_a_private_file_among_the_code_is_told(distributions: Distributions, open_host: OpenHost) -> None:
    """A database in the folder of a package can be read by plugins, whatever else holds."""
    install_attacker(distributions, "as it is")
    package = distributions.folder / "hub_data"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "hub.db").touch()
    host = open_host(private=(str(package / "hub.db"),))
    await host.catalog()
    (files,) = [each for each in host.protections if each.name == "files"]
    assert not files.holds
    assert "hub.db can be read" in files.by


async def test_a_folder_on_the_path_shows_its_modules_and_nothing_else(
    distributions: Distributions, open_host: OpenHost, there: Targets
) -> None:
    """A checkout is on the path, with a database in it."""
    install_attacker(distributions, "as it is")
    beside = distributions.folder / "hub.db"
    beside.touch()
    host = open_host(private=(str(beside),))
    await host.catalog()
    assert next(each.holds for each in host.protections if each.name == "files")
    assert "did" not in await attacked(host, "files", {**there.at, "private": str(beside)})


HUB = """
import asyncio, json, sys
from hub.plugin_host.host import plugin_host
from hub.plugin_host.limits import Limits
from tests.plugin_host.attacks import attacked

async def main():
    host = plugin_host(Limits(), check_seconds=0.0)
    await host.catalog()
    print(await attacked(host, "outlive", {"name": sys.argv[1]}), flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.parametrize("machine_name", ["as it is", pytest.param("without namespaces", marks=pytest.mark.prove)])
async def test_a_hub_that_is_killed_leaves_no_plugin_behind(distributions: Distributions, machine_name: str) -> None:
    """Nor what one started in a session of its own, which took back the signal of its parent's death."""
    install_attacker(distributions, machine_name)
    name = f"hub-o-{os.getpid() % 10_000}-{len(machine_name)}"
    hub = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HUB, name, stdout=subprocess.PIPE, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{os.environ['PYTHONPATH']}{os.pathsep}{ROOT}"},
    )  # fmt: skip
    assert hub.stdout is not None
    assert await hub.stdout.readline() == b"did\n"
    assert is_running(name)
    hub.kill()
    await hub.wait()
    await until(lambda: not is_running(name))


CLOSED = """
import os, sys
from hub.kernel import close_to_others, drop_capabilities, forget_variable
drop_capabilities()
if sys.argv[1] == "forget":
    forget_variable("HUB_MASTER_KEY")
    assert "HUB_MASTER_KEY" not in os.environ
if sys.argv[1] == "close":
    close_to_others()
print("here", flush=True)
sys.stdin.read()
"""
READER = """
import sys
from hub.kernel import drop_capabilities
drop_capabilities()
try:
    print(open(f"/proc/{sys.argv[1]}/environ", "rb").read().count(b"the master key"))
except PermissionError:
    print("refused")
"""


@pytest.mark.parametrize(("does", "read"), [("close", "refused"), ("forget", "0"), ("nothing", "1")])
def test_a_server_is_closed_to_other_processes_of_its_user(does: str, read: str) -> None:
    """By the kernel, and by blanking the key in its environment; the last is the control."""
    with subprocess.Popen(
        [sys.executable, "-c", CLOSED, does], env={**os.environ, "HUB_MASTER_KEY": "the master key"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as hub:  # fmt: skip
        assert hub.stdout is not None
        hub.stdout.readline()
        seen = subprocess.run([sys.executable, "-c", READER, str(hub.pid)], capture_output=True, check=True, text=True)
        assert seen.stdout.strip() == read
        hub.communicate()


ORDINARY = """
import asyncio, json
from hub.plugin_host.host import plugin_host
from hub.plugin_host.limits import Limits
from tests.plugin_host.attacks import attacked

async def main():
    host = plugin_host(Limits(sandbox="full"), check_seconds=0.0)
    await host.catalog()
    print(json.dumps([each.name for each in host.protections if each.holds]), await attacked(host, "fork", {}))
    await host.close()

asyncio.run(main())
"""
NOBODY = 65_534


def test_an_ordinary_user_has_everything_and_cannot_fork_for_ever(distributions: Distributions) -> None:
    """The machine's root is the one whose processes the kernel does not count; the hub is to run as another."""
    if os.getuid():
        pytest.skip("who runs the tests is an ordinary user: the test of ten attacks is this one")
    install_attacker(distributions, "as it is")
    python = next(filter(_serves_nobody, [sys.executable, "/usr/bin/python3"]), None)
    if python is None:
        pytest.skip("no interpreter of this machine can be run by an ordinary user")
    with TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        shutil.copytree(distributions.folder, f"{folder}/site")
        environment = {"PYTHONPATH": os.pathsep.join([f"{folder}/site", *_IMPORTED]), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [python, "-c", ORDINARY], user=NOBODY, group=NOBODY, extra_groups=[], env=environment, cwd="/",
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    held, _, said = done.stdout.partition("] ")
    assert json.loads(f"{held}]") == list(MEANINGS)
    assert said.startswith("BlockingIOError")


_IMPORTED = [path for path in (str(ROOT), *sys.path) if path.endswith("site-packages") or path == str(ROOT)]


def _serves_nobody(python: str) -> bool:
    """Return whether an ordinary user can run the hub by this interpreter."""
    try:
        found = subprocess.run(
            [python, "-c", "import sys, orjson, attrs, hub.api; print(sys.version_info[:2])"], cwd="/",
            env={"PYTHONPATH": os.pathsep.join(_IMPORTED)}, user=NOBODY, group=NOBODY, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
    except OSError:
        return False
    return found.stdout.strip() == str(sys.version_info[:2])
