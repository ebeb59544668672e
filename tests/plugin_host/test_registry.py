"""Plugins as they are found: real distributions on the path, good ones and every kind of bad one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from textwrap import dedent
from time import monotonic
from typing import Any

import orjson
import pytest

from hub.api import Body, Connector
from hub.plugin_host.registry import PluginFault, Registry, load_registry
from hub.plugin_runtime.answers import Answers

GOOD = """
    from hub.api import Connector, hookimpl

    @hookimpl
    def hub_connectors():
        yield Connector(
            name="acme", title="Acme", translate_webhook=lambda kind, body, context: (),
            recognises=lambda body: body["acme"], rank=10,
        )
"""

THREE = """
    from hub.api import Connector, hookimpl

    @hookimpl
    def hub_connectors():
        return [Connector(name, name, print, bool, rank) for name, rank in (("b", 2), ("a", 2), ("c", 1))]
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a distribution with one module and its entry point on the path, as an installer would."""
    modules: list[str] = []

    def add(distribution: str, source: str, *, version: str = "1.0", module: str = "") -> None:
        module = module or f"{distribution.replace('-', '_')}_module"
        modules.append(module)
        (tmp_path / f"{module}.py").write_text(dedent(source))
        info = tmp_path / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[hub.plugins]\nplugin = {module}\n")
        monkeypatch.syspath_prepend(str(tmp_path))

    yield add
    for module in modules:
        sys.modules.pop(module, None)


def faults() -> list[str]:
    with pytest.raises(PluginFault) as caught:
        load_registry()
    assert str(caught.value) == "\n".join(caught.value.faults)
    return caught.value.faults


def connector(name: str, rank: int, recognises: Callable[[dict[str, object]], bool]) -> Connector:
    return Connector(name, name.title(), lambda kind, body, context: (), recognises, rank)


class Noted:
    """Keeps which connector translated; limits nothing."""

    translated: str | None = None

    def note(self, connector: str, distribution: str, part: str, function: object = None) -> None:
        self.translated = connector if part.startswith("translate_webhook") else self.translated

    def rest(self) -> None:
        pass

    @property
    def noted(self) -> list[str]:
        return [""] * 4

    def limited(self, seconds: float) -> AbstractContextManager[None]:
        return nullcontext()


def translates(body: Body, registry: Registry) -> str | None:
    """Return which connector translates a free-form body."""
    noted = Noted()
    asked: dict[str, Any] = {
        "do": "translate", "connector": None, "without": [], "live": False, "kind": "order-created",
        "deliveryId": "evt_1", "receivedAt": 0, "currency": "USD", "until": monotonic() + 60,
    }  # fmt: skip
    answer, _ = Answers(registry, noted, 60.0).answer(asked, orjson.dumps(body))
    if noted.translated is None:
        assert "install hub-generic" in answer["unmappable"]
    return noted.translated


class TestFinding:
    def test_the_generic_plugin_is_found_by_its_entry_point(self) -> None:
        """First-party plugins come through the door for strangers."""
        registry = load_registry()
        assert registry.origins["generic"].startswith("hub-generic ")
        assert translates({"anything": 1}, registry) == "generic"

    def test_a_strangers_plugin(self, install: Install) -> None:
        """Installed is enough: it is asked before the generic one."""
        install("acme-hub", GOOD)
        registry = load_registry()
        assert registry.origins["acme"] == "acme-hub 1.0"
        names = [found.name for found in registry.connectors]
        assert (names[0], names[-1]) == ("acme", "generic")
        assert translates({"acme": True}, registry) == "acme"
        assert translates({"acme": False}, registry) == "generic"
        named = registry.named("acme")
        assert named is not None
        assert named.title == "Acme"
        assert registry.named("unknown") is None


class TestFaults:
    def test_a_name_claimed_twice(self, install: Install) -> None:
        """Both owners are named, since either can be the one to go."""
        install("acme-hub", GOOD)
        install("other-hub", GOOD, version="2.3")
        assert faults() == [
            "acme-hub 1.0 and other-hub 2.3 both declare the connector 'acme': uninstall or rename one of them"
        ]

    def test_a_name_claimed_twice_by_one(self, install: Install) -> None:
        """A plugin may clash with itself."""
        source = GOOD.replace("yield Connector(", "yield from 2 * (Connector(").replace(
            "rank=10,\n        )", "rank=10),)"
        )
        install("acme-hub", source)
        assert faults() == [
            "acme-hub 1.0 and acme-hub 1.0 both declare the connector 'acme': uninstall or rename one of them"
        ]

    @pytest.mark.parametrize(
        ("source", "said"),
        [
            ("import no_such_library", "cannot be imported: ModuleNotFoundError: No module named 'no_such_library'"),
            ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
            ("def broken(:", "cannot be imported: SyntaxError"),
            (GOOD.replace("def hub_connectors", "def hub_conectors"), "unknown hook 'hub_conectors'"),
            (GOOD.replace("hub_connectors()", "hub_connectors(application)"), "does not fit the hub's hooks"),
            (GOOD.replace("@hookimpl", ""), "has no hub_connectors function marked with hub.api.hookimpl"),
            ("x = 1", "has no hub_connectors function marked with hub.api.hookimpl"),
            (
                GOOD.replace("yield Connector(", "yield dict("),
                "gives a dict from hub_connectors() where a Connector is due",
            ),
            (
                GOOD.replace("yield Connector(", "return Connector("),
                "gives a Connector from hub_connectors() where a list",
            ),
            (GOOD.replace("yield Connector(", "return None and dict("), "gives a NoneType from hub_connectors()"),
            (
                GOOD.replace("yield Connector(", "raise OSError('boom') or dict("),
                "fails in hub_connectors(): OSError: boom",
            ),
            (GOOD.replace("rank=10,", ""), "fails in hub_connectors(): TypeError"),
            (GOOD.replace('name="acme"', 'name="Acme Shop"'), "names a connector 'Acme Shop': a name is up to 40"),
            (GOOD.replace('name="acme"', "name=None"), "names a connector None: a name is up to 40"),
            (GOOD.replace("rank=10", "rank=True"), "gives its connector 'acme' a rank that is no whole number"),
            (
                GOOD.replace('lambda body: body["acme"]', "True"),
                "gives its connector 'acme' a recognises that is no function",
            ),
        ],
    )
    def test_a_plugin_that_cannot_be_used(self, install: Install, source: str, said: str) -> None:
        """The sentence names the distribution, so that the operator knows what to mend or uninstall."""
        install("acme-hub", source)
        (fault,) = faults()
        assert fault.startswith("acme-hub 1.0 ")
        assert said in fault

    def test_all_at_once(self, install: Install) -> None:
        """One start tells of every bad plugin."""
        install("one-hub", "import no_such_library")
        install("two-hub", "x = 1")
        assert [fault.split()[0] for fault in faults()] == ["one-hub", "two-hub"]


class TestRecognising:
    def test_rank_then_name(self, install: Install) -> None:
        """Of all that agree the lowest rank translates, and equal ranks go by name."""
        install("acme-hub", THREE)
        names = [found.name for found in load_registry().connectors]
        assert (names[:3], names[-1]) == (["c", "a", "b"], "generic")

    def test_one_that_stumbles_does_not_recognise(self) -> None:
        """A stranger's body must not keep the others from being asked."""
        registry = Registry((connector("a", 1, lambda body: bool(body["a"])), connector("b", 2, lambda _: True)))
        assert translates({}, registry) == "b"

    def test_nobody_recognises(self) -> None:
        """The event ends FAILED with a sentence, and can be replayed once there is a plugin."""
        assert translates({}, Registry(())) is None
